//! Admits requests: authenticates the caller, authorizes them in an organization and a project, and loads the rows
//! that the use case needs, in two sequential round trips:
//!
//! 1. The credential by its hash, and the organization's id by its slug.
//! 2. The organization, the membership, the project and its membership, and the use case's own rows.
//!
//! A returning caller needs only one: [`crate::id_cache`].
//!
//! A resource that the caller may not see is [`Refusal::NotFound`], as if it did not exist. A deleted project or
//! organization has no row ([`crate::tracker::project_deletion`], [`crate::identity::org_deletion`]): a caller who
//! could see it is told that it was deleted, which costs one more round trip.

mod admission;

use std::sync::Arc;

use svc_domain::access::{Access, Capability};
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::identity::{Credential, CredentialStatus, Scope, Subject};
use svc_domain::ids::{OrgId, ProjectKey, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Key, Row, RowOf, keys};

use self::admission::{admit_or_explain, rows_of, standing};
use crate::App;
use crate::error::{Error, Result};
use crate::id_cache::{Ids, Place};
use crate::identity::ending;
use crate::wanted::{self, Wanted};

pub use crate::caller::{BearerCredential, Caller, Entry};

/// The credential of a request, if it works now.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::OtherAccount`].
pub async fn authenticate(app: &App, bearer: Option<&BearerCredential>) -> Result<Credential> {
    let bearer = bearer.ok_or(Refusal::Unauthenticated)?;
    let row = app.table.find(&keys::credential(&bearer.secret_hash)).await?;
    Ok(Arc::unwrap_or_clone(valid(app, bearer, row.map(Row::from)).await?))
}

