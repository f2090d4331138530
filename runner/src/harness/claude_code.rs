//! Claude Code (`harness_1`): `claude -p` with stream-json output.
//!
//! Neither exit code nor `subtype` alone says how a call ended: an API failure is `subtype: "success"` with
//! `is_error: true`. The cause is the `error` of the last assistant line.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_api::factory::{Harness, TokenCounts};

use super::reading::{Stderr, plain, text, tool_result, tool_use};
use super::{Adapter, Conclusion, Exit, Invocation, Job, Line, Reader, Session, Used};
use crate::failure::{Failure, FailureReason};

/// The adapter.
pub(super) struct ClaudeCode;

impl Adapter for ClaudeCode {
    fn harness(&self) -> Harness {
        Harness::Harness1
    }

    fn invocation(&self, job: &Job<'_>) -> Invocation {
        let mut args: Vec<_> =
            ["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"]
                .map(Into::into)
                .into();
        let flag = match job.session {
            Session::Fresh(_) => "--session-id",
            Session::Resume(_) => "--resume",
        };
        args.extend([flag.into(), job.session.id().into()]);
        if let Some(model) = job.model {
            args.extend(["--model".into(), model.into()]);
        }
        if !job.trusted {
            // Settings of the repository could run commands and send the model's key elsewhere.
            args.extend(["--setting-sources".into(), "user".into()]);
        }
        // `--mcp-config` takes several values: it stands last.
        args.extend(["--strict-mcp-config".into(), "--mcp-config".into(), job.mcp_config.into()]);
        let mut environment: Vec<(&'static str, String)> = [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_AUTOUPDATER",
            "DISABLE_TELEMETRY",
            "DISABLE_ERROR_REPORTING",
        ]
        .map(|name| (name, "1".to_owned()))
        .into();
        environment.push(("ENABLE_TOOL_SEARCH", "false".to_owned()));
        if job.root {
            environment.push(("IS_SANDBOX", "1".to_owned()));
        }
        Invocation {
            args,
            environment,
            mcp_config: Some(json!({"mcpServers": {"svc": {
                "type": "http",
                "url": job.mcp_url,
                "headers": {"Authorization": "Bearer ${SVC_TOKEN}"},
            }}})),
            ..Invocation::default()
        }
    }

    fn reader(&self, job: &Job<'_>) -> Box<dyn Reader> {
        Box::new(StreamJson { session: job.session.id().to_owned(), ..StreamJson::default() })
    }
}

#[derive(Default)]
struct StreamJson {
    session: String,
    started: bool,
    result: Option<Value>,
    /// `error` and text of the last assistant line that had one.
    api_error: Option<(String, String)>,
    /// Tokens of each message of the model, by its id. A message may come in several lines.
    used: BTreeMap<String, TokenCounts>,
    /// The last lines of stderr.
    stderr: Stderr,
}

impl Reader for StreamJson {
    fn stdout(&mut self, line: &str) -> Vec<Line> {
        let Some(event) = super::reading::event(line) else {
            return plain(line);
        };
        match text(&event, "/type") {
            "system" => self.system(&event),
            "assistant" => self.assistant(&event),
            "user" => tool_results(&event),
            "result" => self.result(event),
            _ => Vec::new(),
        }
    }

    fn stderr(&mut self, line: &str) {
        self.stderr.push(line);
    }

    fn session(&self) -> Option<&str> {
        self.started.then_some(self.session.as_str())
    }

    fn is_done(&self) -> bool {
        self.result.is_some()
    }

    fn used(&self) -> Used {
        self.result.as_ref().map_or_else(|| Used { tokens: self.tokens_so_far(), cost: None }, usage)
    }

    fn conclude(&self, exit: Exit) -> Conclusion {
        let result = self.result.as_ref();
        let Used { tokens, cost } = self.used();
        let outcome = result.map(|result| text(result, "/result")).filter(|text| !text.is_empty());
        Conclusion {
            failure: self.failure(exit),
            outcome: outcome.map(str::to_owned),
            session: self.started.then(|| self.session.clone()),
            tokens,
            session_tokens: None,
            cost,
        }
    }
}

