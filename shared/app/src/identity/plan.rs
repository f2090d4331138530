//! The plan of an organization: set by the operator of the hosted service, not by its people.

use svc_domain::identity::{Org, Plan};
use svc_domain::ids::{OrgId, OrgSlug};
use svc_domain::refusal::Refusal;
use svc_storage::{Op, keys};

use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

/// Puts an organization on a plan, or on none. What an earlier plan had deleted does not come back.
///
/// # Errors
/// [`Refusal::NotFound`]; those of storage.
pub async fn set_plan(app: &App, slug: &OrgSlug, plan: Option<Plan>) -> Result<Org> {
    app.decide(|| async {
        let id: OrgId = app.table.get(&keys::slug(slug)).await?.ok_or(Refusal::NotFound)?.read()?;
        // A deleted one has no such row.
        let row = app.table.get(&keys::org(id)).await?.ok_or(Refusal::NotFound)?;
        let org = Org { plan, ..row.read()? };
        let replaced = Op::replace(keys::org(id), row.version, &org);
        app.commit(Transaction::bookkeeping(app).with([replaced])).await?;
        Ok(org)
    })
    .await
}
