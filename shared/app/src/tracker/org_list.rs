//! Lists of items across the projects of an organization, answered from the projects' feeds.
//!
//! Protocol.
//! 1. The caller enters the organization, and the projects that they see are found as in every list of projects.
//!    Archived ones are left out.
//! 2. Each project answers by itself, at most [`AT_ONCE`] at a time: its first entries up to the end of the page
//!    that is wanted. The page is cut from all of them in order.
//! 3. A state that only some projects have matches nothing in the others. One that none has is refused.
//! 4. A page that ends behind [`DEEPEST`] entries is empty: narrow the filter instead.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use svc_domain::access::{Access, Capability, ProjectStanding};
use svc_domain::feed::{FeedEntry, Group, GroupBy, ListRequest, Sort};
use svc_domain::filter::Filter;
use svc_domain::ids::{ActorId, ProjectKey, RunId};
use svc_domain::project::Project;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::visibility::Viewer;
use svc_domain::workflow::Workflow;
use svc_storage::keys;

use super::board::Can;
use super::feeds::Feed;
use super::filter_facts::{Asker, FilterFacts, asks_for_current_sprints};
use super::filter_words::Meant;
use super::list::{ListItems, Listed, ListedItem, Rendered, parse};
use super::load::listed;
use super::projects::{self, SeenProject};
use super::{milestones, sprints};
use crate::App;
use crate::entry::{Caller, Entry, enter_org, enter_project};
use crate::error::Result;
use crate::factory::runs::{self, RunView};
use crate::wanted;

/// Projects that are asked at the same time.
const AT_ONCE: usize = 8;
/// Last entry of a list that can be asked for.
const DEEPEST: u32 = 10_000;

/// How many items match, and how many have each value of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All matching items.
    pub total: u64,
    /// By value.
    pub groups: Vec<Group>,
    /// The time zone whose days the filter means, where it names days that depend on it.
    pub time_zone: Option<String>,
}

/// A page of the items of an organization.
#[derive(Clone, Debug)]
pub struct ListedItems {
    /// The page.
    pub list: Listed,
    /// What the caller may do with the items of each project that any of it is of.
    pub can: BTreeMap<ProjectKey, Can>,
    /// The live runs of the items of the page.
    pub runs: Vec<RunView>,
}

/// What the caller may do in a project, and whether they see its factory.
#[derive(Clone, Copy)]
struct May {
    can: Can,
    operator: bool,
    /// Whether they see what agents say.
    factory: bool,
}

impl May {
    fn of(access: &Access) -> Self {
        Self {
            can: Can::of(access),
            operator: access.may(Capability::SeeFactory),
            factory: Viewer::of(access).sees_agents_work(),
        }
    }
}

/// A project that a list is answered from.
pub(super) struct Room {
    pub(super) project: ProjectKey,
    may: May,
    workflow: Arc<Workflow>,
    facts: FilterFacts,
    pub(super) feed: Arc<Feed>,
}

impl Room {
    pub(super) fn request<'a>(
        &'a self,
        app: &App,
        me: ActorId,
        meant: &'a Meant,
        sort: Sort,
        query: &'a ListItems,
        page_size: u32,
    ) -> ListRequest<'a> {
        let asker = Asker { me: Some(me), factory: self.may.factory, zone: &meant.zone };
        let context = self.facts.context(app, asker, &self.workflow);
        let (q, described) = (query.q.as_deref(), &self.facts.described);
        ListRequest { filter: &meant.filter, context, q, described, sort, page: 1, page_size }
    }
}

