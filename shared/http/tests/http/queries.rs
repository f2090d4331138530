//! Query parameters that an operation does not have are refused, with the nearest that it has.

use aide::axum::routing::{get_with, post_with};
use http::Method;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use svc_http::doc::operation;
use svc_http::{ApiRouter, Json, Query, any_query};
use svc_testkit::{Areas, Reply, TestApp, call};

#[derive(Deserialize, JsonSchema)]
struct ThingsQuery {
    #[serde(default)]
    filter: String,
    #[serde(default)]
    page: String,
    #[serde(default, rename = "pageSize")]
    page_size: String,
    #[serde(default)]
    sort: String,
}

async fn things(Query(query): Query<ThingsQuery>) -> Json<Vec<String>> {
    Json(vec![query.filter, query.page, query.page_size, query.sort])
}

async fn thing() -> Json<Vec<String>> {
    Json(Vec::new())
}

fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/things",
            get_with(things, |op| operation(op, "listThings", "Things", "All", "They."))
                .post_with(thing, |op| operation(op, "makeThing", "Things", "One", "It.")),
        )
        .api_route("/stuff/{*path}", get_with(thing, |op| operation(op, "getThing", "Things", "One", "It.")))
        .api_route(
            "/back",
            post_with(thing, |op| any_query(operation(op, "comeBack", "Things", "Back", "It."))),
        )
}

async fn ask(method: Method, path: &str) -> Reply {
    let kit = TestApp::new();
    call(&kit.router(&Areas::new([router()])), method, path, None, None).await
}

#[tokio::test]
async fn a_parameter_that_is_unknown_is_refused_with_the_nearest_one() {
    let known = "there is no such parameter; there are filter, page, pageSize, sort";
    for (path, name, said) in [
        ("/things?filtre=x", "filtre", "there is no such parameter; did you mean filter?"),
        ("/things?page=1&pagesize=2", "pagesize", "there is no such parameter; did you mean pageSize?"),
        ("/things?Sort=x", "Sort", "there is no such parameter; did you mean sort?"),
        ("/things?%66ilte=x", "filte", "there is no such parameter; did you mean filter?"),
        ("/things?colour", "colour", known),
        ("/things?=x", "", known),
        ("/stuff/a/b?deep=1", "deep", "there is no such parameter; this address takes none"),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let refused = ask(method.clone(), path).await;
            assert_eq!(refused.status.as_u16(), 400, "{method} {path}: {}", refused.text);
            if method == Method::GET {
                assert_eq!(refused.problem(), "invalid-query");
                assert_eq!(refused.json["errors"], json!({ name: [said] }), "{path}");
            }
        }
    }
    let posted = ask(Method::POST, "/things?filter=x").await;
    assert_eq!(
        posted.json["errors"]["filter"],
        json!(["there is no such parameter; this address takes none"])
    );
}

#[tokio::test]
async fn every_unknown_parameter_is_named_and_none_is_echoed_at_length() {
    let path = format!("/things?filtre=x&sotr=y&{}=z", "long".repeat(1_000));
    let refused = ask(Method::GET, &path).await;
    let errors = refused.json["errors"].as_object().unwrap();
    assert_eq!(errors.len(), 3);
    assert!(refused.text.len() < 1_000, "{}", refused.text);
}

#[tokio::test]
async fn what_is_known_is_taken() {
    for path in ["/things", "/things?", "/things?&", "/things?filter=a%26b&sort=&page=2", "/stuff/a?"] {
        assert_eq!(ask(Method::GET, path).await.status.as_u16(), 200, "{path}");
    }
    // Others send browsers here, with parameters of theirs.
    assert_eq!(ask(Method::POST, "/back?session_state=1").await.status.as_u16(), 200);
    assert_eq!(ask(Method::GET, "/nothing?filtre=x").await.problem(), "not-found");
}

#[test]
fn the_contract_knows_the_refusal_and_not_the_mark() {
    let document = serde_json::to_value(TestApp::documented([router()]).1).unwrap();
    let operation = |path: &str, method: &str| document["paths"][format!("/api/v1{path}")][method].clone();
    assert!(operation("/stuff/{path}", "get")["responses"]["400"].is_object());
    let back = operation("/back", "post");
    assert!(back["responses"].get("400").is_none() && back.get("x-any-query").is_none(), "{back}");
}
