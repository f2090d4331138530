//! A loopback model API that speaks the protocols of the vendors as far as the harnesses need them: it asks for one
//! shell command, and when that was done, it says so.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

/// The last words of the model.
pub(crate) const WORDS: &str = "The work is done.";

/// What the model does and has heard.
#[derive(Clone, Default)]
pub(crate) struct Model {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    command: String,
    refuse_with: Option<u16>,
}

impl Model {
    /// Serves on a port of its own until the test ends.
    pub(crate) async fn serve(command: &str) -> (Self, String) {
        let model = Self::default();
        model.inner.lock().unwrap().command = command.to_owned();
        let routes = Router::new()
            .route("/v1/messages", post(messages))
            .route("/v1/messages/count_tokens", post(|| async { Json(json!({"input_tokens": 1})) }))
            .route("/v1/responses", post(responses))
            .route("/v1/chat/completions", post(completions))
            .with_state(model.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        (model, url)
    }

    /// From now on every call is refused with this status.
    pub(crate) fn refuse(&self, status: u16) {
        self.inner.lock().unwrap().refuse_with = Some(status);
    }

    fn refusal(&self) -> Option<Response> {
        let status = self.inner.lock().unwrap().refuse_with?;
        let body = json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}});
        Some((StatusCode::from_u16(status).unwrap(), Json(body)).into_response())
    }

    fn command(&self) -> String {
        self.inner.lock().unwrap().command.clone()
    }
}

fn stream(events: &[(Option<&str>, Value)], end: &str) -> Response {
    let mut text = String::new();
    for (name, event) in events {
        if let Some(name) = name {
            text.push_str(&format!("event: {name}\n"));
        }
        text.push_str(&format!("data: {event}\n\n"));
    }
    text.push_str(end);
    ([("content-type", "text/event-stream")], Body::from(text)).into_response()
}

/// The name of the tool that runs commands, among those that a request offers.
fn tool(request: &Value, names: &[&str]) -> Option<String> {
    let offered = request["tools"].as_array()?;
    let name = |tool: &Value| {
        tool["name"].as_str().or_else(|| tool["function"]["name"].as_str()).unwrap_or_default().to_owned()
    };
    let offered: Vec<String> = offered.iter().map(name).collect();
    names.iter().find(|name| offered.iter().any(|one| one == *name)).map(|name| (*name).to_owned())
}

async fn messages(State(model): State<Model>, Json(request): Json<Value>) -> Response {
    if let Some(refusal) = model.refusal() {
        return refusal;
    }
    let done = request["messages"].to_string().contains("\"tool_result\"");
    let call = tool(&request, &["Bash"]).filter(|_| !done);
    let (block, delta, reason) = match &call {
        Some(name) => (
            json!({"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}),
            json!({"type": "input_json_delta",
                "partial_json": json!({"command": model.command(), "description": "work"}).to_string()}),
            "tool_use",
        ),
        None => {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": WORDS}), "end_turn")
        }
    };
    let usage = json!({"input_tokens": 100, "output_tokens": 10,
        "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"],
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
    if request["stream"] != json!(true) {
        let mut message = message;
        message["content"] = json!([{"type": "text", "text": WORDS}]);
        message["stop_reason"] = json!("end_turn");
        return Json(message).into_response();
    }
    let events = [
        ("message_start", json!({"type": "message_start", "message": message})),
        ("content_block_start", json!({"type": "content_block_start", "index": 0, "content_block": block})),
        ("content_block_delta", json!({"type": "content_block_delta", "index": 0, "delta": delta})),
        ("content_block_stop", json!({"type": "content_block_stop", "index": 0})),
        (
            "message_delta",
            json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": 10}}),
        ),
        ("message_stop", json!({"type": "message_stop"})),
    ];
    stream(&events.map(|(name, event)| (Some(name), event)), "")
}

async fn responses(State(model): State<Model>, Json(request): Json<Value>) -> Response {
    if let Some(refusal) = model.refusal() {
        return refusal;
    }
    let done = request["input"].to_string().contains("\"function_call_output\"");
    let call = tool(&request, &["shell_command", "exec_command", "shell"]).filter(|_| !done);
    let item = match call.as_deref() {
        Some(name) => {
            let command = model.command();
            let arguments = match name {
                "exec_command" => json!({"cmd": command}),
                "shell" => json!({"command": ["bash", "-lc", command]}),
                _ => json!({"command": command}),
            };
            json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name,
                "arguments": arguments.to_string(), "status": "completed"})
        }
        None => json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": WORDS, "annotations": []}]}),
    };
    let usage = json!({"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110});
    let response = json!({"id": "resp_1", "object": "response", "status": "in_progress", "output": []});
    let completed = json!({"id": "resp_1", "object": "response", "status": "completed", "output": [item],
        "usage": usage});
    let events = [
        ("response.created", json!({"type": "response.created", "response": response})),
        (
            "response.output_item.added",
            json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        ),
        (
            "response.output_item.done",
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        ),
        ("response.completed", json!({"type": "response.completed", "response": completed})),
    ];
    stream(&events.map(|(name, event)| (Some(name), event)), "")
}

async fn completions(State(model): State<Model>, Json(request): Json<Value>) -> Response {
    if let Some(refusal) = model.refusal() {
        return refusal;
    }
    let done = request["messages"].to_string().contains("\"role\":\"tool\"");
    let call = tool(&request, &["bash"]).filter(|_| !done);
    let (delta, reason) = match call {
        Some(name) => {
            let arguments = json!({"command": model.command(), "description": "work"}).to_string();
            let call = json!({"index": 0, "id": "call_1", "type": "function",
                "function": {"name": name, "arguments": arguments}});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        None => (json!({"role": "assistant", "content": WORDS}), "stop"),
    };
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
    let chunk = |choices: Value, usage: Value| {
        json!({"id": "c_1", "object": "chat.completion.chunk", "created": 1, "model": request["model"],
            "choices": choices, "usage": usage})
    };
    if request["stream"] != json!(true) {
        let choice = json!({"index": 0, "message": delta, "finish_reason": reason});
        return Json(
            json!({"id": "c_1", "object": "chat.completion", "created": 1, "model": request["model"],
            "choices": [choice], "usage": usage}),
        )
        .into_response();
    }
    let events = [
        chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null),
        chunk(json!([{"index": 0, "delta": {}, "finish_reason": reason}]), Value::Null),
        chunk(json!([]), usage),
    ];
    stream(&events.map(|event| (None, event)), "data: [DONE]\n\n")
}
