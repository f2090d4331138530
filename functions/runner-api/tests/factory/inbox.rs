//! Who is told that a run ended (specification sections 2.7 and 6.2).

use http::StatusCode;
use serde_json::{Value, json};

use crate::stage::Stage;

/// The operator asked for the run, the Owner created the item and so watches it.
#[tokio::test]
async fn the_end_of_a_run_is_told_to_who_asked_for_it_and_to_watchers() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
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
        let ended = stage.say(&machine, &run, "finish", end).await;
        assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.text);
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
