//! Writing, editing and deleting comments.

use svc_domain::access::Capability;
use svc_domain::comment::{Comment, check_comment};
use svc_domain::event::{CommentEvent, CommentRef};
use svc_domain::ids::{CommentId, ItemKey};
use svc_domain::mention::carry_over;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, keys};

use super::mentions::Mentionable;
use super::read::{enter_comment, is_for_all, sees, show, visible};
use super::{EditComment, NewComment, SeenComment, edits, requests};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::tracker::attachments;
use crate::tracker::counts::{Delta, recounted};
use crate::tracker::gone::item_row;
use crate::tracker::load::require_reach;
use crate::transaction::Transaction;

/// Writes a comment.
///
/// # Errors
/// [`Refusal::Invalid`] for an empty or long text, or an answer to what is no comment on the item.
pub async fn create(app: &App, caller: Caller<'_>, key: &ItemKey, new: &NewComment) -> Result<SeenComment> {
    let turn = app.row_locks.of_counts(caller.org, key);
    let _turn = turn.lock().await;
    app.decide(|| create_once(app, caller, key, new)).await
}

async fn create_once(app: &App, caller: Caller<'_>, key: &ItemKey, new: &NewComment) -> Result<SeenComment> {
    let reply_to: Option<CommentId> = new.reply_to.as_ref().and_then(|id| id.parse().ok());
    let wanted = |org| (keys::item(org, key), reply_to.map(|id| keys::comment(org, key, id)));
    let (entry, (item, answered)) =
        enter_project_with(app, caller, &key.project, Capability::Comment, wanted).await?;
    let item = item_row(app, &entry, item, key).await?;
    require_reach(&entry, &item)?;
    let mut errors = check_comment(&new.body).err().unwrap_or_default();
    let answered = visible(app, &entry, key, answered.as_ref()).await?;
    if new.reply_to.is_some() && answered.is_none() {
        errors.add("replyTo", "There is no such comment on this item.");
    }
    let (org, id) = (entry.org_id(), CommentId(app.uuid()));
    let referred =
        attachments::refer(app, org, key, entry.actor(), id, &new.attachments, &mut errors).await?;
    errors.into_result()?;
    let mut comment = Comment::new(id, entry.actor().clone(), new.body.clone(), app.now());
    comment.run = entry.access.run();
    if let Some(answered) = &answered {
        comment = comment.answering(answered);
    }
    let mentionable = Mentionable::by(app, org, &key.project, &comment.body).await?;
    comment.mentions = carry_over(&[], mentionable.named(&comment.body), comment.created_at);
    let reach = mentionable.reach(app, &entry, &key.project, &comment, &[]).await?;
    let written = Op::create(keys::comment(org, key, comment.id), &comment);
    let transaction = Transaction::of(app, &entry).with([written]).with(referred);
    let mut transaction = transaction.telling(CommentEvent::Created(CommentRef::of(key, &comment)));
    if is_for_all(app, org, key, &comment).await? {
        let attachments = i32::try_from(new.attachments.len()).unwrap_or_default();
        let delta = Delta { comments: 1, attachments, by: Some(comment.author.id) };
        transaction.save(recounted(app, org, &item, delta).await?);
    } else {
        transaction.write([Op::check(keys::item(org, key), Condition::Present)]);
    }
    requests::ask(&mut transaction, &entry, key, (&comment, 1), &[]);
    app.commit(transaction).await?;
    Ok(SeenComment { reach, ..SeenComment::of(&entry, comment, 1, Vec::new()) })
}

/// Refuses who did not write the comment.
pub(crate) fn require_author(entry: &Entry, comment: &Comment) -> Result<(), Refusal> {
    if comment.author.id == entry.actor().id {
        return Ok(());
    }
    Err(Refusal::Forbidden("only its author can edit a comment"))
}

/// Changes the text of a comment. The same text again changes nothing.
///
/// # Errors
/// [`Refusal::Forbidden`] for who did not write it; [`Refusal::StaleVersion`]; [`Refusal::Invalid`].
pub async fn edit(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    id: CommentId,
    edit: &EditComment,
) -> Result<SeenComment> {
    app.decide(|| edit_once(app, caller, key, id, edit)).await
}

