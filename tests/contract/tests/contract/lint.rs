//! A public linter finds nothing wrong with the document.

use std::process::Command;

use crate::tools::{root, tool};

#[test]
fn the_linter_finds_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let document = directory.path().join("v1.json");
    std::fs::write(&document, serde_json::to_vec(&svc_local::areas().1).unwrap()).unwrap();
    let output = Command::new(tool("node/node_modules/.bin/redocly"))
        .args(["lint", "--format=stylish", "--config"])
        .arg(root().join("tests/contract/redocly.yaml"))
        .arg(&document)
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
