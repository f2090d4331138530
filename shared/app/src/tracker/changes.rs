//! The changes in a project since a client last asked, and the same as a live stream.
//!
//! Protocol.
//! 1. The rows of a feed are ordered by the time of their change, one for each item. A process never writes a row
//!    with an earlier time than it wrote before, however its clock is set ([`crate::feed_clock`]).
//! 2. A client's cursor is the place of the newest row that it received, not a time of day. The next read looks
//!    back [`BACK_MILLIS`] further, because writers' clocks differ and commits take time, and leaves out what the
//!    cursor says was seen.
//! 3. So nothing is missed, whichever process wrote it and whichever answers. A change may come twice, and is
//!    then the same. An open stream remembers all that it told of the overlap, and tells each change once: the
//!    cursors of its events name few rows, and serve those who resume.
//! 4. The answer is `reload` if the cursor was read more than [`MAX_AGE`] ago, or in this clock's future (the
//!    clock was set back, and rows written since may stand before the cursor's place), or if it is more than
//!    [`MAX_ROWS`] changes behind.
//! 5. A follower's access is checked again at each change and every [`QUIET`]: the stream ends when the access is
//!    lost.

use std::collections::HashSet;
use std::sync::Arc;

use futures::{Stream, stream};
use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::feed::{BACK_MILLIS, FeedCursor, FeedEntry, SeenRow};
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::workflow::Workflow;
use svc_storage::{Query, Range, Row, RowOf, keys};
use tokio::time::{Instant, timeout};

use super::feeds::{ListedItem, Rendered};
use super::load::group_of;
use crate::App;
use crate::entry::{Caller, Entry, enter_project, enter_project_with};
use crate::error::Result;
use crate::following::{Follower, POLL, QUIET, Told};

/// A clock that is this much behind what a cursor says was set back.
const SET_BACK: SignedDuration = SignedDuration::from_millis(BACK_MILLIS);
/// Loading anew costs less than what happened in a longer time.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);
/// Loading anew costs less than more changes.
const MAX_ROWS: usize = 2_000;
/// More changes than this in the stretch that is read again are not read again for long.
const MAX_STRETCH: usize = 500;
/// So many rows are named by the cursor of a stream's event: it comes with each.
const STREAMED_ROWS: usize = 16;
/// What changed.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Where to go on.
    pub cursor: String,
    /// Whether the client must load everything anew, and then go on at the cursor.
    pub reload: bool,
    /// Items that were created or changed, as they are now.
    pub items: Vec<Rendered>,
    /// Items that went.
    pub removed: Vec<ItemKey>,
}

impl Changes {
    fn is_empty(&self) -> bool {
        !self.reload && self.items.is_empty() && self.removed.is_empty()
    }

    /// The same as an event of a stream.
    fn streamed(mut self) -> Self {
        if let Ok(cursor) = self.cursor.parse::<FeedCursor>() {
            self.cursor = cursor.naming(STREAMED_ROWS).to_string();
        }
        self
    }

    fn none(cursor: &FeedCursor, reload: bool) -> Self {
        Self { cursor: cursor.to_string(), reload, items: vec![], removed: vec![] }
    }
}

