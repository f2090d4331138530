//! GitHub Copilot CLI (`harness_5`): `copilot --output-format json`.
//!
//! The session is chosen up front. Tokens are read from the usage file after its end; they are those of the whole
//! session, so what earlier calls used is subtracted. Its own sign-in counts: `GH_TOKEN` of a run is for the
//! repository, and would be taken for it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use serde_json::{Value, json};
use svc_api::factory::{Harness, TokenCounts};

use super::reading::{self, Stderr, number, text, tool_result, tool_use};
use super::{Adapter, Conclusion, Exit, Invocation, Job, Line, Reader, Session, Used, since};
use crate::failure::{Failure, FailureReason};
use crate::plain;

/// Bytes of the largest usage file.
const LARGEST_USAGE: u64 = 1024 * 1024;

/// The adapter.
pub(super) struct Copilot;

impl Adapter for Copilot {
    fn harness(&self) -> Harness {
        Harness::Harness5
    }

    fn invocation(&self, job: &Job<'_>) -> Invocation {
        let mut args: Vec<OsString> =
            ["--output-format", "json", "--allow-all", "--no-ask-user", "--no-auto-update", "--no-color"]
                .map(Into::into)
                .into();
        match &job.session {
            Session::Fresh(id) => args.extend(["--session-id".into(), id.into()]),
            // `--session-id` would begin a new session where there is none of this id.
            Session::Resume(id) => args.push(format!("--resume={id}").into()),
        }
        let mut config = OsString::from("@");
        config.push(job.mcp_config);
        args.extend(["--additional-mcp-config".into(), config]);
        args.extend(["--usage-output-file".into(), job.usage_file.into()]);
        if let Some(model) = job.model {
            args.extend(["--model".into(), model.into()]);
        }
        if job.trusted {
            args.push("--trust-folder".into());
        }
        Invocation {
            args,
            mcp_config: Some(json!({"mcpServers": {"svc": {
                "type": "http",
                "url": job.mcp_url,
                "headers": {"Authorization": "Bearer ${SVC_TOKEN}"},
                "tools": ["*"],
            }}})),
            ..Invocation::default()
        }
    }

    fn environment(&self, environment: &mut BTreeMap<OsString, OsString>, inherited: Option<&OsStr>) {
        for name in ["GH_TOKEN", "GITHUB_TOKEN"] {
            environment.remove(OsStr::new(name));
        }
        // A classic token is refused, and would stand in the way of the sign-in.
        let usable = inherited.filter(|token| !token.to_string_lossy().starts_with("ghp_"));
        if let Some(token) = usable {
            environment.entry("COPILOT_GITHUB_TOKEN".into()).or_insert_with(|| token.to_owned());
        }
    }

    fn reader(&self, job: &Job<'_>) -> Box<dyn Reader> {
        Box::new(Events {
            session: job.session.id().to_owned(),
            resumed: matches!(job.session, Session::Resume(_)),
            usage_file: job.usage_file.to_owned(),
            earlier: job.earlier_tokens,
            ..Events::default()
        })
    }
}

#[derive(Default)]
struct Events {
    session: String,
    begun: bool,
    resumed: bool,
    usage_file: PathBuf,
    earlier: Option<TokenCounts>,
    said: Option<String>,
    error: Option<Value>,
    ended: Option<i64>,
    stderr: Stderr,
}

