//! `POST /orgs/{slug}/items/{key}/comments`: writes a comment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Comment, NewComment};
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(new): Body<NewComment>,
) -> ApiResult<CreatedAt<Comment>> {
    let NewComment { body, reply_to, attachments } = new;
    let new = comments::NewComment { body, reply_to, attachments };
    let comment = comments::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    let comment = view::comment(comment);
    Ok(CreatedAt(format!("/orgs/{}/items/{}/comments/{}", path.slug, path.key, comment.id), comment))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "createComment",
        "Comments",
        "Write a comment",
        "For everyone who sees the item, including Guests. With `replyTo` it joins that comment's thread.",
    )
}
