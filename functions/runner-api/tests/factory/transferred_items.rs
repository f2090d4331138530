//! Runs, and the items that were moved to another project.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stage::Stage;

async fn transfer(stage: &Stage, token: &str, version: &Value) -> svc_testkit::Reply {
    let body = json!({"version": version, "project": "WEB"});
    stage.call(Method::POST, "/orgs/demo/items/PRJ-1/transfer", token, Some(body)).await
}

#[tokio::test]
async fn runs_follow_their_item_to_another_project() {
    let stage = Stage::new().await;
    stage.kit.project(&stage.org, "WEB").await;
    let machine = stage.runner("box").await;
    let (run, assignment) = stage.assigned(&machine, "Fix").await;
    let version = stage.get("/orgs/demo/items/PRJ-1", &stage.owner).await.json["version"].clone();
    let live = transfer(&stage, &stage.owner, &version).await;
    assert_eq!((live.status, live.problem()), (StatusCode::CONFLICT, "live-run-exists"), "{}", live.text);
    let by_agent = transfer(&stage, assignment["token"].as_str().unwrap(), &version).await;
    assert!([403, 404].contains(&by_agent.status.as_u16()), "{}", by_agent.text);
    let end = json!({"fence": 1, "result": "failed", "failureReason": "workspace-failed"});
    stage.say(&machine, &run, "finish", end).await;

    let version = stage.get("/orgs/demo/items/PRJ-1", &stage.owner).await.json["version"].clone();
    let moved = transfer(&stage, &stage.owner, &version).await;
    assert_eq!((moved.status, &moved.json["key"]), (StatusCode::OK, &json!("WEB-1")), "{}", moved.text);
    for path in ["/orgs/demo/runs", "/orgs/demo/items/WEB-1/runs"] {
        let runs = stage.get(path, &stage.owner).await.json;
        assert_eq!(
            (&runs["totalCount"], &runs["items"][0]["item"]),
            (&json!(1), &json!("WEB-1")),
            "{path}: {runs}"
        );
    }
    let of_run = format!("/orgs/demo/runs/{run}");
    assert_eq!(stage.get(&of_run, &stage.owner).await.json["item"], "WEB-1");
    assert_eq!(
        stage.get("/orgs/demo/items/PRJ-1/runs", &stage.owner).await.status,
        StatusCode::PERMANENT_REDIRECT
    );
    let comments = stage.get("/orgs/demo/items/WEB-1/comments", &stage.owner).await.json;
    assert_eq!(comments["items"][0]["runId"], run.as_str(), "what the agent said of its run: {comments}");
    // The playbook stays in its project.
    let again = stage.post(&format!("{of_run}/retry"), &stage.owner, json!({})).await;
    assert!(again.status.is_client_error(), "{}", again.text);
    stage.kit.advance(jiff::SignedDuration::from_mins(2));
    stage.work().await;
    stage.consistent().await;
}
