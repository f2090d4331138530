//! Coding harnesses: one adapter a file, behind one small trait.
//!
//! An adapter owns how its program is called, how its output reads and what its failures mean. It starts no
//! process and writes no log: `run` does. To add a harness, write its file, add it to `ADAPTERS`, and test it
//! on recorded outputs.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
pub mod detect;
mod opencode;
mod reading;
#[cfg(test)]
mod testing;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use serde_json::Value;
use svc_api::factory::{Harness, LogStream, TokenCounts};

use crate::failure::Failure;

/// What people and PATH call a harness.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its id on the wire.
    pub harness: Harness,
    /// The same as text; key of `executables` in `runner.json`.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its executable on PATH.
    pub executable: &'static str,
    /// Names the executable in the environment, over everything else.
    pub variable: &'static str,
    /// Whether what a program answers to `--version` is this one's answer.
    pub answers: fn(&str) -> bool,
    /// How its user signs in.
    pub sign_in: &'static str,
    /// Names of variables that it is set up with; `NAME*` stands for all that begin so.
    pub variables: &'static [&'static str],
    /// Another name on PATH, believed only where the answer to `--version` is this one's.
    pub alias: Option<&'static str>,
}

/// Every harness that the service knows.
pub const KNOWN: [Known; 5] = [
    Known {
        harness: Harness::Harness1,
        id: "harness_1",
        name: "Claude Code",
        executable: "claude",
        variable: "SVC_RUNNER_HARNESS_1",
        sign_in: "claude /login",
        variables: &["ANTHROPIC_*", "CLAUDE_*"],
        answers: |said| said.contains("(Claude Code)"),
        alias: None,
    },
    Known {
        harness: Harness::Harness2,
        id: "harness_2",
        name: "Codex CLI",
        executable: "codex",
        variable: "SVC_RUNNER_HARNESS_2",
        sign_in: "codex login",
        variables: &["OPENAI_*", "CODEX_*"],
        answers: |said| said.starts_with("codex-cli "),
        alias: None,
    },
    Known {
        harness: Harness::Harness3,
        id: "harness_3",
        name: "opencode",
        executable: "opencode",
        variable: "SVC_RUNNER_HARNESS_3",
        sign_in: "opencode auth login",
        variables: &["OPENCODE_*"],
        answers: |said| {
            said.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-') && said.contains('.')
        },
        alias: None,
    },
    Known {
        harness: Harness::Harness4,
        id: "harness_4",
        name: "Cursor CLI",
        executable: "cursor-agent",
        variable: "SVC_RUNNER_HARNESS_4",
        sign_in: "cursor-agent login",
        variables: &["CURSOR_*"],
        answers: is_dated,
        alias: Some("agent"),
    },
    Known {
        harness: Harness::Harness5,
        id: "harness_5",
        name: "GitHub Copilot CLI",
        executable: "copilot",
        variable: "SVC_RUNNER_HARNESS_5",
        sign_in: "copilot login",
        variables: &["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"],
        answers: |said| said.contains("GitHub Copilot CLI"),
        alias: None,
    },
];

/// `2025.09.18-7ae6800`.
fn is_dated(version: &str) -> bool {
    let mut parts = version.splitn(3, '.');
    let mut number = |digits: usize| {
        parts.next().is_some_and(|part| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))
    };
    number(4) && number(2) && parts.next().is_some()
}

static ADAPTERS: [&dyn Adapter; 5] =
    [&claude_code::ClaudeCode, &codex::Codex, &opencode::Opencode, &cursor::Cursor, &copilot::Copilot];

/// The adapter of a harness, where this version has one.
pub fn adapter(harness: Harness) -> Option<&'static dyn Adapter> {
    ADAPTERS.into_iter().find(|adapter| adapter.harness() == harness)
}

/// How one harness is spoken to.
pub trait Adapter: Send + Sync {
    /// Which one it is.
    fn harness(&self) -> Harness;

    /// How its program is called for this job. The prompt goes to its stdin.
    fn invocation(&self, job: &Job<'_>) -> Invocation;

    /// Changes the environment that its program is started with. `inherited` is the `GH_TOKEN` that the runner was
    /// started with.
    fn environment(&self, _environment: &mut BTreeMap<OsString, OsString>, _inherited: Option<&OsStr>) {}

    /// Reads the output of one call.
    fn reader(&self, job: &Job<'_>) -> Box<dyn Reader>;
}

/// The session that a harness works in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Session {
    /// A new one, under this id where the harness lets it be chosen.
    Fresh(String),
    /// An earlier one.
    Resume(String),
}

impl Session {
    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Self::Fresh(id) | Self::Resume(id) => id,
        }
    }
}

/// What a harness is asked to do.
#[derive(Debug)]
pub struct Job<'a> {
    /// The session.
    pub session: Session,
    /// Model to ask for; checked with [`safe_value`].
    pub model: Option<&'a str>,
    /// Address of the instance's MCP server.
    pub mcp_url: &'a str,
    /// Where the MCP configuration goes; outside the checkout, mode 0600.
    pub mcp_config: &'a Path,
    /// The file that a harness writes its usage to; outside the checkout.
    pub usage_file: &'a Path,
    /// The checkout, and the clone that it came from.
    pub checkouts: &'a [&'a Path],
    /// Tokens that the session had used before, where they are known.
    pub earlier_tokens: Option<TokenCounts>,
    /// Whether the runner's user is root.
    pub root: bool,
    /// Whether the operator trusts what the repository says about commands, hooks and addresses.
    pub trusted: bool,
}

