//! Cursor CLI (`harness_4`): `cursor-agent -p` with stream-json output.
//!
//! Its MCP server comes from a file of the project, which is there for the run alone and names the variables of the
//! run, never their values. Failures are mostly on stderr. An unknown session may be answered with another one: the
//! ids are compared. It may not end after its last word.

use serde_json::{Value, json};
use svc_api::factory::{Harness, TokenCounts};

use super::reading::{Stderr, number, plain, text, tool_result, tool_use};
use super::{Adapter, Conclusion, Exit, Invocation, Job, Line, ProjectFiles, Reader, Session, Used};
use crate::failure::{Failure, FailureReason};

/// The adapter.
pub(super) struct Cursor;

impl Adapter for Cursor {
    fn harness(&self) -> Harness {
        Harness::Harness4
    }

    fn invocation(&self, job: &Job<'_>) -> Invocation {
        let mut args: Vec<_> =
            ["-p", "--output-format", "stream-json", "--force", "--trust", "--approve-mcps"]
                .map(Into::into)
                .into();
        if let Some(model) = job.model {
            args.extend(["--model".into(), model.into()]);
        }
        if let Session::Resume(session) = &job.session {
            args.extend(["--resume".into(), session.into()]);
        }
        let server = json!({"mcpServers": {"svc": {
            "url": job.mcp_url,
            "headers": {"Authorization": "Bearer ${env:SVC_TOKEN}"},
        }}});
        // The repository's own hooks and permissions could run commands.
        let hidden: &[&str] = if job.trusted { &[] } else { &[".cursor/hooks.json", ".cursor/cli.json"] };
        let files = ProjectFiles { path: ".cursor/mcp.json", content: server, hidden };
        Invocation { args, project_files: Some(files), ..Invocation::default() }
    }

    fn reader(&self, job: &Job<'_>) -> Box<dyn Reader> {
        let asked = match &job.session {
            Session::Resume(session) => Some(session.clone()),
            Session::Fresh(_) => None,
        };
        Box::new(Events { asked, ..Events::default() })
    }
}

#[derive(Default)]
struct Events {
    /// The session that was to be resumed.
    asked: Option<String>,
    session: Option<String>,
    result: Option<Value>,
    stderr: Stderr,
}

impl Reader for Events {
    fn stdout(&mut self, line: &str) -> Vec<Line> {
        let Some(event) = super::reading::event(line) else {
            // What it cannot do it says in words, on either stream.
            self.stderr.push(line);
            return plain(line);
        };
        match (text(&event, "/type"), text(&event, "/subtype")) {
            ("system", "init") => {
                self.session = Some(text(&event, "/session_id").to_owned()).filter(|id| !id.is_empty());
                let (session, model) = (text(&event, "/session_id"), text(&event, "/model"));
                vec![Line::event(format!("Session {session} with {model}"))]
            }
            ("assistant", _) => {
                let parts = event.pointer("/message/content").and_then(Value::as_array);
                parts.into_iter().flatten().flat_map(|part| plain(text(part, "/text"))).collect()
            }
            ("tool_call", "started") => {
                call(&event).map(|(name, call)| started(name, call)).into_iter().collect()
            }
            ("tool_call", "completed") => {
                call(&event).and_then(|(_, call)| completed(call)).into_iter().collect()
            }
            ("result", _) => {
                let seconds =
                    event.pointer("/duration_ms").and_then(Value::as_f64).unwrap_or_default() / 1000.0;
                self.result = Some(event);
                vec![Line::event(format!("Ended after {seconds:.1} s"))]
            }
            _ => Vec::new(),
        }
    }

    fn stderr(&mut self, line: &str) {
        self.stderr.push(line);
    }

    fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn is_done(&self) -> bool {
        self.result.is_some()
    }

    fn used(&self) -> Used {
        Used { tokens: self.result.as_ref().and_then(|result| result.get("usage")).map(usage), cost: None }
    }

