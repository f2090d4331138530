//! What happened lately in the projects of an organization, by item: those that something happened to last come first, each
//! with the last lines of its history and the last comments on it.
//!
//! Protocol.
//! 1. Each change of an item and each comment that everybody sees moves the item's row in the feed of its project. Of every
//!    project that the caller sees and that is not archived, at most [`AT_ONCE`] at a time, the rows before the cursor are
//!    read, newest first, as many as the page has. The page is the newest of all of them.
//! 2. An item is at one place. One that something happens to meanwhile moves to the top, where the first page has it.
//! 3. Of each item of the page one query reads its last [`LINES`] lines of history, another its last [`COMMENTS`] comments.
//!    What the caller does not see of them is left out, and an item of which nothing is left.

use std::fmt;
use std::str::FromStr;

use futures::future::try_join;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::item::ItemType;
use svc_domain::visibility::Viewer;
use svc_storage::{Query, Range, keys};

use super::history::{self, Line};
use super::projects;
use crate::App;
use crate::entry::{Caller, Entry, enter_org};
use crate::error::Result;
use crate::heavy;
use crate::identity::bring_up_to_date;

/// Projects, and items, that are read at the same time.
const AT_ONCE: usize = 8;
/// Lines of history of an item that are read.
const LINES: usize = 20;
/// Comments on an item that are read.
const COMMENTS: usize = 10;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Only in this project.
    pub project: Option<ProjectKey>,
    /// Only what is behind this place.
    pub behind: Option<Place>,
    /// Most items.
    pub limit: usize,
}

/// The place of an item among those that something happened to: greater ones are later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    sk: String,
    project: ProjectKey,
}

impl Place {
    /// When it was.
    pub fn at(&self) -> Timestamp {
        let millis = keys::time_of(&self.sk).unwrap_or_default();
        Timestamp::from_millisecond(millis).unwrap_or_default()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.sk.replace('#', "."), self.project)
    }
}

/// A text that is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> std::result::Result<Self, NoPlace> {
        let mut parts = text.splitn(3, '.');
        let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok()).ok_or(NoPlace);
        let (millis, number) = (number()?, number()?);
        let project = parts.next().and_then(|key| key.parse().ok()).ok_or(NoPlace)?;
        Ok(Self { sk: keys::feed_sk(i64::try_from(millis).map_err(|_| NoPlace)?, number), project })
    }
}

/// Items that something happened to, and where to go on.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// The items, the latest first.
    pub items: Vec<ActiveItem>,
    /// The place behind which more are.
    pub next: Option<Place>,
}

/// An item, and what happened to it.
#[derive(Clone, Debug)]
pub struct ActiveItem {
    /// Its key.
    pub key: ItemKey,
    /// Its title.
    pub title: String,
    /// Kind of work.
    pub item_type: ItemType,
    /// Its last lines of history, newest first.
    pub history: Vec<Line>,
    /// The last comments on it, newest first.
    pub comments: Vec<Comment>,
}

/// What happened lately in the projects that the caller sees.
///
/// # Errors
/// What [`Capability::SeeOrg`] refuses.
pub async fn of_org(app: &App, caller: Caller<'_>, wanted: &Wanted) -> Result<Activity> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let org = entry.org_id();
    let mut open = projects::visible(app, &entry).await?;
    open.retain(|seen| {
        !seen.project.archived && wanted.project.as_ref().is_none_or(|only| *only == seen.project.key)
    });
    let newest: Vec<_> = open.into_iter().map(|seen| newest(app, org, seen.project.key, wanted)).collect();
    let mut rows: Vec<(Place, FeedEntry)> =
        stream::iter(newest).buffer_unordered(AT_ONCE).try_collect::<Vec<_>>().await?.concat();
    rows.sort_by(|one, other| other.0.cmp(&one.0));
    let is_more = rows.len() > wanted.limit;
    rows.truncate(wanted.limit);
    let next = rows.last().filter(|_| is_more).map(|(place, _)| place.clone());
    let items: Vec<_> =
        rows.into_iter().map(|(place, row)| active(app, &entry, place.project, row)).collect();
    let mut items: Vec<ActiveItem> = stream::iter(items).buffered(AT_ONCE).try_collect().await?;
    items.retain(|item| !item.history.is_empty() || !item.comments.is_empty());
    let mut actors = Vec::new();
    for item in &mut items {
        actors.extend(item.history.iter_mut().map(|line| &mut line.entry.actor));
        actors.extend(item.comments.iter_mut().map(|comment| &mut comment.author));
    }
    bring_up_to_date(app, org, actors).await?;
    Ok(Activity { items, next })
}

/// The items of a project that something happened to last, and one more than are wanted where there are as many.
async fn newest(
    app: &App,
    org: OrgId,
    project: ProjectKey,
    Wanted { behind, limit, .. }: &Wanted,
) -> Result<Vec<(Place, FeedEntry)>> {
    let range = match behind {
        Some(behind) => Range::Between(String::new(), behind.sk.clone()),
        None => Range::All,
    };
    // The range ends with the place itself.
    let mut query = Query::new(keys::feed_pk(org, &project), range, limit + 2).descending();
    let mut found = Vec::new();
    loop {
        let page = app.table.query(&query).await?;
        for row in page.rows {
            let place = Place { sk: row.key.sk.clone(), project: project.clone() };
            let entry: FeedEntry = row.read()?;
            if !entry.deleted && behind.as_ref().is_none_or(|behind| place < *behind) {
                found.push((place, entry));
            }
        }
        query.cursor = page.cursor;
        if found.len() > *limit || query.cursor.is_none() {
            return Ok(found);
        }
    }
}

async fn active(app: &App, entry: &Entry, project: ProjectKey, row: FeedEntry) -> Result<ActiveItem> {
    let key = row.key(&project);
    let (history, comments) =
        try_join(history::latest(app, entry, &key, LINES), last_comments(app, entry, &key)).await?;
    Ok(ActiveItem { key, title: row.title, item_type: row.item_type, history, comments })
}

/// The last comments on an item that the caller sees, newest first.
async fn last_comments(app: &App, entry: &Entry, key: &ItemKey) -> Result<Vec<Comment>> {
    let range = Range::Prefix(keys::COMMENT_PREFIX.to_owned());
    let query = Query::new(keys::item_pk(entry.org_id(), key), range, COMMENTS).descending();
    let rows = app.table.query(&query).await?.rows;
    let (bytes, viewer) = (rows.iter().map(|row| row.doc.len()).sum(), Viewer::of(&entry.access));
    heavy::on_texts(bytes, move || {
        let mut seen = Vec::new();
        for row in &rows {
            let comment: Comment = row.read()?;
            if !comment.deleted && viewer.sees_comment(&comment) {
                seen.push(comment);
            }
        }
        Ok(seen)
    })
    .await?
}
