//! The whole service as one router: every area, its documents, the web app and the probes.

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use axum::routing::get;
use svc_app::health::Condition;
use svc_app::{App, metrics};

/// Every area's routes, and the OpenAPI document that they write.
pub fn areas() -> (Router<Arc<App>>, OpenApi) {
    svc_http::api([
        svc_identity::router(),
        svc_tracker::router(),
        svc_wiki::router(),
        svc_factory::router(),
        svc_runner_api::router(),
        svc_search::router(),
        svc_notifications::router(),
    ])
}

/// The whole service: every area, its documents and the probes, behind the common layers. `/livez` answers as long as
/// the process does, `/readyz` and `/healthz` as the store does; `/version` says what runs.
pub fn router(app: Arc<App>) -> Router {
    let (areas, document) = areas();
    let probes = Router::new()
        .route("/livez", get(|| async { "ok\n" }))
        .route("/version", get(version))
        .route("/readyz", get(healthz))
        .route("/healthz", get(healthz));
    let routes = areas.merge(svc_portal::router(document)).merge(svc_mcp::router());
    let routes = routes.merge(svc_identity::scim()).merge(probes);
    svc_http::finish_with(routes, svc_portal::pages, app)
}

/// The version that runs, and the commit that it was built from.
async fn version() -> axum::Json<serde_json::Value> {
    axum::Json(serde_json::json!({ "version": metrics::VERSION, "commit": metrics::COMMIT }))
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
        Condition::Lost => {
            "nothing can be saved: the store's file is gone or was replaced: stop the service and restore it\n"
        }
        Condition::BlobsLost => "attachments cannot be stored: their directory is gone or takes no writes\n",
    };
    (http::StatusCode::SERVICE_UNAVAILABLE, said)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http::{Method, Request, StatusCode};
    use svc_testkit::{TestApp, send};

    use super::{metrics, router};

    #[tokio::test]
    async fn probes_say_whether_the_process_lives_and_whether_its_store_answers() {
        let t = TestApp::new();
        let router = router(Arc::clone(&t.app));
        let ask = async |path: &str| {
            let request = Request::builder().method(Method::GET).uri(path);
            send(&router, request.body(axum::body::Body::empty()).unwrap()).await
        };
        for path in ["/livez", "/readyz", "/healthz"] {
            let reply = ask(path).await;
            assert_eq!((reply.status, reply.text.as_str()), (StatusCode::OK, "ok\n"), "{path}");
        }
        let version = serde_json::json!({ "version": metrics::VERSION, "commit": metrics::COMMIT });
        assert_eq!(ask("/version").await.json, version);
        std::fs::remove_dir_all(t.directory().join("blobs")).unwrap();
        for path in ["/readyz", "/healthz"] {
            let reply = ask(path).await;
            assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {}", reply.text);
        }
        assert_eq!(ask("/livez").await.status, StatusCode::OK);
        for path in ["/metrics", "/livez/x", "/readyz/x"] {
            assert_eq!(ask(path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    }
}