impl StreamJson {
    /// What a call has used that has not ended: each message of the model says so of itself.
    fn tokens_so_far(&self) -> Option<TokenCounts> {
        let sum = |mut sum: TokenCounts, used: &TokenCounts| {
            sum.input += used.input;
            sum.output += used.output;
            sum.cache_read += used.cache_read;
            sum.cache_write += used.cache_write;
            sum
        };
        (!self.used.is_empty()).then(|| self.used.values().fold(TokenCounts::default(), sum))
    }

    fn system(&mut self, event: &Value) -> Vec<Line> {
        match text(event, "/subtype") {
            "init" => self.init(event),
            "api_retry" => vec![Line::event(format!(
                "The model API {} ({}); attempt {} follows",
                match event.pointer("/error_status").and_then(Value::as_u64) {
                    Some(status) => format!("answered {status}"),
                    None => "did not answer".to_owned(),
                },
                text(event, "/error"),
                event.pointer("/attempt").and_then(Value::as_u64).unwrap_or_default() + 1,
            ))],
            _ => Vec::new(),
        }
    }

    fn init(&mut self, event: &Value) -> Vec<Line> {
        self.started = true;
        let session = text(event, "/session_id");
        if !session.is_empty() {
            session.clone_into(&mut self.session);
        }
        let mut lines = vec![Line::event(format!(
            "Session {} with {}, version {}",
            self.session,
            text(event, "/model"),
            text(event, "/claude_code_version")
        ))];
        let servers = event.pointer("/mcp_servers").and_then(Value::as_array);
        for server in servers.into_iter().flatten().filter(|server| text(server, "/status") != "connected") {
            lines.push(Line::event(format!(
                "MCP server {} is not connected: {}",
                text(server, "/name"),
                text(server, "/status")
            )));
        }
        lines
    }

    fn assistant(&mut self, event: &Value) -> Vec<Line> {
        let lines: Vec<Line> = blocks(event)
            .filter_map(|block| match text(block, "/type") {
                "text" => Some(Line::agent(text(block, "/text"))),
                "tool_use" => Some(tool_use(text(block, "/name"), &block["input"])),
                _ => None,
            })
            .filter(|line| !line.text.trim().is_empty())
            .collect();
        if let Some(used) = event.pointer("/message/usage") {
            self.used.insert(text(event, "/message/id").to_owned(), counted(used));
        }
        let error = text(event, "/error");
        if !error.is_empty() {
            let said = lines.first().map_or_else(String::new, |line| line.text.clone());
            self.api_error = Some((error.to_owned(), said));
        }
        lines
    }

    fn result(&mut self, event: Value) -> Vec<Line> {
        let seconds = event.pointer("/duration_ms").and_then(Value::as_f64).unwrap_or_default() / 1000.0;
        let turns = event.pointer("/num_turns").and_then(Value::as_u64).unwrap_or_default();
        let Used { tokens, cost } = usage(&event);
        let tokens = tokens.unwrap_or_default();
        let line = Line::event(format!(
            "Ended after {seconds:.1} s and {turns} turns: {} tokens in, {} out, {:.4} $",
            tokens.input,
            tokens.output,
            cost.unwrap_or_default()
        ));
        self.result = Some(event);
        vec![line]
    }

    fn failure(&self, exit: Exit) -> Option<Failure> {
        let Some(result) = &self.result else {
            return Some(self.without_result(exit));
        };
        let is_error = result.pointer("/is_error").and_then(Value::as_bool).unwrap_or(false);
        if !is_error && text(result, "/subtype") == "success" {
            return None;
        }
        let errors: Vec<&str> = result
            .pointer("/errors")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if errors.iter().any(|error| error.contains("No conversation found")) {
            return Some(Failure::new(FailureReason::SessionUnavailable, errors.join("; ")));
        }
        if let Some((error, said)) = &self.api_error {
            return Some(Failure::new(reason_of(error, said), said.clone()));
        }
        let mut said = [text(result, "/result"), &errors.join("; "), text(result, "/subtype")]
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or("no cause given")
            .to_owned();
        if text(result, "/subtype") == "error_max_turns" {
            said = "it used up its turns".to_owned();
        }
        let status = result.pointer("/api_error_status").and_then(Value::as_u64);
        let reason = status.and_then(reason_of_status).or_else(|| reason_of_text(&said));
        // It worked to its end and said that it failed.
        Some(Failure::new(reason.unwrap_or(FailureReason::HarnessFailed), said))
    }

