//! `GET /orgs/{slug}/items/{key}/comments`: the comments on an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::page::PageQuery;
use svc_api::rendered::{RenderQuery, Rendered};
use svc_api::tracker::Comment;
use svc_app::App;
use svc_app::tracker::comments;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::Renderer;
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<PageQuery>,
    Query(rendering): Query<RenderQuery>,
) -> ApiResult<Json<Page<Rendered<Comment>>>> {
    let paging = Paging::from(query);
    let slice = (paging.offset(), paging.page_size as usize);
    let (comments, total) = comments::list(&app, caller.at(&path.slug), &path.key, slice).await?;
    let renderer = Renderer::wanted(&app, caller.at(&path.slug), rendering).await?;
    let rendered = renderer.all(comments.iter().map(|comment| comment.comment.body.as_str())).await?;
    let shown = comments.into_iter().zip(rendered);
    let shown = shown.map(|(comment, html)| Rendered { of: view::comment(comment), html });
    Ok(Json(paging.of(shown.collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listComments",
        "Comments",
        "List comments",
        "Oldest first; `render=html` adds HTML, at most 4 MB of it: later comments have no `html` here, so \
         view them one by one. `replyTo` names the comment that began the thread. Callers who may not start \
         AI work do not see comments of agents, outcome comments or threads begun by agents, and these are \
         not counted.",
    )
}