/// What changed in a project after a cursor; without one, where to begin.
///
/// # Errors
/// [`Refusal::Invalid`] for what is no cursor; [`Refusal::NotFound`].
pub async fn since(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    after: Option<&str>,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Changes> {
    since_but(app, caller, project, after, &mut HashSet::new(), render).await
}

/// The same without the rows that this reader was told of. They become the rows that are read again next time.
async fn since_but(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    after: Option<&str>,
    told: &mut HashSet<SeenRow>,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Changes> {
    let wanted = |org| keys::workflow(org, project);
    let (entry, workflow) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    let Some(after) = after else { return start(app, entry.org_id(), project, told, false).await };
    let cursor: FeedCursor = after.parse().map_err(|error: svc_domain::feed::NoCursor| {
        Refusal::invalid("after", format!("{error} Leave it out to start again."))
    })?;
    let age = SignedDuration::from_millis(app.now().as_millisecond().saturating_sub(cursor.read_millis));
    if age > MAX_AGE || age < -SET_BACK {
        return start(app, entry.org_id(), project, told, true).await;
    }
    read(app, (entry, workflow), project, &cursor, told, render).await
}

/// The cursor behind everything that is there now.
pub(super) async fn cursor_now(app: &App, org: OrgId, project: &ProjectKey) -> Result<String> {
    Ok(start(app, org, project, &mut HashSet::new(), false).await?.cursor)
}

/// Where to begin: behind everything that is there.
async fn start(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    told: &mut HashSet<SeenRow>,
    reload: bool,
) -> Result<Changes> {
    let newest = Query::new(keys::feed_pk(org, project), Range::All, 1).descending();
    let mark = app.table.query(&newest).await?.rows.first().map_or(0, at_millis);
    let page = app.table.query(&behind(org, project, mark, BACK_MILLIS, MAX_ROWS)).await?;
    let places = page.rows.iter().map(|row| Ok(place(row, &row.read()?))).collect::<Result<Vec<_>>>()?;
    *told = places.iter().copied().collect();
    Ok(Changes::none(&cursor_behind(app, mark, places), reload))
}

/// The rows behind a place, and those of the stretch before it that is read again.
fn behind(org: OrgId, project: &ProjectKey, mark_millis: i64, back_millis: i64, rows: usize) -> Query {
    let from = keys::sortable(mark_millis.saturating_sub(back_millis).saturating_add(1));
    Query::new(keys::feed_pk(org, project), Range::After(from), rows)
}

/// The cursor behind these rows. Of a stretch of many rows that is older than commits last, only its last moment
/// is read again.
fn cursor_behind(app: &App, mark_millis: i64, places: Vec<SeenRow>) -> FeedCursor {
    let now = app.now();
    let mark = places.iter().map(|place| place.at_millis).fold(mark_millis, i64::max);
    let settled = now.as_millisecond().saturating_sub(mark) > BACK_MILLIS;
    let back = if settled && places.len() > MAX_STRETCH { 1 } else { BACK_MILLIS };
    FeedCursor::new(now, mark, back, places)
}

async fn read(
    app: &App,
    (entry, workflow): (Entry, Option<RowOf<Workflow>>),
    project: &ProjectKey,
    cursor: &FeedCursor,
    told: &mut HashSet<SeenRow>,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Changes> {
    let org = entry.org_id();
    let workflow = app.parse_cache.workflow(workflow)?;
    let most = MAX_ROWS + told.len();
    let page = app.table.query(&behind(org, project, cursor.mark_millis, cursor.back_millis, most)).await?;
    if page.cursor.is_some() {
        return start(app, org, project, told, true).await;
    }
    let found = page.rows.iter().map(|row| {
        let entry: FeedEntry = row.read()?;
        Ok((place(row, &entry), entry))
    });
    let found = found.collect::<Result<Vec<_>>>()?;
    let places: Vec<SeenRow> = found.iter().map(|(place, _)| *place).collect();
    let (mut items, mut removed) = (Vec::new(), Vec::new());
    let nothing_new = cursor.has_seen_all(&places);
    for (place, found) in found.iter().filter(|_| !nothing_new) {
        if told.contains(place) || cursor.seen.contains(place) {
            continue;
        }
        if found.deleted {
            removed.push(found.key(project));
        } else {
            items.push(render(listed(app, &workflow, found)));
        }
    }
    *told = places.iter().copied().collect();
    let mut next = cursor_behind(app, cursor.mark_millis, places);
    // While nothing is newer, a stretch that is no longer read again stays so: it may be longer than an answer.
    if next.mark_millis == cursor.mark_millis {
        next.back_millis = next.back_millis.min(cursor.back_millis);
    }
    Ok(Changes { cursor: next.to_string(), reload: false, items, removed })
}

/// The time that a row's name tells.
fn at_millis(row: &Row) -> i64 {
    keys::time_of(&row.key.sk).unwrap_or(0)
}

fn place(row: &Row, entry: &FeedEntry) -> SeenRow {
    SeenRow { at_millis: at_millis(row), number: entry.number, version: row.version }
}

fn listed<'a>(app: &App, workflow: &Workflow, entry: &'a FeedEntry) -> ListedItem<'a> {
    let (now, stale_after) = (app.now(), app.settings.claims.stale_after());
    ListedItem {
        entry,
        state_group: group_of(workflow, &entry.state),
        claim_is_stale: entry.claim.as_ref().is_some_and(|claim| claim.is_stale(now, stale_after)),
        // It changes without the item.
        children: None,
    }
}

/// What changes in a project from a cursor on, as it happens. Ends when the follower may no longer see the
/// project, or the process stops.
///
/// # Errors
/// As [`since`], for who may not follow at all.
pub async fn follow<R>(
    follower: Follower,
    project: ProjectKey,
    after: Option<&str>,
    render: R,
) -> Result<impl Stream<Item = Told<Changes>> + Send + use<R>>
where
    R: Fn(ListedItem<'_>) -> Rendered + Clone + Send + Sync + 'static,
{
    let app = &follower.app;
    let entry = enter_project(app, follower.caller(), &project, Capability::SeeProject).await?;
    let mut told = HashSet::new();
    let first =
        since_but(app, follower.caller(), &project, after, &mut told, render.clone()).await?.streamed();
    let watch = Watch {
        project,
        org: entry.org_id(),
        cursor: first.cursor.clone(),
        told,
        generation: None,
        looked: Instant::now(),
        first: Some(first),
        follower,
        render,
    };
    Ok(stream::unfold(watch, |mut watch| async move { watch.next().await.map(|told| (told, watch)) }))
}

struct Watch<R> {
    follower: Follower,
    render: R,
    org: OrgId,
    project: ProjectKey,
    cursor: String,
    /// The rows of the overlap that were told.
    told: HashSet<SeenRow>,
    /// Of the feed, when it was last looked at.
    generation: Option<u64>,
    looked: Instant,
    first: Option<Changes>,
}

impl<R: Fn(ListedItem<'_>) -> Rendered + Clone + Send + Sync> Watch<R> {
    /// What to tell next; `None` ends the stream.
    async fn next(&mut self) -> Option<Told<Changes>> {
        if let Some(first) = self.first.take() {
            return Some(Told::News(first));
        }
        let app = Arc::clone(&self.follower.app);
        let commits = app.notifier.followers_of(self.org);
        loop {
            let notified = commits.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if app.notifier.is_closing() {
                return None;
            }
            let feed = app.feeds.fresh(&app, self.org, &self.project).await.ok()?;
            let generation = Some(feed.read().generation());
            let quiet = self.looked.elapsed() >= QUIET;
            if generation != self.generation || quiet {
                self.generation = generation;
                let (caller, project) = (self.follower.caller(), &self.project);
                let (after, render) = (Some(self.cursor.as_str()), self.render.clone());
                let changes =
                    since_but(&app, caller, project, after, &mut self.told, render).await.ok()?.streamed();
                self.cursor.clone_from(&changes.cursor);
                self.looked = Instant::now();
                if !changes.is_empty() {
                    return Some(Told::News(changes));
                }
                if quiet {
                    return Some(Told::Quiet);
                }
            }
            let _ = timeout(POLL, notified).await;
        }
    }
}
