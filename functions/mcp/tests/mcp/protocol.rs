//! Both generations of the protocol on one address.

use axum::body::Body;
use http::StatusCode;
use serde_json::{Value, json};
use svc_testkit::{Reply, send};

use crate::world::{World, message_of};

const MODERN: &str = "2026-07-28";

/// A message of the newer generation, with its headers.
async fn modern(world: &World, method: &str, name: Option<&str>, mut params: Value) -> Reply {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let mut request = message_of(&world.ada, &message).header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    send(&world.router, request.body(Body::from(message.to_string())).unwrap()).await
}

#[tokio::test]
async fn a_client_of_the_older_generation_is_greeted_and_needs_no_session() {
    let world = World::new().await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let hello = json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let greeted = world.ask(&world.ada, "initialize", hello).await;
        assert_eq!(greeted["protocolVersion"], version);
        assert_eq!(greeted["serverInfo"]["name"], "svc");
        assert!(greeted["instructions"].as_str().unwrap().starts_with("A work tracker."));
        assert_eq!(
            greeted["capabilities"],
            json!({"tools": {}, "prompts": {}, "resources": {}, "completions": {}})
        );
    }
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(world.post(&world.ada, ready).await.status, StatusCode::ACCEPTED);
    assert_eq!(world.ask(&world.ada, "ping", json!({})).await, json!({}));
}

#[tokio::test]
async fn a_client_of_the_newer_generation_discovers_and_calls_without_a_greeting() {
    let world = World::new().await;
    let discovered = modern(&world, "server/discover", None, json!({})).await;
    assert_eq!(discovered.status, StatusCode::OK, "{}", discovered.text);
    let versions = discovered.json["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(MODERN)), "{versions:?}");
    let listed = modern(&world, "tools/list", None, json!({})).await;
    let result = &listed.json["result"];
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(60_000), &json!("private")));
    let params = json!({"name": "get_context", "arguments": {}});
    let called = modern(&world, "tools/call", Some("get_context"), params).await;
    assert_eq!(called.json["result"]["isError"], false, "{}", called.text);
    let wrong = modern(&world, "tools/call", Some("get_item"), json!({"name": "get_context"})).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "the header says another tool: {}", wrong.text);
}

#[tokio::test]
async fn an_unknown_tool_or_argument_is_told_the_nearest_name() {
    let world = World::new().await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_itm"}});
    let reply = world.post(&world.ada, message).await;
    assert_eq!(reply.json["error"]["code"], -32602);
    let said = reply.json["error"]["message"].as_str().unwrap();
    assert!(said.starts_with("Unknown tool: get_itm. Did you mean get_item?"), "{said}");
    let said = world.refused(&world.ada, "list_items", json!({"projct": "PRJ"})).await;
    assert!(said.contains("projct: There is no such argument. Did you mean project?"), "{said}");
    let said = world.refused(&world.ada, "list_items", json!({})).await;
    assert!(said.contains("project: required"), "{said}");
    let said = world.refused(&world.ada, "list_items", json!({"project": "PRJ", "limit": "many"})).await;
    assert!(said.contains("limit: invalid type: string \"many\", expected u32"), "{said}");
    let said = world.refused(&world.ada, "get_item", json!({"key": "PRJ"})).await;
    assert!(said.contains("an item key such as PRJ-12"), "{said}");
    let said = world.refused(&world.ada, "get_item", json!({"key": "PRJ-1", "cursor": "x"})).await;
    assert!(said.contains("cursor: Use the nextCursor of the last reply"), "{said}");
}

#[tokio::test]
async fn prompts_resources_and_completion_show_what_the_caller_sees() {
    let world = World::new().await;
    let key = world.item("Paint the fence").await;
    let prompts = world.ask(&world.ada, "prompts/list", json!({})).await;
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 2);
    let prompt = json!({"name": "work_on_item", "arguments": {"key": key}});
    let prompt = world.ask(&world.ada, "prompts/get", prompt).await;
    let said = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(said.contains("Claim it with claim_item first") && said.contains("Paint the fence"), "{said}");
    let templates = world.ask(&world.ada, "resources/templates/list", json!({})).await;
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "svc://items/{key}");
    let listed = world.ask(&world.ada, "resources/list", json!({})).await;
    assert_eq!(listed["resources"][0]["uri"], "svc://inbox", "{listed}");
    assert_eq!(world.ask(&world.agent, "resources/list", json!({})).await["resources"], json!([]));
    let uri = format!("svc://items/{key}");
    let read = world.ask(&world.ada, "resources/read", json!({"uri": uri})).await;
    assert!(read["contents"][0]["text"].as_str().unwrap().contains("Paint the fence"), "{read}");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "svc://items/PRJ-99"}});
    let missing = world.post(&world.ada, message).await;
    assert_eq!(missing.json["error"]["data"]["uri"], "svc://items/PRJ-99", "{}", missing.text);
    for (argument, typed, values) in
        [("key", "pr", json!(["PRJ-"])), ("key", "PRJ-", json!([key])), ("key", "NOPE-", json!([]))]
    {
        let reference = json!({"type": "ref/prompt", "name": "work_on_item"});
        let params = json!({"ref": reference, "argument": {"name": argument, "value": typed}});
        let completed = world.ask(&world.ada, "completion/complete", params).await;
        assert_eq!(completed["completion"]["values"], values, "{typed}");
    }
    assert_eq!(world.ask(&world.guest, "prompts/list", json!({})).await["prompts"], json!([]));
}

#[tokio::test]
async fn a_person_reads_their_inbox_and_agents_have_none() {
    let world = World::new().await;
    let uri = json!({"uri": "svc://inbox"});
    let read = world.ask(&world.ada, "resources/read", uri.clone()).await;
    assert_eq!(read["contents"][0]["text"], "Your inbox is empty.\n", "{read}");
    let key = world.item("Paint the fence").await;
    let comment = json!({"body": "@ada which colour?"});
    let path = format!("/orgs/demo/items/{key}/comments");
    let wrote =
        svc_testkit::call(&world.router, http::Method::POST, &path, Some(&world.owner), Some(comment)).await;
    assert_eq!(wrote.status, StatusCode::CREATED, "{}", wrote.text);
    world.kit.drain(async |told| svc_workers::handle(&world.kit.app, &told).await.unwrap()).await;
    let read = world.ask(&world.ada, "resources/read", uri.clone()).await;
    let said = read["contents"][0]["text"].as_str().unwrap();
    assert!(said.contains(&format!("[unread] {key} ")), "{said}");
    assert!(said.contains("Paint the fence: owner mentioned you"), "{said}");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": uri});
    let refused = world.post(&world.agent, message).await;
    assert!(refused.json["error"].is_object(), "{}", refused.text);
}
