//! Planning sprints, changing them, and deleting planned ones.

use jiff::civil::Date;
use svc_domain::access::Capability;
use svc_domain::event::SprintEvent;
use svc_domain::filter::check_findable;
use svc_domain::ids::{OrgId, ProjectKey, SprintId};
use svc_domain::name::check_given;
use svc_domain::refusal::Refusal;
use svc_domain::replacement::What;
use svc_domain::sprint::{self, Sprint, SprintState, Work, step};
use svc_storage::{Condition, Op, keys};

use super::load::{Found, Place, SeenSprint, all, find_with, named, refuse_agents};
use super::settle::leave;
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::messages::SettleSprint;
use crate::tracker::replacements::Begun;
use crate::tracker::teams::{self, ReadRegister, require_version};
use crate::transaction::Transaction;

/// A sprint to plan.
#[derive(Clone, Debug)]
pub struct NewSprint {
    /// Key or id of a team.
    pub team: String,
    /// Name.
    pub name: String,
    /// The goal.
    pub goal: String,
    /// First day.
    pub start: Option<Date>,
    /// Last day.
    pub end: Option<Date>,
    /// How much work the team can do in it.
    pub capacity: Option<f64>,
}

/// A wanted change of a sprint; `None` leaves a field, `Some(None)` clears it.
#[derive(Clone, Debug)]
pub struct UpdateSprint {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New goal.
    pub goal: Option<String>,
    /// New first day.
    pub start: Option<Option<Date>>,
    /// New last day.
    pub end: Option<Option<Date>>,
    /// New capacity.
    pub capacity: Option<Option<f64>>,
}

/// Plans a sprint of a team.
///
/// # Errors
/// [`Refusal::AlreadyExists`] for the name of another sprint; [`Refusal::Conflict`] for an archived team; every field that is not acceptable.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewSprint,
) -> Result<SeenSprint> {
    app.decide(|| create_once(app, caller, project, new)).await
}

async fn create_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewSprint,
) -> Result<SeenSprint> {
    let wanted = |org| keys::sprint_register(org, project);
    let (entry, register) = enter_project_with(app, caller, project, Capability::Work, wanted).await?;
    refuse_agents(&entry)?;
    let org = entry.org_id();
    let mut register = ReadRegister::of(register.as_ref())?;
    let teams = teams::all(app, org, project).await?;
    let (team, team_version) = teams::find(&teams, &new.team)
        .cloned()
        .ok_or_else(|| Refusal::invalid("team", teams::unknown(&teams, &new.team)))?;
    let sprint = Sprint {
        id: SprintId(app.uuid()),
        team: team.id,
        name: new.name.trim().to_owned(),
        goal: new.goal.clone(),
        start: new.start,
        end: new.end,
        capacity: new.capacity,
        state: SprintState::Planned,
        created_at: app.now(),
        started_at: None,
        completion: None,
    };
    sprint.check()?;
    check_given("name", &sprint.name, None)?;
    check_findable(&sprint.name, None)?;
    if team.archived {
        return Err(
            Refusal::Conflict("the team is archived and cannot plan sprints; unarchive it first").into()
        );
    }
    require_free_name(app, org, project, &sprint).await?;
    register.register.plan(team.id)?;
    let ops = [
        Op::create(keys::sprint(org, project, sprint.id), &sprint),
        Op::create(keys::sprint_ref(sprint.id), &Place { org, project: project.clone() }),
        register.write(org, project),
        Op::check(keys::team(org, project, team.id), Condition::Version(team_version)),
    ];
    let planned = SprintEvent::Planned(named(project, &sprint));
    app.commit(Transaction::of(app, &entry).with(ops).telling(planned)).await?;
    Ok(SeenSprint { project: project.clone(), sprint, version: 1, team, work: Work::default() })
}

/// Changes a sprint that is not completed.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::AlreadyExists`] for the name of another sprint; [`Refusal::Conflict`] for a
/// completed one; every field that is not acceptable.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    update: &UpdateSprint,
) -> Result<SeenSprint> {
    let (seen, begun) = app.decide(|| update_once(app, caller, id, update)).await?;
    if let Some(begun) = begun {
        begun.carry_out(app).await;
    }
    Ok(seen)
}