    fn without_result(&self, exit: Exit) -> Failure {
        let reason = reason_of_text(&self.stderr.all()).unwrap_or(FailureReason::HarnessCrashed);
        Failure::new(reason, self.stderr.without_result(exit))
    }
}

fn reason_of(error: &str, said: &str) -> FailureReason {
    match error {
        "authentication_failed" => FailureReason::HarnessNotAuthenticated,
        "rate_limit" | "billing_error" => FailureReason::HarnessRateLimited,
        "server_error" => FailureReason::HarnessTransient,
        "model_not_found" => FailureReason::HarnessModelUnavailable,
        _ => reason_of_text(said).unwrap_or(FailureReason::HarnessFailed),
    }
}

fn reason_of_status(status: u64) -> Option<FailureReason> {
    match status {
        401 | 403 => Some(FailureReason::HarnessNotAuthenticated),
        429 => Some(FailureReason::HarnessRateLimited),
        404 => Some(FailureReason::HarnessModelUnavailable),
        500..=599 => Some(FailureReason::HarnessTransient),
        _ => None,
    }
}

/// For what comes without a machine-readable cause.
fn reason_of_text(said: &str) -> Option<FailureReason> {
    let has = |any: &[&str]| any.iter().any(|part| said.contains(part));
    if has(&["No conversation found"]) {
        Some(FailureReason::SessionUnavailable)
    } else if has(&["Please run /login", "Invalid API key", "OAuth token revoked"]) {
        Some(FailureReason::HarnessNotAuthenticated)
    } else if has(&["hit your session limit", "Credit balance is too low", "rate limit"]) {
        Some(FailureReason::HarnessRateLimited)
    } else if has(&["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "Overloaded"]) {
        Some(FailureReason::HarnessTransient)
    } else {
        None
    }
}

/// Tokens and cost of this call alone: the totals go on counting when a session is resumed.
fn usage(result: &Value) -> Used {
    if let Some(models) = result.pointer("/model_usage_since_last_result").and_then(Value::as_object) {
        let sum = |field: &str| models.values().filter_map(|model| model.get(field)?.as_u64()).sum();
        let tokens = TokenCounts {
            input: sum("inputTokens"),
            output: sum("outputTokens"),
            cache_read: sum("cacheReadInputTokens"),
            cache_write: sum("cacheCreationInputTokens"),
        };
        let cost = models.values().filter_map(|model| model.get("costUSD")?.as_f64()).fold(0.0, |a, b| a + b);
        return Used { tokens: Some(tokens), cost: Some(cost) };
    }
    let cost = result.get("total_cost_usd").and_then(Value::as_f64);
    Used { tokens: result.get("usage").map(counted), cost }
}

fn counted(usage: &Value) -> TokenCounts {
    let count = |field: &str| usage.get(field).and_then(Value::as_u64).unwrap_or_default();
    TokenCounts {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
    }
}

fn tool_results(event: &Value) -> Vec<Line> {
    blocks(event)
        .filter(|block| text(block, "/type") == "tool_result")
        .filter_map(|block| {
            let content = match block.get("content")? {
                Value::String(content) => content.clone(),
                Value::Array(parts) => {
                    parts.iter().map(|part| text(part, "/text")).collect::<Vec<_>>().join("\n")
                }
                _ => return None,
            };
            let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
            tool_result(&content, failed)
        })
        .collect()
}

fn blocks(event: &Value) -> impl Iterator<Item = &Value> {
    event.pointer("/message/content").and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests;
