//! Deleting an organization, and restoring it.
//!
//! Protocol.
//! 1. Deleting moves the organization's row to [`keys::deleted_org`], in one commit with its events. Nothing else is
//!    touched: slug, memberships and the entry among all organizations stay. Every request asks for the organization's
//!    row ([`crate::entry`], runners, the lists of organizations), so all of it is reached by nobody, also not by a way
//!    that nobody thought of, nor through a server of an older version.
//! 2. A commit that begins a run, and one that lets somebody join, demands the organization's row as it was read, so none
//!    comes after the deletion. A message then stops the runs that wait or are at work ([`crate::factory::stopping`]). Any
//!    other change that was on its way goes through, as if it had happened a moment earlier.
//! 3. Restoring moves the row back, in a later version than it had.
//! 4. A message comes when it can be restored no more ([`super::org_purge`]). Its first commit takes the organization out
//!    of what is kept of it: from then on nobody restores it, whatever their clock.

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::deletion::{Deletion, restorable};
use svc_domain::event::OrgEvent;
use svc_domain::identity::Scope;
use svc_domain::ids::OrgId;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use super::names::bring_up_to_date;
use super::orgs::{VisibleOrg, orgs_of, require};
use crate::App;
use crate::entry::{BearerCredential, Caller, authenticate, enter_deleted_org, enter_org, person};
use crate::error::{Error, Result};
use crate::transaction::Transaction;
use crate::wanted;

/// Deletes an organization, which can be restored for a while. `confirmed` is its slug, typed again. Doing it again
/// changes nothing.
///
/// # Errors
/// [`Refusal::Invalid`] for another slug than the organization's; [`Refusal::NotFound`]; what
/// [`Capability::GovernOrg`] refuses.
pub async fn delete_org(app: &App, caller: Caller<'_>, confirmed: &str) -> Result<()> {
    app.decide(|| async {
        let entry = match enter_org(app, caller, Capability::GovernOrg).await {
            Err(Error::Refused(Refusal::Deleted { .. })) => {
                return enter_deleted_org(app, caller, Capability::GovernOrg).await.map(drop);
            }
            entered => entered?,
        };
        DeletedOrg::require_confirmed(caller.org, confirmed)?;
        let mut transaction = Transaction::of(app, &entry);
        let deletion = Deletion { by: entry.actor().clone(), at: transaction.at() };
        let deleted = DeletedOrg {
            slug: entry.org.slug.clone(),
            org: Some((*entry.org).clone()),
            row_version: entry.org_version,
            deletion,
        };
        transaction.write([
            Op::delete(keys::org(entry.org_id()), Condition::Version(entry.org_version)),
            Op::create(keys::deleted_org(entry.org_id()), &deleted),
        ]);
        app.commit(transaction.telling(OrgEvent::Deleted)).await
    })
    .await
}

/// The organizations that were deleted and can be restored, of those that the caller belongs to, by slug.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for who is no person.
pub async fn deleted_orgs(app: &App, caller: Option<&BearerCredential>) -> Result<Vec<VisibleOrg>> {
    let credential = authenticate(app, caller).await?;
    let user = person(&credential)?;
    require(&credential, Scope::Read)?;
    let orgs = orgs_of(app, &credential, user).await?;
    let wanted = orgs.iter().map(|org| (keys::deleted_org(*org), keys::member(*org, user)));
    let wanted: Vec<_> = wanted.collect();
    let mut found = Vec::new();
    for pair in wanted::load(app, wanted).await? {
        let (Some(row), Some(member)) = pair else { continue };
        let deleted = row.read()?;
        let Some(org) = deleted.kept(app.now()).cloned() else { continue };
        let member = member.read()?;
        let seen = VisibleOrg::new(org, deleted.row_version, Some(&member));
        found.push(VisibleOrg { deletion: Some(deleted.deletion), ..seen });
    }
    let mut found = restorable(found, |seen| seen.deletion.as_ref(), app.now());
    for seen in &mut found {
        let by = seen.deletion.iter_mut().map(|deletion| &mut deletion.by);
        bring_up_to_date(app, seen.org.id, by).await?;
    }
    found.sort_by(|a, b| a.org.slug.cmp(&b.org.slug));
    Ok(found)
}

/// Restores a deleted organization as it was. One that is there stays as it is.
///
/// # Errors
/// [`Refusal::Deleted`] when it is too late; [`Refusal::NotFound`]; what [`Capability::GovernOrg`] refuses.
pub async fn restore_org(app: &App, caller: Caller<'_>) -> Result<VisibleOrg> {
    app.decide(|| async {
        match enter_org(app, caller, Capability::GovernOrg).await {
            Err(Error::Refused(Refusal::Deleted { .. })) => restore_once(app, caller).await,
            entered => Ok(VisibleOrg::of(entered?)),
        }
    })
    .await
}

async fn restore_once(app: &App, caller: Caller<'_>) -> Result<VisibleOrg> {
    let (mut entry, deleted, row) = enter_deleted_org(app, caller, Capability::GovernOrg).await?;
    let org = deleted.kept(app.now()).ok_or_else(|| deleted.refusal(app.now()))?;
    entry.org_version = deleted.next_row_version();
    let ops = [row.deleted(), Op::create_at(keys::org(org.id), entry.org_version, org)];
    app.commit(Transaction::of(app, &entry).with(ops).telling(OrgEvent::Restored)).await?;
    Ok(VisibleOrg::of(entry))
}

/// What is kept of an organization since it was deleted at this time; `None` where it was restored.
pub(crate) async fn org_deleted_at(
    app: &App,
    org: OrgId,
    at: Timestamp,
) -> Result<Option<(DeletedOrg, RowOf<DeletedOrg>)>> {
    let Some(row) = app.table.find(&keys::deleted_org(org)).await? else { return Ok(None) };
    let deleted: DeletedOrg = row.read()?;
    Ok((deleted.deletion.at == at).then_some((deleted, row)))
}

/// Refuses what asks for an organization that is not there, for who has shown that they belong to it.
///
/// # Errors
/// [`Refusal::Deleted`]; `otherwise` where it was not deleted either.
pub(crate) async fn refused_without(app: &App, org: OrgId, otherwise: Refusal) -> Result<Refusal> {
    let Some(row) = app.table.find(&keys::deleted_org(org)).await? else { return Ok(otherwise) };
    Ok(row.read()?.refusal(app.now()))
}
