//! The whole service as one router: every area, its documents, the web app and `/healthz`.

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use axum::routing::get;
use svc_app::App;
use svc_app::health::Condition;

/// Every area's routes, and the OpenAPI document that they write.
pub fn areas() -> (Router<Arc<App>>, OpenApi) {
    svc_http::api([
        svc_identity::router(),
        svc_tracker::router(),
        svc_wiki::router(),
        svc_factory::router(),
        svc_runner_api::router(),
        svc_search::router(),
    ])
}

/// The whole service: every area, its documents and `/healthz`, behind the common layers.
pub fn router(app: Arc<App>) -> Router {
    let (areas, document) = areas();
    let routes =
        areas.merge(svc_portal::router(document)).merge(svc_mcp::router()).route("/healthz", get(healthz));
    svc_http::finish_with(routes, svc_portal::pages, app)
}

/// Says how the process is: 200 where it reads and writes, otherwise 503 with what is wrong. Where only writing
/// fails, reading goes on whatever this says.
async fn healthz(
    axum::extract::State(app): axum::extract::State<Arc<App>>,
) -> (http::StatusCode, &'static str) {
    let said = match app.health.condition(&*app.table, &*app.blobs, app.now()).await {
        Condition::Well => return (http::StatusCode::OK, "ok\n"),
        Condition::Full => "nothing can be saved: the disk is full; reading still works\n",
        Condition::ReadsOnly => "nothing can be saved: the store accepts no writes; reading still works\n",
        Condition::Away => "the store does not answer\n",
        Condition::Lost => "the store's file is gone or was replaced: stop the service and restore it\n",
        Condition::BlobsLost => "attachments cannot be read: their directory is gone\n",
    };
    (http::StatusCode::SERVICE_UNAVAILABLE, said)
}
