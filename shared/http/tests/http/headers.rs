//! Headers that every answer has.

use aide::axum::routing::get_with;
use http::Method;
use svc_app::Settings;
use svc_http::doc::operation;
use svc_http::{ApiRouter, NoContent};
use svc_testkit::{Areas, Reply, TestApp, call};

async fn asked(base_url: &str, path: &str) -> Reply {
    let mut settings = Settings::default();
    base_url.clone_into(&mut settings.service.base_url);
    let thing = ApiRouter::new().api_route(
        "/thing",
        get_with(async || NoContent, |op| operation(op, "getThing", "Things", "A", "It.")),
    );
    let kit = TestApp::with(settings);
    call(&kit.router(&Areas::new([thing])), Method::GET, path, None, None).await
}

#[tokio::test]
async fn browsers_make_no_page_of_an_answer_and_stay_on_https() {
    for (base_url, path) in [
        ("http://127.0.0.1:8080", "/thing"),
        ("https://svc.example.com", "/thing"),
        ("https://a.example", "/none"),
    ] {
        let reply = asked(base_url, path).await;
        assert_eq!(reply.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("cache-control"), "no-store");
        let https = base_url.starts_with("https://");
        assert_eq!(reply.header("strict-transport-security"), if https { "max-age=31536000" } else { "" });
    }
}
