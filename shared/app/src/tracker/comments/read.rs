//! Reading one comment. A page of them is in [`super::list`].

use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::ids::{CommentId, ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_domain::visibility::Viewer;
use svc_storage::{RowOf, keys};

use super::SeenComment;
use super::tallies::of_comment;
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::tracker::gone::item_row;
use crate::tracker::load::require_reach;

/// A comment.
///
/// # Errors
/// [`Refusal::NotFound`], also for one that was deleted.
pub async fn get(app: &App, caller: Caller<'_>, key: &ItemKey, id: CommentId) -> Result<SeenComment> {
    let (entry, row) = enter_comment(app, caller, key, id, Capability::SeeProject).await?;
    show(app, &entry, key, row.read()?, row.version).await
}

/// A comment as it is now, with its reactions.
pub(super) async fn show(
    app: &App,
    entry: &Entry,
    key: &ItemKey,
    mut comment: Comment,
    version: u64,
) -> Result<SeenComment> {
    bring_up_to_date(app, entry.org_id(), comment.named()).await?;
    let reactions = of_comment(app, entry, key, comment.id).await?;
    Ok(SeenComment::of(entry, comment, version, reactions))
}

/// Enters the project of a comment that the caller sees and that was not deleted; answers its row.
pub(super) async fn enter_comment(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    id: CommentId,
    capability: Capability,
) -> Result<(Entry, RowOf<Comment>)> {
    let wanted = |org| (keys::item(org, key), keys::comment(org, key, id));
    let (entry, (item, row)) = enter_project_with(app, caller, &key.project, capability, wanted).await?;
    let item = item_row(app, &entry, item, key).await?;
    if capability.changes() {
        require_reach(&entry, &item)?;
    }
    let row = row.ok_or(Refusal::NotFound)?;
    if visible(app, &entry, key, Some(&row)).await?.is_none() {
        return Err(Refusal::NotFound.into());
    }
    Ok((entry, row))
}

/// The comment of a row, if the caller sees it and it was not deleted.
pub(crate) async fn visible(
    app: &App,
    entry: &Entry,
    key: &ItemKey,
    row: Option<&RowOf<Comment>>,
) -> Result<Option<Comment>> {
    let Some(row) = row else { return Ok(None) };
    let comment = row.read()?;
    let seen = !comment.deleted && sees(app, entry, key, &comment).await?;
    Ok(seen.then_some(comment))
}

/// Whether the caller sees this comment. To who sees people's threads only, a reply is shown by the comments
/// that it goes back to: rows of earlier servers do not tell who began their thread.
pub(crate) async fn sees(app: &App, entry: &Entry, key: &ItemKey, comment: &Comment) -> Result<bool> {
    seen_by(app, entry.org_id(), Viewer::of(&entry.access), key, comment).await
}

/// Whether everybody who sees the item sees this comment.
pub(crate) async fn is_for_all(app: &App, org: OrgId, key: &ItemKey, comment: &Comment) -> Result<bool> {
    Ok(!comment.deleted && seen_by(app, org, Viewer::Stakeholder, key, comment).await?)
}

async fn seen_by(app: &App, org: OrgId, viewer: Viewer, key: &ItemKey, comment: &Comment) -> Result<bool> {
    if !viewer.sees_comment(comment) {
        return Ok(false);
    }
    let mut answered = comment.reply_to.filter(|_| !viewer.sees_agents_work());
    while let Some(id) = answered {
        let row = app.table.find(&keys::comment(org, key, id)).await?;
        let Some(earlier) = row.map(|row| row.read()).transpose()? else { break };
        if earlier.is_in_thread_of_agent() {
            return Ok(false);
        }
        answered = earlier.reply_to.filter(|next| *next < id);
    }
    Ok(true)
}
