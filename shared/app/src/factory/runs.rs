//! Runs as people see them: one, lists, cancelling.
//!
//! Anyone who sees the item sees its runs; prompt, failure reason and session are for factory operators
//! (specification section 2.6), and are not even loaded for others.

use std::collections::BTreeSet;

use futures::future::try_join;
use jiff::{SignedDuration, Timestamp};
use svc_domain::access::Capability;
use svc_domain::ids::{CommentId, ItemKey, OrgId, OrgSlug, ProjectKey, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::run::Run;
use svc_domain::run::machine::Event;
use svc_storage::{Limits, Row, RowOf, keys};

use super::change::RunChange;
use super::listing;
pub use super::listing::RunFilter;
pub(super) use super::listing::of_item;
use super::loaded::LoadedRun;
use super::waiting::WaitingRoom;
use crate::App;
use crate::entry::{
    BearerCredential, Caller, Entry, authenticate, enter_by_id, enter_org, enter_project_with,
};
use crate::error::Result;
use crate::identity::{Called, bring_up_to_date};
use crate::tracker::comments::visible;
use crate::tracker::gone::{item_row, require_not_deleted};
use crate::transaction::Transaction;
use crate::visible_projects::visible_projects;
use crate::wanted;
use crate::wanted::Wanted;

/// For how long the runner of a cancelled run may still deliver the log and its report.
pub(super) const REPORT_WINDOW: SignedDuration = SignedDuration::from_mins(5);

/// How late an automatic continue may be and still be announced: workers may have much to do.
const OVERDUE: SignedDuration = SignedDuration::from_mins(1);

/// A run on its way to a caller.
#[derive(Clone, Debug)]
pub struct RunView {
    /// The run.
    pub run: Run,
    /// Its version.
    pub version: u64,
    /// Slug of the organization.
    pub organization: OrgSlug,
    /// What a queued run waits for.
    pub waiting: Option<String>,
    /// When it is continued by itself, as long as nobody else was faster.
    pub continues_at: Option<Timestamp>,
    /// Whether the caller may see what factory operators see.
    pub operator: bool,
    /// The prompt, where the caller may see it and asked for this one run.
    pub prompt: Option<String>,
}

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// How many entries come before.
    pub offset: usize,
    /// Entries at most.
    pub limit: usize,
}

/// A run that a caller may see, and how they entered.
pub(super) struct Found {
    pub(super) entry: Entry,
    pub(super) loaded: LoadedRun,
}

