//! `GET …/comments/{commentId}/edits/{version}/diff`: what an edit changed.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::TextDiff;
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

use super::path::EditPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(EditPath { slug, key, comment_id, version }): Path<EditPath>,
) -> ApiResult<Json<TextDiff>> {
    let change = comments::text_change(&app, caller.at(&slug), &key, comment_id, version).await?;
    Ok(Json(view::text_diff(change).await?))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "diffCommentEdit", "Comments", "View the changes of a comment's edit", "Line by line.")
}
