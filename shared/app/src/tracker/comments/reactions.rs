//! Adding, removing and counting reactions.
//!
//! Protocol.
//! 1. A reaction is a row of its own, named by comment, emoji and who: whoever reacts at the same moment
//!    writes another row, and nobody waits for or overwrites anybody.
//! 2. Adding creates the row. Where it exists, it is shown again under its version, and was not first now.
//! 3. Removing marks the row, so that adding again is known not to be the first time. Both repeat harmlessly.
//! 4. Deleting the comment hides its reactions with it, because readers ask for those of comments that they
//!    show; a message clears the rows a while later, also one that came in between.

use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::event::{CommentEvent, CommentRef};
use svc_domain::ids::{CommentId, ItemKey, OrgId};
use svc_domain::reaction::{Emoji, Reaction};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Limits, Op, Query, Range, StorageError, keys};

use super::SeenComment;
use super::read::{enter_comment, show};
use crate::App;
use crate::entry::{Caller, Entry};
use crate::error::{Error, Result, is_conflict};
use crate::transaction::Transaction;

/// Adds a reaction of the caller; it may be there already. Answers the comment.
///
/// # Errors
/// [`Refusal::Invalid`] for what is none of the six emoji; [`Refusal::NotFound`].
pub async fn add(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    id: CommentId,
    emoji: &str,
) -> Result<SeenComment> {
    app.decide(|| async {
        let (entry, row) = enter_comment(app, caller, key, id, Capability::Comment).await?;
        let comment: Comment = row.read()?;
        add_once(app, &entry, CommentRef::of(key, &comment), parse(emoji)?).await?;
        show(app, &entry, key, comment, row.version).await
    })
    .await
}

async fn add_once(app: &App, entry: &Entry, comment: CommentRef, emoji: Emoji) -> Result<()> {
    let actor = entry.actor().clone();
    let name = keys::reaction(entry.org_id(), &comment.item, comment.id, emoji.word(), actor.id);
    let first = Reaction { emoji, actor, first_at: app.now(), removed: false };
    let told = |first| CommentEvent::ReactionSet(comment.clone(), emoji, first);
    let transaction = Transaction::of(app, entry).with([Op::create(name.clone(), &first)]);
    match app.commit(transaction.telling(told(true))).await {
        Err(error) if is_conflict(&error) => {}
        result => return result,
    }
    let Some(row) = app.table.get(&name).await? else { return Err(changed_meanwhile()) };
    let earlier: Reaction = row.read()?;
    if !earlier.removed {
        return Ok(());
    }
    let again = Reaction { first_at: earlier.first_at, ..first };
    let transaction = Transaction::of(app, entry).with([Op::replace(name, row.version, &again)]);
    app.commit(transaction.telling(told(false))).await
}

/// The row was there and is not: decide again.
const fn changed_meanwhile() -> Error {
    Error::Storage(StorageError::Conflict { op: 0, current: None })
}

/// Removes a reaction of the caller; there may be none.
///
/// # Errors
/// As [`add`].
pub async fn remove(app: &App, caller: Caller<'_>, key: &ItemKey, id: CommentId, emoji: &str) -> Result<()> {
    app.decide(|| async {
        let (entry, row) = enter_comment(app, caller, key, id, Capability::Comment).await?;
        let comment = CommentRef::of(key, &row.read()?);
        let name = keys::reaction(entry.org_id(), key, id, parse(emoji)?.word(), entry.actor().id);
        let Some(row) = app.table.get(&name).await? else { return Ok(()) };
        let reaction: Reaction = row.read()?;
        if reaction.removed {
            return Ok(());
        }
        let told = CommentEvent::ReactionSet(comment, reaction.emoji, false);
        let removed = Reaction { removed: true, ..reaction };
        let transaction = Transaction::of(app, &entry).with([Op::replace(name, row.version, &removed)]);
        app.commit(transaction.telling(told)).await
    })
    .await
}

fn parse(emoji: &str) -> Result<Emoji, Refusal> {
    emoji.parse().map_err(|error: svc_domain::reaction::UnknownEmoji| {
        Refusal::Invalid(FieldErrors::one("emoji", error.to_string()))
    })
}

/// Deletes every reaction to a deleted comment, and that there ever was one.
///
/// # Errors
/// Those of storage.
pub(super) async fn clear(app: &App, org: OrgId, item: &ItemKey, comment: CommentId) -> Result<()> {
    let range = Range::Prefix(keys::reactions_prefix(comment));
    let query = Query::new(keys::item_pk(org, item), range, Limits::OPS);
    loop {
        let rows = app.table.query(&query).await?.rows;
        if rows.is_empty() {
            return Ok(());
        }
        let gone = rows.into_iter().map(|row| Op::delete(row.key, Condition::None));
        app.commit(Transaction::bookkeeping(app).with(gone)).await?;
    }
}
