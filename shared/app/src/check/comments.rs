//! Checks comments and reactions.

use svc_domain::comment::Comment;
use svc_domain::ids::CommentId;
use svc_domain::mention::request::{MentionRequest, State};
use svc_domain::outline::{Outline, Turn};
use svc_domain::reaction::Reaction;
use svc_domain::run::Run;
use svc_domain::search::Source;
use svc_domain::text_change::{CommentEdit, TextChange};
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::{items, search};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ITEM#<org>#<PRJ-12>", "COMMENT#<comment>", comment),
    Kind::new("ITEM#<org>#<PRJ-12>", "EDIT#<comment>#<n>", edit),
    Kind::new("ITEM#<org>#<PRJ-12>", "EDITTEXT#<comment>#<n>", edit_text),
    Kind::new("ITEM#<org>#<PRJ-12>", "MENTION#<time>#<comment>#<place>", mention),
    Kind::new("ITEM#<org>#<PRJ-12>", "OUTLINE", outline),
    Kind::new("ITEM#<org>#<PRJ-12>", "REACTION#<comment>#<emoji>#<actor>", reaction),
];

fn comment(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let comment: Comment = subject.read(context)?;
    subject.is_named(context, &keys::comment(org, &item, comment.id));
    if comment.deleted && !(comment.body.is_empty() && comment.mentions.is_empty()) {
        context.broken("it is deleted but still has a text");
    }
    if let Some(answered) = comment.reply_to {
        context.demand(&keys::comment(org, &item, answered), "comment that it answers")?;
    }
    // Of a reply, the row may not say who began its thread.
    if !comment.deleted && comment.reply_to.is_none() && !comment.is_agents_work() {
        items::is_counted(context, org, &item, |counts| counts.comments)?;
    }
    let source = Source::Comment { item: item.clone(), id: comment.id };
    let document = search::comment_document(context, org, &item, &comment)?;
    search::is_indexed(context, org, &source, document.as_ref())
}

/// That the comment of an edit is there, in that version or a later one.
fn edit(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let (id, version): (CommentId, u64) = (subject.part("comment", context)?, subject.part("n", context)?);
    subject.read::<CommentEdit>(context)?;
    let [own, _] = keys::edit(org, &item, id, version);
    subject.is_named(context, &own);
    let name = keys::comment(org, &item, id);
    let comment: Option<Comment> = context.need(&name, "such comment")?;
    let now = context.row(&name)?.map_or(0, |row| row.version);
    if comment.as_ref().is_some_and(|comment| comment.deleted) {
        context.waiting("its comment is deleted");
    } else if comment.is_some() && version > now {
        context.broken(format!("it made version {version} of a comment that is in version {now}"));
    }
    Ok(())
}

/// That the edit is there that changed a text so.
fn edit_text(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let (id, version): (CommentId, u64) = (subject.part("comment", context)?, subject.part("n", context)?);
    subject.read::<TextChange>(context)?;
    let [edit, own] = keys::edit(org, &item, id, version);
    subject.is_named(context, &own);
    context.demand(&edit, "edit that changed this").map(drop)
}

/// That the comment of a mention is there, and that the run that it started is its own.
fn mention(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, item) = items::item_of(subject, context)?;
    let request: MentionRequest = subject.read(context)?;
    let at = request.at.as_millisecond();
    subject
        .is_named(context, &keys::mention(org, &item, at, request.comment, (request.version, request.place)));
    context.demand(&keys::comment(org, &item, request.comment), "comment of it")?;
    if let State::Started { run } = request.state
        && let Some(run) = context.need::<Run>(&keys::run(org, run), "run that it started")?
        && (run.comment != Some(request.comment) || run.agent.id != request.agent.id || run.item != item)
    {
        context.broken("the run that it started was started otherwise");
    }
    Ok(())
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
            context.broken("it does not match its comment");
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
