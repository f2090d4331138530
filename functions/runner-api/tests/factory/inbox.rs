//! Who is told that a run ended (specification sections 2.7 and 6.2).

use serde_json::{Value, json};

use crate::stage::Stage;

/// The operator asked for the run, the Owner created the item and so watches it.
#[tokio::test]
async fn the_end_of_a_run_is_told_to_who_asked_for_it_and_to_watchers() {
    let (stage, machine) = Stage::with_runner().await;
    for (result, kind, words, waits) in [
        ("succeeded", "runSucceeded", "Builder finished", false),
        ("failed", "runFailed", "Builder failed", true),
    ] {
        let (run, assignment) = stage.assigned(&machine, result).await;
        let fence = assignment["fence"].clone();
        stage.say(&machine, &run, "start", json!({"fence": fence})).await;
        stage.work().await;
        let reason = (result == "failed").then_some("harness-failed");
        let end = json!({"fence": fence, "result": result, "failureReason": reason});
        stage.say(&machine, &run, "finish", end).await.is(204);
        stage.work_twice().await;
        for token in [&stage.operator, &stage.owner] {
            let inbox = stage.inbox(token).await;
            let entry =
                inbox.iter().find(|entry| entry["runId"] == run).unwrap_or_else(|| panic!("{inbox:?}"));
            let ends = entry["news"].as_array().unwrap().iter().filter(|news| news["kind"] == kind).count();
            assert_eq!((ends, &entry["needsYou"]), (1, &json!(waits)), "{entry}");
            assert!(entry["summary"].as_str().unwrap().contains(words), "{entry}");
        }
        assert_eq!(stage.inbox(&stage.foreigner).await, Vec::<Value>::new());
    }
}

/// A run that was retried stood under what waits for a person.
#[tokio::test]
async fn a_run_that_was_retried_waits_for_nobody() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "failed").await;
    let fence = assignment["fence"].clone();
    stage.say(&machine, &run, "start", json!({"fence": fence})).await;
    let end = json!({"fence": fence, "result": "failed", "failureReason": "harness-failed"});
    stage.say(&machine, &run, "finish", end).await;
    stage.work_twice().await;
    let waits = async || {
        let counts = stage.get("/me/notifications/counts", &stage.operator).await;
        counts.json["needsYou"].clone()
    };
    assert_eq!(waits().await, json!(1));
    let retried = stage.post(&format!("/runs/{run}/retry"), &stage.operator, json!({})).await;
    assert!(retried.status.is_success(), "{}", retried.text);
    assert_eq!(waits().await, json!(0), "another run works on it");
    let again = retried.json["id"].as_str().unwrap();
    let cancelled = stage.post(&format!("/runs/{again}/cancel"), &stage.operator, json!({})).await;
    assert!(cancelled.status.is_success(), "{}", cancelled.text);
    stage.work_twice().await;
    assert_eq!(waits().await, json!(0), "a person has seen to it");
}
