//! Stops the runs of a project or an organization that was deleted.
//!
//! No run begins after the deletion ([`super::waiting`], [`super::dispatch`]), so this finds all of them. It stops
//! live runs first: a run that its runner gives back meanwhile is then found in the queue.

use std::collections::BTreeSet;

use svc_domain::ids::{Actor, OrgId, ProjectKey, RunId};
use svc_domain::run::machine::Event;
use svc_storage::{Query, Range, Row, keys};

use super::change::{QueueEntry, RunChange};
use super::live::LiveEntry;
use super::loaded::LoadedRun;
use super::runs::REPORT_WINDOW;
use crate::App;
use crate::error::{Error, Result};
use crate::identity::org_deletion::org_deleted_at;
use crate::messages::{StopOrgRuns, StopRuns};
use crate::tracker::project_deletion::deleted_at;
use crate::transaction::Transaction;

/// Cancels the runs of the project in the name of who deleted it: what waits is over at once, and a runner is told with
/// its next call. Doing it again, or after the project was restored, is harmless.
///
/// # Errors
/// Those of storage.
pub async fn stop_runs(app: &App, message: &StopRuns) -> Result<()> {
    let StopRuns { org, project, at } = message;
    let Some((deleted, _)) = deleted_at(app, *org, project, *at).await? else { return Ok(()) };
    stop_all(app, *org, Some(project), &deleted.deletion.by).await
}

/// Cancels the runs of an organization in the same way.
///
/// # Errors
/// Those of storage.
pub async fn stop_org_runs(app: &App, message: &StopOrgRuns) -> Result<()> {
    let Some((deleted, _)) = org_deleted_at(app, message.org, message.at).await? else { return Ok(()) };
    stop_all(app, message.org, None, &deleted.deletion.by).await
}

/// Cancels the runs of a project, or of the whole organization.
async fn stop_all(app: &App, org: OrgId, project: Option<&ProjectKey>, by: &Actor) -> Result<()> {
    let mut runs = BTreeSet::new();
    for row in app.table.query_all(Query::new(keys::live_pk(org), Range::All, 1_000)).await? {
        let live: LiveEntry = row.read()?;
        if project.is_none_or(|project| live.project.as_ref().is_none_or(|of| of == project)) {
            runs.insert(live.run);
        }
    }
    let queued = app.table.query_all(Query::new(keys::queue_pk(org), Range::All, 1_000)).await?;
    for row in &queued {
        runs.insert(Row::read::<QueueEntry>(row)?.run);
    }
    for run in runs {
        let stopped = app.decide(|| stop(app, org, run, project, by)).await;
        match stopped {
            // It ended by itself meanwhile.
            Ok(()) | Err(Error::Refused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

async fn stop(app: &App, org: OrgId, run: RunId, project: Option<&ProjectKey>, by: &Actor) -> Result<()> {
    let loaded = LoadedRun::load(app, org, run).await?;
    if project.is_some_and(|project| loaded.run.item.project != *project) {
        return Ok(());
    }
    let event = Event::Cancel { by: by.clone(), window_open_for: REPORT_WINDOW };
    let transaction = Transaction::by_itself(app, org);
    RunChange::decide(app, transaction, org, &loaded, event).await?.commit(app).await?;
    Ok(())
}
