//! Files that the agent of a run left: sent by its runner, read by factory operators.

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use serde_json::json;
use svc_testkit::{Reply, send};

use crate::stage::{Machine, Stage};

async fn put(stage: &Stage, machine: &Machine, run: &str, file: &str, bytes: Vec<u8>) -> Reply {
    let request = Request::builder()
        .method(Method::PUT)
        .uri(format!("/api/v1/runner/runs/{run}/artifacts/{file}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", machine.secret));
    send(&stage.router, request.body(Body::from(bytes)).unwrap()).await
}

#[tokio::test]
async fn operators_read_the_files_of_a_run_and_others_do_not() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let path = format!("/runs/{run}/artifacts");
    assert_eq!(stage.get(&path, &stage.operator).await.json, json!([]));
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89".to_vec();
    let page = b"<script>alert(1)</script>".to_vec();
    for (file, bytes) in [("shot%201.png", &png), ("report.html", &page), ("report.html", &page)] {
        let said = put(&stage, &machine, &run, &format!("{file}?fence=1"), bytes.clone()).await;
        assert_eq!(said.status, StatusCode::NO_CONTENT, "a repetition is harmless: {}", said.text);
    }
    let listed = stage.get(&format!("/orgs/demo{path}"), &stage.operator).await.json;
    let shot = json!({"name": "shot 1.png", "size": png.len()});
    assert_eq!(listed, json!([{"name": "report.html", "size": page.len()}, shot]));
    let html = stage.get(&format!("{path}/report.html"), &stage.operator).await;
    assert_eq!(html.text.as_bytes(), page);
    assert_eq!(html.header("content-type"), "application/octet-stream", "no browser runs it");
    assert!(html.header("content-disposition").starts_with("attachment"));
    let image = stage.get(&format!("{path}/shot%201.png"), &stage.operator).await;
    assert_eq!(image.header("content-type"), "image/png");
    for (address, problem) in [(path.clone(), "not-found"), (format!("{path}/report.html"), "not-found")] {
        assert_eq!(stage.get(&address, &stage.member).await.problem(), "factory-not-permitted");
        assert_eq!(stage.get(&address, &stage.foreigner).await.problem(), problem);
    }
    assert_eq!(stage.get(&format!("{path}/none.txt"), &stage.operator).await.problem(), "not-found");
    stage.consistent().await;
}

#[tokio::test]
async fn names_numbers_sizes_and_fences_are_bounded() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for name in ["a%2Fb", "..%2Fx", "shot%E2%80%AEgnp.exe", "a%0Ab", "con"] {
        let said = put(&stage, &machine, &run, &format!("{name}?fence=1"), vec![1]).await;
        assert!(said.status.is_client_error(), "{name}: {}", said.text);
    }
    let large = put(&stage, &machine, &run, "large?fence=1", vec![0; 26_214_401]).await;
    assert_eq!(large.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", large.text);
    for file in 0..25 {
        let said = put(&stage, &machine, &run, &format!("f{file}?fence=1"), vec![0; 10]).await;
        assert_eq!(said.status, StatusCode::NO_CONTENT, "{}", said.text);
    }
    let more = put(&stage, &machine, &run, "more?fence=1", vec![0]).await;
    assert!(more.text.contains("at most 25"), "{}", more.text);
    assert_eq!(put(&stage, &machine, &run, "x?fence=2", vec![0]).await.problem(), "assignment-ended");
    let other = stage.runner("other").await;
    assert_eq!(put(&stage, &other, &run, "x?fence=1", vec![0]).await.problem(), "not-found");
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "succeeded", "exitCode": 0})).await;
    assert_eq!(put(&stage, &machine, &run, "x?fence=1", vec![0]).await.problem(), "assignment-ended");
    let listed = stage.get(&format!("/runs/{run}/artifacts"), &stage.operator).await.json;
    assert_eq!(listed.as_array().unwrap().len(), 25, "they stay with the run");
}