/// Finds a run by its id, with or without the organization named, and enters its project. Requires no more
/// than that the caller may know of the run: ask the entry's access for the rest. A run goes where its item goes.
pub(super) async fn find(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<Found> {
    Ok(find_with(app, caller, slug, run, |_| ()).await?.0)
}

/// As [`find`], and loads rows in the same round trip.
pub(super) async fn find_with<W: Wanted>(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Found, W::Rows)> {
    let org_row = async { Ok(app.table.find(&keys::run_ref(run)).await?) };
    let (_, org_row) = try_join(authenticate(app, caller), org_row).await?;
    let org: OrgId = org_row.ok_or(Refusal::NotFound)?.read()?;
    let loaded = LoadedRun::load(app, org, run).await?;
    let item = &loaded.run.item;
    let wanted = |org| (wanted(org), keys::deleted_item(org, item));
    let (entry, (rows, deleted)) = enter_by_id(app, caller, org, Some(&item.project), wanted).await?;
    if !entry.access.sees_project() || slug.is_some_and(|slug| *slug != entry.org.slug) {
        return Err(Refusal::NotFound.into());
    }
    require_not_deleted(app, deleted.as_ref())?;
    Ok((Found { entry, loaded }, rows))
}

/// A run.
///
/// # Errors
/// [`Refusal::NotFound`] also for who may not see its item.
pub async fn view(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<RunView> {
    let (found, prompt) = find_with(app, caller, slug, run, |org| keys::run_prompt(org, run)).await?;
    found.entry.access.require(Capability::SeeProject)?;
    show(app, &found.entry, found.loaded, prompt).await
}

/// One run, with the prompt of this row for operators.
async fn show(app: &App, entry: &Entry, mut loaded: LoadedRun, prompt: Option<Row>) -> Result<RunView> {
    bring_up_to_date(app, entry.org_id(), named(&mut loaded.run)).await?;
    let operator = entry.access.may(Capability::SeeFactory);
    let prompt = prompt.filter(|_| operator).map(|row| row.read()).transpose()?;
    let waiting = WaitingRoom::of(app, &entry.access, std::slice::from_ref(&loaded)).await?;
    let mut view = seen(app, &entry.org.slug, loaded, operator, &waiting);
    view.prompt = prompt;
    hide_comments(app, entry, std::slice::from_mut(&mut view)).await?;
    announce(app, entry.org_id(), &mut view).await?;
    Ok(view)
}

/// Says of a run that failed a moment ago when it is continued by itself, if it still is its item's latest.
async fn announce(app: &App, org: OrgId, view: &mut RunView) -> Result<()> {
    let due = view.run.continues_at().filter(|at| app.now() < *at + OVERDUE);
    if due.is_some() && of_item(app, org, &view.run.item).await?.first() == Some(&view.run.id) {
        view.continues_at = due;
    }
    Ok(())
}

/// Stops a run. One that waits is over at once; so is one that a runner has, which is told with its next call
/// and ends the harness.
///
/// # Errors
/// [`Refusal::RunEnded`] for one that is over; [`Refusal::FactoryNotPermitted`], [`Refusal::NotFound`]. Neither an
/// archived project nor a read-only organization keeps a run from being stopped.
pub async fn cancel(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<RunView> {
    app.decide(|| async {
        let (found, prompt) = find_with(app, caller, slug, run, |org| keys::run_prompt(org, run)).await?;
        found.entry.access.require(Capability::StopRuns)?;
        let by = found.entry.actor().clone();
        let event = Event::Cancel { by, window_open_for: REPORT_WINDOW };
        let (org, transaction) = (found.entry.org_id(), Transaction::of(app, &found.entry));
        let change = RunChange::decide(app, transaction, org, &found.loaded, event).await?;
        let (run, version) = change.commit(app).await?;
        show(app, &found.entry, LoadedRun::at(run, version), prompt).await
    })
    .await
}

/// The runs of an organization that the caller may see, newest first, and how many there are.
///
/// # Errors
/// Those of entering the organization.
pub async fn list(
    app: &App,
    caller: Caller<'_>,
    filter: &RunFilter,
    slice: Slice,
) -> Result<(Vec<RunView>, u64)> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let org = entry.org_id();
    let runs = listing::of(app, org, filter).await?;
    let projects = runs.read().projects(filter);
    let visible = visible_projects(app, &entry.access, projects).await?;
    let part = (slice.offset, slice.limit);
    let (ids, total) = listing::page(app, org, &runs, (filter, visible.keys()), part).await?;
    let chosen = Slice { offset: 0, ..slice };
    let operator = |run: &Run| visible.get(&run.item.project) == Some(&true);
    let mut views = page(app, &entry, ids, chosen, operator).await?;
    // The item of one of them may have moved a moment ago.
    views.retain(|view| visible.contains_key(&view.run.item.project));
    Ok((views, total as u64))
}

/// The runs of an item, newest first, and how many there are.
///
/// # Errors
/// [`Refusal::NotFound`] for an item that the caller may not see.
pub async fn list_of_item(
    app: &App,
    caller: Caller<'_>,
    item: &ItemKey,
    slice: Slice,
) -> Result<(Vec<RunView>, u64)> {
    let project = &item.project;
    let wanted = |org| keys::item(org, item);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    item_row(app, &entry, row, item).await?;
    seen_of_item(app, &entry, item, slice).await
}

/// As [`list_of_item`], by who entered the item's project.
///
/// # Errors
/// Those of storage.
pub(crate) async fn seen_of_item(
    app: &App,
    entry: &Entry,
    item: &ItemKey,
    slice: Slice,
) -> Result<(Vec<RunView>, u64)> {
    let ids = of_item(app, entry.org_id(), item).await?;
    let total = ids.len() as u64;
    let operator = entry.access.may(Capability::SeeFactory);
    let views = page(app, entry, ids, slice, |_| operator).await?;
    Ok((views, total))
}

/// These runs of projects that the caller sees, as the caller sees them; the first [`Limits::KEYS`]. `operator` says
/// of which projects the caller sees the factory.
///
/// # Errors
/// Those of storage.
pub(crate) async fn shown(
    app: &App,
    entry: &Entry,
    ids: Vec<RunId>,
    operator: impl Fn(&ProjectKey) -> bool,
) -> Result<Vec<RunView>> {
    let all = Slice { offset: 0, limit: Limits::KEYS };
    page(app, entry, ids, all, |run| operator(&run.item.project)).await
}

/// As [`shown`], of the project that was entered.
///
/// # Errors
/// Those of storage.
pub(crate) async fn of_project(app: &App, entry: &Entry, ids: Vec<RunId>) -> Result<Vec<RunView>> {
    let operator = entry.access.may(Capability::SeeFactory);
    shown(app, entry, ids, |_| operator).await
}

/// Whether none of these runs left a branch, because all they did was to refine the item's text.
pub(super) async fn refine_only(app: &App, org: OrgId, runs: &[RunId]) -> Result<bool> {
    const LOOKED_AT: usize = 20;
    if runs.len() > LOOKED_AT {
        return Ok(false);
    }
    Ok(newest(app, org, runs, LOOKED_AT).await?.iter().all(Run::is_refinement))
}

/// The first of these runs, of which there may be many.
pub(super) async fn newest(app: &App, org: OrgId, runs: &[RunId], most: usize) -> Result<Vec<Run>> {
    let rows =
        wanted::load(app, runs.iter().take(most).map(|id| keys::run(org, *id)).collect::<Vec<_>>()).await?;
    Ok(rows.iter().flatten().map(RowOf::read).collect::<Result<_, _>>()?)
}

async fn page(
    app: &App,
    entry: &Entry,
    ids: Vec<RunId>,
    slice: Slice,
    operator: impl Fn(&Run) -> bool,
) -> Result<Vec<RunView>> {
    let org = entry.org_id();
    let limit = slice.limit.min(Limits::KEYS);
    let wanted: Vec<_> =
        ids.into_iter().skip(slice.offset).take(limit).map(|id| keys::run(org, id)).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let rows = wanted::load(app, wanted).await?;
    let mut loaded = rows.iter().flatten().map(LoadedRun::of).collect::<Result<Vec<_>>>()?;
    bring_up_to_date(app, org, loaded.iter_mut().flat_map(|loaded| named(&mut loaded.run))).await?;
    let waiting = WaitingRoom::of(app, &entry.access, &loaded).await?;
    let show = |loaded: LoadedRun| {
        let operator = operator(&loaded.run);
        seen(app, &entry.org.slug, loaded, operator, &waiting)
    };
    let mut views: Vec<RunView> = loaded.into_iter().map(show).collect();
    hide_comments(app, entry, &mut views).await?;
    for view in &mut views {
        announce(app, org, view).await?;
    }
    Ok(views)
}

/// Leaves out the comments that asked for runs where the caller does not see them.
async fn hide_comments(app: &App, entry: &Entry, views: &mut [RunView]) -> Result<()> {
    let org = entry.org_id();
    let place = |run: &Run| Some((run.item.clone(), run.comment?));
    let told = views.iter().filter(|view| !view.operator);
    let asked: BTreeSet<(ItemKey, CommentId)> = told.filter_map(|view| place(&view.run)).collect();
    let wanted: Vec<_> = asked.iter().map(|(item, comment)| keys::comment(org, item, *comment)).collect();
    let mut seen = BTreeSet::new();
    for (place, row) in asked.into_iter().zip(wanted::load(app, wanted).await?) {
        if visible(app, entry, &place.0, row.as_ref()).await?.is_some() {
            seen.insert(place);
        }
    }
    for view in views.iter_mut().filter(|view| !view.operator) {
        if place(&view.run).is_some_and(|place| !seen.contains(&place)) {
            view.run.comment = None;
        }
    }
    Ok(())
}

/// Everybody whom a run names.
fn named(run: &mut Run) -> [Called<'_>; 2] {
    [(&mut run.requested_by).into(), (&mut run.agent).into()]
}

fn seen(app: &App, slug: &OrgSlug, loaded: LoadedRun, operator: bool, waiting: &WaitingRoom) -> RunView {
    RunView {
        waiting: waiting.reason(&loaded.run, app.now(), operator),
        run: loaded.run,
        version: loaded.version,
        organization: slug.clone(),
        continues_at: None,
        operator,
        prompt: None,
    }
}

/// A run as the person who just started it sees it.
pub(super) async fn started(app: &App, entry: &Entry, run: Run, prompt: String) -> Result<RunView> {
    let loaded = LoadedRun::at(run, 1);
    let waiting = WaitingRoom::of(app, &entry.access, std::slice::from_ref(&loaded)).await?;
    let mut view = seen(app, &entry.org.slug, loaded, true, &waiting);
    view.prompt = Some(prompt);
    Ok(view)
}
