//! Teams of a project. Admins of the project make and change them; everyone who sees the project sees them.

use std::collections::{BTreeSet, HashMap};

use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::identity::ProjectMember;
use svc_domain::ids::{Actor, ActorId, InvalidName, OrgId, ProjectKey, TeamId, UserId};
use svc_domain::name::check_given;
use svc_domain::natural::natural_key;
use svc_domain::project::Project;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::sprint::Register;
use svc_domain::team::{self, MAX_TEAMS, Team};
use svc_storage::{Condition, Limits, Op, Query, Range, Row, RowOf, StorageError, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project, enter_project_with};
use crate::error::{Error, Result};
use crate::transaction::Transaction;

/// What the names of teams are unique among.
const NAMES: &str = "team";

/// A team as callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenTeam {
    /// The team.
    pub team: Team,
    /// Its version.
    pub version: u64,
    /// Those of its members who are in the project, by name.
    pub members: Vec<Actor>,
}

/// A team to create.
#[derive(Clone, Debug)]
pub struct NewTeam {
    /// Key.
    pub key: String,
    /// Name.
    pub name: String,
    /// Ids of members of the project.
    pub members: Vec<String>,
}

/// A wanted change of a team; `None` leaves a field.
#[derive(Clone, Debug)]
pub struct UpdateTeam {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// Archives or revives it.
    pub archived: Option<bool>,
    /// Ids of all its members from now on.
    pub members: Option<Vec<String>>,
}

/// The rows of the team that a project starts with.
pub(super) fn first(app: &App, org: OrgId, project: &Project) -> Vec<Op> {
    let team = Team::first(TeamId(app.uuid()), &project.key, &project.name, app.now());
    rows(org, &project.key, &team)
}

fn rows(org: OrgId, project: &ProjectKey, team: &Team) -> Vec<Op> {
    vec![
        Op::create(keys::team(org, project, team.id), team),
        Op::create(keys::project_name(org, project, NAMES, team.key.as_str()), &team.id),
    ]
}

/// The teams of a project, by key.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<SeenTeam>> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let org = entry.org_id();
    let (teams, people) = (all(app, org, project).await?, people(app, org, project).await?);
    Ok(teams.into_iter().map(|(team, version)| seen(team, version, &people)).collect())
}

/// A team, by key or id.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn get(app: &App, caller: Caller<'_>, project: &ProjectKey, team: &str) -> Result<SeenTeam> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let (team, version) = one(app, entry.org_id(), project, team).await?;
    Ok(seen(team, version, &people(app, entry.org_id(), project).await?))
}

/// Creates a team.
///
/// # Errors
/// [`Refusal::AlreadyExists`] for a taken key; [`Refusal::Conflict`] when there are too many; every field that
/// is not acceptable.
pub async fn create(app: &App, caller: Caller<'_>, project: &ProjectKey, new: &NewTeam) -> Result<SeenTeam> {
    let entry = enter_project(app, caller, project, Capability::ConfigureProject).await?;
    let org = entry.org_id();
    let people = people(app, org, project).await?;
    let mut errors = FieldErrors::default();
    let key = new.key.parse().map_err(|InvalidName(what)| errors.add("key", format!("Give {what}."))).ok();
    let members = known(&new.members, &people, &mut errors);
    errors.into_result()?;
    let team = Team {
        id: TeamId(app.uuid()),
        key: key.ok_or(Refusal::NotFound)?,
        name: new.name.trim().to_owned(),
        members,
        archived: false,
        created_at: app.now(),
    };
    team.check()?;
    check_given("name", &team.name, None)?;
    if all(app, org, project).await?.len() >= MAX_TEAMS {
        return Err(Refusal::Conflict("a project has at most 50 teams").into());
    }
    let created = ProjectEvent::TeamCreated(project.clone(), team.id);
    match app.commit(Transaction::of(app, &entry).with(rows(org, project, &team)).telling(created)).await {
        Ok(()) => Ok(seen(team, 1, &people)),
        Err(Error::Storage(StorageError::Conflict { .. })) => {
            Err(Refusal::AlreadyExists("a team with this key").into())
        }
        Err(error) => Err(error),
    }
}

/// Changes a team. While it is archived, it plans no sprints.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Conflict`] for archiving one that has sprints to work on; every field
/// that is not acceptable.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    team: &str,
    update: &UpdateTeam,
) -> Result<SeenTeam> {
    app.decide(|| async {
        let (entry, register) = enter_for_change(app, caller, project).await?;
        let org = entry.org_id();
        let (old, version) = one(app, org, project, team).await?;
        require_version(update.version, version)?;
        let people = people(app, org, project).await?;
        let mut errors = FieldErrors::default();
        let mut next = old.clone();
        if let Some(name) = &update.name {
            name.trim().clone_into(&mut next.name);
        }
        if let Some(members) = &update.members {
            next.members = known(members, &people, &mut errors);
        }
        next.archived = update.archived.unwrap_or(old.archived);
        next.check().map_err(|more| errors.0.extend(more.0)).ok();
        errors.into_result()?;
        check_given("name", &next.name, Some(&old.name))?;
        if next == old {
            return Ok(seen(old, version, &people));
        }
        let mut ops = vec![Op::replace(keys::team(org, project, next.id), version, &next)];
        if next.archived && !old.archived {
            team::may_archive(register.register.of(next.id))?;
            ops.push(register.unchanged(org, project));
        }
        let changed = ProjectEvent::TeamChanged(project.clone(), next.id);
        app.commit(Transaction::of(app, &entry).with(ops).telling(changed)).await?;
        Ok(seen(next, version + 1, &people))
    })
    .await
}

