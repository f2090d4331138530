//! `GET …/comments/{commentId}`: one comment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::rendered::{RenderQuery, Rendered};
use svc_api::tracker::Comment;
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::Renderer;
use svc_present::tracker::view;

use super::path::CommentPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<CommentPath>,
    Query(query): Query<RenderQuery>,
) -> ApiResult<Json<Rendered<Comment>>> {
    let comment = comments::get(&app, caller.at(&path.slug), &path.key, path.comment_id).await?;
    let html =
        Renderer::wanted(&app, caller.at(&path.slug), query).await?.html(&comment.comment.body).await?;
    Ok(Json(Rendered { of: view::comment(comment), html }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getComment",
        "Comments",
        "View a comment",
        "`render=html` adds its text as HTML. A deleted comment answers 404.",
    )
}
