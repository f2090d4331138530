//! Against recorded outputs.

use super::super::testing::job;
use super::*;

fn read(stdout: &str, stderr: &str, code: i32) -> (Vec<Line>, Conclusion) {
    let mut reader = ClaudeCode.reader(&job(Session::Fresh("chosen".into())));
    let lines = stdout.lines().flat_map(|line| reader.stdout(line)).collect();
    stderr.lines().for_each(|line| reader.stderr(line));
    (lines, reader.conclude(Exit::Code(code)))
}

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!("../../../tests/fixtures/claude-", $name, ".jsonl"))
    };
}

fn reason(stdout: &str, stderr: &str, code: i32) -> FailureReason {
    read(stdout, stderr, code).1.failure.unwrap().reason
}

#[test]
fn a_fresh_call_chooses_its_session_and_a_continued_one_resumes_it() {
    let args = |session| {
        let invocation = ClaudeCode.invocation(&job(session));
        invocation.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        args(Session::Fresh("s".into())),
        "-p --output-format stream-json --verbose --dangerously-skip-permissions --session-id s --model m-1 \
         --setting-sources user --strict-mcp-config --mcp-config /run/mcp.json"
    );
    assert!(args(Session::Resume("s".into())).contains("--resume s --model"));
}

#[test]
fn the_mcp_configuration_names_the_token_and_never_holds_it() {
    let config = ClaudeCode.invocation(&job(Session::Fresh("s".into()))).mcp_config.unwrap();
    assert_eq!(config["mcpServers"]["svc"]["headers"]["Authorization"], "Bearer ${SVC_TOKEN}");
}

#[test]
fn a_success_reads_as_a_conversation() {
    let (lines, conclusion) = read(recorded!("ok"), "", 0);
    let texts: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    assert_eq!(
        texts,
        [
            "Session 11111111-1111-4111-8111-111111111111 with claude-sonnet-4-5, version 2.1.329",
            "I will run one command.",
            "→ Bash: echo hello >> fake.txt && git add fake.txt && git commit -qm 'fake: add file' && echo \
         https://example.invalid/acme/repo/pull/7",
            "  https://example.invalid/acme/repo/pull/7",
            "Done. Opened https://example.invalid/acme/repo/pull/7",
            "Ended after 0.5 s and 2 turns: 2000 tokens in, 100 out, 0.0078 $",
        ]
    );
    assert_eq!(
        conclusion,
        Conclusion {
            failure: None,
            outcome: Some("Done. Opened https://example.invalid/acme/repo/pull/7".into()),
            session: Some("11111111-1111-4111-8111-111111111111".into()),
            tokens: Some(TokenCounts { input: 2000, output: 100, cache_read: 400, cache_write: 60 }),
            session_tokens: None,
            cost: Some(0.007_845),
        }
    );
}

#[test]
fn a_resumed_session_counts_only_what_this_call_used() {
    let (_, conclusion) = read(recorded!("resume"), "", 0);
    assert_eq!(conclusion.cost, Some(0.005_19));
    assert_eq!(conclusion.tokens.unwrap().input, 2000);
}

#[test]
fn an_mcp_server_that_failed_is_said_so() {
    let connected = recorded!("mcp");
    let failed = connected.replace(r#""status":"connected""#, r#""status":"failed""#);
    let says = |stdout: &str| {
        read(stdout, "", 0).0.iter().any(|line| line.text.contains("is not connected: failed"))
    };
    assert!(says(&failed) && !says(connected));
}

#[test]
fn failures_are_told_apart() {
    assert_eq!(reason(recorded!("429-noretry"), "", 1), FailureReason::HarnessRateLimited);
    assert_eq!(reason(recorded!("529-noretry"), "", 1), FailureReason::HarnessTransient);
    assert_eq!(reason(recorded!("noauth"), "", 1), FailureReason::HarnessNotAuthenticated);
    assert_eq!(reason(recorded!("404model"), "", 1), FailureReason::HarnessModelUnavailable);
    assert_eq!(reason(recorded!("resume-missing"), "", 1), FailureReason::SessionUnavailable);
}

#[test]
fn a_failure_carries_what_was_said_about_it() {
    let failure = read(recorded!("noauth"), "", 1).1.failure.unwrap();
    assert_eq!(failure.detail, "Not logged in · Please run /login");
}

#[test]
fn an_end_without_a_result_is_a_crash_even_with_exit_code_0() {
    let (_, conclusion) = read(recorded!("sigterm"), "", 143);
    assert_eq!(conclusion.failure.unwrap().reason, FailureReason::HarnessCrashed);
    assert!(conclusion.session.is_some(), "the session can be resumed");
    assert_eq!(reason("", "", 0), FailureReason::HarnessCrashed);
    let failure = read("", "segmentation fault\n", 139).1.failure.unwrap();
    assert_eq!(failure.detail, "ended without a result (exit code 139): segmentation fault");
}

#[test]
fn an_end_that_the_agent_itself_calls_a_failure_is_no_crash() {
    let result = r#"{"type":"result","subtype":"error_max_turns","is_error":true}"#;
    let failure = read(result, "", 1).1.failure.unwrap();
    assert_eq!(
        (failure.reason, failure.detail.as_str()),
        (FailureReason::HarnessFailed, "it used up its turns")
    );
}

#[test]
fn a_missing_session_is_known_from_stderr_alone() {
    let stderr = include_str!("../../../tests/fixtures/claude-resume-missing.stderr.txt");
    assert_eq!(reason("", stderr, 1), FailureReason::SessionUnavailable);
}

#[test]
fn usage_falls_back_to_the_totals_of_older_versions() {
    let stdout = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok","total_cost_usd":0.5,"usage":{"input_tokens":3,"output_tokens":4}}"#;
    let (_, conclusion) = read(stdout, "", 0);
    assert_eq!((conclusion.cost, conclusion.tokens.unwrap().output), (Some(0.5), 4));
}

#[test]
fn what_is_no_json_is_shown_as_it_is_and_unknown_events_are_not() {
    let (lines, _) = read("plain text\n{\"type\":\"brand_new\"}\n\n[1]\n", "", 0);
    assert_eq!(lines, [Line::agent("plain text"), Line::agent("[1]")]);
}

#[test]
fn long_tool_results_are_shortened() {
    let content: String = (0..100).map(|n| format!("line {n}\n")).collect();
    let event =
        json!({"type": "user", "message": {"content": [{"type": "tool_result", "content": content}]}});
    let (lines, _) = read(&event.to_string(), "", 0);
    assert!(lines[0].text.ends_with("  line 39\n  … 60 more lines"));
}