    fn conclude(&self, exit: Exit) -> Conclusion {
        let result = self.result.as_ref();
        let said = result.map(|result| text(result, "/result")).filter(|said| !said.is_empty());
        Conclusion {
            failure: self.failure(exit),
            outcome: said.map(str::to_owned),
            session: self.session.clone(),
            tokens: self.used().tokens,
            session_tokens: None,
            cost: None,
        }
    }
}

impl Events {
    fn failure(&self, exit: Exit) -> Option<Failure> {
        if let (Some(asked), Some(session)) = (&self.asked, &self.session)
            && asked != session
        {
            let said = format!("session {asked} is gone; started {session} instead");
            return Some(Failure::new(FailureReason::SessionUnavailable, said));
        }
        let Some(result) = &self.result else {
            let stderr = self.stderr.all();
            let reason = reason_of(&stderr).unwrap_or(FailureReason::HarnessCrashed);
            return Some(Failure::new(reason, self.stderr.without_result(exit)));
        };
        let is_error = result.pointer("/is_error").and_then(Value::as_bool).unwrap_or(false);
        if !is_error && text(result, "/subtype") == "success" {
            return None;
        }
        let said = text(result, "/result");
        let reason = reason_of(said).or_else(|| reason_of(&self.stderr.all()));
        Some(Failure::new(reason.unwrap_or(FailureReason::HarnessFailed), said))
    }
}

/// `{"tool_call": {"shellToolCall": {…}}}`: the tool's name and what is said of it.
fn call(event: &Value) -> Option<(&str, &Value)> {
    let (name, call) = event.get("tool_call")?.as_object()?.iter().find(|(_, call)| call.is_object())?;
    Some((name.strip_suffix("ToolCall").unwrap_or(name), call))
}

fn started(name: &str, call: &Value) -> Line {
    let args = call.get("args").unwrap_or(call);
    tool_use(name, args.get("path").filter(|_| args.get("command").is_none()).unwrap_or(args))
}

fn completed(call: &Value) -> Option<Line> {
    let result = call.get("result")?;
    if let Some(failure) = ["error", "failure", "rejected"].into_iter().find_map(|kind| result.get(kind)) {
        let said = [text(failure, "/stderr"), text(failure, "/message"), text(failure, "/reason")];
        let said =
            said.into_iter().find(|said| !said.is_empty()).map_or_else(|| failure.to_string(), str::to_owned);
        return tool_result(&said, true);
    }
    let success = result.get("success")?;
    let said = [text(success, "/stdout"), text(success, "/output"), text(success, "/content")];
    tool_result(said.into_iter().find(|said| !said.is_empty())?, false)
}

/// Recent versions count; older ones do not.
fn usage(usage: &Value) -> TokenCounts {
    TokenCounts {
        input: number(usage, "/inputTokens"),
        output: number(usage, "/outputTokens"),
        cache_read: number(usage, "/cacheReadTokens"),
        cache_write: number(usage, "/cacheWriteTokens"),
    }
}

