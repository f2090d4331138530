//! `POST /orgs/{slug}/render`: a text as HTML, to look at before it is sent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::rendered::{RenderText, RenderedText};
use svc_app::App;
use svc_domain::identity::Scope;
use svc_domain::item::MAX_BODY;
use svc_domain::refusal::Refusal;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::render::Renderer;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(RenderText { body }): Body<RenderText>,
) -> ApiResult<Json<RenderedText>> {
    let renderer = Renderer::of(&app, caller.at(&path.slug)).await?;
    if body.chars().count() > MAX_BODY {
        return Err(Refusal::invalid("body", format!("Send at most {MAX_BODY} characters.")).into());
    }
    let html = renderer.html(&body).await?.unwrap_or_default();
    Ok(Json(RenderedText { html }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Read));
    operation(
        op,
        "renderText",
        "Items",
        "Preview a text",
        "The HTML that `render=html` would make of the text in an item, a comment or a page. Nothing is saved.",
    )
}
