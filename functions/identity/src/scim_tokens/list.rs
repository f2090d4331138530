//! `GET /orgs/{slug}/scim-tokens`: the tokens of the directory.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::ScimToken;
use svc_app::App;
use svc_app::identity::directory;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<ScimToken>>> {
    let tokens = directory::tokens(&app, caller.at(&path.slug)).await?;
    Ok(Json(tokens.into_iter().map(view::scim_token).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins, oldest first and without their secrets.";
    operation(op, "listScimTokens", "Members", "List SCIM tokens", description)
}