/// One page of the items of every project that the caller sees. `render` makes of each what the API shows.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::Invalid`] for a filter or an order that is none.
pub async fn items(
    app: &App,
    caller: Caller<'_>,
    query: &ListItems,
    render: impl Fn(&ProjectKey, ListedItem<'_>) -> Rendered,
) -> Result<ListedItems> {
    let (filter, sort) = parse(query)?;
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let meant = Meant::of(app, &entry, filter, query.time_zone.as_deref()).await?;
    let rooms = rooms(app, &entry, &meant.filter, query.q.as_deref()).await?;
    let end = query.page.saturating_mul(query.page_size);
    let want = if end > DEEPEST { 0 } else { end };
    let (mut total, mut first) = (0, Vec::new());
    for room in &rooms {
        let request = room.request(app, entry.actor().id, &meant, sort, query, want);
        let index = room.feed.read();
        let found = index.query(&request);
        total += found.total;
        first.extend(found.entries.into_iter().cloned().map(|entry| (room, entry)));
    }
    first.sort_by(|a, b| compare(sort, (&a.0.project, &a.1), (&b.0.project, &b.1)));
    let skip = want.saturating_sub(query.page_size) as usize;
    let page = first.iter().skip(skip).take(query.page_size as usize);
    let live: Vec<RunId> = page.clone().filter_map(|(_, entry)| entry.live_run).collect();
    let show = |(room, entry): &(&Room, FeedEntry)| {
        let index = room.feed.read();
        // As it is now: what is rendered is remembered.
        let listed = index.get(entry.number).map(|entry| listed(app, &index, entry, &room.workflow));
        room.feed.render(&index, listed.into_iter(), |item| render(&room.project, item)).pop()
    };
    let items = page.clone().filter_map(show).collect();
    let list = Listed { total, items, time_zone: meant.told };
    let may: BTreeMap<ProjectKey, May> = page.map(|(room, _)| (room.project.clone(), room.may)).collect();
    let operator = |project: &ProjectKey| may.get(project).is_some_and(|may| may.operator);
    let runs = runs::shown(app, &entry, live, operator).await?;
    Ok(ListedItems { list, can: may.into_iter().map(|(project, may)| (project, may.can)).collect(), runs })
}

/// How many items of every project that the caller sees match, by the values of a field.
///
/// # Errors
/// As [`items`].
pub async fn counts(app: &App, caller: Caller<'_>, query: &ListItems, by: Option<&str>) -> Result<Counts> {
    let ((filter, sort), by) = (parse(query)?, parse_group(by)?);
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let meant = Meant::of(app, &entry, filter, query.time_zone.as_deref()).await?;
    let rooms = rooms(app, &entry, &meant.filter, query.q.as_deref()).await?;
    named(app, &entry, &rooms, by, count(app, &entry, &rooms, (&meant, sort), query, by)).await
}

/// How many items of a project match, by the values of a field.
///
/// # Errors
/// As [`items`]; [`Refusal::NotFound`].
pub async fn counts_of_project(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    query: &ListItems,
    by: Option<&str>,
) -> Result<Counts> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let ((filter, sort), by) = (parse(query)?, parse_group(by)?);
    let meant = Meant::of(app, &entry, filter, query.time_zone.as_deref()).await?;
    let one = [(project.clone(), May::of(&entry.access))];
    let rooms = rooms_of(app, &entry, &one, &meant.filter, query.q.as_deref()).await?;
    for room in &rooms {
        meant.filter.check_states(&room.workflow)?;
    }
    named(app, &entry, &rooms, by, count(app, &entry, &rooms, (&meant, sort), query, by)).await
}

/// Says what people call the sprints or milestones of the groups.
async fn named(app: &App, entry: &Entry, rooms: &[Room], by: GroupBy, mut counts: Counts) -> Result<Counts> {
    if !matches!(by, GroupBy::Sprint | GroupBy::Milestone) || counts.groups.is_empty() {
        return Ok(counts);
    }
    let org = entry.org_id();
    let names_of = async |room: &Room| -> Result<Vec<(String, String)>> {
        Ok(if by == GroupBy::Sprint {
            let all = sprints::all(app, org, &room.project).await?;
            all.into_iter().map(|(sprint, _)| (sprint.id.to_string(), sprint.name)).collect()
        } else {
            let all = milestones::of_project(app, org, &room.project).await?.0;
            all.into_iter().map(|milestone| (milestone.id.to_string(), milestone.name)).collect()
        })
    };
    let names = stream::iter(rooms.iter().map(names_of)).buffer_unordered(AT_ONCE);
    let names: HashMap<String, String> = names.try_collect::<Vec<_>>().await?.into_iter().flatten().collect();
    for group in &mut counts.groups {
        group.name = group.value.as_ref().and_then(|id| names.get(id).cloned());
    }
    Ok(counts)
}