/// Whether a credential works.
///
/// # Errors
/// Those of storage.
pub async fn works(app: &App, bearer: &BearerCredential) -> Result<bool> {
    match authenticate(app, Some(bearer)).await {
        Ok(_) => Ok(true),
        Err(Error::Refused(Refusal::Unauthenticated)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn valid(app: &App, bearer: &BearerCredential, row: Option<Row>) -> Result<Arc<Credential>> {
    let credential = app.parse_cache.credentials.read(&row.ok_or(Refusal::Unauthenticated)?)?;
    match credential.status(app.now()) {
        CredentialStatus::Works => {
            bearer.check_account(&credential.subject)?;
            if let Some(note) = app.last_uses.note(app.now(), &credential) {
                app.write_sometime(note);
            }
            Ok(credential)
        }
        CredentialStatus::Ended => Err(Refusal::Unauthenticated.into()),
        CredentialStatus::Copied { user, session } => {
            ending::copied(app, user, session).await;
            Err(Refusal::Unauthenticated.into())
        }
    }
}

/// The person whose account a credential may read or change. A bound token may not: an account reaches beyond
/// the one organization that it knows of.
///
/// # Errors
/// [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for runners, agents and bound tokens.
pub fn account_of(credential: &Credential, scope: Scope) -> Result<UserId> {
    let user = person(credential)?;
    if !credential.scopes.contains(&scope) {
        return Err(Refusal::MissingScope(scope.as_str()).into());
    }
    if credential.org.is_some() {
        return Err(Refusal::Forbidden(
            "this needs a session, or a token that is not bound to an organization",
        )
        .into());
    }
    Ok(user)
}

/// The person that a credential speaks for.
///
/// # Errors
/// [`Refusal::Forbidden`] for runners and agents.
pub fn person(credential: &Credential) -> Result<UserId> {
    match &credential.subject {
        Subject::Session { user, .. } | Subject::PersonalToken { user, .. } => Ok(*user),
        Subject::Runner { .. } | Subject::Directory { .. } | Subject::AgentRun { .. } => {
            Err(Refusal::Forbidden("this needs the account of a person").into())
        }
    }
}

/// Enters an organization, asking for one capability in it.
///
/// # Errors
/// What [`Access::require`] refuses.
pub async fn enter_org(app: &App, caller: Caller<'_>, capability: Capability) -> Result<Entry> {
    Ok(enter_org_with(app, caller, capability, |_| ()).await?.0)
}

/// Enters an organization, and loads rows of it in the same round trip.
///
/// # Errors
/// What [`Access::require`] refuses.
pub async fn enter_org_with<W: Wanted>(
    app: &App,
    caller: Caller<'_>,
    capability: Capability,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    capable(enter_unasked(app, caller, None, wanted).await?, capability)
}

/// Enters a project, asking for one capability in it.
///
/// # Errors
/// What [`Access::require`] refuses.
pub async fn enter_project(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    capability: Capability,
) -> Result<Entry> {
    Ok(enter_project_with(app, caller, project, capability, |_| ()).await?.0)
}

/// Enters a project, and loads rows in the same round trip.
///
/// # Errors
/// What [`Access::require`] refuses.
pub async fn enter_project_with<W: Wanted>(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    capability: Capability,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    capable(enter_unasked(app, caller, Some(project), wanted).await?, capability)
}

fn capable<R>((entry, rows): (Entry, R), capability: Capability) -> Result<(Entry, R)> {
    entry.access.require(capability)?;
    Ok((entry, rows))
}

/// Enters an organization or a project without asking for a capability: ask the entry's [`Access`]. Loads rows in
/// the same round trip.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::NotFound`] for a caller outside of the organization.
pub async fn enter_unasked<W: Wanted>(
    app: &App,
    caller: Caller<'_>,
    project: Option<&ProjectKey>,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    enter_at(app, caller.credential, Place::Slug(caller.org), project, wanted).await
}

/// Enters the organization of a known id, for addresses that name no slug. Requires no capability: ask the
/// entry's [`Access`]. Loads rows in the same round trip.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::NotFound`] for a caller outside of the organization.
pub async fn enter_by_id<W: Wanted>(
    app: &App,
    credential: Option<&BearerCredential>,
    org: OrgId,
    project: Option<&ProjectKey>,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    enter_at(app, credential, Place::Id(org), project, wanted).await
}

/// Enters a project on behalf of a person who asked for something earlier, with their current rights. Requires no
/// capability: ask the entry's [`Access`].
///
/// # Errors
/// [`Refusal::NotFound`] for a person who left the organization, or whose account is disabled.
pub(crate) async fn enter_as(app: &App, org: OrgId, user: UserId, project: &ProjectKey) -> Result<Entry> {
    Ok(enter_as_with(app, org, user, project, |_| ()).await?.0)
}

/// As [`enter_as`], and loads rows in the same round trip.
///
/// # Errors
/// As there.
pub(crate) async fn enter_as_with<W: Wanted>(
    app: &App,
    org: OrgId,
    user: UserId,
    project: &ProjectKey,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    for_person(app, org, user, Some(project), wanted).await
}

/// Enters an organization in the name of a person, with their current rights. Requires no capability.
///
/// # Errors
/// As [`enter_as`].
pub(crate) async fn enter_org_as(app: &App, org: OrgId, user: UserId) -> Result<Entry> {
    Ok(for_person(app, org, user, None, |_| ()).await?.0)
}

async fn for_person<W: Wanted>(
    app: &App,
    org: OrgId,
    user: UserId,
    project: Option<&ProjectKey>,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    let (ids, wanted) = (Ids { org, user: Some(user) }, wanted(org));
    let mut keys: Vec<Key> = vec![keys::sessions(user).into()];
    keys.extend(rows_of(ids, project));
    wanted.name(&mut keys);
    let mut rows = app.table.get_many(&keys).await?.into_iter();
    if ending::is_disabled(rows.next().flatten().as_ref())? {
        return Err(Refusal::NotFound.into());
    }
    let subject = Subject::Session { user, session: None, replaced_at: None };
    let credential = Credential { subject, scopes: all_scopes(), org: Some(org), expires_at: None };
    let entry = admit_or_explain(app, &credential, ids, project, &mut rows).await?;
    Ok((entry, wanted.take(&mut rows)))
}

/// Enters an organization that was deleted, asking for one capability in it as it was. Answers what is kept of it as well,
/// with its row.
///
/// # Errors
/// [`Refusal::NotFound`] for a caller outside of it, or where it is not deleted; [`Refusal::Deleted`] when it is too late to
/// restore it; [`Refusal::Forbidden`] for agents and runners; what [`Access::require`] refuses.
pub(crate) async fn enter_deleted_org(
    app: &App,
    caller: Caller<'_>,
    capability: Capability,
) -> Result<(Entry, DeletedOrg, RowOf<DeletedOrg>)> {
    let bearer = caller.credential.ok_or(Refusal::Unauthenticated)?;
    let credential = authenticate(app, Some(bearer)).await?;
    let org: OrgId = app.table.get(&keys::slug(caller.org)).await?.ok_or(Refusal::NotFound)?.read()?;
    if credential.org.is_some_and(|bound| bound != org) {
        return Err(Refusal::NotFound.into());
    }
    let wanted = (keys::deleted_org(org), keys::member(org, person(&credential)?));
    let (Some(row), Some(member)) = wanted::load(app, wanted).await? else {
        return Err(Refusal::NotFound.into());
    };
    let deleted = row.read()?;
    let (actor, standing) = standing(&credential, Some(member.read()?))?;
    let kept = deleted.org.clone().ok_or_else(|| deleted.refusal(app.now()))?;
    let scopes = credential.scopes.clone();
    let access = Access { actor, scopes, org, read_only: kept.read_only, standing, project: None };
    access.require(capability)?;
    let entry = Entry {
        access,
        org: Arc::new(kept),
        org_version: deleted.row_version,
        project: None,
        project_version: 0,
        reservation: bearer.reservation.clone(),
    };
    Ok((entry, deleted, row))
}

async fn enter_at<W: Wanted>(
    app: &App,
    bearer: Option<&BearerCredential>,
    place: Place<'_>,
    project: Option<&ProjectKey>,
    more: impl Fn(OrgId) -> W,
) -> Result<(Entry, W::Rows)> {
    let bearer = bearer.ok_or(Refusal::Unauthenticated)?;
    let named_by = |ids: Ids| {
        let mut keys = rows_of(ids, project);
        more(ids.org).name(&mut keys);
        keys
    };
    let hint = app.id_cache.of(&bearer.secret_hash, place);
    let mut first: Vec<Key> = vec![keys::credential(&bearer.secret_hash).into()];
    if let Place::Slug(slug) = place {
        first.push(keys::slug(slug));
    }
    first.extend(hint.into_iter().flat_map(named_by));
    let mut rows = app.table.get_many(&first).await?.into_iter();

    let mut credential = valid(app, bearer, rows.next().flatten()).await?;
    let org = match place {
        Place::Slug(_) => rows.next().flatten().ok_or(Refusal::NotFound)?.read()?,
        Place::Id(org) => org,
    };
    if credential.org.is_some_and(|bound| bound != org) {
        return Err(Refusal::NotFound.into());
    }
    name_item(app, org, &mut credential).await?;
    let ids = Ids { org, user: member_of(&credential)? };
    if hint != Some(ids) {
        app.id_cache.learn(&bearer.secret_hash, place, ids);
        rows = app.table.get_many(&named_by(ids)).await?.into_iter();
    }
    let entry = admit_or_explain(app, &credential, ids, project, &mut rows).await?;
    let found = more(ids.org).take(&mut rows);
    Ok((Entry { reservation: bearer.reservation.clone(), ..entry }, found))
}

/// Names the item of an agent's run in a credential from before it was kept there.
async fn name_item(app: &App, org: OrgId, credential: &mut Arc<Credential>) -> Result<()> {
    if let Subject::AgentRun { run, item: None, .. } = &credential.subject {
        let row = app.table.find(&keys::run(org, *run)).await?.ok_or(Refusal::Unauthenticated)?;
        let run = row.read()?;
        if let Subject::AgentRun { item, .. } = &mut Arc::make_mut(credential).subject {
            *item = Some(run.item);
        }
    }
    Ok(())
}

/// The person that must be a member; agents need no membership.
fn member_of(credential: &Credential) -> Result<Option<UserId>> {
    match &credential.subject {
        Subject::Session { user, .. } | Subject::PersonalToken { user, .. } => Ok(Some(*user)),
        Subject::AgentRun { .. } => Ok(None),
        Subject::Runner { .. } => Err(Refusal::Forbidden("a runner secret works for runners only").into()),
        Subject::Directory { .. } => Err(Refusal::Forbidden("a SCIM token works below /scim/v2 only").into()),
    }
}

/// Every scope: what a session has.
pub fn all_scopes() -> std::collections::BTreeSet<Scope> {
    Scope::ALL.iter().copied().collect()
}
