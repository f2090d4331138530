//! The log of a run: appended by its runner, read by factory operators (specification sections 2.6, 4.2, 8).
//!
//! Protocol.
//! 1. A batch becomes one blob, named by the number of its first entry; then the head row moves over it under
//!    its version. Readers go no further than the head says.
//! 2. A batch whose blob was written but whose head never moved is sent again by the runner. It finds a blob
//!    that nobody has read: the same bytes are left, others are replaced.
//! 3. A blob's successor is named by the number after its last entry, so that a follower reads what is new
//!    without listing anything.
//! 4. Past the cap nothing is kept but the end of the log: the runner sends the last 256 KiB when the run ends. An
//!    entry of the service's own before them says how many are left out.
//! 5. The sweep deletes old blobs. The head stays, so that a reader learns that there was a log.

mod follow;
pub(super) mod stored;
mod window;

pub use follow::{Follower, follow};
pub use window::Window;

use std::collections::VecDeque;

use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, OrgSlug, RunId};
use svc_domain::log::{ENTRY_OVERHEAD, LogHead, MAX_BATCH_BYTES, MAX_BATCH_ENTRIES};
use svc_domain::refusal::Refusal;
use svc_domain::run::machine::{Event, Presenter, step};
use svc_storage::{BlobKey, Condition, Op, Retention, RowOf, StorageError, keys};

use self::stored::{batch_key, days_kept, firsts_after};
use self::window::Span;
use super::loaded::LoadedRun;
use super::runner_entry::enter_at_work;
use super::runs;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::heavy;
use crate::transaction::Transaction;

/// Bytes after which a page of a log ends, as the cap of a log counts them.
const PAGE_BYTES: usize = 1_000_000;
/// Batches after which a page of a log ends.
const PAGE_BATCHES: usize = 200;

/// Where a log entry came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stream {
    /// Standard output of the harness.
    Stdout,
    /// Standard error of the harness.
    Stderr,
    /// Something that is said about the run.
    Event,
}

/// A log entry without its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// When it was read.
    pub at: Timestamp,
    /// Where it came from.
    pub stream: Stream,
    /// Text.
    pub text: String,
}

/// What a runner is told about its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The number that its next batch begins with.
    pub next_seq: u64,
    /// Whether the log has reached its cap.
    pub truncated: bool,
    /// Whether to stop the harness.
    pub cancel: bool,
}

/// A page of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Entries with their numbers.
    pub lines: Vec<(u64, Line)>,
    /// Whether the log was capped.
    pub truncated: bool,
    /// The number to ask after next.
    pub next_after: u64,
    /// Number of the last entry of the log; 0 without one.
    pub last_seq: u64,
    /// Bytes of the log, as its cap counts them.
    pub bytes: u64,
    /// Whether the run is over.
    pub over: bool,
}

/// Entries that a runner sends.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Number, of the assignment, of the first.
    pub first_seq: u64,
    /// The entries.
    pub lines: &'a [Line],
    /// Whether they are of the end of a log that was capped.
    pub tail: bool,
}

/// Appends a runner's batch.
///
/// # Errors
/// [`Refusal::AssignmentEnded`], [`Refusal::NotFound`], [`Refusal::LogGap`]; [`Refusal::Invalid`] for a batch
/// without entries or too large.
pub async fn append(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    batch: Batch<'_>,
) -> Result<Appended> {
    check(batch.first_seq, batch.lines)?;
    app.decide(|| async {
        let wanted = |org, _| (keys::run(org, run), keys::run_log(org, run));
        let (entry, (row, log)) = enter_at_work(app, credential, wanted).await?;
        let loaded = LoadedRun::of(row.as_ref().ok_or(Refusal::NotFound)?)?;
        let by = Presenter { runner: entry.runner.id, fence };
        let (after, _) = step(&loaded.run, Event::Log(by), app.now())?;
        let head = keep(app, (entry.org_id(), run), log.as_ref(), fence, batch).await?;
        Ok(Appended { next_seq: head.next_seq(), truncated: head.truncated, cancel: after.wants_stop() })
    })
    .await
}

/// Adds an event of the service itself to the log of an assignment that is over.
pub(super) async fn note(app: &App, org: OrgId, run: RunId, fence: u64, text: String) -> Result<()> {
    let line = Line { at: app.now(), stream: Stream::Event, text };
    app.decide(|| async {
        let row = app.table.find(&keys::run_log(org, run)).await?;
        let head = head_of(row.as_ref(), fence)?;
        let lines = std::slice::from_ref(&line);
        let batch = Batch { first_seq: head.tail.unwrap_or(head.next_seq()), lines, tail: head.truncated };
        keep(app, (org, run), row.as_ref(), fence, batch).await?;
        Ok(())
    })
    .await
}

