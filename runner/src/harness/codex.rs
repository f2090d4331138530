//! Codex CLI (`harness_2`): `codex exec --json`.
//!
//! The session is its thread, named by the first event and never chosen. Token counts are those of the whole
//! thread: what earlier calls used is subtracted. It names no cost.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;
use svc_api::factory::{Harness, TokenCounts};

use super::reading::{Stderr, number, plain, text, tool_result, tool_use};
use super::{Adapter, Conclusion, Exit, Invocation, Job, Line, Reader, Session, Used, since};
use crate::failure::{Failure, FailureReason};

/// The adapter.
pub(super) struct Codex;

impl Adapter for Codex {
    fn harness(&self) -> Harness {
        Harness::Harness2
    }

    fn invocation(&self, job: &Job<'_>) -> Invocation {
        let mut args: Vec<OsString> = vec!["exec".into()];
        if matches!(job.session, Session::Resume(_)) {
            args.push("resume".into());
        }
        // The sandbox of its own cannot commit in a worktree, and would cancel calls of MCP tools.
        args.extend(["--json".into(), "--dangerously-bypass-approvals-and-sandbox".into()]);
        if let Some(model) = job.model {
            args.extend(["-m".into(), model.into()]);
        }
        let mut settings = vec![
            format!("mcp_servers.svc={{url={},bearer_token_env_var=\"SVC_TOKEN\"}}", quoted(job.mcp_url)),
            // Else tools would be started without the variables whose names end with TOKEN.
            "shell_environment_policy.inherit=\"all\"".to_owned(),
            "shell_environment_policy.ignore_default_excludes=true".to_owned(),
            "analytics.enabled=false".to_owned(),
            "check_for_update_on_startup=false".to_owned(),
            "features.plugins=false".to_owned(),
            "features.apps=false".to_owned(),
            // A network that is down ends the run, which is continued later, rather than holding it for hours.
            "features.unbounded_connection_retries=false".to_owned(),
        ];
        if !job.trusted {
            settings.push(untrusted(job.checkouts));
        }
        args.extend(settings.into_iter().flat_map(|setting| [OsString::from("-c"), setting.into()]));
        if let Session::Resume(thread) = &job.session {
            args.push(thread.into());
        }
        args.push("-".into());
        Invocation { args, ..Invocation::default() }
    }

    fn reader(&self, job: &Job<'_>) -> Box<dyn Reader> {
        Box::new(Events {
            resumed: matches!(job.session, Session::Resume(_)),
            earlier: job.earlier_tokens,
            ..Events::default()
        })
    }
}

/// Takes the repository's own `.codex` out of account: it could name commands and addresses.
fn untrusted(checkouts: &[&Path]) -> String {
    let project = |path: &&Path| format!("{}={{trust_level=\"untrusted\"}}", quoted(&path.to_string_lossy()));
    let projects: Vec<String> = checkouts.iter().map(project).collect();
    format!("projects={{{}}}", projects.join(","))
}

/// A TOML string.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[derive(Default)]
struct Events {
    thread: Option<String>,
    resumed: bool,
    /// Tokens that the thread had used before this call.
    earlier: Option<TokenCounts>,
    total: Option<TokenCounts>,
    completed: bool,
    failed: Option<String>,
    said: Option<String>,
    stderr: Stderr,
}

impl Reader for Events {
    fn stdout(&mut self, line: &str) -> Vec<Line> {
        let Some(event) = super::reading::event(line) else { return plain(line) };
        match text(&event, "/type") {
            "thread.started" => {
                self.thread = Some(text(&event, "/thread_id").to_owned()).filter(|id| !id.is_empty());
                vec![Line::event(format!("Session {}", text(&event, "/thread_id")))]
            }
            "turn.started" => {
                self.completed = false;
                Vec::new()
            }
            "item.started" => started(&event["item"]).into_iter().collect(),
            "item.completed" => self.item(&event["item"]),
            "turn.completed" => self.turn(&event),
            "turn.failed" => {
                self.failed = Some(text(&event, "/error/message").to_owned());
                vec![Line::event(format!("Failed: {}", text(&event, "/error/message")))]
            }
            "error" => vec![Line::event(text(&event, "/message"))],
            _ => Vec::new(),
        }
    }

