//! `DELETE /me/sessions/{id}`: one session ends.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_domain::ids::TokenId;
use svc_http::doc::operation;
use svc_http::paths::IdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<TokenId>>,
) -> ApiResult<NoContent> {
    identity::end_session(&app, caller.credential(), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Takes effect at once. Needs the scope `write`.";
    operation(op, "endSession", "Account", "End a session", description)
}
