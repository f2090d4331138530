//! Every tool of the MCP server times every kind of caller: each is answered as by the operation of the REST API.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;

use axum::Router;
use axum::body::Body;
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use svc_authz::rows::{ToolRow, tools};
use svc_authz::who::{CALLERS, Caller, Cell};
use svc_authz::world::{Open, World};
use svc_testkit::{Reply, send};

fn router(open: &Open) -> Router {
    svc_http::finish(svc_mcp::router(), open.kit.app.clone())
}

async fn post(router: &Router, token: &str, method: &str, params: Value) -> Reply {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = Request::post("/mcp")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, format!("Bearer {token}"));
    send(router, request.body(Body::from(message.to_string())).unwrap()).await
}

/// Status and problem of a call; none where it did its work.
async fn refusal(world: &World, open: &Open, row: &ToolRow, token: &str) -> Option<String> {
    let mut arguments = row.arguments.to_string();
    if let Some(run) = world.name_of("runs/{id}") {
        arguments = arguments.replace("<runs/{id}>", run);
    }
    let arguments: Value = serde_json::from_str(&arguments).unwrap();
    let reply =
        post(&router(open), token, "tools/call", json!({"name": row.name, "arguments": arguments})).await;
    if reply.status != StatusCode::OK {
        return Some(format!("{} {}", reply.status.as_u16(), reply.problem()));
    }
    let result = &reply.json["result"];
    let said = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    (result["isError"] != false).then_some(said)
}

#[test]
fn every_tool_has_its_row() {
    let rows: BTreeSet<&str> = tools().iter().map(|row| row.name).collect();
    let listed: BTreeSet<&str> = svc_mcp::tool_names().into_iter().collect();
    assert_eq!(rows, listed, "a tool has a row in tests/authz/src/rows/tools.rs, and a row a tool");
}

#[tokio::test]
async fn every_tool_answers_every_caller_as_the_rest_api_does() {
    let world = World::new().await;
    let shared = world.open();
    let mut wrong = String::new();
    for row in tools() {
        for (caller, cell) in CALLERS.into_iter().zip(row.who().cells) {
            let hidden = cell == Cell::Hidden && !row.of_own_org;
            let expected = cell.refusal().filter(|_| cell != Cell::Hidden || hidden);
            let own = expected.is_none().then(|| world.open());
            let open = own.as_ref().unwrap_or(&shared);
            let found = refusal(&world, open, &row, world.mcp_token(caller)).await;
            let as_expected = match (&found, expected) {
                _ if caller == Caller::Runner => found.as_ref().is_some_and(|said| said.starts_with("403")),
                (None, None) => true,
                (Some(said), Some((status, problem))) => {
                    said.starts_with(&format!("{} {problem}", status.as_u16()))
                }
                _ => false,
            };
            if !as_expected {
                wrong.push_str(&format!(
                    "{} as {caller:?}: expected {expected:?}, found {found:?}\n",
                    row.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Nobody is shown a tool that their role or token forbids everywhere.
#[tokio::test]
async fn what_a_role_forbids_is_not_listed() {
    let world = World::new().await;
    let open = world.open();
    for (place, caller) in CALLERS.into_iter().enumerate().filter(|(_, caller)| *caller != Caller::Runner) {
        let reply = post(&router(&open), world.mcp_token(caller), "tools/list", json!({})).await;
        let listed = reply.json["result"]["tools"].as_array().unwrap();
        let listed: BTreeSet<&str> = listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
        for row in tools() {
            let person = !matches!(caller, Caller::Agent | Caller::Stray);
            match row.who().cells[place] {
                Cell::Yes => assert!(listed.contains(row.name), "{} for {caller:?}", row.name),
                Cell::Role | Cell::Factory | Cell::Scope if person => {
                    assert!(!listed.contains(row.name), "{} for {caller:?}", row.name);
                }
                Cell::Factory | Cell::Scope => {
                    assert!(!listed.contains(row.name), "{} for {caller:?}", row.name)
                }
                Cell::Role | Cell::Hidden => {}
            }
        }
    }
}
