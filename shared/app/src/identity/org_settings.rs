//! Changes of an organization itself: its name, by who administers it, and whether it accepts changes, by its
//! Owners.

use std::sync::Arc;

use svc_domain::access::Capability;
use svc_domain::account;
use svc_domain::event::OrgEvent;
use svc_domain::identity::Org;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Op, keys};

use super::orgs::VisibleOrg;
use crate::App;
use crate::entry::{Caller, enter_org};
use crate::error::Result;
use crate::transaction::Transaction;

/// What of an organization to change.
#[derive(Clone, Debug, Default)]
pub struct OrgChange {
    /// The version that the caller read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// Whether it accepts no changes.
    pub read_only: Option<bool>,
}

/// Changes an organization. A read-only one takes nothing but the end of being so.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::StaleVersion`], [`Refusal::Invalid`].
pub async fn update_org(app: &App, caller: Caller<'_>, change: OrgChange) -> Result<VisibleOrg> {
    app.decide(|| async {
        let governs = change.read_only.is_some();
        let capability = if governs { Capability::GovernOrg } else { Capability::AdministerOrg };
        let entry = enter_org(app, caller, capability).await?;
        if entry.org_version != change.version {
            return Err(Refusal::StaleVersion { current: entry.org_version }.into());
        }
        let mut errors = FieldErrors::default();
        let name = change.name.as_deref().and_then(|name| errors.check("name", account::public_name(name)));
        errors.into_result()?;
        let read_only = change.read_only.unwrap_or(entry.org.read_only);
        if entry.org.read_only && read_only && name.is_some() {
            return Err(Refusal::ReadOnlyOrganization.into());
        }
        let name = name.unwrap_or_else(|| entry.org.name.clone());
        let org = Org { name, read_only, ..(*entry.org).clone() };
        let row = Op::replace(keys::org(org.id), entry.org_version, &org);
        let mut transaction = Transaction::of(app, &entry).with([row]);
        if org.name != entry.org.name {
            transaction.tell(OrgEvent::Renamed(entry.org.name.clone(), org.name.clone()));
        }
        if org.read_only != entry.org.read_only {
            transaction.tell(OrgEvent::ReadOnlySet(org.read_only));
        }
        app.commit(transaction).await?;
        let mut entry = entry;
        entry.org_version += 1;
        entry.org = Arc::new(org);
        Ok(VisibleOrg::of(entry))
    })
    .await
}
