//! schemathesis against the built server: no 500, and no answer that the document does not know.
//!
//! The document that it reads differs from the served one in two ways: `default` answers are taken out, so
//! that every status must be named; and parameters of paths are values that exist, so that requests get past
//! the 404.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use svc_contract::inlined;
use svc_end_to_end::{Server, within};
use tokio::process::Command;

use crate::tools::{root, tool};

/// Requests for each operation and phase at most; with this the whole takes about a minute.
const EXAMPLES: &str = "12";

const BOUND: Duration = Duration::from_secs(540);

#[tokio::test]
async fn people_are_answered_as_documented() {
    let stage = Stage::start().await;
    let token = stage.server.demo.token.clone();
    stage.fuzz(&token, &["--exclude-path-regex", "^/api/v1/runner/"]).await;
}

#[tokio::test]
async fn runners_are_answered_as_documented() {
    let stage = Stage::start().await;
    let secret = stage.server.demo.runner_secret.clone();
    stage.fuzz(&secret, &["--include-path-regex", "^/api/v1/runner/"]).await;
}

struct Stage {
    directory: tempfile::TempDir,
    server: Server,
}

impl Stage {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let settings = [("RateLimits__RunnerPerMinute", "10000000"), ("Automation__TakeWaitSeconds", "0")];
        let data = directory.path().join("data");
        let server = Server::start(&data, &directory.path().join("server.log"), &settings).await;
        Self { directory, server }
    }

    async fn fuzz(&self, secret: &str, which: &[&str]) {
        let document = self.directory.path().join("v1.json");
        std::fs::write(&document, self.document().await.to_string()).unwrap();
        let mut schemathesis = Command::new(tool("venv/bin/schemathesis"));
        schemathesis
            .arg("--config-file")
            .arg(root().join("tests/contract/schemathesis.toml"))
            .arg("run")
            .arg(&document)
            .args(["--url", &self.server.url(), "--header", &format!("Authorization: Bearer {secret}")])
            .args(["--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES])
            .args(["--generation-deterministic", "--workers", "1", "--no-color"])
            .args(which)
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = within("schemathesis", BOUND, schemathesis.output()).await.unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}\n{}", self.log());
        assert!(said.contains("Test cases:"), "{said}");
    }

    fn log(&self) -> String {
        let log = std::fs::read_to_string(self.directory.path().join("server.log")).unwrap_or_default();
        let errors: Vec<_> = log.lines().filter(|line| line.contains("ERROR")).collect();
        errors.join("\n")
    }

    async fn document(&self) -> Value {
        let mut document = inlined(self.get("/openapi/v1.json").await);
        let names = self.names().await;
        for (path, methods) in document["paths"].as_object_mut().unwrap() {
            for operation in methods.as_object_mut().unwrap().values_mut() {
                operation["responses"].as_object_mut().unwrap().remove("default");
                let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
                for parameter in
                    parameters.into_iter().flatten().filter(|parameter| parameter["in"] == "path")
                {
                    name(path, parameter, &names);
                }
            }
        }
        document
    }

    async fn get(&self, path: &str) -> Value {
        let request = self.server.http().get(format!("{}{path}", self.server.url()));
        request.bearer_auth(&self.server.demo.token).send().await.unwrap().json().await.unwrap()
    }

    /// Values that exist, by the segment before the parameter.
    async fn names(&self) -> Vec<(&'static str, Value)> {
        let post = async |path: &str, body: Value| -> Value {
            let request = self.server.http().post(format!("{}{path}", self.server.url()));
            request
                .bearer_auth(&self.server.demo.token)
                .json(&body)
                .send()
                .await
                .unwrap()
                .json()
                .await
                .unwrap()
        };
        let run = post("/api/v1/orgs/demo/items/DEMO-1/runs", json!({})).await;
        let id = async |path: &str| self.get(path).await[0]["id"].clone();
        vec![
            ("orgs", json!(["demo"])),
            ("projects", json!(["DEMO"])),
            ("items", json!(["DEMO-1", "DEMO-2", "DEMO-5"])),
            ("runs", json!([run["id"]])),
            ("agents", json!([id("/api/v1/orgs/demo/agents").await])),
            ("runners", json!([id("/api/v1/orgs/demo/runners").await])),
            ("playbooks", json!([id("/api/v1/orgs/demo/projects/DEMO/playbooks").await])),
            ("pages", json!(["Guide", "Guide/Setup"])),
            ("versions", json!(["Factory/Implement"])),
        ]
    }
}

/// Lets a parameter of a path be what exists, where that is known.
fn name(path: &str, parameter: &mut Value, names: &[(&'static str, Value)]) {
    let own = format!("{{{}}}", parameter["name"].as_str().unwrap());
    let before = path.split('/').zip(path.split('/').skip(1)).find(|(_, segment)| *segment == own);
    let known = before.and_then(|(before, _)| names.iter().find(|(known, _)| *known == before));
    if let Some((_, values)) = known {
        parameter["schema"] = json!({"type": "string", "enum": values});
        parameter["example"] = values[0].clone();
    }
}
