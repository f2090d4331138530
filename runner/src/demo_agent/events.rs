//! The events that `harness_1` prints, as far as a program without a model has any.

use std::io::Write;
use std::time::Instant;

use serde_json::{Value, json};

/// Prints events, one a line, each flushed, so that a follower sees them at once.
pub(crate) struct Events {
    session: String,
    silent: bool,
    begun: Instant,
    turns: u32,
    tools: u32,
}

impl Events {
    pub(crate) fn new(session: String, silent: bool) -> Self {
        Self { session, silent, begun: Instant::now(), turns: 0, tools: 0 }
    }

    pub(crate) fn init(&self) {
        print(&json!({
            "type": "system",
            "subtype": "init",
            "session_id": self.session,
            "model": "no model",
            "tools": ["Write", "Bash"],
            "mcp_servers": [],
            "claude_code_version": concat!("demo-agent ", env!("CARGO_PKG_VERSION")),
        }));
    }

    /// Says a sentence.
    pub(crate) fn say(&mut self, text: &str) {
        self.assistant(json!({"type": "text", "text": text}), None);
    }

    /// Shows that a tool was used, and what came of it.
    pub(crate) fn tool(&mut self, name: &str, input: Value, result: &str, failed: bool) {
        self.tools += 1;
        let id = format!("demo_{}", self.tools);
        self.assistant(json!({"type": "tool_use", "id": id, "name": name, "input": input}), None);
        if !self.silent {
            print(&json!({
                "type": "user",
                "session_id": self.session,
                "message": {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed},
                ]},
            }));
        }
    }

    /// Ends as the real one does when its API call failed.
    pub(crate) fn api_error(&mut self, error: &str, words: &str) {
        self.silent = false;
        self.assistant(json!({"type": "text", "text": words}), Some(error));
        self.result(words, Some(error));
    }

    /// The last event.
    pub(crate) fn result(&self, words: &str, error: Option<&str>) {
        print(&json!({
            "type": "result",
            "subtype": "success",
            "is_error": error.is_some(),
            "session_id": self.session,
            "result": words,
            "num_turns": self.turns,
            "duration_ms": u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            "total_cost_usd": 0,
            "usage": {
                "input_tokens": 0,
                "output_tokens": 0,
                "cache_read_input_tokens": 0,
                "cache_creation_input_tokens": 0,
            },
        }));
    }

    fn assistant(&mut self, content: Value, error: Option<&str>) {
        self.turns += 1;
        if self.silent {
            return;
        }
        let mut event = json!({
            "type": "assistant",
            "session_id": self.session,
            "message": {"role": "assistant", "model": "none", "content": [content]},
        });
        if let Some(error) = error {
            event["error"] = error.into();
        }
        print(&event);
    }
}

fn print(event: &Value) {
    let mut stdout = std::io::stdout().lock();
    // The reader has gone, so there is no place to report it to.
    let _ = writeln!(stdout, "{event}").and_then(|()| stdout.flush());
}
