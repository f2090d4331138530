//! Refining a ticket: people start rounds, answer and confirm; the agent of a round's run hands in its result
//! (specification sections 3.5 and 4.1).
//!
//! [`svc_domain::refinement::machine`] decides. Its row is written together with the run that a round queues, with
//! the end of that run ([`ended`]) and with the item that a confirmed proposal changes, always in the version that
//! was read: of two at the same moment one decides again.

mod confirm;
mod round;
mod submit;

use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{ItemKey, OrgId, RunId};
use svc_domain::item::Item;
use svc_domain::refinement::Refinement;
use svc_domain::refinement::machine::{Event, State, step};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::identity::{Called, bring_up_to_date};
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;

pub(crate) use confirm::confirm_by;
pub use confirm::{Confirmation, confirm};
pub use round::{Reply, StartRefinement, answer, ask_for_changes, start};
pub(crate) use round::{answer_by, ask_for_changes_by};
pub use submit::submit;

/// A refinement on its way to a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefinementView {
    /// The refinement.
    pub refinement: Refinement,
    /// Its version.
    pub version: u64,
    /// The version of its item, which a confirmation names.
    pub item_version: u64,
}

/// A refinement as it was read.
#[derive(Clone, Debug)]
struct Read {
    refinement: Refinement,
    version: u64,
}

impl Read {
    fn of(row: Option<&RowOf<Refinement>>) -> Result<Option<Self>> {
        let read = |row: &RowOf<_>| Ok(Self { refinement: row.read()?, version: row.version });
        row.map(read).transpose()
    }

    fn require_version(&self, version: u64) -> Result<(), Refusal> {
        let current = self.version;
        if version == current { Ok(()) } else { Err(Refusal::StaleVersion { current }) }
    }
}

/// The refinement of an item.
///
/// # Errors
/// [`Refusal::NotFound`] also for an item that was never refined; what [`Capability::SeeFactory`] refuses.
pub async fn view(app: &App, caller: Caller<'_>, item: &ItemKey) -> Result<RefinementView> {
    let wanted = |org| (keys::item(org, item), keys::refinement(org, item));
    let (entry, (row, refinement)) =
        enter_project_with(app, caller, &item.project, Capability::SeeFactory, wanted).await?;
    let item: Item = item_row(app, &entry, row, item).await?.read()?;
    let Read { mut refinement, version } = Read::of(refinement.as_ref())?.ok_or(Refusal::NotFound)?;
    bring_up_to_date(app, entry.org_id(), named(&mut refinement)).await?;
    Ok(RefinementView { refinement, version, item_version: item.revision })
}

/// Everybody whom a refinement names.
fn named(refinement: &mut Refinement) -> impl Iterator<Item = Called<'_>> {
    let confirmed = match &mut refinement.state {
        State::Confirmed { by, .. } => Some(by),
        State::Running | State::Questions | State::Proposed | State::Failed => None,
    };
    let people = refinement.rounds.iter_mut().map(|round| &mut round.by).chain(confirmed);
    people.map(Called::from).chain([Called::from(&mut refinement.agent)])
}

/// Writes a refinement in the version that was read, and tells of it.
fn write(transaction: &mut Transaction, org: OrgId, read: Option<&Read>, next: &Refinement) -> u64 {
    let condition = read.map_or(Condition::Absent, |read| Condition::Version(read.version));
    transaction.write([Op::put(keys::refinement(org, &next.item), condition, next)]);
    transaction.tell(ItemEvent::RefinementChanged(next.item.clone(), next.status()));
    read.map_or(1, |read| read.version + 1)
}

/// A refine run ended: its refinement goes on in the same commit. Answers what has become of it.
pub(super) async fn ended(
    app: &App,
    transaction: &mut Transaction,
    org: OrgId,
    item: &ItemKey,
    run: RunId,
) -> Result<Option<Refinement>> {
    happened(app, transaction, org, item, Event::RunEnded(run)).await
}

/// A refine run that failed goes on as another: so does its refinement, in the same commit.
pub(super) async fn continued(
    app: &App,
    transaction: &mut Transaction,
    org: OrgId,
    item: &ItemKey,
    (from, to): (RunId, RunId),
) -> Result<()> {
    happened(app, transaction, org, item, Event::RunContinued { from, to }).await.map(|_| ())
}

async fn happened(
    app: &App,
    transaction: &mut Transaction,
    org: OrgId,
    item: &ItemKey,
    event: Event,
) -> Result<Option<Refinement>> {
    let row = app.table.find(&keys::refinement(org, item)).await?;
    let Some(read) = Read::of(row.as_ref())? else { return Ok(None) };
    let (next, _) = step(Some(&read.refinement), item, event, app.now())?;
    if next != read.refinement {
        write(transaction, org, Some(&read), &next);
    }
    Ok(Some(next))
}
