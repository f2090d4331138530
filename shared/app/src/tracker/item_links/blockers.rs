//! Which items block others, and what that says in the rows of those that wait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_domain::workflow::{StateGroup, Workflow};
use svc_storage::{Condition, Key, Limits, Op, Row, keys};

use super::super::load::group_of;
use super::ends::{self, End};
use crate::App;
use crate::entry::enter_as;
use crate::error::{Error, Result};
use crate::messages::{NoteBlockers, NoteBlockersOfStates};
use crate::tracker::gone::key_now;
use crate::transaction::Transaction;
use crate::wanted;

/// Items that are brought up to date at the same time.
const WIDTH: usize = 8;

/// An item at the other end of a link.
#[derive(Clone)]
pub(super) struct Other {
    pub(super) item: Item,
    pub(super) group: StateGroup,
    /// Whether its project is there, and not deleted.
    in_reach: bool,
}

impl Other {
    /// Whether it keeps an item of this project waiting. Nobody can work on the items of a deleted project; they go on
    /// waiting for each other until it is restored.
    fn holds_up(&self, project: &ProjectKey) -> bool {
        self.group.is_open() && (self.in_reach || self.item.key.project == *project)
    }
}

/// Those of these items that there are.
pub(super) async fn read(
    app: &App,
    org: OrgId,
    others: BTreeSet<ItemKey>,
) -> Result<BTreeMap<ItemKey, Other>> {
    Ok(read_with_checks(app, org, others).await?.0)
}

/// The items that block this one and are open, and what must hold so that it is these.
pub(super) async fn open(app: &App, org: OrgId, item: &Item) -> Result<(Vec<ItemKey>, Vec<Op>)> {
    let blockers: BTreeSet<ItemKey> = item.linked(LinkKind::BlockedBy).cloned().collect();
    let (found, checks) = read_with_checks(app, org, blockers).await?;
    let project = &item.key.project;
    let open = found.into_iter().filter(|(_, other)| other.holds_up(project)).map(|(key, _)| key).collect();
    Ok((open, checks))
}

/// The items that block this one and are open.
pub(crate) async fn open_blockers(app: &App, org: OrgId, item: &Item) -> Result<Vec<ItemKey>> {
    Ok(open(app, org, item).await?.0)
}

/// As [`read_where_they_are`], also where some have moved to another project and their links were not told yet.
async fn read_with_checks(
    app: &App,
    org: OrgId,
    others: BTreeSet<ItemKey>,
) -> Result<(BTreeMap<ItemKey, Other>, Vec<Op>)> {
    let (mut found, mut checks) = read_where_they_are(app, org, others.clone()).await?;
    for key in others {
        let mut at = key.clone();
        // It may move on between the two reads.
        while !found.contains_key(&key)
            && let Some(now) = key_now(app, org, &at).await?
        {
            let (there, more) = read_where_they_are(app, org, BTreeSet::from([now.clone()])).await?;
            found.extend(there.into_values().map(|other| (key.clone(), other)));
            let known: BTreeSet<Key> = checks.iter().map(|check| check.key.clone()).collect();
            checks.extend(more.into_iter().filter(|check| !known.contains(&check.key)));
            at = now;
        }
    }
    Ok((found, checks))
}

async fn read_where_they_are(
    app: &App,
    org: OrgId,
    others: BTreeSet<ItemKey>,
) -> Result<(BTreeMap<ItemKey, Other>, Vec<Op>)> {
    let projects: BTreeSet<&ProjectKey> = others.iter().map(|key| &key.project).collect();
    let items: Vec<_> = others.iter().map(|key| keys::item(org, key)).collect();
    let rooms: Vec<_> =
        projects.iter().map(|key| (keys::workflow(org, key), keys::project(org, key))).collect();
    let (items, rooms) = wanted::load(app, (items, rooms)).await?;
    let mut checks = Vec::new();
    let mut demand = |key: Key, row: Option<&Row>| {
        checks.push(Op::check(key, row.map_or(Condition::Absent, |row| Condition::Version(row.version))));
    };
    let mut there: BTreeMap<&ProjectKey, (Arc<Workflow>, bool)> = BTreeMap::new();
    for (project, (workflow, row)) in projects.into_iter().zip(rooms) {
        demand(keys::workflow(org, project).into(), workflow.as_deref());
        demand(keys::project(org, project).into(), row.as_deref());
        let workflow = workflow.map(|row| app.parse_cache.workflows.read(&row)).transpose()?;
        there.insert(project, (workflow.unwrap_or_default(), row.is_some()));
    }
    let mut found = BTreeMap::new();
    for (key, row) in others.iter().zip(items) {
        demand(keys::item(org, key).into(), row.as_deref());
        let (Some(row), Some((workflow, in_reach))) = (row, there.get(&key.project)) else { continue };
        let item = row.read()?;
        let group = group_of(workflow, &item.state);
        found.insert(key.clone(), Other { item, group, in_reach: *in_reach });
    }
    Ok((found, checks))
}

