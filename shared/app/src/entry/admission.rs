//! What the rows of an entry say: who the caller is and what they may do, or why there is nothing to enter.

use std::sync::Arc;
use std::vec;

use svc_domain::access::{Access, ProjectStanding, Standing};
use svc_domain::identity::{Credential, Member, Subject};
use svc_domain::ids::{Actor, ActorId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_storage::{Key, Row, RowOf, keys};

use crate::App;
use crate::caller::Entry;
use crate::error::{Error, Result};
use crate::id_cache::Ids;
use crate::wanted::{self, Wanted};

/// The rows that decide what a caller may do, in the order in which [`admit`] takes them.
pub(super) fn rows_of(Ids { org, user }: Ids, project: Option<&ProjectKey>) -> Vec<Key> {
    let mut wanted: Vec<Key> = vec![keys::org(org).into()];
    wanted.extend(user.map(|user| keys::member(org, user).into()));
    wanted.extend(project.map(|key| keys::project(org, key).into()));
    wanted.extend(project.zip(user).map(|(key, user)| keys::project_member(org, key, user).into()));
    wanted
}

/// As [`admit`], and says where the organization or the project was deleted, to who could see it.
pub(super) async fn admit_or_explain(
    app: &App,
    credential: &Credential,
    ids: Ids,
    project: Option<&ProjectKey>,
    rows: &mut vec::IntoIter<Option<Row>>,
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
    rows: &mut vec::IntoIter<Option<Row>>,
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
        reservation: None,
    })
}

/// The same error, unless there is no such organization because it was deleted, and the caller belonged to it.
async fn without_org(app: &App, ids: Ids, error: Error) -> Error {
    deleted_org(app, ids).await.map_or_else(Error::from, |refusal| refusal.map_or(error, Error::from))
}

/// Why there is no such organization, for a member of it or an agent.
async fn deleted_org(app: &App, Ids { org, user }: Ids) -> Result<Option<Refusal>> {
    let wanted = (keys::deleted_org(org), user.map(|user| keys::member(org, user)));
    let (Some(deleted), member) = wanted::load(app, wanted).await? else { return Ok(None) };
    let could_see_it = member.is_some() || user.is_none();
    Ok(if could_see_it { Some(deleted.read()?.refusal(app.now())) } else { None })
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
    let member = ids.user.map(|user| keys::project_member(ids.org, project, user));
    let wanted = (keys::deleted_project(ids.org, project), member);
    let mut all = rows_of(ids, None);
    wanted.name(&mut all);
    let mut rows = app.table.get_many(&all).await?.into_iter();
    let entry = admit(app, credential, ids, None, &mut rows)?;
    let (deleted, member) = wanted.take(&mut rows);
    let deleted = deleted.ok_or(Refusal::NotFound)?.read()?;
    let member = member.as_ref().map(RowOf::read).transpose()?;
    let role = member.map(|member| member.role);
    let standing = ProjectStanding { key: project.clone(), archived: false, role };
    let inside = Access { project: Some(standing), ..entry.access };
    Ok(if inside.sees_project() { deleted.refusal(app.now()) } else { Refusal::NotFound })
}

pub(super) fn standing(credential: &Credential, member: Option<Member>) -> Result<(Actor, Standing)> {
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
        | Subject::Runner { .. }
        | Subject::Directory { .. } => Err(Refusal::NotFound.into()),
    }
}