    fn stderr(&mut self, line: &str) {
        self.stderr.push(line);
    }

    fn session(&self) -> Option<&str> {
        self.thread.as_deref()
    }

    fn is_done(&self) -> bool {
        self.completed || self.failed.is_some()
    }

    fn used(&self) -> Used {
        let tokens = self.total.and_then(|total| since(total, self.earlier, self.resumed));
        Used { tokens, cost: None }
    }

    fn conclude(&self, exit: Exit) -> Conclusion {
        Conclusion {
            failure: self.failure(exit),
            outcome: self.said.clone(),
            session: self.thread.clone(),
            tokens: self.used().tokens,
            session_tokens: self.total,
            cost: None,
        }
    }
}

impl Events {
    fn item(&mut self, item: &Value) -> Vec<Line> {
        match text(item, "/type") {
            "agent_message" => {
                let said = text(item, "/text");
                self.said = Some(said.to_owned()).filter(|said| !said.is_empty());
                plain(said)
            }
            "command_execution" => {
                let code = item.pointer("/exit_code").and_then(Value::as_i64);
                let mut lines: Vec<Line> =
                    tool_result(text(item, "/aggregated_output"), code.is_some_and(|code| code != 0))
                        .into_iter()
                        .collect();
                if let Some(code) = code.filter(|code| *code != 0) {
                    lines.push(Line::agent(format!("  exit code {code}")));
                }
                lines
            }
            "mcp_tool_call" => {
                let error = text(item, "/error/message");
                let content = item.pointer("/result/content").and_then(Value::as_array);
                let said: Vec<&str> = content.into_iter().flatten().map(|part| text(part, "/text")).collect();
                let failed = !error.is_empty();
                tool_result(if failed { error.to_owned() } else { said.join("\n") }.as_str(), failed)
                    .into_iter()
                    .collect()
            }
            "file_change" => {
                let changes = item.pointer("/changes").and_then(Value::as_array);
                let change =
                    |change: &Value| format!("→ {} {}", text(change, "/kind"), text(change, "/path"));
                changes.into_iter().flatten().map(change).map(Line::agent).collect()
            }
            "web_search" => vec![tool_use("web search", &item["query"])],
            "error" => vec![Line::event(text(item, "/message"))],
            _ => Vec::new(),
        }
    }

    fn turn(&mut self, event: &Value) -> Vec<Line> {
        self.completed = true;
        let cached = number(event, "/usage/cached_input_tokens");
        let written = number(event, "/usage/cache_write_input_tokens");
        let total = TokenCounts {
            input: number(event, "/usage/input_tokens").saturating_sub(cached).saturating_sub(written),
            output: number(event, "/usage/output_tokens"),
            cache_read: cached,
            cache_write: written,
        };
        self.total = Some(total);
        let used = since(total, self.earlier, self.resumed).unwrap_or_default();
        vec![Line::event(format!("Ended: {} tokens in, {} out", used.input, used.output))]
    }

    fn failure(&self, exit: Exit) -> Option<Failure> {
        if let Some(said) = &self.failed {
            return Some(Failure::new(reason_of(said).unwrap_or(FailureReason::HarnessFailed), said.clone()));
        }
        if self.completed && exit == Exit::Code(0) {
            return None;
        }
        let reason = reason_of(&self.stderr.all()).unwrap_or(FailureReason::HarnessCrashed);
        Some(Failure::new(reason, self.stderr.without_result(exit)))
    }
}

fn started(item: &Value) -> Option<Line> {
    match text(item, "/type") {
        "command_execution" => Some(tool_use("shell", item)),
        "mcp_tool_call" => {
            let name = format!("{}.{}", text(item, "/server"), text(item, "/tool"));
            Some(tool_use(&name, &item["arguments"]))
        }
        _ => None,
    }
}

