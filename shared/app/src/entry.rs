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

use std::sync::Arc;
use std::vec;

use svc_domain::access::{Access, Capability, ProjectStanding, Standing};
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::identity::{Credential, CredentialStatus, Member, ProjectMember, Scope, Subject};
use svc_domain::ids::{Actor, ActorId, OrgId, ProjectKey, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Key, Row, keys};

use crate::App;
use crate::error::{Error, Result};
use crate::id_cache::{Ids, Place};
use crate::identity::ending;

pub use crate::caller::{BearerCredential, Caller, Entry};

/// The credential of a request, if it works now.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::OtherAccount`].
pub async fn authenticate(app: &App, bearer: Option<&BearerCredential>) -> Result<Credential> {
    let bearer = bearer.ok_or(Refusal::Unauthenticated)?;
    let row = app.table.get(&keys::credential(&bearer.secret_hash)).await?;
    Ok(Arc::unwrap_or_clone(valid(app, bearer, row).await?))
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
        Subject::Runner { .. } | Subject::AgentRun { .. } => {
            Err(Refusal::Forbidden("this needs the account of a person").into())
        }
    }
}

/// Enters an organization, asking for one capability in it.
///
/// # Errors
/// What [`Access::require`] refuses.
pub async fn enter_org(
    app: &App,
    caller: Caller<'_>,
    capability: Capability,
    more: impl Fn(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    enter(app, caller, None, capability, more).await
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
    more: impl Fn(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    enter(app, caller, Some(project), capability, more).await
}

async fn enter(
    app: &App,
    caller: Caller<'_>,
    project: Option<&ProjectKey>,
    capability: Capability,
    more: impl Fn(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    let entry = enter_unasked(app, caller, project, more).await?;
    entry.access.require(capability)?;
    Ok(entry)
}

/// Enters an organization or a project without asking for a capability: ask the entry's [`Access`].
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::NotFound`] for who does not belong to the organization.
pub async fn enter_unasked(
    app: &App,
    caller: Caller<'_>,
    project: Option<&ProjectKey>,
    more: impl Fn(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    enter_at(app, caller.credential, Place::Slug(caller.org), project, more).await
}

/// Enters the organization of a known id, for addresses that name no slug. Requires no capability: ask the
/// entry's [`Access`].
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::NotFound`] for who does not belong to the organization.
pub async fn enter_by_id(
    app: &App,
    credential: Option<&BearerCredential>,
    org: OrgId,
    project: Option<&ProjectKey>,
    more: impl Fn(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    enter_at(app, credential, Place::Id(org), project, more).await
}

/// Enters a project as a person who asked for something earlier: with the rights that they have now. Requires no
/// capability: ask the entry's [`Access`].
///
/// # Errors
/// [`Refusal::NotFound`] for who left the organization.
pub(crate) async fn enter_as(
    app: &App,
    org: OrgId,
    user: UserId,
    project: &ProjectKey,
    more: impl FnOnce(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    let ids = Ids { org, user: Some(user) };
    let rows = app.table.get_many(&[rows_of(ids, Some(project)), more(org)].concat()).await?;
    let subject = Subject::Session { user, session: None, replaced_at: None };
    let credential = Credential { subject, scopes: all_scopes(), org: Some(org), expires_at: None };
    admit_or_explain(app, &credential, ids, Some(project), rows.into_iter()).await
}

/// Enters an organization that was deleted, asking for one capability in it as it was. Answers what is kept of it as well,
/// with its row.
///
/// # Errors
/// [`Refusal::NotFound`] for who did not belong to it, or where it is there; [`Refusal::Deleted`] when it is too late to
/// restore it; [`Refusal::Forbidden`] for who is no person; what [`Access::require`] refuses.
pub(crate) async fn enter_deleted_org(
    app: &App,
    caller: Caller<'_>,
    capability: Capability,
) -> Result<(Entry, DeletedOrg, Row)> {
    let bearer = caller.credential.ok_or(Refusal::Unauthenticated)?;
    let credential = authenticate(app, Some(bearer)).await?;
    let org: OrgId = app.table.get(&keys::slug(caller.org)).await?.ok_or(Refusal::NotFound)?.read()?;
    if credential.org.is_some_and(|bound| bound != org) {
        return Err(Refusal::NotFound.into());
    }
    let wanted = [keys::deleted_org(org), keys::member(org, person(&credential)?)];
    let mut rows = app.table.get_many(&wanted).await?.into_iter();
    let (Some(row), Some(member)) = (rows.next().flatten(), rows.next().flatten()) else {
        return Err(Refusal::NotFound.into());
    };
    let deleted: DeletedOrg = row.read()?;
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
        rows: Vec::new(),
        reservation: bearer.reservation.clone(),
    };
    Ok((entry, deleted, row))
}

async fn enter_at(
    app: &App,
    bearer: Option<&BearerCredential>,
    place: Place<'_>,
    project: Option<&ProjectKey>,
    more: impl Fn(OrgId) -> Vec<Key>,
) -> Result<Entry> {
    let bearer = bearer.ok_or(Refusal::Unauthenticated)?;
    let named_by = |ids: Ids| [rows_of(ids, project), more(ids.org)].concat();
    let hint = app.id_cache.of(&bearer.secret_hash, place);
    let mut wanted = vec![keys::credential(&bearer.secret_hash)];
    if let Place::Slug(slug) = place {
        wanted.push(keys::slug(slug));
    }
    wanted.extend(hint.into_iter().flat_map(named_by));
    let mut rows = app.table.get_many(&wanted).await?.into_iter();

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
    let entry = admit_or_explain(app, &credential, ids, project, rows).await?;
    Ok(Entry { reservation: bearer.reservation.clone(), ..entry })
}

/// Names the item of an agent's run in a credential from before it was kept there.
async fn name_item(app: &App, org: OrgId, credential: &mut Arc<Credential>) -> Result<()> {
    if let Subject::AgentRun { run, item: None, .. } = &credential.subject {
        let row = app.table.get(&keys::run(org, *run)).await?.ok_or(Refusal::Unauthenticated)?;
        let run = row.read::<svc_domain::run::Run>()?;
        if let Subject::AgentRun { item, .. } = &mut Arc::make_mut(credential).subject {
            *item = Some(run.item);
        }
    }
    Ok(())
}

/// Whose membership counts; agents need none.
fn member_of(credential: &Credential) -> Result<Option<UserId>> {
    match &credential.subject {
        Subject::Session { user, .. } | Subject::PersonalToken { user, .. } => Ok(Some(*user)),
        Subject::AgentRun { .. } => Ok(None),
        Subject::Runner { .. } => Err(Refusal::Forbidden("a runner secret works for runners only").into()),
    }
}

/// The rows that decide what a caller may do, in the order in which [`admit`] takes them.
fn rows_of(Ids { org, user }: Ids, project: Option<&ProjectKey>) -> Vec<Key> {
    let mut wanted = vec![keys::org(org)];
    wanted.extend(user.map(|user| keys::member(org, user)));
    wanted.extend(project.map(|key| keys::project(org, key)));
    wanted.extend(project.zip(user).map(|(key, user)| keys::project_member(org, key, user)));
    wanted
}

/// As [`admit`], and says where the organization or the project was deleted, to who could see it.
async fn admit_or_explain(
    app: &App,
    credential: &Credential,
    ids: Ids,
    project: Option<&ProjectKey>,
    rows: vec::IntoIter<Option<Row>>,
) -> Result<Entry> {
    let has_org = rows.as_slice().first().is_some_and(Option::is_some);
    match admit(app, credential, ids, project, rows) {
        Err(error) if has_org => Err(explained(app, credential, ids, project, error).await),
        Err(error) => Err(without_org(app, ids, error).await),
        entered => entered,
    }
}

fn admit(
    app: &App,
    credential: &Credential,
    Ids { org, user }: Ids,
    project: Option<&ProjectKey>,
    mut rows: impl Iterator<Item = Option<Row>>,
) -> Result<Entry> {
    let mut next = || rows.next().flatten();
    let mut there = || -> Result<Row> { Ok(next().ok_or(Refusal::NotFound)?) };
    let org_row = there()?;
    let member = user.map(|_| app.parse_cache.members.read(&there()?)).transpose()?;
    let project_row = project.map(|_| there()).transpose()?;
    let membership = project.zip(user).and_then(|_| next());
    let membership = membership.map(|row| app.parse_cache.project_members.read(&row)).transpose()?;
    let org_record = app.parse_cache.orgs.read(&org_row)?;
    let project_record = project_row.as_ref().map(|row| app.parse_cache.projects.read(row)).transpose()?;
    let (actor, standing) = standing(credential, member.map(Arc::unwrap_or_clone))?;
    Ok(Entry {
        access: Access {
            actor,
            scopes: credential.scopes.clone(),
            org,
            read_only: org_record.read_only,
            standing,
            project: project_record.as_ref().map(|record| ProjectStanding {
                key: record.key.clone(),
                archived: record.archived,
                role: membership.map(|m| m.role),
            }),
        },
        org: org_record,
        org_version: org_row.version,
        project: project_record,
        project_version: project_row.map_or(0, |row| row.version),
        rows: rows.collect(),
        reservation: None,
    })
}

/// The same error, unless there is no such organization because it was deleted, and the caller belonged to it.
async fn without_org(app: &App, ids: Ids, error: Error) -> Error {
    deleted_org(app, ids).await.map_or_else(Error::from, |refusal| refusal.map_or(error, Error::from))
}

/// Why there is no such organization, for a member of it or an agent.
async fn deleted_org(app: &App, Ids { org, user }: Ids) -> Result<Option<Refusal>> {
    let wanted: Vec<Key> =
        std::iter::once(keys::deleted_org(org)).chain(user.map(|user| keys::member(org, user))).collect();
    let rows = app.table.get_many(&wanted).await?;
    // All of them are there: that of the organization, and that of the member.
    let Some(rows) = rows.into_iter().collect::<Option<Vec<Row>>>() else { return Ok(None) };
    Ok(Some(rows[0].read::<DeletedOrg>()?.refusal(app.now())))
}

/// The same error, unless there is no such project because it was deleted, and the caller could see it.
async fn explained(
    app: &App,
    credential: &Credential,
    ids: Ids,
    project: Option<&ProjectKey>,
    error: Error,
) -> Error {
    let (Some(project), Error::Refused(Refusal::NotFound)) = (project, &error) else { return error };
    deleted(app, credential, ids, project).await.map_or_else(|error| error, Error::from)
}

/// Why there is no such project.
async fn deleted(app: &App, credential: &Credential, ids: Ids, project: &ProjectKey) -> Result<Refusal> {
    let mut wanted = rows_of(ids, None);
    wanted.push(keys::deleted_project(ids.org, project));
    wanted.extend(ids.user.map(|user| keys::project_member(ids.org, project, user)));
    let mut entry = admit(app, credential, ids, None, app.table.get_many(&wanted).await?.into_iter())?;
    let deleted: DeletedProject = entry.take(0)?.read()?;
    let member = entry.rows.get(1).and_then(Option::as_ref);
    let member: Option<ProjectMember> = member.map(Row::read).transpose()?;
    let role = member.map(|member| member.role);
    let standing = ProjectStanding { key: project.clone(), archived: false, role };
    let inside = Access { project: Some(standing), ..entry.access };
    Ok(if inside.sees_project() { deleted.refusal(app.now()) } else { Refusal::NotFound })
}

fn standing(credential: &Credential, member: Option<Member>) -> Result<(Actor, Standing)> {
    if let Some(member) = member {
        let actor = Actor { id: ActorId::User(member.user), name: member.display_name.clone() };
        return Ok((actor, Standing::Member(member)));
    }
    match &credential.subject {
        Subject::AgentRun { agent, name, run, project, item: Some(item), refines } => Ok((
            Actor { id: ActorId::Agent(*agent), name: name.clone() },
            Standing::Agent { project: project.clone(), run: *run, item: item.clone(), refines: *refines },
        )),
        Subject::AgentRun { item: None, .. }
        | Subject::Session { .. }
        | Subject::PersonalToken { .. }
        | Subject::Runner { .. } => Err(Refusal::NotFound.into()),
    }
}

/// Every scope: what a session has.
pub fn all_scopes() -> std::collections::BTreeSet<Scope> {
    Scope::ALL.iter().copied().collect()
}
