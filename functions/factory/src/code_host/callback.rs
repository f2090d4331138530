//! `GET /code-host/callback`: the browser comes back from the code host.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_app::App;
use svc_app::factory::code_host::{self, Return};
use svc_domain::code_host::InstallationId;
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{CONFLICT, DELETED, FORBIDDEN, NOT_FOUND, READ_ONLY, UNAVAILABLE};
use svc_http::{ApiError, ApiResult, Caller, Query, Reader, Reply, SeeOther, any_query};

/// What the code host passes on.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Passed {
    /// What the attempt began with.
    state: Option<String>,
    /// Authorization code from the host.
    code: Option<String>,
    /// Number of the installation; absent if an owner of the account still has to approve it.
    installation_id: Option<u64>,
}

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    reader: Reader,
    Query(passed): Query<Passed>,
) -> ApiResult<Reply<SeeOther>> {
    let installation = passed.installation_id.map(InstallationId);
    let back = Return { state: passed.state, code: passed.code, installation };
    let outcome = code_host::connected(&app, caller.credential(), back).await;
    let page = outcome.map(|path| Reply { body: SeeOther(path), headers: Vec::new() });
    reader.answer(page.map_err(ApiError::from), "/code-host")
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Callback of the code host for browsers. Connects the organization and redirects to \
         the `returnTo` of the attempt. An attempt works once, in a session of the person who began it, for \
         half an hour (409). The installation must be in an account that the person owns at the host (403) \
         and must not belong to another organization (409). A browser that asks for a page (`Accept: \
         text/html`) and is refused is redirected to `/code-host?problem=…`, with the kind of the problem.";
    let op = scope(op, None);
    let op = refuses(op, &[CONFLICT, DELETED, FORBIDDEN, NOT_FOUND, READ_ONLY, UNAVAILABLE]);
    // The provider may add parameters of its own.
    let op = any_query(op);
    operation(op, "finishConnectingCodeHost", "Code host", "Finish connecting the code host", description)
}
