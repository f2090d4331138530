//! `PUT …/comments/{commentId}/reactions`: adds a reaction.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{AddReaction, Comment};
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
    Body(add): Body<AddReaction>,
) -> ApiResult<Json<Comment>> {
    let (caller, id) = (caller.at(&path.slug), path.comment_id);
    let comment = comments::add_reaction(&app, caller, &path.key, id, &add.emoji).await?;
    Ok(Json(view::comment(comment)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "addReaction",
        "Comments",
        "React to a comment",
        "With one of 👍 👎 ❤️ 🎉 👀 ✅, each at most once; repeating it is harmless, and no version is needed. For \
         everyone who may comment, including Guests. Answers the comment.",
    )
}
