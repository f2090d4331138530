//! What a run changed: reported by its runner, read by factory operators.

use http::StatusCode;
use serde_json::{Value, json};

use crate::stage::Stage;

fn changes(patch: &str) -> Value {
    json!({
        "base": "aaa", "head": "bbb", "commits": [{"hash": "bbb", "title": "Greet"}], "commitCount": 1,
        "files": [{"path": "a", "additions": 1, "deletions": 0, "inPatch": true}, {"path": "b.png"}],
        "fileCount": 2, "additions": 1, "patch": patch, "truncated": true,
    })
}

#[tokio::test]
async fn operators_read_what_a_run_changed_and_others_do_not() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let path = format!("/runs/{run}/changes");
    let nothing = stage.get(&path, &stage.operator).await;
    assert_eq!((nothing.status, &nothing.json["head"]), (StatusCode::OK, &Value::Null), "{}", nothing.text);
    for patch in ["first", "first", "diff --git a/a b/a\n+x\n"] {
        let body = json!({"fence": 1, "changes": changes(patch)});
        stage.say(&machine, &run, "changes", body).await.is(204);
    }
    let read = stage.get(&format!("/orgs/demo{path}"), &stage.operator).await.json;
    assert_eq!(read["patch"], "diff --git a/a b/a\n+x\n", "the last report counts");
    assert_eq!(read["commits"], json!([{"hash": "bbb", "title": "Greet"}]));
    let binary = json!({"path": "b.png", "previousPath": null, "additions": null, "deletions": null, "inPatch": false});
    assert_eq!((&read["files"][1], &read["truncated"]), (&binary, &json!(true)));
    let short = stage.get(&format!("{path}?patch=false"), &stage.operator).await.json;
    assert_eq!((&short["patch"], &short["fileCount"]), (&Value::Null, &json!(2)));
    assert_eq!(stage.get(&path, &stage.member).await.problem(), "factory-not-permitted");
    assert_eq!(stage.get(&path, &stage.foreigner).await.problem(), "not-found");
    stage.consistent().await;
}

#[tokio::test]
async fn a_run_that_is_over_or_taken_by_another_reports_nothing_more() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let report =
        |fence: u64| stage.say(&machine, &run, "changes", json!({"fence": fence, "changes": changes("x")}));
    let large = json!({"fence": 1, "changes": changes(&"x".repeat(1024 * 1024 + 1))});
    let large = stage.say(&machine, &run, "changes", large).await;
    assert_eq!(large.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(large.json["errors"]["changes.patch"].is_array(), "{}", large.text);
    assert_eq!(report(2).await.problem(), "assignment-ended");
    let other = stage.runner("other").await;
    let body = json!({"fence": 1, "changes": changes("x")});
    assert_eq!(stage.say(&other, &run, "changes", body).await.problem(), "not-found");
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    assert_eq!(report(1).await.status, StatusCode::NO_CONTENT);
    let finish = json!({"fence": 1, "result": "succeeded", "exitCode": 0});
    stage.say(&machine, &run, "finish", finish).await;
    assert_eq!(report(1).await.problem(), "assignment-ended");
    let kept = stage.get(&format!("/runs/{run}/changes"), &stage.operator).await.json;
    assert_eq!(kept["patch"], "x", "it stays with the run");
}
