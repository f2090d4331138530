//! The link of an invitation: an address with a secret, and the row that it leads to.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::ids::{InvitationId, OrgId};
use svc_storage::{Op, keys};

use crate::App;
use crate::secrets::{self, SecretKind};

/// What a link leads to, as stored under the SHA-256 of its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Link {
    pub(crate) org: OrgId,
    pub(crate) invitation: InvitationId,
    pub(super) generation: u32,
    /// Whether it went by mail, so that who has it reads the mail of the address.
    pub(super) mailed: bool,
}

/// An address with a new secret, and what makes it lead to the invitation.
pub(super) fn new_link(app: &App, link: &Link, expires_at: Timestamp) -> (String, Op) {
    let secret = secrets::mint(app, SecretKind::Invitation);
    let op = Op::create(keys::invitation_secret(&secrets::hash(&secret)), link);
    let address = format!("{}/join#{secret}", app.settings.service.base_url);
    // Kept for a while after its end, so that who comes late is told why.
    (address, op.expiring((expires_at + SignedDuration::from_hours(24 * 30)).as_second()))
}
