//! Runs, and the items that were deleted.

use http::{Method, StatusCode};
use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn an_item_with_a_live_run_is_not_deleted_and_never_by_an_agent() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, assignment) = stage.assigned(&machine, "Fix").await;
    let path = "/orgs/demo/items/PRJ-1";
    let live = stage.call(Method::DELETE, path, &stage.owner, None).await;
    assert_eq!((live.status, live.problem()), (StatusCode::CONFLICT, "live-run-exists"), "{}", live.text);
    let token = assignment["token"].as_str().unwrap();
    for (method, path) in [(Method::DELETE, path.to_owned()), (Method::POST, format!("{path}/restore"))] {
        let refused = stage.call(method, &path, token, None).await;
        assert_eq!(
            (refused.status, refused.problem()),
            (StatusCode::FORBIDDEN, "forbidden"),
            "{}",
            refused.text
        );
    }
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    assert_eq!(stage.view_run(&run).await["id"], run.as_str());
}

#[tokio::test]
async fn runs_of_a_deleted_item_are_hidden_until_it_comes_back() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage
        .say(
            &machine,
            &run,
            "finish",
            json!({"fence": 1, "result": "failed", "failureReason": "workspace-failed"}),
        )
        .await;
    let item = "/orgs/demo/items/PRJ-1";
    let runs = async || stage.get("/orgs/demo/runs", &stage.operator).await.json["totalCount"].clone();
    assert_eq!(runs().await, 1);
    let deleted = stage.call(Method::DELETE, item, &stage.owner, None).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    assert_eq!(runs().await, 0);
    let of_run = format!("/orgs/demo/runs/{run}");
    for path in [
        format!("/runs/{run}"),
        format!("/runs/{run}/log"),
        of_run.clone(),
        format!("{of_run}/log"),
        format!("{of_run}/log/stream"),
        format!("{of_run}/changes"),
        format!("{item}/runs"),
        format!("{item}/mentions"),
    ] {
        let gone = stage.get(&path, &stage.operator).await;
        assert_eq!(
            (gone.status, gone.problem()),
            (StatusCode::GONE, "item-deleted"),
            "{path}: {}",
            gone.text
        );
        let unseen = stage.get(&path, &stage.foreigner).await;
        assert_eq!(unseen.status, StatusCode::NOT_FOUND, "{path}: {}", unseen.text);
    }
    for path in [
        format!("{of_run}/cancel"),
        format!("{of_run}/retry"),
        format!("{of_run}/continue"),
        format!("{item}/runs"),
    ] {
        let gone = stage.post(&path, &stage.operator, json!({})).await;
        assert_eq!(
            (gone.status, gone.problem()),
            (StatusCode::GONE, "item-deleted"),
            "{path}: {}",
            gone.text
        );
    }
    stage.work().await;
    stage.consistent().await;
    let back = stage.call(Method::POST, &format!("{item}/restore"), &stage.owner, None).await;
    assert_eq!(back.status, StatusCode::OK, "{}", back.text);
    assert_eq!(runs().await, 1);
    assert_eq!(stage.get(&of_run, &stage.operator).await.status, StatusCode::OK);
    stage.consistent().await;
}