fn count(
    app: &App,
    entry: &Entry,
    rooms: &[Room],
    (meant, sort): (&Meant, Sort),
    query: &ListItems,
    by: GroupBy,
) -> Counts {
    let mut total = 0;
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for room in rooms {
        let request = room.request(app, entry.actor().id, meant, sort, query, 0);
        let (matching, found) = room.feed.read().counts(&request, by);
        total += matching;
        for group in found {
            let folded = group.value.as_ref().map(|value| value.to_lowercase());
            match known.get(&folded) {
                Some(at) => groups[*at].count += group.count,
                None => {
                    known.insert(folded, groups.len());
                    groups.push(group);
                }
            }
        }
    }
    groups.sort_by_key(|group| group.value.is_none());
    Counts { total, groups, time_zone: meant.told.clone() }
}

fn parse_group(by: Option<&str>) -> Result<GroupBy, Refusal> {
    let known = || GroupBy::ALL.iter().map(|by| by.as_str()).collect::<Vec<_>>().join(", ");
    let Some(by) = by.filter(|by| !by.is_empty()) else { return Ok(GroupBy::State) };
    by.parse().map_err(|_| {
        let by: String = by.chars().take(60).collect();
        Refusal::Invalid(FieldErrors::one(
            "by",
            format!("Items cannot be grouped by `{by}`. Group by {}.", known()),
        ))
    })
}

/// The projects that the caller sees, ready to be asked.
pub(super) async fn rooms(app: &App, entry: &Entry, filter: &Filter, q: Option<&str>) -> Result<Vec<Room>> {
    let seen = projects::visible(app, entry).await?;
    let open = seen.into_iter().filter(|seen| !seen.project.archived);
    let open: Vec<(ProjectKey, May)> =
        open.map(|seen| (seen.project.key.clone(), may(entry, seen))).collect();
    let rooms = rooms_of(app, entry, &open, filter, q).await?;
    let known = rooms.iter().any(|room| filter.check_states(&room.workflow).is_ok());
    if let Some(room) = rooms.first().filter(|_| !known) {
        filter.check_states(&room.workflow)?;
    }
    Ok(rooms)
}

/// What the caller may do in a project that they see.
fn may(entry: &Entry, seen: SeenProject) -> May {
    let SeenProject { project: Project { key, archived, .. }, role, .. } = seen;
    May::of(&Access { project: Some(ProjectStanding { key, archived, role }), ..entry.access.clone() })
}

async fn rooms_of(
    app: &App,
    entry: &Entry,
    projects: &[(ProjectKey, May)],
    filter: &Filter,
    q: Option<&str>,
) -> Result<Vec<Room>> {
    let (org, me) = (entry.org_id(), entry.actor().id);
    let asks_current = asks_for_current_sprints(filter);
    let of =
        |project| (keys::workflow(org, project), asks_current.then(|| keys::sprint_register(org, project)));
    let wanted: Vec<_> = projects.iter().map(|(project, _)| of(project)).collect();
    let found = projects.iter().cloned().zip(wanted::load(app, wanted).await?);
    let ready = found.map(|((project, may), (workflow, register))| async move {
        let workflow = workflow.as_deref().map(|row| app.parse_cache.workflows.read(row)).transpose()?;
        let facts = FilterFacts::of(app, (org, me), &project, (filter, q), register.as_ref()).await?;
        let feed = app.feeds.fresh(app, org, &project).await?;
        Ok(Room { project, may, workflow: workflow.unwrap_or_default(), facts, feed })
    });
    stream::iter(ready).buffered(AT_ONCE).try_collect().await
}

fn compare(sort: Sort, a: (&ProjectKey, &FeedEntry), b: (&ProjectKey, &FeedEntry)) -> Ordering {
    let projects = if sort.descending { b.0.cmp(a.0) } else { a.0.cmp(b.0) };
    // By key means by project first: numbers of different projects have nothing to do with each other.
    let keys = if sort.key == svc_domain::feed::SortKey::Key { projects } else { Ordering::Equal };
    keys.then_with(|| sort.compare(a.1, b.1)).then(projects)
}
