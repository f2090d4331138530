//! `--metrics ADDRESS`: what the process counts, for Prometheus, on an address of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{StatusCode, header};
use svc_app::metrics::OPEN_METRICS;
use svc_app::{App, watched};

/// The application, and the directory of its store where it is embedded.
#[derive(Clone)]
struct Counted {
    app: Arc<App>,
    directory: Option<Arc<Path>>,
}

/// The one route of that address. Nothing asks for a credential: the address must not be public.
pub(crate) fn router(app: Arc<App>, directory: Option<PathBuf>) -> Router {
    let counted = Counted { app, directory: directory.map(Into::into) };
    Router::new().route("/metrics", get(metrics)).with_state(counted)
}

async fn metrics(State(Counted { app, directory }): State<Counted>) -> Response {
    let store = directory.map(|directory| size(&directory));
    match watched::metrics(&app, store).await {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(error) => {
            tracing::warn!(%error, "metrics could not be read from the store");
            (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n").into_response()
        }
    }
}

/// Bytes of the store's file and its write-ahead log.
fn size(directory: &Path) -> u64 {
    let bytes = |name| std::fs::metadata(directory.join(name)).map_or(0, |file| file.len());
    bytes("store.db") + bytes("store.db-wal")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::time::Duration;

    use http::{Method, Request, StatusCode};
    use svc_domain::identity::OrgRole;
    use svc_testkit::{TestApp, call, scopes, send};

    /// What Prometheus reads.
    async fn read(t: &TestApp) -> String {
        let router = super::router(Arc::clone(&t.app), Some(t.directory().to_owned()));
        let request = Request::builder().uri("/metrics").body(axum::body::Body::empty()).unwrap();
        send(&router, request).await.text
    }

    /// Writes were answered with 201 for as long as the process ran.
    #[tokio::test]
    async fn a_store_whose_file_was_moved_away_takes_no_writes_and_metrics_say_so() {
        let t = TestApp::new();
        let org = t.org("acme").await;
        let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
        let token = t.token(ada, scopes(), None).await;
        let service = crate::routes::router(Arc::clone(&t.app));
        let create = async |key: &str| {
            let project = serde_json::json!({ "key": key, "name": "Search" });
            call(&service, Method::POST, "/orgs/acme/projects", Some(&token), Some(project)).await
        };
        let (file, elsewhere) = (t.directory().join("store.db"), t.directory().join("elsewhere"));
        std::fs::rename(&file, &elsewhere).unwrap();
        let refused = create("ONE").await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.text);
        assert!(refused.text.contains("gone or was replaced"), "{}", refused.text);
        let well = async || {
            let text = read(&t).await;
            text.lines().find_map(|line| line.strip_prefix("svc_store_well ").map(str::to_owned))
        };
        assert_eq!(well().await.as_deref(), Some("0"));
        std::fs::rename(&elsewhere, &file).unwrap();
        assert_eq!(well().await.as_deref(), Some("1"));
        assert_eq!(create("ONE").await.status, StatusCode::CREATED);
    }

    #[tokio::test]
    async fn requests_and_commits_are_counted_and_name_nobody() {
        let t = TestApp::new();
        let org = t.org("secret-org").await;
        let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
        let token = t.token(ada, scopes(), None).await;
        let service = crate::routes::router(Arc::clone(&t.app));
        for _ in 0..2 {
            call(&service, Method::GET, "/orgs/secret-org/members", Some(&token), None).await;
        }
        let project = serde_json::json!({ "key": "PRJ", "name": "Search" });
        call(&service, Method::POST, "/orgs/secret-org/projects", Some(&token), Some(project)).await;
        call(&service, Method::GET, "/orgs/secret-org/members", None, None).await;

        let router = super::router(Arc::clone(&t.app), Some(t.directory().to_owned()));
        let request = Request::builder().uri("/metrics").body(axum::body::Body::empty()).unwrap();
        let reply = send(&router, request).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert!(reply.header("content-type").starts_with("application/openmetrics-text"));
        let lines: Vec<&str> = reply.text.lines().collect();
        let route = "/api/v1/orgs/{slug}/members";
        for line in [
            format!("svc_http_requests_total{{method=\"GET\",route=\"{route}\",status=\"200\"}} 2"),
            format!("svc_http_requests_total{{method=\"GET\",route=\"{route}\",status=\"401\"}} 1"),
            format!("svc_http_request_duration_seconds_count{{route=\"{route}\"}} 3"),
            "svc_dead_letters 0".to_owned(),
            format!(
                "svc_build{{version=\"{}\",commit=\"{}\"}} 1",
                svc_app::metrics::VERSION,
                svc_app::metrics::COMMIT
            ),
            "svc_store_well 1".to_owned(),
        ] {
            assert!(lines.contains(&line.as_str()), "{line}\n{}", reply.text);
        }
        assert!(reply.text.contains("svc_commits_total{outcome=\"written\"}"), "{}", reply.text);
        assert!(!reply.text.contains("secret-org") && !reply.text.contains("ada"), "{}", reply.text);
        assert_eq!(lines.last(), Some(&"# EOF"));
    }

    /// What the files for operators ask for is counted.
    #[tokio::test]
    async fn alerts_and_the_dashboard_name_metrics_that_there_are() {
        let t = TestApp::new();
        t.app.metrics.answered("GET", "/livez", 200, Duration::from_millis(1));
        let text = read(&t).await;
        let known: BTreeSet<&str> =
            text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
        for file in [
            include_str!("../../../deploy/prometheus/alerts.yml"),
            include_str!("../../../deploy/grafana/svc.json"),
        ] {
            let names: BTreeSet<&str> = file
                .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                .filter(|word| word.starts_with("svc_") || word.starts_with("process_"))
                .collect();
            assert!(names.len() > 5, "{names:?}");
            for name in names {
                let family =
                    ["_total", "_bucket", "_count", "_sum"].iter().find_map(|end| name.strip_suffix(end));
                assert!(known.contains(family.unwrap_or(name)), "{name}");
            }
        }
    }
}
