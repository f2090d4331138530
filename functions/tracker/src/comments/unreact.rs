//! `DELETE …/comments/{commentId}/reactions/{emoji}`: removes a reaction.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::{operation, refuses};
use svc_http::problems::VALIDATION;
use svc_http::{ApiResult, Caller, NoContent, Path};

use super::path::ReactionPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ReactionPath>,
) -> ApiResult<NoContent> {
    let (caller, id) = (caller.at(&path.slug), path.comment_id);
    comments::remove_reaction(&app, caller, &path.key, id, &path.emoji).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[VALIDATION]);
    operation(
        op,
        "removeReaction",
        "Comments",
        "Remove a reaction",
        "Removes the caller's own reaction. The emoji is URL-encoded. Removing a missing reaction is harmless; no \
        version is needed. Other emoji are refused.",
    )
}