fn reason_of(said: &str) -> Option<FailureReason> {
    let said = said.replace('\u{2019}', "'").to_lowercase();
    let has = |any: &[&str]| any.iter().any(|part| said.contains(part));
    if has(&["no rollout found for thread id"]) {
        Some(FailureReason::SessionUnavailable)
    } else if has(&["401 unauthorized", "missing environment variable", "missing bearer", "not logged in"]) {
        Some(FailureReason::HarnessNotAuthenticated)
    } else if has(&["429 too many requests", "hit your usage limit", "quota exceeded", "rate limit reached"])
    {
        Some(FailureReason::HarnessRateLimited)
    } else if has(&["does not exist or you do not have access", "model is not supported"]) {
        Some(FailureReason::HarnessModelUnavailable)
    } else if has(&[
        "at capacity",
        "experiencing high demand",
        "unexpected status 5",
        "status 529",
        "stream disconnected before completion",
        "connection failed",
        "error sending request",
    ]) {
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
        let checkouts = [Path::new("/run/repo")];
        let fresh = Job { checkouts: &checkouts, ..job(Session::Fresh("unused".into())) };
        let fresh = joined(&Codex.invocation(&fresh));
        assert!(
            fresh.starts_with("exec --json --dangerously-bypass-approvals-and-sandbox -m m-1 -c mcp_servers.svc={url=\"http://i/mcp\",bearer_token_env_var=\"SVC_TOKEN\"}"),
            "{fresh}"
        );
        assert!(
            fresh.ends_with(" -") && fresh.contains("\"/run/repo\"={trust_level=\"untrusted\"}"),
            "{fresh}"
        );
        let resumed = joined(&Codex.invocation(&job(Session::Resume("t-1".into()))));
        assert!(resumed.starts_with("exec resume --json") && resumed.ends_with(" t-1 -"), "{resumed}");
        let mut trusted = job(Session::Fresh("unused".into()));
        trusted.trusted = true;
        assert!(!joined(&Codex.invocation(&trusted)).contains("untrusted"));
    }

    #[test]
    fn a_success_reads_as_a_conversation() {
        let (lines, conclusion) = read(&Codex, &job(Session::Fresh("x".into())), recorded!("codex-ok"), 0);
        insta::assert_snapshot!(lines);
        assert_eq!((conclusion.failure, conclusion.cost), (None, None));
        assert_eq!(conclusion.session.as_deref(), Some("01a1fd64-1782-7143-9873-d6153225ffea"));
        assert_eq!(
            conclusion.outcome.as_deref(),
            Some("Done. Opened https://example.invalid/acme/repo/pull/7")
        );
        let used = TokenCounts { input: 3090, output: 150, cache_read: 600, cache_write: 0 };
        assert_eq!((conclusion.tokens, conclusion.session_tokens), (Some(used), Some(used)));
    }

    #[test]
    fn a_continued_call_used_what_the_thread_had_not_before() {
        let mut resume = job(Session::Resume("t".into()));
        assert_eq!(read(&Codex, &resume, recorded!("codex-resume"), 0).1.tokens, None, "not known");
        resume.earlier_tokens =
            Some(TokenCounts { input: 3090, output: 150, cache_read: 600, cache_write: 0 });
        let used = TokenCounts { input: 1030, output: 50, cache_read: 200, cache_write: 0 };
        assert_eq!(read(&Codex, &resume, recorded!("codex-resume"), 0).1.tokens, Some(used));
    }

    #[test]
    fn failures_have_their_reasons() {
        let reason = |recorded| concluded(&Codex, recorded, 1);
        assert_eq!(reason(recorded!("codex-404model")), FailureReason::HarnessModelUnavailable);
        assert_eq!(reason(recorded!("codex-429")), FailureReason::HarnessRateLimited);
        assert_eq!(reason(recorded!("codex-529")), FailureReason::HarnessTransient);
        assert_eq!(reason(recorded!("codex-noauth")), FailureReason::HarnessNotAuthenticated);
        assert_eq!(reason(recorded!("codex-resume-missing")), FailureReason::SessionUnavailable);
        assert_eq!(reason(("", "")), FailureReason::HarnessCrashed);
        assert_eq!(reason_of("You\u{2019}ve hit your usage limit"), Some(FailureReason::HarnessRateLimited));
    }

    #[test]
    fn success_needs_a_completed_turn_and_a_good_exit() {
        let ok = recorded!("codex-ok").0;
        let cut = ok.rsplit_once("{\"type\":\"turn.completed\"").unwrap().0;
        assert_eq!(concluded(&Codex, (cut, ""), 0), FailureReason::HarnessCrashed);
        assert_eq!(concluded(&Codex, (ok, ""), 3), FailureReason::HarnessCrashed);
    }
}