/// Entries of a run's log. The short address of a run names no organization.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`] for who sees the item but is no factory operator; [`Refusal::NotFound`];
/// [`Refusal::Invalid`] for a window that contradicts itself.
pub async fn read(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
    window: Window,
) -> Result<Page> {
    let (found, row) = runs::find_with(app, caller, slug, run, |org| keys::run_log(org, run)).await?;
    found.entry.access.require(Capability::SeeFactory)?;
    window.check()?;
    let after = window.after.unwrap_or(0);
    let over = found.loaded.run.status().is_terminal();
    let page = Page { next_after: after, over, ..Page::default() };
    let Some(row) = row else { return Ok(page) };
    let head: LogHead = row.read()?;
    let page = Page { truncated: head.truncated, last_seq: head.kept, bytes: head.bytes, ..page };
    let log = (found.entry.org_id(), run);
    let span = within_reach(app, log, window.span(head.kept)).await?;
    // The batch that a page ends in is read whole.
    let most = PAGE_BYTES + MAX_BATCH_BYTES + MAX_BATCH_ENTRIES * ENTRY_OVERHEAD as usize;
    let room = heavy::room(most.min(head.bytes as usize)).await?;
    let lines = lines(app, log, span).await?;
    room.keep(lines.iter().map(|(_, line)| size(line)).sum());
    // A reader of the end goes on behind it.
    let end = if span.backwards { span.to } else { after };
    Ok(Page { next_after: lines.back().map_or(end, |(seq, _)| *seq), lines: lines.into(), ..page })
}

/// The span, with a later beginning where the batches before its end are more than a page reads.
async fn within_reach(app: &App, (org, run): (OrgId, RunId), span: Span) -> Result<Span> {
    // Few entries are in few batches.
    if !span.backwards || span.to < span.from + PAGE_BATCHES as u64 {
        return Ok(span);
    }
    let mut firsts = VecDeque::new();
    let mut after = span.from;
    loop {
        let listed = firsts_after(app, org, run, after).await?;
        firsts.extend(listed.iter().copied().filter(|first| *first <= span.to));
        firsts.drain(..firsts.len().saturating_sub(PAGE_BATCHES));
        match listed.last() {
            Some(last) if *last <= span.to => after = *last,
            _ => break,
        }
    }
    let begins_late = firsts.len() == PAGE_BATCHES;
    Ok(Span { from: firsts.front().filter(|_| begins_late).map_or(span.from, |first| *first), ..span })
}

/// What an entry counts.
fn size(line: &Line) -> usize {
    line.text.len() + ENTRY_OVERHEAD as usize
}

/// The entries of a span, as many as a page has room for.
async fn lines(app: &App, (org, run): (OrgId, RunId), span: Span) -> Result<VecDeque<(u64, Line)>> {
    let (mut lines, mut next, mut bytes) = (VecDeque::new(), span.from, 0);
    // The batch that a span begins in may be one more.
    for _ in 0..=PAGE_BATCHES {
        if next > span.to || (!span.backwards && bytes >= PAGE_BYTES) {
            break;
        }
        let Some((first, batch)) = batch_with(app, org, run, next).await? else { break };
        let wanted = next..=span.to;
        for (seq, line) in (first..).zip(batch).filter(|(seq, _)| wanted.contains(seq)) {
            bytes += size(&line);
            next = seq + 1;
            lines.push_back((seq, line));
        }
        while bytes > PAGE_BYTES && span.backwards && lines.len() > 1 {
            bytes -= lines.pop_front().map_or(0, |(_, line): (u64, Line)| size(&line));
        }
    }
    Ok(lines)
}

fn check(first_seq: u64, lines: &[Line]) -> Result<(), Refusal> {
    if first_seq == 0 {
        return Err(Refusal::invalid("firstSeq", "Entries are numbered from 1."));
    }
    if lines.is_empty() || lines.len() > MAX_BATCH_ENTRIES {
        return Err(Refusal::invalid("entries", format!("Send 1 to {MAX_BATCH_ENTRIES} entries.")));
    }
    if lines.iter().map(|line| line.text.len()).sum::<usize>() > MAX_BATCH_BYTES {
        return Err(Refusal::invalid("entries", format!("Send at most {MAX_BATCH_BYTES} bytes of text.")));
    }
    Ok(())
}

