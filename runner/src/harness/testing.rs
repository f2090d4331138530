//! Reads recorded outputs for the tests of the adapters.

use std::path::Path;

use svc_api::factory::LogStream;

use super::{Adapter, Conclusion, Exit, Invocation, Job, Session};
use crate::failure::FailureReason;

/// stdout and stderr of a recorded call.
macro_rules! recorded {
    ($name:literal) => {
        (
            include_str!(concat!("../../tests/fixtures/", $name, ".jsonl")),
            include_str!(concat!("../../tests/fixtures/", $name, ".stderr.txt")),
        )
    };
}
pub(super) use recorded;

const CHECKOUTS: &[&Path] = &[];

pub(super) fn job(session: Session) -> Job<'static> {
    Job {
        session,
        model: Some("m-1"),
        mcp_url: "http://i/mcp",
        mcp_config: Path::new("/run/mcp.json"),
        usage_file: Path::new("/run/usage.json"),
        checkouts: CHECKOUTS,
        earlier_tokens: None,
        root: false,
        trusted: false,
    }
}

pub(super) fn joined(invocation: &Invocation) -> String {
    invocation.args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// What the log shows of a call, and what was concluded.
pub(super) fn read(
    adapter: &dyn Adapter,
    job: &Job<'_>,
    (stdout, stderr): (&str, &str),
    code: i32,
) -> (String, Conclusion) {
    let mut reader = adapter.reader(job);
    let lines = stdout.lines().flat_map(|line| reader.stdout(line)).map(|line| {
        let mark = if line.stream == LogStream::Event { "[event] " } else { "" };
        format!("{mark}{}\n", line.text)
    });
    let lines = lines.collect();
    stderr.lines().for_each(|line| reader.stderr(line));
    (lines, reader.conclude(Exit::Code(code)))
}

/// Why a fresh call failed.
pub(super) fn concluded(adapter: &dyn Adapter, recorded: (&str, &str), code: i32) -> FailureReason {
    read(adapter, &job(Session::Fresh("x".into())), recorded, code).1.failure.unwrap().reason
}