/// Notes in items whether one that blocks them is open. Doing it again, or late, is harmless.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn note_blockers(app: &App, message: &NoteBlockers) -> Result<()> {
    for item in &message.items {
        app.decide(|| note_once(app, message.org, item, message.by.as_ref())).await?;
    }
    Ok(())
}

/// Notes the same in one item, for nobody: what blocks it moved to another project.
pub(crate) async fn note_in(app: &App, org: OrgId, key: &ItemKey) -> Result<()> {
    app.decide(|| note_once(app, org, key, None)).await
}

async fn note_once(app: &App, org: OrgId, key: &ItemKey, by: Option<&Actor>) -> Result<()> {
    // One that comes back from its deletion is noted then.
    let Some(End::Here { change, .. }) = ends::find(app, org, key).await? else { return Ok(()) };
    let (key, mut change) = (change.item.key.clone(), *change);
    let (open, checks) = open(app, org, &change.item).await?;
    if change.item.has_open_blocker != open.is_empty() {
        return Ok(());
    }
    match change.item.note_blockers(!open.is_empty()) {
        Some(field) => change.tell(ItemEvent::Changed(key.clone(), field)),
        // A person says that it is blocked anyway: nobody sees a change.
        None => change = change.as_heartbeat(),
    }
    let mut transaction = match known_there(app, org, &key.project, by).await? {
        Some(by) => Transaction::on_behalf(app, org, by),
        None => Transaction::by_itself(app, org),
    };
    transaction.save(change);
    app.commit(transaction.with(checks)).await
}

/// Who did what changed an item of another project, if they see that project: its members may not know of others. What
/// nobody is named for is no entry of its history.
async fn known_there<'a>(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    by: Option<&'a Actor>,
) -> Result<Option<&'a Actor>> {
    let Some(Actor { id: ActorId::User(user), .. }) = by else { return Ok(by) };
    let sees = match enter_as(app, org, *user, project).await {
        Ok(entry) => entry.access.require(Capability::SeeProject).is_ok(),
        Err(Error::Refused(_)) => false,
        Err(error) => return Err(error),
    };
    Ok(by.filter(|_| sees))
}

/// Notes the same in whatever items of a project block that are in these states, or in any.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn note_blockers_of_states(app: &App, message: &NoteBlockersOfStates) -> Result<()> {
    let NoteBlockersOfStates { org, project, states, by } = message;
    let feed = app.feeds.fresh(app, *org, project).await?;
    let concerned: Vec<_> = {
        let index = feed.read();
        let concerned = index.iter().filter(|entry| states.is_empty() || states.contains(&entry.state));
        concerned.map(|entry| keys::item(*org, &entry.key(project))).collect()
    };
    let mut waiting: BTreeSet<ItemKey> = BTreeSet::new();
    for chunk in concerned.chunks(Limits::KEYS) {
        for row in wanted::load(app, chunk.to_vec()).await?.iter().flatten() {
            waiting.extend(row.read()?.linked(LinkKind::Blocks).cloned());
        }
    }
    if states.is_empty() {
        waiting.retain(|key| key.project != *project);
    }
    let note = |key: ItemKey| async move { app.decide(|| note_once(app, *org, &key, by.as_ref())).await };
    stream::iter(waiting.into_iter().map(note)).buffer_unordered(WIDTH).try_collect::<()>().await
}
