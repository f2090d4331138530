//! How far each project of an organization is, in one read: answered from the projects' feeds.
//!
//! Who works on a project is told by the items that changed last, so that the answer costs the same however many there are.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::Offset;
use svc_domain::access::Capability;
use svc_domain::feed::{FeedEntry, GroupBy};
use svc_domain::ids::{Actor, ActorId, ProjectKey};
use svc_domain::project_stats::{first_monday, weeks};

use super::filter_words::Meant;
use super::list::{ListItems, parse};
use super::org_list::{Room, rooms};
use crate::App;
use crate::entry::{Caller, enter_org};
use crate::error::Result;

/// Weeks of throughput.
const WEEKS: u32 = 12;
/// Items by which people and agents are told.
const RECENT: u32 = 50;
/// Most people, and most agents, of an answer.
const NAMED: usize = 5;

/// How far a project is. Subtasks count as part of their item.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The project.
    pub key: ProjectKey,
    /// Items not begun.
    pub backlog: u64,
    /// Items being worked on.
    pub active: u64,
    /// Items done, to be accepted.
    pub resolved: u64,
    /// Items that are over.
    pub closed: u64,
    /// How many items were resolved in each of the last weeks, this one last.
    pub throughput: Vec<u64>,
    /// When an item changed last.
    pub changed_at: Option<Timestamp>,
    /// To whom the items that changed last are assigned.
    pub people: Vec<Actor>,
    /// Which agents work on them, or did last.
    pub agents: Vec<Actor>,
}

/// Every project that the caller sees and that is not archived, by key.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn overviews(app: &App, caller: Caller<'_>) -> Result<Vec<Overview>> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let query = ListItems {
        filter: Some("-type:subtask".to_owned()),
        sort: Some("-updated".to_owned()),
        ..ListItems::default()
    };
    let (filter, sort) = parse(&query)?;
    let meant = Meant::plain(filter);
    let rooms = rooms(app, &entry, &meant.filter, None).await?;
    let until = Offset::UTC.to_datetime(app.now()).date();
    let from = first_monday(until, WEEKS);
    let of = |room: &Room| {
        let request = room.request(app, entry.actor().id, &meant, sort, &query, RECENT);
        let index = room.feed.read();
        let recent = index.query(&request).entries;
        let (_, groups) = index.counts(&request, GroupBy::StateGroup);
        let count = |name: &str| {
            let group = groups.iter().find(|group| group.value.as_deref() == Some(name));
            group.map_or(0, |group| group.count)
        };
        let weeks = weeks(&index.throughput(from, until, None), from, until);
        Overview {
            key: room.project.clone(),
            backlog: count("backlog"),
            active: count("active"),
            resolved: count("resolved"),
            closed: count("closed"),
            throughput: weeks.iter().map(|week| week.resolved).collect(),
            changed_at: recent.first().map(|entry| entry.updated_at),
            people: most_named(recent.iter().filter_map(|entry| entry.assignee.as_ref())),
            agents: most_named(recent.iter().filter_map(|entry| agent_of(entry))),
        }
    };
    Ok(rooms.iter().map(of).collect())
}

/// The agent that works on an item, or did last.
fn agent_of(entry: &FeedEntry) -> Option<&Actor> {
    let holder = entry.claim.as_ref().map(|claim| &claim.holder).filter(|holder| holder.id.is_agent());
    holder.or_else(|| entry.last_run.as_ref().map(|run| &run.agent))
}

/// Those that are named most often, the most frequent first.
fn most_named<'a>(all: impl Iterator<Item = &'a Actor>) -> Vec<Actor> {
    let mut counts: HashMap<ActorId, (u64, &Actor)> = HashMap::new();
    for actor in all {
        counts.entry(actor.id).or_insert((0, actor)).0 += 1;
    }
    let mut named: Vec<(u64, &Actor)> = counts.into_values().collect();
    named.sort_by(|a, b| {
        b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)).then_with(|| a.1.id.cmp(&b.1.id))
    });
    named.into_iter().take(NAMED).map(|(_, actor)| actor.clone()).collect()
}
