//! `POST …/items/{key}/mentions/preview`: what a comment would start.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{MentionPreview, PreviewMentions};
use svc_app::App;
use svc_app::factory::mentions;
use svc_app::tracker::comments::NewComment;
use svc_domain::refusal::Refusal;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(wanted): Body<PreviewMentions>,
) -> ApiResult<Json<MentionPreview>> {
    let PreviewMentions { body, reply_to, comment } = wanted;
    // What is no id is the id of no comment.
    let edited = comment.map(|id| id.parse()).transpose().map_err(|_| Refusal::NotFound)?;
    let new = NewComment { body, reply_to, attachments: Vec::new() };
    let preview = mentions::preview(&app, caller.at(&path.slug), &path.key, &new, edited).await?;
    Ok(Json(view::mention_preview(preview)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "previewMentions",
        "Runs",
        "Preview what a comment would start",
        "The people and agents that the text mentions, and what each mention of an agent would do: queue a run at \
        once, wait for the item, be refused with a reason, or only notify. Answers the same errors as writing the \
        comment. Nothing is saved.",
    )
}
