//! The log of a run (specification sections 2.6, 4.1).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of a run's log (`GET /runs/{id}/log`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogQuery {
    /// Only entries with a greater `seq`; all entries when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Only entries with a smaller `seq`, the last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// Only the last entries: how many, at most 5,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<u64>,
    /// How many entries to answer at most, up to 5,000. With `before`, 1,000 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// Query of the stream of a run's log (`GET …/runs/{id}/log/stream`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogStreamQuery {
    /// Begin after this `seq`; with the first entry when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// How many of the last entries to begin with, at most 5,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<u64>,
}

/// A page of a run's log. Repeat with `after = nextAfter` until there are no entries and the run has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    /// Entries in the order of `seq`; at most about 1 MB of text.
    pub entries: Vec<LogEntry>,
    /// Whether the log was capped. Beyond the cap only the end is kept; an event says how much is left out.
    pub truncated: bool,
    /// Send it as `after` next time.
    pub next_after: u64,
    /// The `seq` of the last entry of the log; 0 if it is empty.
    #[serde(default)]
    pub last_seq: u64,
    /// Size of the log in bytes, as its limit counts it: the text plus 40 bytes for each entry.
    #[serde(default)]
    pub bytes: u64,
    /// Whether the run is over.
    #[serde(default)]
    pub over: bool,
}

/// One entry of a run's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    /// Number of the entry, increasing from 1 without gaps.
    pub seq: u64,
    /// When the runner read it.
    pub at: Timestamp,
    /// Where it came from.
    pub stream: LogStream,
    /// Text without its newline.
    pub text: String,
}

/// Where a log entry came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LogStream {
    /// Standard output of the harness, in readable form.
    Stdout,
    /// Standard error of the harness.
    Stderr,
    /// A message from the runner or the harness about the run.
    Event,
    /// A stream that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}
