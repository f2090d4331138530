//! `DELETE …/comments/{commentId}`: deletes a comment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Path};

use super::path::CommentPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<CommentPath>,
) -> ApiResult<NoContent> {
    comments::delete(&app, caller.at(&path.slug), &path.key, path.comment_id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteComment",
        "Comments",
        "Delete a comment",
        "For its author and for Admins of the project. Its reactions go too. A comment with replies stays in the \
         list as deleted, without its text. Repeating this is harmless.",
    )
}
