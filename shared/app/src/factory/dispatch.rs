//! Handing an item to an agent: a run is queued (specification sections 3.1 and 4.2).
//!
//! Every precondition is a condition of the one commit: the item as read (no live run, not claimed), the
//! organization (not read-only), the project (not archived), the playbook and the agent. Of many who start a
//! run of one item at the same moment, one succeeds.

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::event::Via;
use svc_domain::harness::Harness;
use svc_domain::ids::{Actor, ItemKey, OrgId, RunnerId};
use svc_domain::item::Item;
use svc_domain::playbook::{FactorySettings, Playbook};
use svc_domain::pull_request::HostRequest;
use svc_domain::refusal::Refusal;
use svc_domain::run::{Named, Run, follow_up, settle};
use svc_domain::wiki::PagePath;
use svc_storage::{Condition, KeyOf, Op, RowOf, keys};

use super::change::birth_ops;
use super::draft::{self, Asked, Choice, Offers, RunSelection};
use super::loaded::LoadedRun;
use super::runs::{self, RunView};
use super::settings_row::settings_of;
use super::waiting::{WaitingRoom, blockers};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;
use crate::wiki;

/// Said to who may not read the page of the playbook.
pub(super) const UNREADABLE: &str = "to start a run, you must be allowed to read its playbook's page";

/// Runs of an item among which a follow-up finds the one that it follows.
pub(super) const LOOKED_BACK: usize = 50;

/// A wanted run.
#[derive(Clone, Debug, Default)]
pub struct StartRun {
    /// Id or name of a playbook; the project's default when absent.
    pub playbook: Option<String>,
    /// Id or name of an agent; the project's default, or the only one, when absent.
    pub agent: Option<String>,
    /// Id or name of the only runner that may take it.
    pub runner: Option<String>,
    /// Harness to use; the playbook's when absent.
    pub harness: Option<Harness>,
    /// When it may start; at once when absent.
    pub scheduled_for: Option<Timestamp>,
}

/// Queues a run of an item.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`], [`Refusal::NotFound`], [`Refusal::LiveRunExists`],
/// [`Refusal::ItemClaimed`], [`Refusal::Forbidden`] for who may not read the playbook's page
/// (specification section 2.5), [`Refusal::Invalid`] for a playbook, agent or runner that is none or several, or a
/// time in the past.
pub async fn start(app: &App, caller: Caller<'_>, item: &ItemKey, start: &StartRun) -> Result<RunView> {
    app.decide(|| start_once(app, caller, item, start)).await
}

/// What a wanted run would be, and whether it would begin at once.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The run as it would be queued.
    pub run: Run,
    /// The runner that would take it, or what it would wait for, in a sentence.
    pub begins_on: Result<Named<RunnerId>, String>,
    /// Open items that block the run's, as far as the caller sees them. A run by hand for now begins all the same.
    pub blocked_by: Vec<ItemKey>,
}

/// What [`start`] would do. Writes nothing.
///
/// # Errors
/// Those of [`start`].
pub async fn forecast(app: &App, caller: Caller<'_>, item: &ItemKey, start: &StartRun) -> Result<Forecast> {
    let (entry, planned) = planned(app, caller, item, start).await?;
    draft::page(app, entry.org_id(), &item.project, &planned.playbook).await?;
    let blocked_by = blockers(app, &entry.access, &planned.item.item).await?;
    let loaded = LoadedRun::at(planned.run, 0);
    let waiting = WaitingRoom::of(app, &entry.access, std::slice::from_ref(&loaded)).await?;
    Ok(Forecast { begins_on: waiting.begins_on(&loaded.run, app.now()), run: loaded.run, blocked_by })
}

async fn start_once(app: &App, caller: Caller<'_>, key: &ItemKey, start: &StartRun) -> Result<RunView> {
    let (entry, planned) = planned(app, caller, key, start).await?;
    let (run, prompt) = (planned.run.clone(), planned.prompt(app, entry.org_id()).await?);
    commit_planned(app, &entry, planned, &prompt, []).await?;
    runs::started(app, &entry, run, prompt).await
}