/// Deletes a team that has no sprints.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::Conflict`] when it has some.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, team: &str) -> Result<()> {
    app.decide(|| async {
        let (entry, register) = enter_for_change(app, caller, project).await?;
        let org = entry.org_id();
        let (team, version) = one(app, org, project, team).await?;
        team::may_delete(register.register.of(team.id))?;
        let ops = [
            Op::delete(keys::team(org, project, team.id), Condition::Version(version)),
            Op::delete(keys::project_name(org, project, NAMES, team.key.as_str()), Condition::None),
            register.unchanged(org, project),
        ];
        let deleted = ProjectEvent::TeamDeleted(project.clone(), team.id);
        app.commit(Transaction::of(app, &entry).with(ops).telling(deleted)).await
    })
    .await
}

async fn enter_for_change(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
) -> Result<(Entry, ReadRegister)> {
    let wanted = |org| keys::sprint_register(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    Ok((entry, ReadRegister::of(row.as_ref())?))
}

/// The register of a project's sprints as it was read.
pub(super) struct ReadRegister {
    pub(super) register: Register,
    version: Option<u64>,
}

impl ReadRegister {
    pub(super) fn of(row: Option<&RowOf<Register>>) -> Result<Self> {
        let register = RowOf::or_default(row)?;
        Ok(Self { register, version: row.map(|row| row.version) })
    }

    /// Demands that nobody changed it since.
    pub(super) fn unchanged(&self, org: OrgId, project: &ProjectKey) -> Op {
        Op::check(keys::sprint_register(org, project), self.condition())
    }

    /// Writes it as it is now, if nobody changed it since it was read.
    pub(super) fn write(&self, org: OrgId, project: &ProjectKey) -> Op {
        Op::put(keys::sprint_register(org, project), self.condition(), &self.register)
    }

    fn condition(&self) -> Condition {
        self.version.map_or(Condition::Absent, Condition::Version)
    }
}

/// Every team of a project and its version, by key.
pub(super) async fn all(app: &App, org: OrgId, project: &ProjectKey) -> Result<Vec<(Team, u64)>> {
    let range = Range::Prefix(keys::TEAM_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, Limits::KEYS)).await?;
    let read = |row: &Row| Ok((row.read()?, row.version));
    let mut teams: Vec<(Team, u64)> = rows.iter().map(read).collect::<Result<_, StorageError>>()?;
    teams.sort_by_cached_key(|(team, _)| natural_key(team.key.as_str()));
    Ok(teams)
}

/// The team with this id, or this key whatever its case.
pub(super) fn find<'a>(teams: &'a [(Team, u64)], wanted: &str) -> Option<&'a (Team, u64)> {
    let id: Option<TeamId> = wanted.parse().ok();
    let means = |team: &Team| id == Some(team.id) || team.key.as_str().eq_ignore_ascii_case(wanted);
    teams.iter().find(|(team, _)| means(team))
}

/// What is wrong with a word for a team that there is not.
pub(super) fn unknown(teams: &[(Team, u64)], wanted: &str) -> String {
    let known: Vec<&str> = teams.iter().map(|(team, _)| team.key.as_str()).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("There is no team {wanted:?} in the project. There are: {known}.")
}

async fn one(app: &App, org: OrgId, project: &ProjectKey, wanted: &str) -> Result<(Team, u64)> {
    let teams = all(app, org, project).await?;
    Ok(find(&teams, wanted).cloned().ok_or(Refusal::NotFound)?)
}

/// Names of the members of a project.
async fn people(app: &App, org: OrgId, project: &ProjectKey) -> Result<HashMap<UserId, String>> {
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
    let read = |row: &Row| row.read().map(|member: ProjectMember| (member.user, member.display_name));
    Ok(rows.iter().map(read).collect::<Result<_, StorageError>>()?)
}

fn seen(team: Team, version: u64, people: &HashMap<UserId, String>) -> SeenTeam {
    let actor =
        |user: &UserId| people.get(user).map(|name| Actor { id: ActorId::User(*user), name: name.clone() });
    let mut members: Vec<Actor> = team.members.iter().filter_map(actor).collect();
    members.sort_by_cached_key(|member| (natural_key(&member.name), member.id));
    SeenTeam { team, version, members }
}

fn known(wanted: &[String], people: &HashMap<UserId, String>, errors: &mut FieldErrors) -> BTreeSet<UserId> {
    let mut members = BTreeSet::new();
    for text in wanted {
        match text.parse().ok().filter(|user| people.contains_key(user)) {
            Some(user) => drop(members.insert(user)),
            None => errors.add("members", format!("No member of the project has the id {text:?}.")),
        }
    }
    members
}

pub(super) fn require_version(sent: u64, current: u64) -> Result<(), Refusal> {
    if sent == current { Ok(()) } else { Err(Refusal::StaleVersion { current }) }
}