fn reason_of(said: &str) -> Option<FailureReason> {
    let has = |any: &[&str]| any.iter().any(|part| said.contains(part));
    if has(&["Authentication required", "API key is invalid", "agent login"]) {
        Some(FailureReason::HarnessNotAuthenticated)
    } else if has(&["Cannot use this model", "Named models unavailable"]) {
        Some(FailureReason::HarnessModelUnavailable)
    } else if has(&["hit your usage limit", "resource_exhausted"]) {
        Some(FailureReason::HarnessRateLimited)
    } else if has(&["Failed to reach the Cursor API", "ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT"]) {
        Some(FailureReason::HarnessTransient)
    } else if has(&["Workspace Trust Required"]) {
        Some(FailureReason::HarnessUnavailable)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{concluded, job, joined, read};
    use super::*;

    /// As its documentation shows the events; the program cannot be had where this was written.
    const OK: &str = r#"{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/r","session_id":"c-1","model":"M","permissionMode":"default"}
{"type":"user","message":{"role":"user","content":[{"type":"text","text":"go"}]},"session_id":"c-1"}
{"type":"thinking","subtype":"delta","text":"hm","session_id":"c-1"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I will look."}]},"session_id":"c-1"}
{"type":"tool_call","subtype":"started","call_id":"t1","tool_call":{"shellToolCall":{"args":{"command":"ls"}}},"session_id":"c-1"}
{"type":"tool_call","subtype":"completed","call_id":"t1","tool_call":{"shellToolCall":{"args":{"command":"ls"},"result":{"success":{"exitCode":0,"stdout":"a\nb\n"}}}},"session_id":"c-1"}
{"type":"tool_call","subtype":"started","call_id":"t2","tool_call":{"readToolCall":{"args":{"path":"a"}}},"session_id":"c-1"}
{"type":"tool_call","subtype":"completed","call_id":"t2","tool_call":{"readToolCall":{"args":{"path":"a"},"result":{"error":{"message":"no such file"}}}},"session_id":"c-1"}
{"type":"result","subtype":"success","duration_ms":5234,"is_error":false,"result":"Done.","session_id":"c-1","usage":{"inputTokens":10,"outputTokens":2,"cacheReadTokens":3,"cacheWriteTokens":4}}
"#;

    #[test]
    fn a_fresh_call_and_a_continued_one() {
        let fresh = Cursor.invocation(&job(Session::Fresh("unused".into())));
        assert_eq!(
            joined(&fresh),
            "-p --output-format stream-json --force --trust --approve-mcps --model m-1"
        );
        let resumed = joined(&Cursor.invocation(&job(Session::Resume("c-1".into()))));
        assert!(resumed.ends_with("--model m-1 --resume c-1"), "{resumed}");
    }

    #[test]
    fn its_server_is_in_a_file_of_the_project_that_names_variables() {
        let files = Cursor.invocation(&job(Session::Fresh("s".into()))).project_files.unwrap();
        assert_eq!(files.path, ".cursor/mcp.json");
        assert_eq!(files.content["mcpServers"]["svc"]["headers"]["Authorization"], "Bearer ${env:SVC_TOKEN}");
        assert_eq!(files.hidden, [".cursor/hooks.json", ".cursor/cli.json"]);
    }

    #[test]
    fn a_success_reads_as_a_conversation() {
        let (lines, conclusion) = read(&Cursor, &job(Session::Fresh("x".into())), (OK, ""), 0);
        insta::assert_snapshot!(lines);
        assert_eq!((conclusion.failure, conclusion.session.as_deref()), (None, Some("c-1")));
        let used = TokenCounts { input: 10, output: 2, cache_read: 3, cache_write: 4 };
        assert_eq!((conclusion.tokens, conclusion.cost), (Some(used), None));
    }

    #[test]
    fn another_session_in_the_place_of_the_one_asked_for_is_a_failure() {
        let (_, conclusion) = read(&Cursor, &job(Session::Resume("c-0".into())), (OK, ""), 0);
        assert_eq!(conclusion.failure.unwrap().reason, FailureReason::SessionUnavailable);
        assert_eq!(read(&Cursor, &job(Session::Resume("c-1".into())), (OK, ""), 0).1.failure, None);
    }

    #[test]
    fn failures_have_their_reasons() {
        for (said, reason) in [
            (
                "Error: Authentication required. Please run 'agent login'",
                FailureReason::HarnessNotAuthenticated,
            ),
            ("The provided API key is invalid.", FailureReason::HarnessNotAuthenticated),
            ("Cannot use this model: x. Available models: y", FailureReason::HarnessModelUnavailable),
            ("You've hit your usage limit", FailureReason::HarnessRateLimited),
            ("[resource_exhausted] Error", FailureReason::HarnessRateLimited),
            ("Failed to reach the Cursor API", FailureReason::HarnessTransient),
            ("Segmentation fault", FailureReason::HarnessCrashed),
        ] {
            assert_eq!(concluded(&Cursor, ("", said), 1), reason, "{said}");
        }
    }

    #[test]
    fn it_is_done_with_its_result_although_it_may_not_end() {
        let mut reader = Cursor.reader(&job(Session::Fresh("x".into())));
        OK.lines().for_each(|line| drop(reader.stdout(line)));
        assert!(reader.is_done());
        assert_eq!(reader.conclude(Exit::Signal(15)).failure, None, "stopped after its last word");
    }
}
