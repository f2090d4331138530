//! `PATCH …/comments/{commentId}`: changes the text of a comment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Comment, EditComment};
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

use super::path::CommentPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<CommentPath>,
    Body(edit): Body<EditComment>,
) -> ApiResult<Json<Comment>> {
    let edit = comments::EditComment { version: edit.version, body: edit.body };
    let comment = comments::edit(&app, caller.at(&path.slug), &path.key, path.comment_id, &edit).await?;
    Ok(Json(view::comment(comment)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "editComment",
        "Comments",
        "Edit a comment",
        "For its author, with the `version` last read. Mentions are updated from the new text. Saving the same text \
         changes nothing.",
    )
}
