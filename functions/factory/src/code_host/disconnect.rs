//! `DELETE …/code-host`: ends the organization's connection with the code host.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::code_host;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<NoContent> {
    code_host::disconnect(&app, caller.at(&path.slug)).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "disconnectCodeHost",
        "Code host",
        "Disconnect the code host",
        "For Owners and Admins. Runs of projects with a repository there no longer get a credential. The app \
         stays installed at the host; the account's owner uninstalls it there.",
    )
}
