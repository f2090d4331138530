//! Checks comments and reactions.

use svc_domain::comment::Comment;
use svc_domain::ids::CommentId;
use svc_domain::outline::{Outline, Turn};
use svc_domain::reaction::Reaction;
use svc_domain::search::Source;
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::{items, search};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ITEM#<org>#<PRJ-12>", "COMMENT#<comment>", comment),
    Kind::new("ITEM#<org>#<PRJ-12>", "OUTLINE", outline),
    Kind::new("ITEM#<org>#<PRJ-12>", "REACTION#<comment>#<emoji>#<actor>", reaction),
];

fn comment(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let comment: Comment = subject.read(context)?;
    subject.is_named(context, &keys::comment(org, &item, comment.id));
    if comment.deleted && !(comment.body.is_empty() && comment.mentions.is_empty()) {
        context.broken("it is deleted and still says something");
    }
    if let Some(answered) = comment.reply_to {
        context.demand(&keys::comment(org, &item, answered), "comment that it answers")?;
    }
    let source = Source::Comment { item: item.clone(), id: comment.id };
    let document = search::comment_document(context, org, &item, &comment)?;
    search::is_indexed(context, org, &source, document.as_ref())
}

/// The outline of a discussion says of each comment what the comment says.
fn outline(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let outline: Option<Outline> = subject.read(context)?;
    let Some(outline) = outline.filter(|outline| outline.deletions == subject.row.counter("deletions"))
    else {
        return Ok(());
    };
    for turn in &outline.turns {
        let comment: Option<Comment> =
            context.need(&keys::comment(org, &item, turn.id()), "comment of it")?;
        if comment.is_some_and(|comment| Turn::of(&comment) != *turn) {
            context.broken("it says something else of a comment than the comment does");
        }
    }
    Ok(())
}

fn reaction(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let id: CommentId = subject.part("comment", context)?;
    let reaction: Reaction = subject.read(context)?;
    subject.is_named(context, &keys::reaction(org, &item, id, reaction.emoji.word(), reaction.actor.id));
    let comment: Option<Comment> = context.need(&keys::comment(org, &item, id), "such comment")?;
    if comment.is_some_and(|comment| comment.deleted) {
        context.waiting("its comment is deleted");
    }
    Ok(())
}
