//! opencode (`harness_3`): `opencode run --format json`.
//!
//! Its configuration comes through the environment: nothing of it is on disk. Nothing is printed before its first
//! step, and its session cannot be chosen. A failure may be named on stderr alone.

use serde_json::{Value, json};
use svc_api::factory::{Harness, TokenCounts};

use super::reading::{Stderr, number, plain, text, tool_result, tool_use};
use super::{Adapter, Conclusion, Exit, Invocation, Job, Line, Reader, Session, Used};
use crate::failure::{Failure, FailureReason};

/// The adapter.
pub(super) struct Opencode;

impl Adapter for Opencode {
    fn harness(&self) -> Harness {
        Harness::Harness3
    }

    fn invocation(&self, job: &Job<'_>) -> Invocation {
        let mut args: Vec<_> =
            ["run", "--format", "json", "--print-logs", "--log-level", "ERROR"].map(Into::into).into();
        if let Some(model) = job.model {
            args.extend(["-m".into(), model.into()]);
        }
        if let Session::Resume(session) = &job.session {
            args.extend(["-s".into(), session.into()]);
        }
        let configuration = json!({
            "permission": "allow",
            "autoupdate": false,
            "share": "disabled",
            "mcp": {"svc": {
                "type": "remote",
                "url": job.mcp_url,
                "enabled": true,
                "oauth": false,
                "headers": {"Authorization": "Bearer {env:SVC_TOKEN}"},
            }},
        });
        let mut environment: Vec<(&'static str, String)> = [
            "OPENCODE_DISABLE_AUTOUPDATE",
            "OPENCODE_DISABLE_MODELS_FETCH",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS",
            "OPENCODE_DISABLE_LSP_DOWNLOAD",
        ]
        .map(|name| (name, "1".to_owned()))
        .into();
        environment.push(("OPENCODE_CONFIG_CONTENT", configuration.to_string()));
        if !job.trusted {
            // The repository's own could start programs and choose the model's address.
            environment.push(("OPENCODE_DISABLE_PROJECT_CONFIG", "1".to_owned()));
        }
        Invocation { args, environment, ..Invocation::default() }
    }

    fn reader(&self, _job: &Job<'_>) -> Box<dyn Reader> {
        Box::new(Events::default())
    }
}

#[derive(Default)]
struct Events {
    session: Option<String>,
    said: Option<String>,
    tokens: Option<TokenCounts>,
    cost: f64,
    finished: bool,
    error: Option<Value>,
    stderr: Stderr,
}

impl Reader for Events {
    fn stdout(&mut self, line: &str) -> Vec<Line> {
        let Some(event) = super::reading::event(line) else { return plain(line) };
        let mut lines = Vec::new();
        let session = text(&event, "/sessionID");
        if self.session.is_none() && !session.is_empty() {
            self.session = Some(session.to_owned());
            lines.push(Line::event(format!("Session {session}")));
        }
        match text(&event, "/type") {
            "step_start" => self.finished = false,
            "text" => {
                let said = text(&event, "/part/text");
                self.said = Some(said.to_owned()).filter(|said| !said.is_empty());
                lines.extend(plain(said));
            }
            "tool_use" => {
                let state = &event["part"]["state"];
                lines.push(tool_use(text(&event, "/part/tool"), &state["input"]));
                let failed = text(state, "/status") == "error";
                let said = if failed { text(state, "/error") } else { text(state, "/output") };
                lines.extend(tool_result(said, failed));
            }
            "step_finish" => self.step(&event["part"]),
            "error" => {
                lines.push(Line::event(format!("Failed: {}", said_by(&event["error"]))));
                self.error = Some(event["error"].clone());
            }
            _ => {}
        }
        lines
    }

    fn stderr(&mut self, line: &str) {
        self.stderr.push(line);
    }

    fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn is_done(&self) -> bool {
        self.finished || self.error.is_some()
    }

    fn used(&self) -> Used {
        Used { tokens: self.tokens, cost: self.tokens.map(|_| self.cost) }
    }

    fn conclude(&self, exit: Exit) -> Conclusion {
        let Used { tokens, cost } = self.used();
        Conclusion {
            failure: self.failure(exit),
            outcome: self.said.clone(),
            session: self.session.clone(),
            tokens,
            session_tokens: None,
            cost,
        }
    }
}

impl Events {
    /// Each step counts for itself.
    fn step(&mut self, part: &Value) {
        self.finished = text(part, "/reason") != "tool-calls";
        let tokens = self.tokens.get_or_insert_default();
        tokens.input += number(part, "/tokens/input");
        tokens.output += number(part, "/tokens/output") + number(part, "/tokens/reasoning");
        tokens.cache_read += number(part, "/tokens/cache/read");
        tokens.cache_write += number(part, "/tokens/cache/write");
        self.cost += part.pointer("/cost").and_then(Value::as_f64).unwrap_or_default();
    }

    fn failure(&self, exit: Exit) -> Option<Failure> {
        let stderr = self.stderr.all();
        if let Some(error) = &self.error {
            let reason = reason_of(error).or_else(|| reason_of_text(&stderr));
            return Some(Failure::new(reason.unwrap_or(FailureReason::HarnessFailed), said_by(error)));
        }
        if self.finished && exit == Exit::Code(0) {
            return None;
        }
        let reason = reason_of_text(&stderr).unwrap_or(FailureReason::HarnessCrashed);
        Some(Failure::new(reason, self.stderr.without_result(exit)))
    }
}

