//! Continuing a run that failed for a while's reason (specification sections 3.1 and 3.2).

use std::collections::BTreeSet;

use svc_domain::failure::FailureReason;
use svc_domain::ids::{OrgId, RunId};
use svc_domain::item::Item;
use svc_domain::prompt;
use svc_domain::refusal::Refusal;
use svc_domain::run::machine::{Event, step};
use svc_domain::run::{Run, RunKind, State, Waiting, settle};
use svc_storage::{Condition, Op, keys};

use super::change::{LoadedRun, RunChange};
use super::dispatch::queue;
use super::{refinements, runners, runs};
use crate::App;
use crate::error::{Error, Result};
use crate::tracker::ItemChange;
use crate::transaction::Transaction;

/// Continues a failed run by itself, on the runner that has its workspace. Nothing happens when something
/// else has happened to the item since, or when it accepts no runs now.
///
/// # Errors
/// Those of storage.
pub async fn continue_automatically(app: &App, org: OrgId, run: RunId) -> Result<()> {
    match app.decide(|| queue_once(app, org, run)).await {
        Ok(Some(next)) => fail_if_unresumable(app, org, next).await,
        Ok(None) => Ok(()),
        Err(Error::Refused(refusal)) => {
            tracing::info!(%run, %refusal, "not continued");
            Ok(())
        }
        Err(error) => Err(error),
    }
}

async fn queue_once(app: &App, org: OrgId, id: RunId) -> Result<Option<Run>> {
    let earlier = LoadedRun::load(app, org, id).await?.run;
    let item_key = earlier.item.clone();
    let project = keys::project(org, &item_key.project);
    let wanted = [keys::item(org, &item_key), keys::run_prompt(org, id), keys::org(org), project];
    let (rows, of_item) = futures::try_join!(
        async { Ok(app.table.get_many(&wanted).await?) },
        runs::of_item(app, org, &item_key)
    )?;
    let latest = of_item.first() == Some(&id);
    step(&earlier, Event::Continue { latest }, app.now())?;
    let [Some(item_row), Some(prompt_row), Some(org_row), Some(project_row)] = &rows[..] else {
        return Ok(None);
    };
    let archived = project_row.read::<svc_domain::project::Project>()?.archived;
    if archived || org_row.read::<svc_domain::identity::Org>()?.read_only {
        return Ok(None);
    }
    let item: Item = item_row.read()?;
    settle::admit(&item, app.now(), app.settings.claims.stale_after())?;
    let next = continued(app, &earlier);
    let prompt = prompt::continued(&prompt_row.read::<String>()?);
    let standing = [
        Op::check(keys::org(org), Condition::Version(org_row.version)),
        Op::check(project_row.key.clone(), Condition::Version(project_row.version)),
    ];
    let mut transaction = Transaction::by_itself(app, org);
    if earlier.is_refinement() {
        refinements::continued(app, &mut transaction, org, &item_key, (id, next.id)).await?;
    }
    let change = ItemChange::update(org, item, item_row.version);
    queue(app, org, &mut transaction, &next, &prompt, change);
    app.commit(transaction.with(standing)).await?;
    Ok(Some(next))
}

fn continued(app: &App, earlier: &Run) -> Run {
    let now = app.now();
    Run {
        id: RunId(app.uuid()),
        kind: RunKind::Continue,
        chosen_runner: earlier.hold().map(|hold| hold.runner.clone()),
        scheduled_for: None,
        queued_at: now,
        earlier_run: Some(earlier.id),
        refines: earlier.is_refinement(),
        resume_session: earlier.session().map(ToOwned::to_owned),
        auto_continues: earlier.auto_continues + 1,
        fence: 0,
        held_by: BTreeSet::new(),
        state: State::Queued(Waiting { available_at: now }),
        ..earlier.clone()
    }
}

/// A session can be resumed only by the runner that has it, and only while that is there.
async fn fail_if_unresumable(app: &App, org: OrgId, run: Run) -> Result<()> {
    let runners = runners::candidates(app, org).await?;
    let holder = run.chosen_runner.as_ref().and_then(|chosen| runners.iter().find(|r| r.id == chosen.id));
    if run.resume_session.is_some() && holder.is_some_and(|runner| runner.online && !runner.disabled) {
        return Ok(());
    }
    app.decide(|| async {
        let loaded = LoadedRun::load(app, org, run.id).await?;
        let event = Event::Abandon(FailureReason::SessionUnavailable);
        match RunChange::decide(app, Transaction::by_itself(app, org), org, &loaded, event).await {
            Ok(change) => change.commit(app).await.map(|_| ()),
            // Somebody took or cancelled it meanwhile.
            Err(Error::Refused(Refusal::RunState(_) | Refusal::RunEnded)) => Ok(()),
            Err(error) => Err(error),
        }
    })
    .await
}