/// Files of the checkout that are there, or hidden, for the run alone.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectFiles {
    /// Path of the file that is added.
    pub path: &'static str,
    /// Its content. Names variables, never values.
    pub content: Value,
    /// Paths of files that are hidden.
    pub hidden: &'static [&'static str],
}

/// A call of a harness's program.
#[derive(Debug, Default, PartialEq)]
pub struct Invocation {
    /// Arguments.
    pub args: Vec<OsString>,
    /// Variables besides those that every harness gets.
    pub environment: Vec<(&'static str, String)>,
    /// Content of the MCP configuration file, where the harness reads one. Names variables, never values.
    pub mcp_config: Option<Value>,
    /// Files of the checkout for the run alone.
    pub project_files: Option<ProjectFiles>,
}

/// A line for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `Stdout` for what the agent says and does, `Event` for what the harness reports about itself.
    pub stream: LogStream,
    /// Its text; may hold several lines.
    pub text: String,
}

impl Line {
    fn agent(text: impl Into<String>) -> Self {
        Self { stream: LogStream::Stdout, text: text.into() }
    }

    fn event(text: impl Into<String>) -> Self {
        Self { stream: LogStream::Event, text: text.into() }
    }
}

/// Reads what a harness prints, and concludes.
pub trait Reader: Send {
    /// A line of its stdout; answers what of it goes into the log.
    fn stdout(&mut self, line: &str) -> Vec<Line>;

    /// A line of its stderr, which goes into the log as it is.
    fn stderr(&mut self, line: &str);

    /// The session, once the harness itself has named it: only then there is one to resume.
    fn session(&self) -> Option<&str>;

    /// Whether it has said its last word: then it should end by itself soon.
    fn is_done(&self) -> bool;

    /// What the call has used so far, as far as the harness has said.
    fn used(&self) -> Used;

    /// What came of it.
    fn conclude(&self, exit: Exit) -> Conclusion;
}

/// What a call has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// Tokens.
    pub tokens: Option<TokenCounts>,
    /// US dollars.
    pub cost: Option<f64>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// The code as a shell would show it.
    pub const fn code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
        }
    }
}

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conclusion {
    /// Why it failed, unless it reported success.
    pub failure: Option<Failure>,
    /// The agent's last words.
    pub outcome: Option<String>,
    /// The session that can be resumed.
    pub session: Option<String>,
    /// Tokens used by this call.
    pub tokens: Option<TokenCounts>,
    /// Tokens used by the whole session, where the harness counts them so.
    pub session_tokens: Option<TokenCounts>,
    /// Cost of this call, US dollars.
    pub cost: Option<f64>,
}

/// What a call used of the `total` of its session. Unknown for a resumed session without a record of what it had
/// used before.
fn since(total: TokenCounts, earlier: Option<TokenCounts>, resumed: bool) -> Option<TokenCounts> {
    match (earlier, resumed) {
        (None, true) => None,
        (None, false) => Some(total),
        (Some(earlier), _) => Some(TokenCounts {
            input: total.input.saturating_sub(earlier.input),
            output: total.output.saturating_sub(earlier.output),
            cache_read: total.cache_read.saturating_sub(earlier.cache_read),
            cache_write: total.cache_write.saturating_sub(earlier.cache_write),
        }),
    }
}

/// Whether a text from the instance may stand where a program expects a value: nothing that could be taken
/// for an option, nothing that breaks a line.
pub fn safe_value(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && !text.chars().any(char::is_control)
}

/// Executables by wire id, as `runner.json` gives them.
pub type Executables = BTreeMap<String, std::path::PathBuf>;

#[cfg(test)]
mod tests {
    use super::{KNOWN, adapter, safe_value};

    #[test]
    fn every_adapter_belongs_to_a_known_harness() {
        for adapter in super::ADAPTERS {
            assert!(KNOWN.iter().any(|known| known.harness == adapter.harness()));
        }
        assert!(adapter(svc_api::factory::Harness::Unknown).is_none());
    }

    #[test]
    fn programs_are_known_by_what_they_answer() {
        for (harness, version) in [
            (1, "2.1.329 (Claude Code)"),
            (2, "codex-cli 0.169.0"),
            (3, "1.18.33"),
            (4, "2025.09.18-7ae6800"),
            (5, "GitHub Copilot CLI 1.0.102."),
        ] {
            let known: Vec<usize> = (1..=5).filter(|n| (KNOWN[n - 1].answers)(version)).collect();
            assert!(known.contains(&harness), "{version}: {known:?}");
            assert!(!(KNOWN[harness - 1].answers)("demo-agent 0.1.0"));
        }
    }

    #[test]
    fn values_that_look_like_options_or_break_lines_are_refused() {
        for text in ["", "-x", "--model", "a\nb", "a\rb", "a\0"] {
            assert!(!safe_value(text), "{text:?}");
        }
        assert!(safe_value("claude-sonnet-4-5") && safe_value("provider/model"));
    }
}