fn said_by(error: &Value) -> String {
    let said = [text(error, "/data/message"), text(error, "/name")].into_iter().find(|text| !text.is_empty());
    said.unwrap_or("no cause given").to_owned()
}

fn reason_of(error: &Value) -> Option<FailureReason> {
    match error.pointer("/data/statusCode").and_then(Value::as_u64) {
        Some(401 | 403) => return Some(FailureReason::HarnessNotAuthenticated),
        Some(402 | 429) => return Some(FailureReason::HarnessRateLimited),
        Some(404) => return Some(FailureReason::HarnessModelUnavailable),
        Some(408 | 500..=599) => return Some(FailureReason::HarnessTransient),
        _ => {}
    }
    match text(error, "/name") {
        "ProviderAuthError" => Some(FailureReason::HarnessNotAuthenticated),
        _ => reason_of_text(&said_by(error)),
    }
}

fn reason_of_text(said: &str) -> Option<FailureReason> {
    let has = |any: &[&str]| any.iter().any(|part| said.contains(part));
    if has(&["Session not found"]) {
        Some(FailureReason::SessionUnavailable)
    } else if has(&["ProviderAuthError", "API key is missing"]) {
        Some(FailureReason::HarnessNotAuthenticated)
    } else if has(&["ProviderModelNotFoundError", "Model not found"]) {
        Some(FailureReason::HarnessModelUnavailable)
    } else if has(&["Cannot connect to API", "Unable to connect", "ECONNREFUSED", "ConnectionRefused"]) {
        Some(FailureReason::HarnessTransient)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{concluded, job, joined, read, recorded};
    use super::*;

    #[test]
    fn a_fresh_call_and_a_continued_one() {
        let invocation = Opencode.invocation(&job(Session::Fresh("unused".into())));
        assert_eq!(joined(&invocation), "run --format json --print-logs --log-level ERROR -m m-1");
        let resumed = joined(&Opencode.invocation(&job(Session::Resume("ses_1".into()))));
        assert!(resumed.ends_with("-m m-1 -s ses_1"), "{resumed}");
    }

    #[test]
    fn its_configuration_names_the_token_and_is_nowhere_but_in_the_environment() {
        let invocation = Opencode.invocation(&job(Session::Fresh("unused".into())));
        assert_eq!(invocation.mcp_config, None);
        let variable = |name: &str| invocation.environment.iter().find(|(known, _)| *known == name).cloned();
        let configuration: Value =
            serde_json::from_str(&variable("OPENCODE_CONFIG_CONTENT").unwrap().1).unwrap();
        assert_eq!(configuration["mcp"]["svc"]["headers"]["Authorization"], "Bearer {env:SVC_TOKEN}");
        assert!(variable("OPENCODE_DISABLE_PROJECT_CONFIG").is_some());
    }

    #[test]
    fn a_success_reads_as_a_conversation() {
        let (lines, conclusion) =
            read(&Opencode, &job(Session::Fresh("x".into())), recorded!("opencode-ok"), 0);
        insta::assert_snapshot!(lines);
        assert_eq!(conclusion.failure, None);
        assert_eq!(conclusion.session.as_deref(), Some("ses_e02926335ffe0pNu7IIi0PrhIo"));
        let used = TokenCounts { input: 3090, output: 150, cache_read: 600, cache_write: 0 };
        assert_eq!(conclusion.tokens, Some(used));
        assert!((conclusion.cost.unwrap() - 0.00345).abs() < 1e-9);
    }

    #[test]
    fn a_continued_call_counts_for_itself() {
        let (_, conclusion) =
            read(&Opencode, &job(Session::Resume("s".into())), recorded!("opencode-resume"), 0);
        assert_eq!(conclusion.tokens.unwrap().output, 150);
    }

    #[test]
    fn failures_have_their_reasons() {
        let reason = |recorded| concluded(&Opencode, recorded, 1);
        assert_eq!(reason(recorded!("opencode-404model")), FailureReason::HarnessModelUnavailable);
        assert_eq!(reason(recorded!("opencode-429")), FailureReason::HarnessRateLimited);
        assert_eq!(reason(recorded!("opencode-noauth")), FailureReason::HarnessModelUnavailable);
        assert_eq!(reason(recorded!("opencode-resume-missing")), FailureReason::SessionUnavailable);
        assert_eq!(reason(("", "")), FailureReason::HarnessCrashed);
    }

    #[test]
    fn a_call_that_ends_between_two_steps_has_not_succeeded() {
        let ok = recorded!("opencode-ok").0;
        let cut: Vec<&str> = ok.lines().take(4).collect();
        assert_eq!(concluded(&Opencode, (&cut.join("\n"), ""), 0), FailureReason::HarnessCrashed);
        let (_, killed) = read(&Opencode, &job(Session::Fresh("x".into())), (&cut.join("\n"), ""), 143);
        assert_eq!(killed.tokens.unwrap().input, 1030, "what a killed run cost is known");
    }
}
