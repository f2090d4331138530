//! How many comments and attachments an item has, kept in its row, so that lists tell it without reading them.
//!
//! Protocol.
//! 1. Each commit that writes or deletes what is counted ([`Counts`]) changes the count as well, and demands the
//!    item's row as it was read: of two at the same moment, the later one decides again. So that a busy discussion
//!    refuses no request, the writers of one item in this process take [turns](crate::row_locks).
//! 2. A row from before there were counts has none. The first such commit counts all that is there: whatever came or went
//!    since the item was read has changed its row, and the commit fails. Of an item that is on its way from another
//!    project, nothing is counted until all of it has followed.
//! 3. The commenters of public threads are kept beside the counts ([`svc_domain::item::Commenters`]), so that filters
//!    find it. What agents say changes no item: it would tell those who do not see the factory that something was said.
//! 4. It is no change as people count them: no edit becomes stale by a comment.

use svc_domain::attachment::Attachment;
use svc_domain::comment::Comment;
use svc_domain::discussion;
use svc_domain::ids::{ActorId, OrgId};
use svc_domain::item::{Commenters, Counts, Item};
use svc_domain::outline::Turn;
use svc_storage::{Query, Range, Row, keys};

use super::ItemChange;
use crate::App;
use crate::error::Result;

/// Comments that are read at once: as long as comments may be, 5 MB.
const AT_ONCE: usize = 25;

/// What comes, or below zero goes, of what everybody sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Delta {
    pub(super) comments: i32,
    pub(super) attachments: i32,
    /// The commenters.
    pub(super) by: Option<ActorId>,
}

/// The item of a row that was just read, counted anew.
pub(super) async fn recounted(app: &App, org: OrgId, item: &Row, delta: Delta) -> Result<ItemChange> {
    let mut change = ItemChange::update(org, item.read()?, item.version).as_heartbeat();
    let known = match change.item.counts {
        Some(known) if known.comments == 0 || !change.item.commenters.is_empty() => {
            Some((known, std::mem::take(&mut change.item.commenters)))
        }
        // Rows from before commenters were kept have none, either.
        _ => all(app, org, &change.item).await?,
    };
    if let Some((counts, mut commenters)) = known {
        if let Some(by) = delta.by {
            commenters.wrote(by, delta.comments);
        }
        change.item.counts = Some(counts.changed(delta.comments, delta.attachments));
        change.item.commenters = commenters;
    }
    Ok(change)
}

/// The commenters of public threads.
pub(crate) fn in_public(mut all: Commenters) -> Commenters {
    all.0.retain(|known| known.comments > 0);
    for known in &mut all.0 {
        known.factory = false;
    }
    all
}

/// Counts all that is there; nothing of an item that is on its way.
async fn all(app: &App, org: OrgId, item: &Item) -> Result<Option<(Counts, Commenters)>> {
    if let Some(former) = &item.former_key
        && let Some(row) = app.table.find(&keys::transfer(org, former)).await?
        && !row.read()?.complete
    {
        return Ok(None);
    }
    let pk = keys::item_pk(org, &item.key);
    let mut query = Query::new(pk.clone(), Range::Prefix(keys::COMMENT_PREFIX.to_owned()), AT_ONCE);
    let mut comments = Vec::new();
    loop {
        let read = app.table.query(&query).await?;
        for row in &read.rows {
            let comment: Comment = row.read()?;
            comments.push(Comment { author: comment.author.clone(), ..Turn::of(&comment).stand_in() });
        }
        query.cursor = read.cursor;
        if query.cursor.is_none() {
            break;
        }
    }
    let files =
        app.table.query_all(Query::new(pk, Range::Prefix(keys::FILE_PREFIX.to_owned()), 1_000)).await?;
    let files: Vec<Attachment> = files.iter().map(Row::read).collect::<Result<_, _>>()?;
    let commenters = in_public(discussion::commenters(&comments));
    Ok(Some((discussion::count(comments, &files), commenters)))
}
