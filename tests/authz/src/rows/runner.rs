//! What runners call: their secret is the permission, and it has no scopes to choose.

use serde_json::json;

use super::Row;
use crate::who::RUNNERS;

pub(super) fn rows() -> Vec<Row> {
    let hello = json!({
        "machineId": "m-1", "clientVersion": "0.1.0", "platform": "linux-x86_64",
        "harnesses": ["harness_1"], "parallel": 1,
    });
    let entry = json!({"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "Hello."});
    vec![
        Row::new("POST /runner/hello", RUNNERS, None).body(hello),
        Row::new("POST /runner/take", RUNNERS, None)
            .body(json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "another"})),
        Row::new("POST /runner/runs/{id}/start", RUNNERS, None).body(json!({"fence": 1})),
        Row::new("POST /runner/runs/{id}/heartbeat", RUNNERS, None).body(json!({"fence": 1})),
        Row::new("POST /runner/runs/{id}/log", RUNNERS, None)
            .body(json!({"fence": 1, "firstSeq": 1, "entries": [entry]})),
        Row::new("POST /runner/runs/{id}/changes", RUNNERS, None)
            .body(json!({"fence": 1, "changes": {"head": "0f1e2d3c", "patch": ""}})),
        Row::new("PUT /runner/runs/{id}/artifacts/{file}", RUNNERS, None).query("fence=1"),
        // Its repository is on the runner.
        Row::new("POST /runner/runs/{id}/credential", RUNNERS, None)
            .body(json!({"fence": 1}))
            .answers(409, "conflict"),
        Row::new("POST /runner/runs/{id}/give-back", RUNNERS, None)
            .body(json!({"fence": 1, "reason": "Another organization is at work."})),
        Row::new("POST /runner/runs/{id}/pull-request", RUNNERS, None)
            .body(json!({"fence": 1, "state": "merged"})),
        Row::new("POST /runner/runs/{id}/finish", RUNNERS, None)
            .body(json!({"fence": 1, "result": "succeeded", "exitCode": 0})),
    ]
}