impl Reader for Events {
    fn stdout(&mut self, line: &str) -> Vec<Line> {
        let Some(event) = super::reading::event(line) else { return reading::plain(line) };
        let data = &event["data"];
        match text(&event, "/type") {
            "session.mcp_servers_loaded" => servers(data),
            "user.message" => {
                let first = !std::mem::replace(&mut self.begun, true);
                first.then(|| Line::event(format!("Session {}", self.session))).into_iter().collect()
            }
            "assistant.message" => {
                let said = text(data, "/content");
                if !said.is_empty() {
                    self.said = Some(said.to_owned());
                }
                reading::plain(said)
            }
            "tool.execution_start" => vec![tool_use(text(data, "/toolName"), &data["arguments"])],
            "tool.execution_complete" => {
                let failed = data.pointer("/success") == Some(&Value::Bool(false));
                let said = [text(data, "/result/content"), text(data, "/error/message")];
                let said = said.into_iter().find(|said| !said.is_empty()).unwrap_or_default();
                tool_result(said, failed).into_iter().collect()
            }
            "assistant.turn_retry" => {
                vec![Line::event(format!(
                    "The model API did not answer ({}); trying again",
                    text(data, "/reason")
                ))]
            }
            "session.error" => {
                self.error = Some(data.clone());
                vec![Line::event(format!("Failed: {}", text(data, "/message")))]
            }
            "result" => {
                let session = text(&event, "/sessionId");
                if self.begun && !session.is_empty() {
                    session.clone_into(&mut self.session);
                }
                self.ended = Some(event.pointer("/exitCode").and_then(Value::as_i64).unwrap_or(-1));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn stderr(&mut self, line: &str) {
        self.stderr.push(line);
    }

    fn session(&self) -> Option<&str> {
        self.begun.then_some(self.session.as_str())
    }

    fn is_done(&self) -> bool {
        self.ended.is_some()
    }

    fn used(&self) -> Used {
        Used { tokens: self.total().and_then(|total| since(total, self.earlier, self.resumed)), cost: None }
    }

    fn conclude(&self, exit: Exit) -> Conclusion {
        Conclusion {
            failure: self.failure(exit),
            outcome: self.said.clone(),
            session: self.session().map(str::to_owned),
            tokens: self.used().tokens,
            session_tokens: self.total(),
            cost: None,
        }
    }
}

impl Events {
    /// The tokens of the session, as its usage file says.
    fn total(&self) -> Option<TokenCounts> {
        let usage: Value =
            serde_json::from_slice(&plain::read(&self.usage_file, LARGEST_USAGE).ok()?).ok()?;
        let mut total = TokenCounts::default();
        for model in usage.get("modelMetrics")?.as_object()?.values() {
            let (read, written) =
                (number(model, "/usage/cacheReadTokens"), number(model, "/usage/cacheWriteTokens"));
            total.input += number(model, "/usage/inputTokens").saturating_sub(read).saturating_sub(written);
            total.output += number(model, "/usage/outputTokens");
            total.cache_read += read;
            total.cache_write += written;
        }
        Some(total)
    }

    fn failure(&self, exit: Exit) -> Option<Failure> {
        if self.ended == Some(0) && exit == Exit::Code(0) {
            return None;
        }
        if let Some(error) = &self.error {
            let said = text(error, "/message");
            return Some(Failure::new(reason_of(error).unwrap_or(FailureReason::HarnessFailed), said));
        }
        let stderr = self.stderr.all();
        if let Some(reason) = reason_of_text(&stderr) {
            return Some(Failure::new(reason, stderr.trim()));
        }
        Some(Failure::new(FailureReason::HarnessCrashed, self.stderr.without_result(exit)))
    }
}

/// Servers that tools cannot be called on. A wrong token is told here and nowhere else.
fn servers(data: &Value) -> Vec<Line> {
    let servers = data.pointer("/servers").and_then(Value::as_array).into_iter().flatten();
    let broken = servers.filter(|server| text(server, "/status") != "connected");
    broken
        .map(|server| {
            let (name, status) = (text(server, "/name"), text(server, "/status"));
            Line::event(format!("MCP server {name} is not connected: {status}"))
        })
        .collect()
}

fn reason_of(error: &Value) -> Option<FailureReason> {
    match (text(error, "/errorType"), error.pointer("/statusCode").and_then(Value::as_u64)) {
        ("authentication", _) | (_, Some(401 | 403)) => Some(FailureReason::HarnessNotAuthenticated),
        ("rate_limit" | "quota", _) | (_, Some(402 | 429)) => Some(FailureReason::HarnessRateLimited),
        (_, Some(404)) => Some(FailureReason::HarnessModelUnavailable),
        (_, Some(408 | 500..=599)) => Some(FailureReason::HarnessTransient),
        ("query", None) => Some(FailureReason::HarnessTransient),
        _ => reason_of_text(text(error, "/message")),
    }
}

fn reason_of_text(said: &str) -> Option<FailureReason> {
    let has = |any: &[&str]| any.iter().any(|part| said.contains(part));
    if has(&["No session, task, or name matched"]) {
        Some(FailureReason::SessionUnavailable)
    } else if has(&["token found but could not be validated", "network fetch failed", "Could not connect"]) {
        Some(FailureReason::HarnessTransient)
    } else if has(&["No authentication information found", "Classic Personal Access Tokens"]) {
        Some(FailureReason::HarnessNotAuthenticated)
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
        assert_eq!(
            joined(&Copilot.invocation(&job(Session::Fresh("s-1".into())))),
            "--output-format json --allow-all --no-ask-user --no-auto-update --no-color --session-id s-1 \
             --additional-mcp-config @/run/mcp.json --usage-output-file /run/usage.json --model m-1"
        );
        let resumed = joined(&Copilot.invocation(&job(Session::Resume("s-1".into()))));
        assert!(resumed.contains("--resume=s-1") && !resumed.contains("--session-id"), "{resumed}");
    }

    #[test]
    fn the_mcp_configuration_names_the_token_and_never_holds_it() {
        let config = Copilot.invocation(&job(Session::Fresh("s".into()))).mcp_config.unwrap();
        assert_eq!(config["mcpServers"]["svc"]["headers"]["Authorization"], "Bearer ${SVC_TOKEN}");
    }

    #[test]
    fn the_repositorys_token_is_not_taken_for_the_sign_in() {
        let mut environment: BTreeMap<OsString, OsString> = BTreeMap::new();
        environment.insert("GH_TOKEN".into(), "ghs_of-the-run".into());
        let given = |environment: &BTreeMap<OsString, OsString>| {
            let value = |name: &str| {
                environment.get(OsStr::new(name)).map(|value| value.to_str().unwrap().to_owned())
            };
            (value("GH_TOKEN"), value("COPILOT_GITHUB_TOKEN"))
        };
        Copilot.environment(&mut environment, Some(OsStr::new("ghp_classic")));
        assert_eq!(given(&environment), (None, None));
        Copilot.environment(&mut environment, Some(OsStr::new("github_pat_x")));
        assert_eq!(given(&environment), (None, Some("github_pat_x".to_owned())));
    }

    fn with_usage(session: Session, usage: &str) -> (tempfile::TempDir, PathBuf, Session) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("usage.json");
        std::fs::write(&file, usage).unwrap();
        (directory, file, session)
    }

    #[test]
    fn a_success_reads_as_a_conversation() {
        let usage = include_str!("../../tests/fixtures/copilot-ok.usage.json");
        let (_directory, file, session) = with_usage(Session::Fresh("x".into()), usage);
        let job = Job { usage_file: &file, ..job(session) };
        let (lines, conclusion) = read(&Copilot, &job, recorded!("copilot-ok"), 0);
        insta::assert_snapshot!(lines);
        assert_eq!(conclusion.failure, None);
        assert_eq!(conclusion.session.as_deref(), Some("bbbbbbbb-0000-4000-8000-000000000001"));
        let used = TokenCounts { input: 3090, output: 150, cache_read: 600, cache_write: 0 };
        assert_eq!(conclusion.tokens, Some(used));
    }

    /// The directory of the file is the agent's to write.
    #[test]
    fn what_is_no_file_in_the_place_of_the_usage_says_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("usage.json");
        crate::testing::pipe(&file);
        let job = Job { usage_file: &file, ..job(Session::Fresh("x".into())) };
        assert_eq!(read(&Copilot, &job, recorded!("copilot-ok"), 0).1.tokens, None);
    }

    #[test]
    fn a_continued_call_used_what_the_session_had_not_before() {
        let usage = include_str!("../../tests/fixtures/copilot-resume.usage.json");
        let (_directory, file, session) = with_usage(Session::Resume("x".into()), usage);
        let used = TokenCounts { input: 3090, output: 150, cache_read: 600, cache_write: 0 };
        let job = Job { usage_file: &file, earlier_tokens: Some(used), ..job(session) };
        assert_eq!(read(&Copilot, &job, recorded!("copilot-resume"), 0).1.tokens, Some(used));
    }

    #[test]
    fn failures_have_their_reasons() {
        let reason = |recorded| concluded(&Copilot, recorded, 1);
        assert_eq!(reason(recorded!("copilot-404model")), FailureReason::HarnessModelUnavailable);
        assert_eq!(reason(recorded!("copilot-429")), FailureReason::HarnessRateLimited);
        assert_eq!(reason(recorded!("copilot-noauth")), FailureReason::HarnessNotAuthenticated);
        assert_eq!(reason(recorded!("copilot-resume-missing")), FailureReason::SessionUnavailable);
        assert_eq!(reason(("", "")), FailureReason::HarnessCrashed);
    }

    #[test]
    fn a_session_that_never_began_cannot_be_resumed() {
        let job = job(Session::Fresh("x".into()));
        assert_eq!(read(&Copilot, &job, recorded!("copilot-noauth"), 1).1.session, None);
    }
}
