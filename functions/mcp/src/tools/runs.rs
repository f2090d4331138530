//! Runs of the factory: listing, following, starting, stopping.

use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_api::factory::{Harness, LogEntry, LogPage, Run, RunQuery, RunStatus, StartRun};
use svc_app::factory::{self, log, runs};
use svc_domain::ids::{ItemKey, RunId};
use svc_http::{ApiResult, Paging};
use svc_present::factory::{read, view};
use tokio::time::Instant;

use super::items::{LINES, listed};
use super::{id, named};
use crate::guest::Guest;
use crate::lines::{self, word};
use crate::reply::{Cursor, Reply, clean};

/// Which runs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    /// Project key
    project: Option<String>,
    /// Item key
    item: Option<String>,
    /// queued, assigned, running, succeeded, failed, cancelled or timedOut
    status: Option<String>,
    cursor: Option<String>,
}

pub(crate) async fn list(guest: Guest, arguments: List) -> ApiResult<Reply> {
    let cursor = Cursor::of(arguments.cursor.as_deref())?;
    let paging = Paging::clamp(Some(cursor.page), Some(LINES));
    let List { project, item, status, .. } = arguments;
    let filter = read::run_filter(&RunQuery { project, item, status, ..RunQuery::default() })?;
    let slice = runs::Slice { offset: paging.offset(), limit: paging.page_size as usize };
    let (found, total) = runs::list(&guest.app, guest.caller(), &filter, slice).await?;
    let lines = found.into_iter().map(view::run).map(|run| lines::run(&run)).collect();
    Ok(listed("run", "runs", lines, total, paging))
}

/// Which run.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Get {
    id: String,
    /// Lines of the log to read, at most 500
    log_lines: Option<u32>,
    /// Lines after this number; the newest if absent
    log_after: Option<u64>,
    /// Wait for news, at most 20
    wait_seconds: Option<u64>,
}

/// Most lines of a log in a reply.
const LOG_LINES: u32 = 500;
/// Bytes of a log in a reply.
const LOG_CHARACTERS: usize = 15_000;
/// Bytes of one line.
const LONGEST_LINE: usize = 2_000;
/// Longest waiting for news.
const PATIENCE: u64 = 20;
/// How often to look while waiting.
const LOOK: Duration = Duration::from_millis(500);

pub(crate) async fn get(guest: Guest, arguments: Get) -> ApiResult<Reply> {
    let run: RunId = id("id", &arguments.id)?;
    let until = Instant::now() + Duration::from_secs(arguments.wait_seconds.unwrap_or(0).min(PATIENCE));
    let wanted = arguments.log_lines.unwrap_or(0).min(LOG_LINES) as usize;
    let mut first = None;
    loop {
        let seen = view::run(runs::view(&guest.app, guest.credential(), Some(&guest.org), run).await?);
        let lines = match wanted {
            0 => None,
            most => Some(read_log(&guest, run, arguments.log_after, most).await?),
        };
        let next = lines.as_ref().map_or(0, |page| page.next_after);
        let before = *first.get_or_insert((seen.status, next));
        let news = before != (seen.status, next) || has_ended(seen.status);
        let news = news
            || (arguments.log_after.is_some() && lines.as_ref().is_some_and(|page| !page.entries.is_empty()));
        if news || Instant::now() >= until {
            return Ok(told("Run", &seen, lines));
        }
        tokio::time::sleep_until(until.min(Instant::now() + LOOK)).await;
    }
}

const fn has_ended(status: RunStatus) -> bool {
    !matches!(status, RunStatus::Queued | RunStatus::Assigned | RunStatus::Running)
}

/// Lines of a log: those after a number, or the newest; as many as fit into a reply.
async fn read_log(guest: &Guest, run: RunId, after: Option<u64>, most: usize) -> ApiResult<LogPage> {
    let mut at = after.unwrap_or(0);
    let mut read = LogPage { next_after: at, ..LogPage::default() };
    loop {
        let window = log::Window::after(at);
        let page = log::read(&guest.app, guest.credential(), Some(&guest.org), run, window).await?;
        let page = view::log(page);
        let ended = page.entries.is_empty();
        at = page.next_after;
        read.entries.extend(page.entries);
        read.truncated = page.truncated;
        let full = match after {
            Some(_) => fit(read.entries.iter(), most) < read.entries.len(),
            None => false,
        };
        let kept = match after {
            Some(_) => fit(read.entries.iter(), most),
            None => fit(read.entries.iter().rev(), most),
        };
        match after {
            Some(_) => read.entries.truncate(kept),
            None => drop(read.entries.drain(..read.entries.len() - kept)),
        }
        if ended || full {
            read.next_after = read.entries.last().map_or(at, |entry| entry.seq);
            return Ok(read);
        }
    }
}