/// The run that a caller wants, who may start it by hand.
async fn planned(app: &App, caller: Caller<'_>, key: &ItemKey, start: &StartRun) -> Result<(Entry, Planned)> {
    let wanted = |org| rows_of(org, key);
    let (entry, rows) =
        enter_project_with(app, caller, &key.project, Capability::OperateFactory, wanted).await?;
    let selection = RunSelection {
        playbook: start.playbook.as_deref(),
        agent: start.agent.as_deref(),
        runner: start.runner.as_deref(),
        harness: start.harness,
    };
    let order = Order { item: key, selection, scheduled_for: start.scheduled_for, asked: None, mends: None };
    let mut planned = plan(app, &entry, rows, &order).await?;
    planned.run.despite_blockers = start.scheduled_for.is_none();
    if !wiki::reads(app, &entry.access, &key.project, &planned.page).await? {
        return Err(Refusal::Forbidden(UNREADABLE).into());
    }
    Ok((entry, planned))
}

/// What is asked for.
pub(super) struct Order<'a> {
    pub(super) item: &'a ItemKey,
    pub(super) selection: RunSelection<'a>,
    pub(super) scheduled_for: Option<Timestamp>,
    /// The comment that asks, where a mention does.
    pub(super) asked: Option<&'a Asked>,
    /// What the code host asks for, where it does.
    pub(super) mends: Option<&'a HostRequest>,
}

/// A run that may be queued as everything is now.
pub(super) struct Planned {
    pub(super) run: Run,
    pub(super) item: ItemChange,
    /// The page of the playbook's instructions.
    pub(super) page: PagePath,
    playbook: Playbook,
    /// The comment that asks, where one does.
    asked: Option<Comment>,
    /// What asks for it in place of a person, for the audit log.
    pub(super) via: Option<Via>,
    /// What the commit demands of agent and playbook.
    demands: [Op; 2],
}

impl Planned {
    /// What the run's harness is to be told.
    pub(super) async fn prompt(&self, app: &App, org: OrgId) -> Result<String> {
        draft::prompt(app, org, &self.item.item, &self.playbook, &self.run, self.asked.as_ref()).await
    }
}

/// What runs of an item are planned on, read once for all that are asked for at the same time.
pub(super) struct Ground {
    item: Item,
    version: u64,
    settings: FactorySettings,
    offers: Offers,
    /// Whether no earlier run left a branch.
    first_of_item: bool,
    /// The newest runs of the item, where a comment or the code host asks for one.
    earlier: Vec<Run>,
}

impl Ground {
    /// What an order needs, and those that are like it but for agent and comment, with the rows of [`rows_of`].
    pub(super) async fn of(
        app: &App,
        entry: &Entry,
        (item, settings): (&RowOf<Item>, Option<&RowOf<FactorySettings>>),
        order: &Order<'_>,
    ) -> Result<Self> {
        let (org, key) = (entry.org_id(), order.item);
        let names_runner = order.selection.runner.is_some();
        let (offers, earlier) = futures::try_join!(
            Offers::of(app, org, &key.project, names_runner),
            runs::of_item(app, org, key)
        )?;
        let looked_back = if order.asked.is_some() || order.mends.is_some() { LOOKED_BACK } else { 0 };
        Ok(Self {
            item: item.read()?,
            version: item.version,
            settings: settings_of(settings)?,
            offers,
            first_of_item: runs::refine_only(app, org, &earlier).await?,
            earlier: runs::newest(app, org, &earlier, looked_back).await?,
        })
    }

    /// The run that an order asks for, if it may be queued.
    pub(super) fn run(&self, app: &App, by: &Actor, order: &Order<'_>) -> Result<(Run, Choice)> {
        if order.scheduled_for.is_some_and(|at| at < app.now()) {
            let message = "This time is in the past. Give a future time, or none to start at once.";
            return Err(Refusal::invalid("scheduledFor", message).into());
        }
        settle::admit(&self.item, app.now(), app.settings.claims.stale_after())?;
        let settings = &self.settings;
        if order.selection.playbook.is_none() && order.asked.is_some() && settings.default_playbook.is_none()
        {
            let message = "The project has no default playbook. A project Admin can make one the default.";
            return Err(Refusal::invalid("playbook", message).into());
        }
        let choice = self.offers.choose(settings, &order.selection)?;
        let (by, first) = (by.clone(), self.first_of_item);
        let run = draft::run(app, &self.item, settings, &choice, by, order.scheduled_for, first);
        let run = match (order.asked, order.mends) {
            (Some(asked), _) => {
                follow_up::answering(run, &asked.comment, asked.thread.as_ref(), &self.earlier)
            }
            (None, Some(mends)) => mending(run, mends, &self.item, &self.earlier)?,
            (None, None) => run,
        };
        Ok((run, choice))
    }
}

