//! A heartbeat that is held until somebody cancels the run.

use std::time::Duration;

use http::StatusCode;
use serde_json::json;
use svc_testkit::call;
use tokio::time::timeout;

use crate::stage::Stage;

const SOON: Duration = Duration::from_secs(15);

#[tokio::test]
async fn a_held_heartbeat_is_answered_when_the_run_is_cancelled_by_whatever_process() {
    for beside in [false, true] {
        let (stage, machine) = Stage::with_runner().await;
        let (run, _) = stage.assigned(&machine, "Fix").await;
        stage.say(&machine, &run, "start", json!({"fence": 1})).await;
        let held = stage.say(&machine, &run, "heartbeat", json!({"fence": 1, "waitSeconds": 20}));
        let (_kit, other) = stage.beside();
        let path = format!("/runs/{run}/cancel");
        let router = if beside { &other } else { &stage.router };
        let cancel = call(router, http::Method::POST, &path, Some(&stage.operator), Some(json!({})));
        let (held, cancelled) = timeout(SOON, async { tokio::join!(held, cancel) }).await.unwrap();
        assert!(cancelled.status.is_success(), "{}", cancelled.text);
        assert_eq!((held.status, &held.json["cancel"]), (StatusCode::OK, &json!(true)), "{}", held.text);
    }
}

#[tokio::test]
async fn a_held_heartbeat_of_an_assignment_that_is_over_is_refused() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let held = stage.say(&machine, &run, "heartbeat", json!({"fence": 2, "waitSeconds": 20})).await;
    assert_eq!(held.problem(), "assignment-ended");
    let at_once = stage.say(&machine, &run, "heartbeat", json!({"fence": 1, "waitSeconds": 0})).await;
    assert_eq!(at_once.json["cancel"], false);
}