/// How many of these lines fit into a reply.
fn fit<'a>(entries: impl Iterator<Item = &'a LogEntry>, most: usize) -> usize {
    let mut left = LOG_CHARACTERS;
    let fits = |entry: &&LogEntry| {
        let length = entry.text.len().min(LONGEST_LINE) + 8;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    };
    entries.take(most).take_while(fits).count()
}

/// A line of a log, shortened.
fn log_line(entry: &LogEntry) -> String {
    let text = clean(&entry.text);
    let end = text.floor_char_boundary(LONGEST_LINE);
    let cut = if end < text.len() { " [cut]" } else { "" };
    format!("{} {}{cut}", entry.seq, &text[..end])
}

/// A new run.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Start {
    /// Item key
    item: String,
    /// Id or name; the default if absent
    playbook: Option<String>,
    /// Id or name; the default if absent
    agent: Option<String>,
    /// Id or name
    runner: Option<String>,
    /// The playbook's if absent
    harness: Option<Harness>,
    /// RFC 3339 time with offset
    #[schemars(with = "Option<String>")]
    scheduled_for: Option<Timestamp>,
    /// The same key again makes no second one
    #[serde(rename = "idempotencyKey")]
    _key: Option<String>,
}

pub(crate) async fn start(guest: Guest, arguments: Start) -> ApiResult<Reply> {
    let item: ItemKey = named("item", &arguments.item)?;
    let Start { playbook, agent, runner, harness, scheduled_for, .. } = arguments;
    let start = read::start_run(StartRun { playbook, agent, runner, harness, scheduled_for })?;
    let run = factory::start(&guest.app, guest.caller(), &item, &start).await?;
    Ok(told("Started run", &view::run(run), None))
}

/// A run to stop.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cancel {
    id: String,
}

pub(crate) async fn cancel(guest: Guest, arguments: Cancel) -> ApiResult<Reply> {
    let run: RunId = id("id", &arguments.id)?;
    let run = runs::cancel(&guest.app, guest.credential(), Some(&guest.org), run).await?;
    Ok(told("Stopping run", &view::run(run), None))
}

/// How a run stands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunState {
    id: String,
    item: String,
    status: String,
    agent: String,
    playbook: String,
    branch: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pull_request: Option<String>,
    /// What the agent or the service said at the end
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Lines of the log, written by programs
    #[serde(skip_serializing_if = "Vec::is_empty")]
    log: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log_next_after: Option<u64>,
}

fn told(done: &str, run: &Run, log: Option<LogPage>) -> Reply {
    let cleaned = |text: &Option<String>| text.as_deref().map(clean);
    let log_next_after = log.as_ref().map(|page| page.next_after);
    let lines = log.map(|page| page.entries).unwrap_or_default();
    let state = RunState {
        id: run.id.clone(),
        item: run.item.clone(),
        status: word(&run.status),
        agent: clean(&run.agent.name),
        playbook: clean(&run.playbook.name),
        branch: clean(&run.branch),
        waiting_reason: cleaned(&run.waiting_reason),
        pull_request: cleaned(&run.pull_request),
        outcome: cleaned(&run.outcome),
        failure: cleaned(&run.failure_reason),
        log: lines.iter().map(log_line).collect(),
        log_next_after,
    };
    let mut facts = vec![
        format!("{done} {} on {}: {}", state.id, state.item, state.status),
        format!("Agent {}, playbook {}, branch {}", state.agent, state.playbook, state.branch),
    ];
    let mut fact = |name: &str, value: &Option<String>| {
        facts.extend(value.as_ref().map(|value| format!("{name}: {value}")));
    };
    fact("Waiting", &state.waiting_reason);
    fact("Pull request", &state.pull_request);
    fact("Failure", &state.failure);
    let mut reply = Reply::default().line(facts.join("\n"));
    if let Some(outcome) = &run.outcome {
        reply = reply.theirs("outcome as the agent or the service said it", outcome.clone());
    }
    if let Some(after) = log_next_after {
        reply = reply.theirs("log of programs", state.log.join("\n"));
        reply = reply.line(format!("Log so far: ask again with logAfter={after}"));
    }
    reply.structured(json!(state))
}