fn head_of(row: Option<&RowOf<LogHead>>, fence: u64) -> Result<LogHead> {
    Ok(RowOf::or_default(row)?.for_assignment(fence))
}

async fn keep(
    app: &App,
    (org, run): (OrgId, RunId),
    row: Option<&RowOf<LogHead>>,
    fence: u64,
    batch: Batch<'_>,
) -> Result<LogHead> {
    let head = head_of(row, fence)?;
    let sizes: Vec<usize> = batch.lines.iter().map(|line| line.text.len()).collect();
    let new = if batch.tail && head.truncated {
        head.append_tail(batch.first_seq, &sizes)?
    } else {
        head.append(batch.first_seq, &sizes, app.settings.automation.max_log_bytes)?
    };
    let Some(new) = new else { return Ok(head) };
    let kept = &batch.lines[new.skip..new.skip + new.keep];
    if new.left_out > 0 {
        let said = format!("The log was too long: {} lines are left out here", new.left_out);
        let at = kept.first().map_or_else(|| app.now(), |line| line.at);
        let told = Line { at, stream: Stream::Event, text: said };
        let told = [std::slice::from_ref(&told), kept].concat();
        put(app, &batch_key(org, run, new.first_seq), &told).await?;
    } else if !kept.is_empty() {
        put(app, &batch_key(org, run, new.first_seq), kept).await?;
    }
    let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
    let head = Op::put(keys::run_log(org, run), condition, &new.head);
    app.commit(Transaction::bookkeeping(app).with([head])).await?;
    Ok(new.head)
}

async fn put(app: &App, key: &BlobKey, lines: &[Line]) -> Result<()> {
    let bytes = Bytes::from(serde_json::to_vec(lines).map_err(corrupt)?);
    match app.blobs.put_once(key, bytes.clone()).await {
        Err(StorageError::AlreadyExists(_)) if app.blobs.get(key).await? == bytes => Ok(()),
        Err(StorageError::AlreadyExists(_)) => {
            app.blobs.delete(key).await?;
            Ok(app.blobs.put_once(key, bytes).await?)
        }
        result => Ok(result?),
    }
}

/// The batch that holds an entry, with the number of its first.
async fn batch_with(app: &App, org: OrgId, run: RunId, seq: u64) -> Result<Option<(u64, Vec<Line>)>> {
    match app.blobs.get(&batch_key(org, run, seq)).await {
        Ok(bytes) => return Ok(Some((seq, serde_json::from_slice(&bytes).map_err(corrupt)?))),
        Err(StorageError::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    // The number lies inside a batch, or its batch was swept: the next one that is left goes on.
    let before = seq.saturating_sub(MAX_BATCH_ENTRIES as u64);
    let firsts = firsts_after(app, org, run, before).await?;
    let inside = firsts.iter().copied().filter(|first| *first < seq).max();
    for first in inside.into_iter().chain(firsts.iter().copied().find(|first| *first > seq)) {
        let bytes = app.blobs.get(&batch_key(org, run, first)).await?;
        let lines: Vec<Line> = serde_json::from_slice(&bytes).map_err(corrupt)?;
        if first + lines.len() as u64 > seq {
            return Ok(Some((first, lines)));
        }
    }
    Ok(None)
}

fn corrupt(error: serde_json::Error) -> StorageError {
    StorageError::Corrupt(format!("a batch of a log: {error}"))
}

/// Deletes batches that are older than the logs of their organization are kept; answers how many. Everything else of a
/// run stays.
///
/// # Errors
/// Those of storage.
pub async fn sweep(app: &App) -> Result<usize> {
    let (mut deleted, mut after, mut kept) = (0, None, None);
    loop {
        let listed = app.blobs.list(Retention::Log, "", after.as_ref()).await?;
        for blob in &listed {
            // Batches come organization by organization.
            let org = org_of(&blob.key);
            let oldest = match kept {
                Some((same, oldest)) if same == org => oldest,
                _ => app.now().as_second() - i64::from(days_kept(app, org).await?) * 24 * 3_600,
            };
            kept = Some((org, oldest));
            if blob.written_at < oldest {
                app.blobs.delete(&blob.key).await?;
                deleted += 1;
            }
        }
        match listed.last() {
            Some(last) => after = Some(last.key.clone()),
            None => return Ok(deleted),
        }
    }
}

/// The organization that a batch is of.
fn org_of(key: &BlobKey) -> Option<OrgId> {
    key.as_str().split('/').nth(1)?.parse().ok()
}