async fn edit_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    id: CommentId,
    edit: &EditComment,
) -> Result<SeenComment> {
    let (entry, row) = enter_comment(app, caller, key, id, Capability::Comment).await?;
    let mut comment: Comment = row.read()?;
    require_author(&entry, &comment)?;
    if row.version != edit.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    check_comment(&edit.body)?;
    if comment.body == edit.body {
        return show(app, &entry, key, comment, row.version).await;
    }
    let now = app.now();
    let mentionable = Mentionable::by(app, entry.org_id(), &key.project, &edit.body).await?;
    let before = std::mem::take(&mut comment.mentions);
    comment.mentions = carry_over(&before, mentionable.named(&edit.body), now);
    let kept = edits::kept(&entry, key, (&comment, row.version + 1), &edit.body, now);
    comment.body.clone_from(&edit.body);
    let reach = mentionable.reach(app, &entry, &key.project, &comment, &before).await?;
    comment.edited_at = Some(now);
    let mut transaction = Transaction::of(app, &entry)
        .with([row.replaced_by(&comment)])
        .with(kept)
        .telling(CommentEvent::Edited(CommentRef::of(key, &comment)));
    requests::ask(&mut transaction, &entry, key, (&comment, row.version + 1), &before);
    app.commit(transaction).await?;
    Ok(SeenComment { reach, ..show(app, &entry, key, comment, row.version + 1).await? })
}

/// Deletes a comment, its reactions, and what its edits changed. Who may delete it may do so again.
///
/// # Errors
/// [`Refusal::Forbidden`] for who neither wrote it nor is an Admin of the project.
pub async fn delete(app: &App, caller: Caller<'_>, key: &ItemKey, id: CommentId) -> Result<()> {
    let turn = app.row_locks.of_counts(caller.org, key);
    let _turn = turn.lock().await;
    app.decide(|| delete_once(app, caller, key, id)).await
}

async fn delete_once(app: &App, caller: Caller<'_>, key: &ItemKey, id: CommentId) -> Result<()> {
    let wanted = |org| (keys::item(org, key), keys::comment(org, key, id));
    let (entry, (item, row)) =
        enter_project_with(app, caller, &key.project, Capability::Comment, wanted).await?;
    let item = item_row(app, &entry, item, key).await?;
    require_reach(&entry, &item)?;
    let row = row.ok_or(Refusal::NotFound)?;
    let mut comment: Comment = row.read()?;
    let may = comment.author.id == entry.actor().id || entry.access.configures();
    match (sees(app, &entry, key, &comment).await?, may, comment.deleted) {
        (false, _, _) | (true, false, true) => return Err(Refusal::NotFound.into()),
        (true, false, false) => {
            let why = "only its author or an Admin of the project can delete a comment";
            return Err(Refusal::Forbidden(why).into());
        }
        (true, true, true) => return Ok(()),
        (true, true, false) => {}
    }
    let org = entry.org_id();
    let for_all = is_for_all(app, org, key, &comment).await?;
    let mentions = comment.mentions.clone();
    comment.delete(entry.actor().clone(), app.now());
    // An outline that has it as it was counts for nothing from now on.
    let outdated = Op::add(keys::outline(org, key), "deletions", 1);
    let version = row.version;
    let mut transaction = Transaction::of(app, &entry)
        .with([Op::replace(row.key.clone(), version, &comment), outdated])
        .telling(CommentEvent::Deleted(CommentRef::of(key, &comment)));
    requests::ask(&mut transaction, &entry, key, (&comment, version + 1), &mentions);
    if for_all {
        let attachments = -attachments::count_of_comment(app, org, key, id).await?;
        let delta = Delta { comments: -1, attachments, by: Some(comment.author.id) };
        transaction.save(recounted(app, org, &item, delta).await?);
    }
    app.commit(transaction).await
}
