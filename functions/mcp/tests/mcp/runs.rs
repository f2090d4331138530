//! Runs over MCP, from their start to their end, for operators, members and the agent of the run itself.

use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use http::{Method, StatusCode};
use serde_json::json;
use svc_testkit::call;
use tokio::time::timeout;

use crate::world::World;

/// Specification section 1.7: the factory is reached through `start_run`, `get_run` and `list_runs`.
#[tokio::test]
async fn a_run_is_started_listed_and_followed_and_its_agent_works_until_it_ends() {
    let world = World::new().await;
    let secret = world.furnish().await;
    let key = world.item("Paint the fence").await;
    let started = world.tool(&world.owner, "start_run", json!({"item": key})).await;
    let run = started["structuredContent"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let said = world.refused(&world.owner, "start_run", json!({"item": key})).await;
    assert!(said.starts_with("409 live-run-exists"), "{said}");
    let listed = world.said(&world.owner, "list_runs", json!({"item": key})).await;
    assert!(listed.contains(&run) && listed.contains("queued"), "{listed}");
    let taken = world.take(&secret).await;
    let token = taken["token"].as_str().unwrap();
    let say = async |what: &str, body: serde_json::Value| {
        let path = format!("/runner/runs/{run}/{what}");
        let said = call(&world.router, Method::POST, &path, Some(&secret), Some(body)).await;
        assert!(said.status.is_success(), "{what}: {}", said.text);
    };
    say("start", json!({"fence": 1})).await;
    let line = json!({"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "mixing paint"});
    say("log", json!({"fence": 1, "firstSeq": 1, "entries": [line]})).await;
    world.said(token, "add_comment", json!({"key": key, "body": "Begun."})).await;
    let said = world.said(&world.owner, "get_run", json!({"id": run, "logLines": 10})).await;
    assert!(said.contains("running") && said.contains("mixing paint"), "{said}");
    let failed =
        json!({"fence": 1, "result": "failed", "failureReason": "no-remote", "failureDetail": "no origin"});
    say("finish", failed).await;
    let said = world.said(&world.owner, "get_run", json!({"id": run})).await;
    assert!(said.contains("failed") && said.contains("no-remote"), "{said}");
    let over = world.post(token, json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    assert_eq!(over.status, StatusCode::UNAUTHORIZED, "the token of a run ends with it");

    // Who sees the item follows the status; the reason and the log are for operators (section 2.9).
    let said = world.said(&world.ada, "get_run", json!({"id": run})).await;
    assert!(said.contains("failed") && !said.contains("no-remote") && !said.contains("no origin"), "{said}");
    let said = world.refused(&world.ada, "get_run", json!({"id": run, "logLines": 10})).await;
    assert!(said.starts_with("403 factory-not-permitted") && !said.contains("mixing"), "{said}");
}

/// 280 calls that waited took 700 MiB, and went on when their clients had left.
#[tokio::test]
async fn an_account_holds_few_waiting_calls_and_those_whose_client_left_are_none() {
    let world = World::new().await;
    world.furnish().await;
    let key = world.item("Paint the fence").await;
    let started = world.tool(&world.owner, "start_run", json!({"item": key})).await;
    let run = &started["structuredContent"]["id"];
    let wait = |seconds: u64| {
        let arguments = json!({"id": run, "logLines": 10, "waitSeconds": seconds});
        world.tool(&world.owner, "get_run", arguments)
    };
    let mut waiting: FuturesUnordered<_> = (0..33).map(|_| wait(20)).collect();
    let refused = waiting.next().await.unwrap();
    assert!(refused["content"][0]["text"].as_str().unwrap().starts_with("429 rate-limited"), "{refused}");
    assert_eq!(wait(0).await["isError"], false, "who does not wait takes no place");
    drop(waiting);
    let place = async {
        while wait(1).await["isError"] == true {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), place).await.expect("places are free once the clients are gone");
}

/// Specification section 4.1: no tool reacts to comments.
#[test]
fn no_tool_reacts() {
    assert!(svc_mcp::tool_names().iter().all(|name| !name.contains("react")));
}
