//! Comments on items, and the threads that they form.

use svc_domain::access::Capability;
use svc_domain::ids::{CommentId, ItemKey, OrgSlug};
use svc_domain::project::{Comment, check_comment};
use svc_storage::{Condition, Op, Query, Range, keys};

use crate::App;
use crate::entry::{Presented, enter_project};
use crate::error::Result;

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
    /// Id of the comment that it answers.
    pub reply_to: Option<String>,
}

/// The comments on an item, oldest first.
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
    let may_react = entry.access.may(Capability::Comment);
    let seen = rows.iter().map(|row| {
        let comment: Comment = row.read()?;
        Ok(SeenComment { can_react: may_react && !comment.deleted, version: row.version, comment })
    });
    seen.collect()
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
    let answered = entry.rows.get(1).is_some_and(Option::is_some);
    if new.reply_to.is_some() && !answered {
        errors.add("replyTo", "There is no such comment on this item.");
    }
    errors.into_result()?;
    let comment = Comment {
        id: CommentId(app.uuid()),
        body: new.body.clone(),
        author: entry.actor().clone(),
        reply_to,
        outcome_of: None,
        deleted: false,
        created_at: app.now(),
    };
    let org = entry.org_id();
    let ops = vec![
        Op::create(keys::comment(org, key, comment.id), &comment),
        Op::check(keys::item(org, key), Condition::Present),
    ];
    app.commit(ops).await?;
    Ok(SeenComment { comment, version: 1, can_react: true })
}
