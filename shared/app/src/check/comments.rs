//! Judges comments and reactions.

use svc_domain::comment::Comment;
use svc_domain::ids::{CommentId, ItemKey, OrgId};
use svc_domain::reaction::Reaction;
use svc_domain::search::Source;
use svc_storage::keys;

use super::kinds::Kind;
use super::look::{Look, Stop, Subject, Verdict};
use super::{items, search};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ITEM#<org>#<PRJ-12>", "COMMENT#<comment>", comment),
    Kind::new("ITEM#<org>#<PRJ-12>", "REACTION#<comment>#<emoji>#<actor>", reaction),
];

fn comment(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, look)?;
    let comment: Comment = subject.read(look)?;
    subject.is_named(look, &keys::comment(org, &item, comment.id));
    if comment.deleted && !(comment.body.is_empty() && comment.mentions.is_empty()) {
        look.broken("it is deleted and still says something");
    }
    if let Some(answered) = comment.reply_to {
        look.demand(&keys::comment(org, &item, answered), "comment that it answers")?;
    }
    let source = Source::Comment { item: item.clone(), id: comment.id };
    let document = document(look, org, &item, &comment)?;
    search::is_indexed(look, org, &source, document.as_ref())
}

/// A comment as the index should have it; nothing of a deleted one.
pub(super) fn document(
    look: &Look<'_>,
    org: OrgId,
    item: &ItemKey,
    comment: &Comment,
) -> Result<Option<svc_domain::search::Document>, Stop> {
    if comment.deleted {
        return Ok(None);
    }
    let mut factory = crate::search::is_of_factory(comment);
    let mut above = comment.reply_to;
    while let Some(id) = above.filter(|_| !factory) {
        let Some(answered) = look.read::<Comment>(&keys::comment(org, item, id))? else { break };
        factory = answered.is_in_thread_of_agent();
        above = answered.reply_to.filter(|next| *next < id);
    }
    let source = Source::Comment { item: item.clone(), id: comment.id };
    Ok(Some(crate::search::of_comment(source, comment, factory)))
}

fn reaction(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, look)?;
    let id: CommentId = subject.part("comment", look)?;
    let reaction: Reaction = subject.read(look)?;
    subject.is_named(look, &keys::reaction(org, &item, id, reaction.emoji.word(), reaction.actor.id));
    let comment: Option<Comment> = look.need(&keys::comment(org, &item, id), "such comment")?;
    if comment.is_some_and(|comment| comment.deleted) {
        look.waiting("its comment is deleted");
    }
    Ok(())
}
