//! Goes through a store and asks the checks, as the protocol of [the module above](super) says.

use std::time::Duration;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use svc_storage::{BlobInfo, BlobKey, Key, Limits, Query, Range, Retention, Row};

use super::context::{CheckContext, Known, Subject, Told, Verdict, Want, is_over};
use super::files::check_blob;
use super::kinds::kind_of;
use super::org_or_mark::is_leaving;
use super::report::{Finding, Report};
use crate::App;
use crate::error::Result;
use crate::factory::stored_log;

/// Rows on a page.
const PAGE: usize = 200;
/// Reads that are under way at a time.
const AT_ONCE: usize = 8;
/// How often a suspicion is looked at before it counts as restless.
const LOOKS: usize = 5;
/// How often a check may ask for more: chains of rows are shorter.
const ROUNDS: usize = 100;
/// How often is looked whether what waited is done.
const POLL: Duration = Duration::from_millis(500);

/// What is checked.
#[derive(Clone, Debug)]
enum Thing {
    Row(Row),
    Blob(BlobInfo),
}

/// Checks the whole store. What waits for a worker is given this long to be done; what then still waits is a
/// finding. Without patience it is only told.
///
/// # Errors
/// When the store cannot be read.
pub async fn run(app: &App, patience: Option<Duration>) -> Result<Report> {
    let mut report = Report::default();
    let mut waiting = Vec::new();
    let mut cursor = None;
    loop {
        let page = app.table.scan(PAGE, cursor.as_ref()).await?;
        report.rows += page.rows.len() as u64;
        for row in &page.rows {
            *report.kinds.entry(kind_name(&row.key)).or_default() += 1;
        }
        let things = page.rows.into_iter().map(Thing::Row).collect();
        check_all(app, things, &mut report, &mut waiting).await?;
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    for retention in Retention::ALL {
        blobs(app, retention, &mut report, &mut waiting).await?;
    }
    if let Some(patience) = patience {
        wait(app, patience, waiting, &mut report).await?;
    }
    report.findings.sort();
    report.waiting.sort();
    Ok(report)
}

async fn blobs(app: &App, retention: Retention, report: &mut Report, waiting: &mut Vec<Thing>) -> Result<()> {
    let mut after: Option<BlobKey> = None;
    loop {
        let listed = app.blobs.list(retention, "", after.as_ref()).await?;
        let Some(last) = listed.last() else { return Ok(()) };
        after = Some(last.key.clone());
        report.blobs += listed.len() as u64;
        for chunk in listed.chunks(PAGE) {
            check_all(app, chunk.iter().cloned().map(Thing::Blob).collect(), report, waiting).await?;
        }
    }
}

/// Judges rows that were read together; nothing is told of what waits for a worker.
pub(super) async fn check_rows(app: &App, rows: Vec<Row>, report: &mut Report) -> Result<()> {
    check_all(app, rows.into_iter().map(Thing::Row).collect(), report, &mut Vec::new()).await
}

/// Judges what was read together, and looks again at what is suspicious.
async fn check_all(
    app: &App,
    things: Vec<Thing>,
    report: &mut Report,
    waiting: &mut Vec<Thing>,
) -> Result<()> {
    let mut known = Known::default();
    for thing in &things {
        if let Thing::Row(row) = thing {
            known.row.insert(row.key.clone(), Some(row.clone()));
        }
    }
    let mut open = things;
    let mut suspicious = Vec::new();
    for _ in 0..ROUNDS {
        let (mut wanted, mut unread) = (Vec::new(), Vec::new());
        for thing in open {
            match check(&thing, &known, app.now()) {
                Ok(told) if told.is_nothing() => {}
                Ok(_) => suspicious.push(thing),
                Err(more) => {
                    wanted.extend(more);
                    unread.push(thing);
                }
            }
        }
        open = unread;
        if open.is_empty() {
            break;
        }
        fetch(app, wanted, &mut known).await?;
    }
    drop(known);
    for thing in suspicious {
        match confirm(app, &thing).await? {
            Some(told) => tell(report, &thing, &told, waiting),
            None => report.restless += 1,
        }
    }
    Ok(())
}

/// What the check of a thing tells, or asks for.
fn check(thing: &Thing, known: &Known, now: Timestamp) -> std::result::Result<Told, Vec<Want>> {
    let context = CheckContext::new(known, now);
    match thing {
        Thing::Row(row) if is_over(row, now) => {}
        Thing::Row(row) => match kind_of(&row.key.pk, &row.key.sk) {
            // Where a check stopped is in the context.
            Some((kind, parts)) => {
                let subject = Subject { row, parts };
                drop((kind.check)(&subject, &context));
                drop(excused(&subject, &context));
            }
            None => context.broken("no kind of row has such a name"),
        },
        Thing::Blob(blob) => drop(check_blob(blob, &context)),
    }
    context.end()
}

/// What is taken away with an organization does not fit together until nothing is left.
fn excused(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org = subject.parts.iter().find(|(name, _)| *name == "org").and_then(|(_, id)| id.parse().ok());
    let Some(org) = org.filter(|_| context.is_suspicious()) else { return Ok(()) };
    if is_leaving(context, org)? {
        context.excuse("its organization is being taken away");
    }
    Ok(())
}

/// What is told of a thing when it and everything that its check asked for are read anew until two readings
/// agree; `None` when they never do.
async fn confirm(app: &App, thing: &Thing) -> Result<Option<Told>> {
    for _ in 0..LOOKS {
        let mut first = Known::default();
        let Some(thing) = again(app, thing, &mut first).await? else { return Ok(Some(Told::default())) };
        let told = read_and_check(app, &thing, &mut first).await?;
        if told.is_nothing() {
            return Ok(Some(told));
        }
        let mut second = Known::default();
        fetch(app, first.wants(), &mut second).await?;
        if first == second {
            return Ok(Some(told));
        }
    }
    Ok(None)
}

/// The thing as it is now.
async fn again(app: &App, thing: &Thing, known: &mut Known) -> Result<Option<Thing>> {
    match thing {
        Thing::Row(row) => {
            fetch(app, vec![Want::Row(row.key.clone())], known).await?;
            Ok(known.row.get(&row.key).cloned().flatten().map(Thing::Row))
        }
        Thing::Blob(blob) => {
            fetch(app, vec![Want::Blob(blob.key.clone())], known).await?;
            Ok(known.blob.get(&blob.key).copied().flatten().map(|_| thing.clone()))
        }
    }
}

async fn read_and_check(app: &App, thing: &Thing, known: &mut Known) -> Result<Told> {
    for _ in 0..ROUNDS {
        match check(thing, known, app.now()) {
            Ok(told) => return Ok(told),
            Err(wanted) => fetch(app, wanted, known).await?,
        }
    }
    Ok(Told::default())
}

/// Reads what is wanted and not known.
async fn fetch(app: &App, wanted: Vec<Want>, known: &mut Known) -> Result<()> {
    let (mut row, mut rows, mut blob, mut log) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for want in wanted {
        match want {
            Want::Row(key) if !known.row.contains_key(&key) => row.push(key),
            Want::Rows(key) if !known.rows.contains_key(&key) => rows.push(key),
            Want::Blob(key) if !known.blob.contains_key(&key) => blob.push(key),
            Want::Log(org, run) if !known.log.contains_key(&(org, run)) => log.push((org, run)),
            Want::Row(_) | Want::Rows(_) | Want::Blob(_) | Want::Log(..) => {}
        }
    }
    row.sort();
    row.dedup();
    let chunks = row.chunks(Limits::KEYS).map(|chunk| async move {
        Ok::<_, crate::Error>(chunk.iter().cloned().zip(app.table.get_many(chunk).await?).collect::<Vec<_>>())
    });
    let read: Vec<Vec<(Key, Option<Row>)>> =
        stream::iter(chunks).buffer_unordered(AT_ONCE).try_collect().await?;
    known.row.extend(read.into_iter().flatten());
    rows.sort();
    rows.dedup();
    for name in rows {
        let range = if name.sk.is_empty() { Range::All } else { Range::Prefix(name.sk.clone()) };
        let found = app.table.query_all(Query::new(name.pk.clone(), range, 1_000)).await?;
        known.rows.insert(name, found);
    }
    for key in blob {
        let size = size(app, &key).await?;
        known.blob.insert(key, size);
    }
    for (org, run) in log {
        let stored = stored_log(app, org, run).await?;
        known.log.insert((org, run), stored);
    }
    Ok(())
}

async fn size(app: &App, key: &BlobKey) -> Result<Option<u64>> {
    let named = Retention::ALL
        .iter()
        .find_map(|retention| key.as_str().strip_prefix(retention.prefix()).map(|path| (*retention, path)));
    let Some((retention, path)) = named else { return Ok(None) };
    let listed = app.blobs.list(retention, path, None).await?;
    Ok(listed.into_iter().find(|blob| blob.key == *key).map(|blob| blob.size))
}

fn tell(report: &mut Report, thing: &Thing, told: &Told, waiting: &mut Vec<Thing>) {
    for problem in &told.broken {
        report.find(finding(thing, problem));
    }
    for problem in &told.waiting {
        let before = report.waiting.len();
        report.wait(finding(thing, problem));
        if report.waiting.len() > before {
            waiting.push(thing.clone());
        }
    }
}

/// The kind of a row, as the table of all rows writes it.
pub fn kind_name(key: &Key) -> String {
    kind_of(&key.pk, &key.sk).map_or_else(|| "unknown".to_owned(), |(kind, _)| kind.name())
}

fn finding(thing: &Thing, problem: &str) -> Finding {
    let (row, kind) = match thing {
        Thing::Row(row) => (format!("{} {}", row.key.pk, row.key.sk), kind_name(&row.key)),
        Thing::Blob(blob) => (blob.key.to_string(), "blob".to_owned()),
    };
    Finding { row, kind, problem: problem.to_owned() }
}

/// Gives workers time for what waits for them.
async fn wait(app: &App, patience: Duration, waiting: Vec<Thing>, report: &mut Report) -> Result<()> {
    let end = tokio::time::Instant::now() + patience;
    let mut open = waiting;
    loop {
        let mut still = Vec::new();
        let mut told = Vec::new();
        for thing in open {
            match confirm(app, &thing).await? {
                Some(now) if now.is_nothing() => {}
                Some(now) => {
                    told.extend(
                        now.broken.iter().chain(&now.waiting).map(|problem| finding(&thing, problem)),
                    );
                    still.push(thing);
                }
                None => still.push(thing),
            }
        }
        if still.is_empty() || tokio::time::Instant::now() >= end {
            report.waiting.clear();
            told.into_iter().for_each(|finding| report.find(finding));
            report.findings.sort();
            report.findings.dedup();
            return Ok(());
        }
        open = still;
        tokio::time::sleep(POLL.min(end - tokio::time::Instant::now())).await;
    }
}
