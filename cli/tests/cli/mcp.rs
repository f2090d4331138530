//! `svc mcp`: the bridge between stdin and the instance's MCP endpoint, and what connects clients.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::stub::Stub;

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// The bridge at work.
struct Bridge {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
}

impl Bridge {
    fn at(url: &str, stub: &Stub) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc"))
            .arg("mcp")
            .env_clear()
            .env("SVC_URL", url)
            .env("SVC_TOKEN", "s3cret")
            .env("SVC_CONFIG_HOME", stub.home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                // Stdout carries messages only.
                let message = serde_json::from_str(&line.unwrap()).unwrap();
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }

    fn of(stub: &Stub) -> Self {
        Self::at(&stub.url, stub)
    }

    fn send(&mut self, message: &Value) {
        self.line(&message.to_string());
    }

    fn line(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn next(&self) -> Value {
        self.lines.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    /// Ends its input, and says what else it wrote and how it ended.
    fn end(mut self) -> (Vec<Value>, i32) {
        drop(self.input.take());
        let code = self.child.wait().unwrap().code().unwrap();
        (self.lines.iter().collect(), code)
    }
}

fn answer(stub: &Stub, message: &Value) {
    stub.answer("POST /mcp", StatusCode::OK, JSON, message.to_string());
}

#[test]
fn every_message_is_passed_on_with_the_headers_of_its_generation() {
    let stub = Stub::new();
    let greeted = json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18"}});
    answer(&stub, &greeted);
    answer(&stub, &json!({"jsonrpc": "2.0", "id": "a", "result": {"tools": []}}));
    let mut bridge = Bridge::of(&stub);
    bridge.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}));
    assert_eq!(bridge.next(), greeted);
    let list = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"});
    bridge.send(&list);
    assert_eq!(bridge.next()["id"], "a");
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let read = json!({"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "svc://ü", "_meta": meta}});
    bridge.send(&read);
    bridge.next();
    assert_eq!(bridge.end(), (vec![], 0));
    let seen = stub.seen();
    assert_eq!((&seen[1].body, seen[1].token.as_deref()), (&list, Some("s3cret")));
    let header =
        |place: usize, name: &str| seen[place].headers.get(name).map(|value| value.to_str().unwrap());
    assert_eq!(header(0, "mcp-protocol-version"), None);
    assert_eq!(header(1, "mcp-protocol-version"), Some("2025-06-18"));
    assert_eq!(header(2, "mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(header(2, "mcp-method"), Some("resources/read"));
    assert_eq!(header(2, "mcp-name"), Some("=?base64?c3ZjOi8vw7w=?="));
}

/// Specification section 4.2: a token lacking either is refused with 403, and the client says which to fix.
#[test]
fn a_refusal_says_which_to_fix_in_an_error_with_the_id() {
    let stub = Stub::new();
    let problem = json!({
        "type": "missing-scope", "title": "The token lacks a scope.", "status": 403,
        "detail": "Use a token with the scope \"mcp\".", "traceId": "t",
    });
    let kind: &[(&str, &str)] = &[("content-type", "application/problem+json")];
    stub.answer("POST /mcp", StatusCode::FORBIDDEN, kind, problem.to_string());
    let mut bridge = Bridge::of(&stub);
    bridge.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "initialize"}));
    let refused = bridge.next();
    assert_eq!(refused["id"], 9);
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.starts_with("403 The token lacks a scope. Use a token with the scope \"mcp\"."), "{said}");
    assert!(said.contains("svc token create my-agent --scope read,write,mcp --bound-to"), "{said}");
    assert_eq!(bridge.end(), (vec![], 5), "scripts see it, too");
    assert_eq!(Bridge::of(&stub).end(), (vec![], 5), "also where nothing is asked");
}

#[test]
fn an_instance_that_is_away_answers_a_page_or_is_busy_is_told_with_the_id() {
    let stub = Stub::new();
    let page: &[(&str, &str)] = &[("content-type", "text/html")];
    stub.answer("POST /mcp", StatusCode::BAD_GATEWAY, page, "<html>".into());
    let busy = json!({"title": "The request budget is exhausted.", "detail": "Try again in 7 seconds."});
    stub.answer("POST /mcp", StatusCode::TOO_MANY_REQUESTS, JSON, busy.to_string());
    stub.answer("POST /mcp", StatusCode::OK, JSON, "{".into());
    let mut bridge = Bridge::of(&stub);
    for said in
        ["answered 502 with text/html", "429 The request budget is exhausted. Try again in 7", "answered 200"]
    {
        bridge.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
        let told = bridge.next();
        assert!(told["error"]["message"].as_str().unwrap().contains(said), "{told}");
    }
    bridge.line("no message");
    assert_eq!(bridge.next()["error"]["code"], -32700);
    bridge.end();
    // Nobody listens on the discard port.
    let mut bridge = Bridge::at("http://127.0.0.1:9", &stub);
    bridge.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
    let told = bridge.next();
    assert!(told["error"]["message"].as_str().unwrap().starts_with("The instance did not answer"), "{told}");
    bridge.end();
}

#[test]
fn answers_on_their_way_are_waited_for_when_the_input_ends() {
    let stub = Stub::new();
    answer(&stub, &json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    let mut bridge = Bridge::of(&stub);
    for id in 0..20 {
        bridge.send(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
    }
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let (answers, code) = bridge.end();
    assert!(answers.len() >= 20, "{}", answers.len());
    assert_eq!(code, 0);
}

#[test]
fn a_stream_of_events_is_taken_apart() {
    let stub = Stub::new();
    let events: &[(&str, &str)] = &[("content-type", "text/event-stream")];
    let body = "event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/progress\"}\r\n\r\n: ping\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
    stub.answer("POST /mcp", StatusCode::OK, events, body.into());
    let mut bridge = Bridge::of(&stub);
    bridge.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}));
    assert_eq!(bridge.next()["method"], "notifications/progress");
    assert_eq!(bridge.next()["id"], 1);
    bridge.end();
}

#[test]
fn each_client_is_connected_without_a_token_in_the_clear() {
    let stub = Stub::new();
    let mut all = String::new();
    for client in ["claude-code", "codex", "gemini", "copilot", "cursor", "vscode", "stdio"] {
        let ran =
            stub.bare(&["mcp", "config", client]).env("SVC_URL", "https://tracker.example/").run().exits(0);
        assert!(ran.stdout.contains("tracker.example"), "{ran}");
        all += &format!("# {client}\n{}", ran.stdout);
    }
    assert!(!all.contains("s3cret"));
    insta::assert_snapshot!("mcp_config", all);
    let ran = stub.bare(&["mcp", "config", "claude-code"]).run();
    assert!(ran.code == 2 && ran.stderr.contains("no instance was given"), "{ran}");
}