/// Saved views follow a new name.
async fn update_once(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    update: &UpdateSprint,
) -> Result<(SeenSprint, Option<Begun>)> {
    let mut begun = None;
    let (mut found, register) = find_with(app, caller, id, Capability::Work, keys::sprint_register).await?;
    refuse_agents(&found.entry)?;
    require_version(update.version, found.version)?;
    step(found.sprint.state, sprint::Event::Edit)?;
    let next = changed(&found.sprint, update);
    next.check()?;
    check_given("name", &next.name, Some(&found.sprint.name))?;
    check_findable(&next.name, Some(&found.sprint.name))?;
    if next != found.sprint {
        let key = keys::sprint(found.entry.org_id(), &found.project, id);
        let changed = SprintEvent::Changed(named(&found.project, &next));
        let mut ops = vec![Op::replace(key, found.version, &next)];
        if next.name != found.sprint.name {
            let (org, project) = (found.entry.org_id(), &found.project);
            let register = ReadRegister::of(register.as_ref())?;
            require_free_name(app, org, project, &next).await?;
            ops.push(register.write(org, project));
            let what = What::SprintName { from: found.sprint.name.clone(), to: next.name.clone() };
            begun = Some(Begun::new(app, &found.entry, project, vec![what]));
        }
        let mut transaction = Transaction::of(app, &found.entry).with(ops).telling(changed);
        if let Some(begun) = &begun {
            begun.begin(&mut transaction);
        }
        app.commit(transaction).await?;
        found = Found { sprint: next, version: found.version + 1, ..found };
    }
    Ok((found.seen(app).await?, begun))
}

/// That no other sprint of the project has the name, whatever its case. A use case that gives a name writes the register of
/// sprints as they read it before, so that of two who give the same one finds the other's. Sprints of one name from before
/// this was asked stay, and are changed as long as they keep it.
async fn require_free_name(app: &App, org: OrgId, project: &ProjectKey, sprint: &Sprint) -> Result<()> {
    let name = sprint.name.to_lowercase();
    let others = all(app, org, project).await?;
    let taken = others.iter().any(|(other, _)| other.id != sprint.id && other.name.to_lowercase() == name);
    if taken { Err(Refusal::AlreadyExists("a sprint of this name").into()) } else { Ok(()) }
}

fn changed(old: &Sprint, update: &UpdateSprint) -> Sprint {
    Sprint {
        name: update.name.as_deref().unwrap_or(&old.name).trim().to_owned(),
        goal: update.goal.as_ref().unwrap_or(&old.goal).clone(),
        start: update.start.unwrap_or(old.start),
        end: update.end.unwrap_or(old.end),
        capacity: update.capacity.unwrap_or(old.capacity),
        ..old.clone()
    }
}

/// Deletes a planned sprint; its items go to the backlog.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::Conflict`] for one that was started.
pub async fn delete(app: &App, caller: Caller<'_>, id: SprintId) -> Result<()> {
    let leaving = app.decide(|| delete_once(app, caller, id)).await?;
    leave(app, &leaving).await;
    Ok(())
}

async fn delete_once(app: &App, caller: Caller<'_>, id: SprintId) -> Result<SettleSprint> {
    let (found, register) = find_with(app, caller, id, Capability::Work, keys::sprint_register).await?;
    refuse_agents(&found.entry)?;
    step(found.sprint.state, sprint::Event::Delete)?;
    let (org, project) = (found.entry.org_id(), &found.project);
    let mut register = ReadRegister::of(register.as_ref())?;
    register.register.delete(found.sprint.team);
    let ops = [
        Op::delete(keys::sprint(org, project, id), Condition::Version(found.version)),
        Op::delete(keys::sprint_ref(id), Condition::None),
        register.write(org, project),
    ];
    let deleted = SprintEvent::Deleted(found.named());
    app.commit(Transaction::of(app, &found.entry).with(ops).telling(deleted)).await?;
    Ok(SettleSprint::of(&found))
}
