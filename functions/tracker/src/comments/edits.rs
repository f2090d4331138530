//! `GET …/comments/{commentId}/edits`: who changed a comment, and when.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::page::PageQuery;
use svc_api::tracker::CommentEdit;
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::tracker::view;

use super::path::CommentPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(CommentPath { slug, key, comment_id }): Path<CommentPath>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Page<CommentEdit>>> {
    let paging = Paging::from(query);
    let slice = (paging.offset(), paging.page_size as usize);
    let (edits, total) = comments::list_edits(&app, caller.at(&slug), &key, comment_id, slice).await?;
    Ok(Json(paging.of(edits.into_iter().map(view::comment_edit).collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listCommentEdits",
        "Comments",
        "List the edits of a comment",
        "Newest first. Edits made before the service recorded them are not listed. A deleted comment answers 404, \
        and what \
         its edits changed is deleted with it.",
    )
}
