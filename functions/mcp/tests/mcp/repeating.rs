//! Calls that are repeated, raced or cut off.

use axum::body::Body;
use futures::future::join_all;
use serde_json::json;
use svc_storage::{Condition, Op, keys};
use svc_testkit::send;
use tower::ServiceExt as _;

use crate::world::{World, message_of, text};

#[tokio::test]
async fn a_call_repeated_under_its_key_happens_once_and_answers_the_same() {
    let world = World::new().await;
    let new = json!({"project": "PRJ", "type": "task", "title": "Once", "idempotencyKey": "k1"});
    let first = world.tool(&world.ada, "create_item", new.clone()).await;
    assert_eq!(first["structuredContent"]["key"], "PRJ-1");
    assert_eq!(world.tool(&world.ada, "create_item", new).await, first);
    let other = json!({"project": "PRJ", "type": "task", "title": "Another", "idempotencyKey": "k1"});
    let said = world.refused(&world.ada, "create_item", other).await;
    assert!(
        said.starts_with("422 idempotency-key-reused") && said.contains("send a new idempotencyKey"),
        "{said}"
    );
    let said = world
        .refused(
            &world.ada,
            "create_item",
            json!({"project": "PRJ", "type": "task", "title": "x", "idempotencyKey": ""}),
        )
        .await;
    assert!(said.contains("idempotencyKey: A key has 1 to 200 characters."), "{said}");
    let listed = world.said(&world.ada, "list_items", json!({"project": "PRJ"})).await;
    assert!(listed.starts_with("1 items"), "{listed}");
}

/// What a project's people wrote is not told to who left it.
#[tokio::test]
async fn a_kept_answer_is_not_given_to_who_left_the_project() {
    let world = World::new().await;
    let new = json!({"project": "PRJ", "type": "task", "title": "Once", "idempotencyKey": "k1"});
    let remark = json!({"key": "PRJ-1", "body": "Secret", "idempotencyKey": "k2"});
    world.tool(&world.ada, "create_item", new.clone()).await;
    world.tool(&world.ada, "add_comment", remark.clone()).await;
    let project = "PRJ".parse().unwrap();
    let left = Op::delete(keys::project_member(world.org.id, &project, world.ada_id), Condition::Present);
    svc_testkit::write(&world.kit.app, vec![left]).await.unwrap();
    for (tool, call) in [("create_item", new), ("add_comment", remark)] {
        let said = world.refused(&world.ada, tool, call).await;
        assert!(said.starts_with("404") || said.starts_with("403"), "{said}");
    }
}

#[tokio::test]
async fn of_many_calls_under_one_key_one_happens() {
    let world = World::new().await;
    let key = world.item("Talk").await;
    let calls = (0..8).map(|_| {
        world.tool(&world.ada, "add_comment", json!({"key": key, "body": "Hi", "idempotencyKey": "k"}))
    });
    let said: Vec<String> = join_all(calls).await.iter().map(text).collect();
    let made = said.iter().filter(|said| said.starts_with("Commented on")).collect::<Vec<_>>();
    assert!(!made.is_empty() && made.iter().all(|said| *said == made[0]), "{said:?}");
    let read = world.said(&world.ada, "get_item", json!({"key": key, "include": ["comments"]})).await;
    assert!(read.contains("1 comments"), "{read}");
}

#[tokio::test]
async fn of_an_agent_and_a_person_who_claim_at_once_one_holds_it() {
    let world = World::new().await;
    let key = world.item("Wanted").await;
    let claim = |token| world.tool(token, "claim_item", json!({"key": key, "version": 1}));
    let (one, other) = futures::join!(claim(&world.owner), claim(&world.ada));
    let failed = [&one, &other].into_iter().filter(|result| result["isError"] == true).collect::<Vec<_>>();
    assert_eq!(failed.len(), 1, "{one} {other}");
    let said = text(failed[0]);
    assert!(said.starts_with("409 item-claimed") || said.starts_with("409 stale-version"), "{said}");
}

/// A client that leaves in the middle finds under its key what was done.
#[tokio::test]
async fn a_call_that_is_cut_off_is_done_once_and_found_under_its_key() {
    let world = World::new().await;
    let new = json!({"project": "PRJ", "type": "task", "title": "Once", "idempotencyKey": "cut"});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_item", "arguments": new}});
    // The process takes its share of the request budget once, and not with every call that is cut off.
    world.listed(&world.ada).await;
    for polls in 0..40 {
        let request = message_of(&world.ada, &message).body(Body::from(message.to_string())).unwrap();
        let mut call = Box::pin(world.router.clone().oneshot(request));
        for _ in 0..polls {
            if futures::poll!(&mut call).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(call);
    }
    let request = message_of(&world.ada, &message).body(Body::from(message.to_string())).unwrap();
    let reply = send(&world.router, request).await;
    assert!(reply.text.contains("PRJ-"), "{}", reply.text);
    let listed = world.said(&world.ada, "list_items", json!({"project": "PRJ"})).await;
    assert!(listed.starts_with("1 items"), "{listed}");
}
