//! Starting and completing a sprint.

use svc_domain::access::Capability;
use svc_domain::event::SprintEvent;
use svc_domain::ids::SprintId;
use svc_domain::refusal::Refusal;
use svc_domain::sprint::{Completion, Event, Sprint, SprintState, is_finished, step};
use svc_storage::{Op, Query, Range, keys};

use super::load::{Found, SeenSprint, find_with, open, refuse_agents, team_of, work_in};
use super::settle::leave;
use crate::App;
use crate::entry::Caller;
use crate::error::{Error, Result};
use crate::messages::SettleSprint;
use crate::tracker::teams::{ReadRegister, require_version};
use crate::transaction::Transaction;

/// Where unfinished items of a completed sprint go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedTo {
    /// To no sprint.
    Backlog,
    /// To the team's planned sprint that begins first.
    Next,
    /// To this one, planned or active, of any team of the project.
    Sprint(SprintId),
}

/// What came of completing a sprint.
#[derive(Clone, Debug, PartialEq)]
pub struct Completed {
    /// The sprint.
    pub seen: SeenSprint,
    /// How many unfinished items moved.
    pub moved: u64,
    /// How many still have to; they do so by themselves.
    pub left: u64,
}

/// Starts a planned sprint. Of many of one team that are started at once, one is.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Conflict`] for one that was started already, or whose team has an
/// active one.
pub async fn start(app: &App, caller: Caller<'_>, id: SprintId, version: u64) -> Result<SeenSprint> {
    app.decide(|| async {
        let (mut found, mut register) = enter(app, caller, id, version, Event::Start).await?;
        let (org, team) = (found.entry.org_id(), found.sprint.team);
        register.register.start(team, id)?;
        found.sprint.started_at = Some(app.now());
        let transaction = Transaction::of(app, &found.entry).telling(SprintEvent::Started(found.named()));
        let row = Op::replace(keys::sprint(org, &found.project, id), found.version, &found.sprint);
        app.commit(transaction.with([row, register.write(org, &found.project)])).await?;
        found.version += 1;
        found.seen(app).await
    })
    .await
}

/// Completes the active sprint of a team, then moves its unfinished items where asked.
///
/// The sprint is completed by one commit, and from then on takes no items; the items follow in commits of
/// their own. What a crash leaves undone, a worker does.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Conflict`] for one that is not active; [`Refusal::Invalid`] for a
/// sprint that items cannot move to.
pub async fn complete(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    version: u64,
    unfinished: UnfinishedTo,
) -> Result<Completed> {
    let attempt = || complete_once(app, caller, id, version, unfinished);
    let (seen, unfinished, leaving) = app.decide(attempt).await?;
    let moved = leave(app, &leaving).await;
    Ok(Completed { seen, moved, left: unfinished.saturating_sub(moved) })
}

async fn complete_once(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    version: u64,
    unfinished: UnfinishedTo,
) -> Result<(SeenSprint, u64, SettleSprint)> {
    let (mut found, mut register) = enter(app, caller, id, version, Event::Complete).await?;
    let (org, project) = (found.entry.org_id(), found.project.clone());
    let target = target(app, &found, unfinished).await?;
    let feed = app.feeds.fresh(app, org, &project).await?;
    let (work, count) = {
        let index = feed.read();
        let items = index.of_sprint(&id.to_string());
        let unfinished = items.iter().filter(|item| !is_finished(&item.state, &found.workflow)).count();
        (work_in(&index, id, &found.workflow), unfinished as u64)
    };
    found.sprint.completion = Some(Completion {
        at: app.now(),
        by: found.entry.actor().clone(),
        unfinished_to: target.as_ref().map(|(sprint, _)| sprint.id),
        work,
    });
    register.register.complete(found.sprint.team);
    let row = Op::replace(keys::sprint(org, &project, id), found.version, &found.sprint);
    let transaction = Transaction::of(app, &found.entry)
        .with([row, register.write(org, &project)])
        .with(target.map(|(_, unchanged)| unchanged))
        .telling(SprintEvent::Completed(found.named()));
    app.commit(transaction).await?;
    let leaving = SettleSprint::of(&found);
    let team = team_of(app, org, &project, &found.sprint).await?;
    let seen = SeenSprint { project, sprint: found.sprint, version: found.version + 1, team, work };
    Ok((seen, count, leaving))
}

/// Finds a sprint for an event, and puts it into the state after it.
async fn enter(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    version: u64,
    event: Event,
) -> Result<(Found, ReadRegister)> {
    let (mut found, register) = find_with(app, caller, id, Capability::Work, keys::sprint_register).await?;
    refuse_agents(&found.entry)?;
    require_version(version, found.version)?;
    found.sprint.state = step(found.sprint.state, event)?;
    Ok((found, ReadRegister::of(register.as_ref())?))
}

/// The sprint that unfinished items go to, and that it must still take them; `None` for the backlog.
async fn target(app: &App, found: &Found, unfinished: UnfinishedTo) -> Result<Option<(Sprint, Op)>> {
    let invalid = |why: &str| Error::from(Refusal::invalid("unfinishedTo", why));
    let (org, project) = (found.entry.org_id(), &found.project);
    match unfinished {
        UnfinishedTo::Backlog => Ok(None),
        UnfinishedTo::Next => {
            let range = Range::Prefix(keys::SPRINT_PREFIX.to_owned());
            let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
            let mut planned = Vec::new();
            for row in &rows {
                let sprint: Sprint = row.read()?;
                if sprint.team == found.sprint.team && sprint.state == SprintState::Planned {
                    planned.push((sprint, row.unchanged()));
                }
            }
            let first = planned.into_iter().min_by(|a, b| a.0.comes_before(&b.0));
            Ok(Some(first.ok_or_else(|| {
                invalid("The team has no planned sprint. Plan one, or give backlog or another sprint.")
            })?))
        }
        UnfinishedTo::Sprint(id) if id == found.sprint.id => {
            Err(invalid("Unfinished items cannot stay in the completed sprint."))
        }
        UnfinishedTo::Sprint(id) => {
            let row = app.table.find(&keys::sprint(org, project, id)).await?;
            let row = row.ok_or_else(|| invalid("There is no such sprint in the project."))?;
            open(&row).map(Some).map_err(|error| match error {
                Error::Refused(_) => invalid("That sprint is completed."),
                other => other,
            })
        }
    }
}
