//! What happened to an item, and what changed of its description.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::access::Capability;
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_domain::project::HistoryEntry;
use svc_domain::refusal::Refusal;
use svc_domain::text_change::TextChange;
use svc_domain::visibility::Viewer;
use svc_storage::{Limits, Query, Range, Row, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project};
use crate::error::Result;
use crate::heavy;
use crate::identity::bring_up_to_date;
use crate::tracker::gone::item_row;
use crate::visible_projects::visible_projects;

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
    (offset, limit): (usize, usize),
) -> Result<(Vec<Line>, u64)> {
    let mut entry =
        enter_project(app, caller, &key.project, Capability::SeeProject, |org| vec![keys::item(org, key)])
            .await?;
    item_row(app, &mut entry, 0, key).await?;
    let (org, viewer) = (entry.org_id(), Viewer::of(&entry.access));
    let range = Range::Prefix(keys::HISTORY_PREFIX.to_owned());
    let mut query = Query::new(keys::item_pk(org, key), range, AT_ONCE).descending();
    let (mut page, mut total) = (Vec::new(), 0);
    let mut projects = BTreeMap::from([(key.project.clone(), true)]);
    loop {
        let read = app.table.query(&query).await?;
        for row in &read.rows {
            let told: HistoryEntry = row.read()?;
            if !viewer.sees_history(&told) || !sees_other(app, &entry, &told, &mut projects).await? {
                continue;
            }
            if total >= offset && page.len() < limit {
                let id = keys::history_id(&row.key.sk).unwrap_or_default();
                page.push(Line { id, entry: told });
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

/// What changed of the description by the history entry of this id.
///
/// # Errors
/// [`Refusal::NotFound`], also for an entry that the caller does not see, and for one without it.
pub async fn text_change(app: &App, caller: Caller<'_>, key: &ItemKey, id: &str) -> Result<TextChange> {
    let _room = heavy::room(Limits::ROW_BYTES).await?;
    let mut entry = enter_project(app, caller, &key.project, Capability::SeeProject, |org| {
        let mut wanted = vec![keys::item(org, key)];
        wanted.extend(keys::history_by_id(org, key, id).into_iter().flatten());
        wanted
    })
    .await?;
    item_row(app, &mut entry, 0, key).await?;
    let told: HistoryEntry = optional(&mut entry, 1).ok_or(Refusal::NotFound)?.read()?;
    if !Viewer::of(&entry.access).sees_history(&told) {
        return Err(Refusal::NotFound.into());
    }
    Ok(optional(&mut entry, 2).ok_or(Refusal::NotFound)?.read()?)
}

/// A row that was asked for with the entry, if it is there.
fn optional(entry: &mut Entry, at: usize) -> Option<Row> {
    entry.rows.get_mut(at)?.take()
}

/// Whether the caller sees the other item of a link that an entry tells of; `projects` are those looked up before.
async fn sees_other(
    app: &App,
    entry: &Entry,
    line: &HistoryEntry,
    projects: &mut BTreeMap<ProjectKey, bool>,
) -> Result<bool> {
    let Some(other) = &line.other else { return Ok(true) };
    if let Some(seen) = projects.get(&other.project) {
        return Ok(*seen);
    }
    let asked = BTreeSet::from([other.project.clone()]);
    let seen = visible_projects(app, &entry.access, asked).await?.contains_key(&other.project);
    projects.insert(other.project.clone(), seen);
    Ok(seen)
}
