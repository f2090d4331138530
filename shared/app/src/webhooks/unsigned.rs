//! Which webhooks cannot sign, for the operator: their secrets were encrypted with another key.

use svc_domain::ids::OrgId;
use svc_domain::webhook::Webhooks;
use svc_storage::keys;

use super::sign;
use crate::App;
use crate::error::Result;

/// Rows read at once.
const PAGE: usize = 1_000;

/// A webhook that sends nothing, because it cannot sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsigned {
    /// Organization.
    pub org: OrgId,
    /// Name of the webhook.
    pub name: String,
}

/// The webhooks of all organizations that cannot sign. It reads the whole store.
///
/// # Errors
/// Those of storage.
pub async fn unsigned(app: &App) -> Result<Vec<Unsigned>> {
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let page = app.table.scan(PAGE, cursor.as_ref()).await?;
        for row in page.rows {
            let org = row.key.pk.strip_prefix("ORG#").and_then(|org| org.parse::<OrgId>().ok());
            let Some(org) = org.filter(|org| row.key == keys::webhooks(*org)) else { continue };
            let webhooks = row.read::<Webhooks>()?.webhooks.into_iter();
            let mute = webhooks.filter(|webhook| sign::opened(app, webhook).is_none());
            found.extend(mute.map(|webhook| Unsigned { org, name: webhook.name }));
        }
        cursor = page.cursor;
        if cursor.is_none() {
            return Ok(found);
        }
    }
}
