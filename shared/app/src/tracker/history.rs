//! What happened to an item, and what changed of its description.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::access::Capability;
use svc_domain::ids::{ActorId, ItemKey, OrgId, ProjectKey, UserId};
use svc_domain::project::{Action, HistoryEntry};
use svc_domain::refusal::Refusal;
use svc_domain::text_change::TextChange;
use svc_domain::visibility::Viewer;
use svc_storage::{Limits, Query, Range, Row, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::heavy;
use crate::identity::bring_up_to_date;
use crate::tracker::gone::item_row;
use crate::visible_projects::visible_projects;
use crate::wanted;

/// Lines of one read.
const AT_ONCE: usize = 500;

/// An entry of an item's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its id, which stays also when the item gets another key.
    pub id: String,
    /// What it tells.
    pub entry: HistoryEntry,
}

/// What happened to an item, as far as the caller sees it, newest first: the lines after the first `offset`, at most
/// `limit`; and how many there are. Only those of the page are kept while they are counted.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn list(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    slice: (usize, usize),
) -> Result<(Vec<Line>, u64)> {
    let wanted = |org| keys::item(org, key);
    let (entry, row) = enter_project_with(app, caller, &key.project, Capability::SeeProject, wanted).await?;
    item_row(app, &entry, row, key).await?;
    of_item(app, &entry, key, slice).await
}

/// As [`list`], by who entered the item's project.
pub(crate) async fn of_item(
    app: &App,
    entry: &Entry,
    key: &ItemKey,
    (offset, limit): (usize, usize),
) -> Result<(Vec<Line>, u64)> {
    let org = entry.org_id();
    let mut query = newest_first(org, key, AT_ONCE);
    let (mut page, mut total) = (Vec::new(), 0);
    let mut sight = Sight::new(app, entry, &key.project);
    loop {
        let read = app.table.query(&query).await?;
        for row in &read.rows {
            let Some(line) = sight.line(row).await? else { continue };
            if total >= offset && page.len() < limit {
                page.push(line);
            }
            total += 1;
        }
        query.cursor = read.cursor;
        if query.cursor.is_none() {
            break;
        }
    }
    bring_up_to_date(app, org, page.iter_mut().map(|line| &mut line.entry.actor)).await?;
    Ok((page, total as u64))
}

/// What the caller sees of the last lines of an item's history, newest first, with the names that actors had then.
pub(super) async fn latest(app: &App, entry: &Entry, key: &ItemKey, lines: usize) -> Result<Vec<Line>> {
    let rows = app.table.query(&newest_first(entry.org_id(), key, lines)).await?.rows;
    let mut sight = Sight::new(app, entry, &key.project);
    let mut seen = Vec::new();
    for row in &rows {
        seen.extend(sight.line(row).await?);
    }
    Ok(seen)
}

fn newest_first(org: OrgId, key: &ItemKey, rows: usize) -> Query {
    let range = Range::Prefix(keys::HISTORY_PREFIX.to_owned());
    Query::new(keys::item_pk(org, key), range, rows).descending()
}

/// What changed of the description by the history entry of this id.
///
/// # Errors
/// [`Refusal::NotFound`], also for an entry that the caller does not see, and for one without it.
pub async fn text_change(app: &App, caller: Caller<'_>, key: &ItemKey, id: &str) -> Result<TextChange> {
    let _room = heavy::room(Limits::ROW_BYTES).await?;
    let wanted = |org| {
        let [told, change] = keys::history_by_id(org, key, id).map_or([None, None], |both| both.map(Some));
        (keys::item(org, key), told, change)
    };
    let (entry, (item, told, change)) =
        enter_project_with(app, caller, &key.project, Capability::SeeProject, wanted).await?;
    item_row(app, &entry, item, key).await?;
    let told: HistoryEntry = told.ok_or(Refusal::NotFound)?.read()?;
    if !Viewer::of(&entry.access).sees_history(&told) {
        return Err(Refusal::NotFound.into());
    }
    Ok(change.ok_or(Refusal::NotFound)?.read()?)
}

/// What the caller may know of other projects, which an entry names as the other end of a link, as a parent, as the key
/// that the item had, or by what the item had in a project where it was before. Entries are asked about from the newest
/// to the oldest. What was looked up before is kept.
struct Sight<'a> {
    app: &'a App,
    entry: &'a Entry,
    project: &'a ProjectKey,
    projects: BTreeMap<ProjectKey, bool>,
    people: BTreeMap<UserId, bool>,
    /// Whether the item was then in a project that the caller does not see.
    was_hidden: bool,
}

impl<'a> Sight<'a> {
    fn new(app: &'a App, entry: &'a Entry, project: &'a ProjectKey) -> Self {
        let projects = BTreeMap::from([(project.clone(), true)]);
        Self { app, entry, project, projects, people: BTreeMap::new(), was_hidden: false }
    }

    /// The line of a row, as far as the caller sees it.
    async fn line(&mut self, row: &Row) -> Result<Option<Line>> {
        let told: HistoryEntry = row.read()?;
        if !Viewer::of(&self.entry.access).sees_history(&told) {
            return Ok(None);
        }
        let id = keys::history_id(&row.key.sk).unwrap_or_default();
        Ok(self.of(told).await?.map(|entry| Line { id, entry }))
    }

    /// An entry without the keys of items that the caller does not see. None at all of a link that somebody changed who
    /// works in the other project only: it would tell who works there, and when; and none of a sprint or a milestone of
    /// a project that the caller does not see.
    async fn of(&mut self, mut told: HistoryEntry) -> Result<Option<HistoryEntry>> {
        if let Some(other) = &told.other
            && !self.sees(&other.project.clone()).await?
        {
            (told.other, told.from, told.to) = (None, None, None);
            return Ok(self.is_known(told.actor.id).await?.then_some(told));
        }
        if self.was_hidden && matches!(told.field.as_deref(), Some("sprint" | "milestone")) {
            return Ok(None);
        }
        if told.action == Action::Transferred || told.field.as_deref() == Some("parent") {
            for place in [&mut told.from, &mut told.to] {
                let key: Option<ItemKey> = place.as_deref().and_then(|text| text.parse().ok());
                if let Some(key) = key
                    && !self.sees(&key.project).await?
                {
                    *place = None;
                }
            }
        }
        if told.action == Action::Transferred {
            self.was_hidden = told.from.is_none();
        }
        Ok(Some(told))
    }

    async fn sees(&mut self, project: &ProjectKey) -> Result<bool> {
        if let Some(seen) = self.projects.get(project) {
            return Ok(*seen);
        }
        let asked = BTreeSet::from([project.clone()]);
        let seen = visible_projects(self.app, &self.entry.access, asked).await?.contains_key(project);
        self.projects.insert(project.clone(), seen);
        Ok(seen)
    }

    /// Whether somebody sees the item's project, as those do whom the caller may know.
    async fn is_known(&mut self, actor: ActorId) -> Result<bool> {
        let ActorId::User(user) = actor else { return Ok(true) };
        if actor == self.entry.actor().id {
            return Ok(true);
        }
        if let Some(known) = self.people.get(&user) {
            return Ok(*known);
        }
        let org = self.entry.org_id();
        let wanted = (keys::project_member(org, self.project, user), keys::member(org, user));
        let (in_project, member) = wanted::load(self.app, wanted).await?;
        let member = member.map(|row| row.read()).transpose()?;
        let known = in_project.is_some() || member.is_some_and(|member| member.role.administers());
        self.people.insert(user, known);
        Ok(known)
    }
}
