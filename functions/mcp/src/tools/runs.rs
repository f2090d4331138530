//! Runs of the factory: listing, following, starting, stopping.

use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_api::factory::{LogEntry, LogPage, Run, RunQuery, RunStatus, StartRun};
use svc_app::factory::log::{self, Window};
use svc_app::factory::{self, runs};
use svc_domain::harness::Harness;
use svc_domain::ids::{ItemKey, RunId};
use svc_domain::refusal::Refusal;
use svc_http::{ApiResult, Paging};
use svc_present::factory::{read, view};
use svc_present::words::Word as _;
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
    let patience = arguments.wait_seconds.unwrap_or(0).min(PATIENCE);
    let _held = if patience == 0 { None } else { Some(guest.holder.hold(&guest.app)?) };
    let until = Instant::now() + Duration::from_secs(patience);
    let wanted = arguments.log_lines.unwrap_or(0).min(LOG_LINES);
    let mut client = guest.client.clone();
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
            return Ok(read_with(&seen, lines));
        }
        tokio::select! {
            () = tokio::time::sleep_until(until.min(Instant::now() + LOOK)) => {}
            _ = client.changed() => return Ok(read_with(&seen, lines)),
        }
    }
}

const fn has_ended(status: RunStatus) -> bool {
    !matches!(status, RunStatus::Queued | RunStatus::Assigned | RunStatus::Running)
}

/// Lines of a log: those after a number, or the newest; as many as fit into a reply.
async fn read_log(guest: &Guest, run: RunId, after: Option<u64>, most: u32) -> ApiResult<LogPage> {
    let most = Some(u64::from(most));
    let window = match after {
        Some(_) => Window { after, limit: most, ..Window::default() },
        None => Window { tail: most, ..Window::default() },
    };
    let read = log::read(&guest.app, guest.credential(), Some(&guest.org), run, window).await?;
    let mut page = view::log(read);
    if after.is_some() {
        let fitting = fit(page.entries.iter());
        page.entries.truncate(fitting);
        page.next_after = page.entries.last().map_or(page.next_after, |entry| entry.seq);
    } else {
        let fitting = fit(page.entries.iter().rev());
        page.entries.drain(..page.entries.len() - fitting);
    }
    Ok(page)
}

/// How many of these lines fit into a reply.
fn fit<'a>(entries: impl Iterator<Item = &'a LogEntry>) -> usize {
    let mut left = LOG_CHARACTERS;
    let fits = |entry: &&LogEntry| {
        let length = entry.text.len().min(LONGEST_LINE) + 8;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    };
    entries.take_while(fits).count()
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
    /// claude-code, codex, opencode, cursor or copilot; the playbook's if absent
    harness: Option<String>,
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
    let called = |said: String| {
        let found = Harness::called(&said).map(Harness::sent);
        found.map_err(|known| Refusal::invalid("harness", format!("{said:?}: {known}.")))
    };
    let harness = harness.map(called).transpose()?;
    let start = read::start_run(StartRun { playbook, agent, runner, harness, scheduled_for })?;
    let run = factory::start(&guest.app, guest.caller(), &item, &start).await?;
    Ok(told("Started run", &view::run(run)))
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
    Ok(told("Stopping run", &view::run(run)))
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
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// What became of a run.
fn told(done: &str, run: &Run) -> Reply {
    let state = RunState::of(run);
    read(done, &state, run).structured(json!(state))
}

/// How a run stands, and what was said in it. All of it is text: clients that know structured content show their model
/// nothing else, and that has no fences.
fn read(done: &str, state: &RunState, run: &Run) -> Reply {
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
    let reply = Reply::default().line(facts.join("\n"));
    match &run.outcome {
        Some(outcome) => reply.theirs("outcome as the agent or the service said it", outcome.clone()),
        None => reply,
    }
}

/// The same with a part of the log.
fn read_with(run: &Run, log: Option<LogPage>) -> Reply {
    let reply = read("Run", &RunState::of(run), run);
    let Some(page) = log else { return reply };
    let lines: Vec<String> = page.entries.iter().map(log_line).collect();
    let after = page.next_after;
    reply
        .theirs("log of programs", lines.join("\n"))
        .line(format!("Log so far: ask again with logAfter={after}"))
}

impl RunState {
    fn of(run: &Run) -> Self {
        let cleaned = |text: &Option<String>| text.as_deref().map(clean);
        Self {
            id: run.id.clone(),
            item: run.item.clone(),
            status: word(&run.status),
            agent: clean(&run.agent.name),
            playbook: clean(&run.playbook.name),
            branch: clean(&run.branch),
            waiting_reason: cleaned(&run.waiting_reason),
            pull_request: cleaned(&run.pull_request),
            failure: cleaned(&run.failure_reason),
        }
    }
}
