//! A person confirms a proposal: the item becomes what it says, and moves to the state that the project's settings
//! name.

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{Actor, ItemKey};
use svc_domain::item::Item;
use svc_domain::refinement::machine::{Effect, Event, step};
use svc_domain::refinement::{Proposal, RefinementSettings};
use svc_domain::refusal::Refusal;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, RowOf, keys};

use super::{Read, RefinementView, write};
use crate::App;
use crate::asker::Asker;
use crate::entry::Caller;
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;

/// What a person confirms.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation {
    /// The version of the refinement last read.
    pub version: u64,
    /// The version of the item last read: what others wrote since is not overwritten.
    pub item_version: u64,
}

/// Confirms the proposal of a refinement.
///
/// # Errors
/// [`Refusal::StaleVersion`] of refinement or item, [`Refusal::Conflict`] where there is no proposal,
/// [`Refusal::MoveNotPermitted`] where the workflow has no move to the state that the settings name.
pub async fn confirm(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    confirmation: &Confirmation,
) -> Result<RefinementView> {
    confirm_by(app, Asker::Request(caller), key, confirmation).await
}

/// The same, for any asker.
pub(crate) async fn confirm_by(
    app: &App,
    asker: Asker<'_>,
    key: &ItemKey,
    confirmation: &Confirmation,
) -> Result<RefinementView> {
    app.decide(|| confirm_once(app, asker, key, confirmation)).await
}

async fn confirm_once(
    app: &App,
    asker: Asker<'_>,
    key: &ItemKey,
    confirmation: &Confirmation,
) -> Result<RefinementView> {
    let project = &key.project;
    let wanted = |org| {
        (
            keys::item(org, key),
            keys::refinement(org, key),
            keys::workflow(org, project),
            keys::refinement_settings(org, project),
        )
    };
    let (entry, (row, refinement, workflow, settings)) =
        asker.enter_project_with(app, project, Capability::OperateFactory, wanted).await?;
    let (org, row) = (entry.org_id(), item_row(app, &entry, row, key).await?);
    let item: Item = row.read()?;
    let read = Read::of(refinement.as_ref())?.ok_or(Refusal::NotFound)?;
    read.require_version(confirmation.version)?;
    let event = Event::Confirm(entry.actor().clone());
    let (next, effects) = step(Some(&read.refinement), key, event, app.now())?;
    if item.revision != confirmation.item_version {
        return Err(Refusal::StaleVersion { current: item.revision }.into());
    }
    let workflow = workflow.ok_or(Refusal::NotFound)?;
    let settings = RowOf::or_default(settings.as_ref())?;
    let mut change = ItemChange::update(org, item, row.version);
    for effect in effects {
        match effect {
            Effect::Apply(proposal) => {
                apply(&mut change, entry.actor(), &proposal, &settings, &workflow.read()?, app.now())?;
            }
            Effect::QueueRun => {}
        }
    }
    let mut transaction = Transaction::of(app, &entry);
    let item = transaction.save(change);
    let version = write(&mut transaction, org, Some(&read), &next);
    let workflow = Op::check(keys::workflow(org, project), Condition::Version(workflow.version));
    app.commit(transaction.with([workflow])).await?;
    Ok(RefinementView { refinement: next, version, item_version: item.revision })
}

fn apply(
    change: &mut ItemChange,
    by: &Actor,
    proposal: &Proposal,
    settings: &RefinementSettings,
    workflow: &Workflow,
    now: Timestamp,
) -> Result<()> {
    let key = change.item.key.clone();
    for field in change.item.edit(proposal.edit(), by)? {
        change.tell(ItemEvent::Changed(key.clone(), field));
    }
    let Some(state) = &settings.refined_state else { return Ok(()) };
    let from = change.item.state.clone();
    let state = workflow.transition(&from, state)?;
    let to = state.name.clone();
    if from != to {
        change.item.enter(&to, state.group, now);
        if workflow.rules {
            change.tell(ItemEvent::StateEntered { item: key.clone(), state: to.clone(), run: None });
        }
        change.tell(ItemEvent::Moved { item: key, from, to, run: None });
    }
    Ok(())
}