/// Decides whether and how a run of an item may be queued for the caller of the entry, with the rows of [`rows_of`].
pub(super) async fn plan(
    app: &App,
    entry: &Entry,
    (item, settings): PlanRows,
    order: &Order<'_>,
) -> Result<Planned> {
    let item = item_row(app, entry, item, order.item).await?;
    let ground = Ground::of(app, entry, (&item, settings.as_ref()), order).await?;
    let (run, choice) = ground.run(app, entry.actor(), order)?;
    let (org, (playbook, version)) = (entry.org_id(), choice.playbook);
    let demands = [
        Op::check(keys::agent(org, run.agent.id), Condition::Version(choice.agent.1)),
        Op::check(keys::playbook(org, &order.item.project, playbook.id), Condition::Version(version)),
    ];
    Ok(Planned {
        run,
        item: ItemChange::update(org, ground.item, ground.version),
        page: PagePath::try_from(playbook.page_path.clone()).map_err(Refusal::from)?,
        playbook,
        asked: order.asked.map(|asked| asked.comment.clone()),
        via: None,
        demands,
    })
}

/// The run that does what the code host asks for.
fn mending(run: Run, mends: &HostRequest, item: &Item, earlier: &[Run]) -> Result<Run, Refusal> {
    let known = item.pull_requests.iter().find(|known| known.url == mends.url);
    let branch = known.and_then(|known| known.branch.as_deref());
    let before = follow_up::of_pull_request(earlier, &mends.url, branch).ok_or(NO_WORK)?;
    let run = follow_up::mending(run, mends.clone(), before, earlier);
    if run.follow_up.is_none() {
        return Err(NO_BRANCH);
    }
    Ok(run)
}

pub(super) const NO_WORK: Refusal = Refusal::Conflict("no run that is over worked on this pull request");
const NO_BRANCH: Refusal = Refusal::Conflict("the playbook pushes to the default branch now");

/// Queues a planned run, with more rows.
pub(super) async fn commit_planned(
    app: &App,
    entry: &Entry,
    planned: Planned,
    prompt: &str,
    more: impl IntoIterator<Item = Op>,
) -> Result<()> {
    let Planned { run, item, via, demands, .. } = planned;
    let mut transaction = Transaction::of(app, entry);
    queue(app, entry.org_id(), &mut transaction, &run, prompt, item, via);
    app.commit(transaction.with(standing_ops(entry)).with(demands).with(more)).await?;
    tracing::info!(run = %run.id, item = %run.item, agent = run.agent.name, "run queued");
    Ok(())
}

/// What was found by [`rows_of`].
pub(super) type PlanRows = (Option<RowOf<Item>>, Option<RowOf<FactorySettings>>);

/// Rows that a dispatch enters with: the item and the project's factory settings.
pub(super) fn rows_of(org: OrgId, item: &ItemKey) -> (KeyOf<Item>, KeyOf<FactorySettings>) {
    (keys::item(org, item), keys::factory_settings(org, &item.project))
}

/// Queues a run in the transaction: its own rows, and the item that is its now; via what, where nobody asked by hand.
pub(super) fn queue(
    app: &App,
    org: OrgId,
    transaction: &mut Transaction,
    run: &Run,
    prompt: &str,
    mut item: ItemChange,
    via: Option<Via>,
) {
    for (by, event) in settle::queue(&mut item.item, run, via, app.now()) {
        item.tell_as(by, event);
    }
    transaction.save(item);
    transaction.write(birth_ops(org, run, prompt));
}

/// Demands that organization and project still accept changes.
pub(super) fn standing_ops(entry: &Entry) -> Vec<Op> {
    let org = entry.org_id();
    let mut ops = vec![Op::check(keys::org(org), Condition::Version(entry.org_version))];
    if let Some(project) = &entry.project {
        let key = keys::project(org, &project.key);
        ops.push(Op::check(key, Condition::Version(entry.project_version)));
    }
    ops
}
