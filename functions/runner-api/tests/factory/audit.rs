//! What the audit log tells of runs and of what was deleted.

use http::Method;
use serde_json::{Value, json};

use crate::stage::Stage;

#[tokio::test]
async fn the_audit_log_tells_who_started_runs_stopped_them_and_deleted_items() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let key = stage.item("Fix").await;
    // Cancelled in the queue, and under a runner.
    let waiting = stage.start(&key, json!({})).await;
    let cancel = |run: &str| format!("/orgs/demo/runs/{run}/cancel");
    stage.post(&cancel(&waiting), &stage.operator, json!({})).await;
    let (run, _) = stage.assigned(&machine, "Go").await;
    stage.post(&cancel(&run), &stage.owner, json!({})).await;
    stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "cancelled"})).await;
    let page = "/orgs/demo/projects/PRJ/wiki/pages/Plan";
    stage.call(Method::PUT, page, &stage.owner, Some(json!({"body": "One"}))).await;
    for path in [page, "/orgs/demo/items/PRJ-1"] {
        stage.call(Method::DELETE, path, &stage.owner, None).await;
    }
    stage.post(&format!("/orgs/demo/items/{key}/restore"), &stage.owner, json!({})).await;

    let actions = "runStarted,runCancelled,itemDeleted,itemRestored,pageDeleted";
    let log = stage.get(&format!("/orgs/demo/audit?project=prj&action={actions}"), &stage.owner).await;
    let line = |line: &Value| {
        let of = ["name", "to", "subject"].iter().find_map(|field| line[*field].as_str()).unwrap_or_default();
        format!("{} {} {of}", line["by"]["name"].as_str().unwrap_or("-"), line["action"].as_str().unwrap())
    };
    let mut told: Vec<String> = log.json["entries"].as_array().unwrap().iter().map(line).collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "ada itemDeleted PRJ-1",
            "ada itemRestored PRJ-1",
            "ada pageDeleted Plan",
            "ada runCancelled PRJ-2",
            "ben runCancelled PRJ-1",
            "ben runStarted PRJ-1",
            "ben runStarted PRJ-2",
        ]
    );
}
