//! The texts of an item on their way into a prompt: its own and its comments, and what their authors are.
//!
//! An author is trusted who is a person that could start a run of the project by hand, now. Of a title and of a
//! description the author is who wrote it last, because that person read what the others had written. Where nobody
//! knows who that was, the text is not trusted.

use std::collections::BTreeMap;

use svc_domain::access::is_factory_operator;
use svc_domain::comment::Comment;
use svc_domain::ids::{Actor, ActorId, OrgId, ProjectKey, UserId};
use svc_domain::item::{Item, Writer};
use svc_domain::project::HistoryEntry;
use svc_domain::prompt::{Author, CommentPart, ItemPart};
use svc_storage::{Limits, Query, Range, Row, keys};

use crate::App;
use crate::error::Result;
use crate::wanted;

/// Comments that a prompt is made of at most.
const COMMENTS: usize = 50;
/// Entries of the history of an older item among which its last writers are looked for.
const HISTORY: usize = 200;

/// The texts of an item, and what their authors are.
pub(super) struct Discussion {
    comments: Vec<Comment>,
    title_by: Option<Actor>,
    body_by: Option<Actor>,
    standings: BTreeMap<UserId, Standing>,
}

/// What an author is now.
#[derive(Clone, Copy)]
struct Standing {
    role: &'static str,
    /// Whether this person could start the run.
    starts_runs: bool,
}

impl Discussion {
    /// Of the item, and the comment that asks for a run, which may be older than those that the prompt shows.
    pub(super) async fn of(app: &App, org: OrgId, item: &Item, asked: Option<&Comment>) -> Result<Self> {
        let (comments, [title_by, body_by]) =
            futures::try_join!(comments(app, org, item), writers(app, org, item))?;
        let authors = comments.iter().chain(asked).map(|comment| &comment.author);
        let authors = authors.chain(&title_by).chain(&body_by);
        let standings = standings(app, org, &item.key.project, authors).await?;
        Ok(Self { comments, title_by, body_by, standings })
    }

    pub(super) fn item<'a>(&'a self, item: &'a Item) -> ItemPart<'a> {
        ItemPart {
            key: &item.key,
            item_type: item.item_type,
            title: &item.title,
            priority: item.priority,
            labels: item.labels.iter().map(String::as_str).collect(),
            body: &item.body,
            title_by: self.writer(item, self.title_by.as_ref()),
            body_by: self.writer(item, self.body_by.as_ref()),
        }
    }

    /// How long its texts are together, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.comments.iter().map(|comment| comment.body.len()).sum()
    }

    pub(super) fn parts(&self) -> Vec<CommentPart<'_>> {
        self.comments.iter().map(|comment| self.part(comment)).collect()
    }

    pub(super) fn part<'a>(&'a self, comment: &'a Comment) -> CommentPart<'a> {
        CommentPart { author: self.author(&comment.author), at: comment.created_at, body: &comment.body }
    }

    fn writer<'a>(&'a self, item: &'a Item, who: Option<&'a Actor>) -> Author<'a> {
        let unknown = Author { who: &item.created_by, role: "or others", trusted: false };
        who.map_or(unknown, |who| self.author(who))
    }

    fn author<'a>(&'a self, who: &'a Actor) -> Author<'a> {
        let standing = match who.id {
            ActorId::Agent(_) => Standing { role: "agent", starts_runs: false },
            ActorId::User(user) => {
                let former = Standing { role: "former member", starts_runs: false };
                self.standings.get(&user).copied().unwrap_or(former)
            }
        };
        Author { who, role: standing.role, trusted: standing.starts_runs }
    }
}

/// Who wrote title and description last. An item whose row does not tell is older than what is kept in it: its history
/// tells, as far as its newest part goes.
async fn writers(app: &App, org: OrgId, item: &Item) -> Result<[Option<Actor>; 2]> {
    let texts = [("title", &item.title_by), ("body", &item.body_by)];
    let newest = match texts.iter().any(|(_, writer)| **writer == Writer::Unknown) {
        true => {
            let range = Range::Prefix(keys::HISTORY_PREFIX.to_owned());
            let newest = Query::new(keys::item_pk(org, &item.key), range, HISTORY).descending();
            let page = app.table.query(&newest).await?;
            page.rows.iter().map(Row::read).collect::<Result<Vec<HistoryEntry>, _>>()?
        }
        false => vec![],
    };
    let from_history = |field: &str| {
        let entry = newest.iter().find(|entry| entry.field.as_deref() == Some(field));
        let untouched = || (newest.len() < HISTORY).then(|| item.created_by.clone());
        entry.map(|entry| entry.actor.clone()).or_else(untouched)
    };
    Ok(texts.map(|(field, writer)| match writer {
        Writer::Unknown => from_history(field),
        Writer::Creator => Some(item.created_by.clone()),
        Writer::Other(actor) => Some(actor.clone()),
    }))
}

/// The newest comments that were not deleted, oldest first.
async fn comments(app: &App, org: OrgId, item: &Item) -> Result<Vec<Comment>> {
    let range = Range::Prefix(keys::COMMENT_PREFIX.to_owned());
    let query = Query::new(keys::item_pk(org, &item.key), range, COMMENTS).descending();
    let page = app.table.query(&query).await?;
    let mut comments = page.rows.iter().rev().map(Row::read).collect::<Result<Vec<Comment>, _>>()?;
    comments.retain(|comment| !comment.deleted);
    Ok(comments)
}

async fn standings<'a>(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    authors: impl Iterator<Item = &'a Actor>,
) -> Result<BTreeMap<UserId, Standing>> {
    let mut users: Vec<UserId> = authors
        .filter_map(|author| match author.id {
            ActorId::User(user) => Some(user),
            ActorId::Agent(_) => None,
        })
        .collect();
    users.sort_unstable();
    users.dedup();
    users.truncate(Limits::KEYS / 2);
    if users.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows_of = |user: &UserId| (keys::member(org, *user), keys::project_member(org, project, *user));
    let rows = wanted::load(app, users.iter().map(rows_of).collect::<Vec<_>>()).await?;
    let mut standings = BTreeMap::new();
    for (row, in_project) in rows {
        let Some(row) = row else { continue };
        let member = row.read()?;
        let inside = in_project.is_some() || member.role.administers();
        let starts_runs = inside && is_factory_operator(&member);
        standings.insert(member.user, Standing { role: member.role.as_str(), starts_runs });
    }
    Ok(standings)
}
