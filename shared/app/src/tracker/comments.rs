//! Comments on items, and the threads that they form.

use svc_domain::access::Capability;
use svc_domain::comment::{Comment, check_comment};
use svc_domain::ids::{CommentId, ItemKey, OrgSlug};
use svc_domain::search::Source;
use svc_domain::visibility::Viewer;
use svc_storage::{Condition, Op, Query, Range, keys};

use crate::App;
use crate::entry::{Entry, Presented, enter_project};
use crate::error::Result;
use crate::search;
use crate::tracker::attachments;

/// A comment as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenComment {
    /// The comment.
    pub comment: Comment,
    /// Its version.
    pub version: u64,
    /// Whether the caller may react to it.
    pub can_react: bool,
}

/// A comment to write.
#[derive(Clone, Debug)]
pub struct NewComment {
    /// Text, Markdown.
    pub body: String,
    /// Id of a comment in the thread that it joins.
    pub reply_to: Option<String>,
    /// Ids of the caller's committed attachments that are to be its own.
    pub attachments: Vec<String>,
}

/// The comments on an item that the caller sees, oldest first.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn list(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    key: &ItemKey,
) -> Result<Vec<SeenComment>> {
    let mut entry = enter_project(app, caller, slug, &key.project, Capability::SeeProject, |org| {
        vec![keys::item(org, key)]
    })
    .await?;
    entry.take(0)?;
    let range = Range::Prefix(keys::COMMENT_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(entry.org_id(), key), range, 1_000)).await?;
    let all = rows.iter().map(|row| Ok((row.read()?, row.version))).collect::<Result<Vec<_>>>()?;
    let may_react = entry.access.may(Capability::Comment);
    let seen = Viewer::of(&entry.access).discussion(all).into_iter().map(|(comment, version)| SeenComment {
        can_react: may_react && !comment.deleted,
        version,
        comment,
    });
    Ok(seen.collect())
}

/// Writes a comment.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::Invalid`] for an empty or long text, or an answer to what is no comment on the item.
pub async fn create(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    key: &ItemKey,
    new: &NewComment,
) -> Result<SeenComment> {
    let reply_to: Option<CommentId> = new.reply_to.as_ref().and_then(|id| id.parse().ok());
    let mut entry = enter_project(app, caller, slug, &key.project, Capability::Comment, |org| {
        let mut wanted = vec![keys::item(org, key)];
        wanted.extend(reply_to.map(|id| keys::comment(org, key, id)));
        wanted
    })
    .await?;
    entry.take(0)?;
    let mut errors = check_comment(&new.body).err().unwrap_or_default();
    let org = entry.org_id();
    let answered = match entry.rows.get(1).and_then(Option::as_ref) {
        Some(row) => Some(row.read()?).filter(|found: &Comment| !found.deleted),
        None => None,
    };
    let answered = match answered {
        Some(found) if sees(app, &entry, key, &found).await? => Some(found),
        Some(_) | None => None,
    };
    if new.reply_to.is_some() && answered.is_none() {
        errors.add("replyTo", "There is no such comment on this item.");
    }
    let id = CommentId(app.uuid());
    let referred =
        attachments::refer(app, org, key, entry.actor(), id, &new.attachments, &mut errors).await?;
    errors.into_result()?;
    let author = entry.actor().clone();
    let mut comment = Comment::new(id, author, new.body.clone(), app.now());
    if let Some(answered) = &answered {
        comment = comment.answering(answered);
    }
    let mut ops = vec![
        Op::create(keys::comment(org, key, comment.id), &comment),
        Op::check(keys::item(org, key), Condition::Present),
        search::changed(org, &Source::Comment { item: key.clone(), id: comment.id }),
    ];
    ops.extend(referred);
    app.commit(ops).await?;
    Ok(SeenComment { comment, version: 1, can_react: true })
}

/// Whether the caller sees this comment. To who sees people's threads only, a reply is shown by the comments
/// that it goes back to: rows of earlier servers do not tell who began their thread.
pub(super) async fn sees(app: &App, entry: &Entry, key: &ItemKey, comment: &Comment) -> Result<bool> {
    let viewer = Viewer::of(&entry.access);
    let mut answered = comment.reply_to.filter(|_| !viewer.sees_agents_work());
    while let Some(id) = answered {
        let row = app.table.get(&keys::comment(entry.org_id(), key, id)).await?;
        let Some(earlier) = row.map(|row| row.read::<Comment>()).transpose()? else { break };
        if earlier.is_in_thread_of_agent() {
            return Ok(false);
        }
        answered = earlier.reply_to.filter(|next| *next < id);
    }
    Ok(viewer.sees_comment(comment))
}
