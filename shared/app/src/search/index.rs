//! The indexer: turns texts that changed into entries and postings, as the protocol of
//! [the module above](super) says.

use std::collections::BTreeSet;
use std::future::ready;
use std::panic::AssertUnwindSafe;

use futures::stream::BoxStream;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};
use svc_domain::ids::OrgId;
use svc_domain::search::{Document, Source, TextId};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, StorageError, keys};

use super::source;
use crate::App;
use crate::error::{Error, Result};
use crate::transaction::Transaction;

/// Texts that are indexed at a time, of all shards together: so many commits share a write to the disk.
const AT_ONCE: usize = 16;

/// Rows of a shard that are read at once.
const PAGE: usize = 100;

/// Operations of a commit that are left for postings.
const ROOM: usize = Limits::OPS - 2;

/// That a text is to be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Waiting {
    pub(crate) org: OrgId,
    pub(crate) source: Source,
}

/// A text in the index, and what may be left of what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) document: Document,
    /// Postings of earlier texts that may still be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leftover: Vec<(String, bool)>,
    /// Whether the postings of this one may not be there yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unsettled: bool,
}

impl Entry {
    /// Whether its postings are those of its document, no more and no fewer.
    pub(crate) const fn is_settled(&self) -> bool {
        !self.unsettled && self.leftover.is_empty()
    }
}

/// The operation that has a text indexed, for the commit that writes it.
pub fn changed(org: OrgId, source: &Source) -> Op {
    let waiting = Waiting { org, source: source.clone() };
    Op::put(keys::to_index(org, &source.id()), Condition::None, &waiting)
}

/// Indexes the texts that wait now; answers how many. One that fails or panics is logged, and waits on.
///
/// # Errors
/// When the waiting texts cannot be read.
pub async fn index_waiting(app: &App) -> Result<usize> {
    let shards: Vec<_> = (0..keys::TO_INDEX_SHARDS).map(|shard| waiting_in(app, shard)).collect();
    stream::select_all(shards)
        .map_ok(|row| async { Ok(usize::from(index_logged(app, row).await)) })
        .try_buffer_unordered(AT_ONCE)
        .try_fold(0, |indexed, one| ready(Ok(indexed + one)))
        .await
}

/// The rows of one shard.
fn waiting_in(app: &App, shard: u128) -> BoxStream<'_, Result<Row>> {
    let first = Query::new(keys::to_index_pk(shard), Range::All, PAGE);
    let pages = stream::try_unfold(Some(first), move |query| async move {
        let Some(query) = query else { return Ok(None) };
        let page = app.table.query(&query).await?;
        let more = page.cursor.map(|cursor| query.resume(Some(cursor)));
        Ok::<_, Error>(Some((stream::iter(page.rows.into_iter().map(Ok)), more)))
    });
    pages.try_flatten().boxed()
}

async fn index_logged(app: &App, row: Row) -> bool {
    // A text that makes it panic keeps no other from being indexed.
    match AssertUnwindSafe(app.decide(|| index(app, &row.key))).catch_unwind().await {
        Ok(Ok(())) => return true,
        // Whoever fills the disk is told so elsewhere.
        Ok(Err(Error::Storage(StorageError::Full))) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, text = row.key.sk, "a text was not indexed and waits on");
        }
        Err(_) => tracing::error!(text = row.key.sk, "indexing a text panicked: it waits on"),
    }
    false
}

async fn index(app: &App, waiting_key: &Key) -> Result<()> {
    let Some(waiting_row) = app.table.get(waiting_key).await? else { return Ok(()) };
    let Waiting { org, source } = waiting_row.read()?;
    let id = source.id();
    let row = app.table.get(&keys::text(org, &id)).await?;
    let old: Option<Entry> = row.as_ref().map(Row::read).transpose()?;
    let known = old.as_ref().map(|old| &old.document.source);
    let new = source::load(app, org, &source, known).await?;
    let done = Op::delete(waiting_key.clone(), Condition::Version(waiting_row.version));
    let change = Change { org, id, version: row.map(|row| row.version), old, new };
    change.write(app, done).await
}

/// A change of the index on its way to its commits.
struct Change {
    org: OrgId,
    id: TextId,
    /// Version of the entry that was read.
    version: Option<u64>,
    old: Option<Entry>,
    new: Option<Document>,
}

impl Change {
    async fn write(self, app: &App, done: Op) -> Result<()> {
        let settled = self.old.as_ref().is_none_or(Entry::is_settled);
        if settled && self.old.as_ref().map(|old| &old.document) == self.new.as_ref() {
            return app.commit(Transaction::bookkeeping(app).with([done])).await;
        }
        let (gone, postings) = self.postings();
        let mut version = self.version;
        let mut chunks: Vec<&[Op]> = postings.chunks(ROOM).collect();
        let last = chunks.pop().unwrap_or_default();
        for (place, chunk) in chunks.into_iter().enumerate() {
            let guard = if place == 0 {
                let guard = self.put(version, gone.clone(), true);
                version = Some(version.unwrap_or(0) + 1);
                guard
            } else {
                Op::check(keys::text(self.org, &self.id), condition(version))
            };
            app.commit(Transaction::bookkeeping(app).with([&[guard], chunk].concat())).await?;
        }
        let entry = match &self.new {
            Some(_) => self.put(version, Vec::new(), false),
            None => Op::delete(keys::text(self.org, &self.id), condition(version)),
        };
        app.commit(Transaction::bookkeeping(app).with([&[entry, done], last].concat())).await
    }

    /// Terms whose postings go, and all operations on postings.
    fn postings(&self) -> (Vec<(String, bool)>, Vec<Op>) {
        let of = |document: Option<&Document>| -> BTreeSet<(String, bool)> {
            let terms = document.into_iter().flat_map(Document::terms);
            terms.map(|(term, in_title)| (term.to_owned(), in_title)).collect()
        };
        let new = of(self.new.as_ref());
        let old = self.old.as_ref();
        let before = of(old.map(|old| &old.document));
        let there = if old.is_some_and(|old| old.unsettled) { BTreeSet::new() } else { before.clone() };
        let leftover = old.into_iter().flat_map(|old| old.leftover.iter().cloned());
        let gone: Vec<_> =
            before.into_iter().chain(leftover).filter(|posting| !new.contains(posting)).collect();
        let mut ops = Vec::new();
        for posting in new.difference(&there) {
            ops.extend(self.keys(posting).map(|key| Op::put(key, Condition::None, &0)));
        }
        for posting in gone.iter().collect::<BTreeSet<_>>() {
            ops.extend(self.keys(posting).map(|key| Op::delete(key, Condition::None)));
        }
        (gone, ops)
    }

    /// The rows of a posting: in the project, and in the organization.
    fn keys(&self, (term, in_title): &(String, bool)) -> [Key; 2] {
        let document = self.new.as_ref().or(self.old.as_ref().map(|old| &old.document));
        let created = document.map_or(0, |document| document.created_at.as_millisecond());
        let sk = keys::term_sk(term, *in_title, created, &self.id);
        [Some(&self.id.project), None]
            .map(|project| Key::new(keys::term_pk(self.org, project, term), sk.clone()))
    }

    fn put(&self, version: Option<u64>, leftover: Vec<(String, bool)>, unsettled: bool) -> Op {
        let mut document = self.new.clone().or_else(|| self.old.as_ref().map(|old| old.document.clone()));
        if let (Some(document), None) = (&mut document, &self.new) {
            // On its way out, it answers nothing.
            document.title_terms.clear();
            document.text_terms.clear();
        }
        let entry = document.map(|document| Entry { document, leftover, unsettled });
        Op::put(keys::text(self.org, &self.id), condition(version), &entry)
    }
}

fn condition(version: Option<u64>) -> Condition {
    version.map_or(Condition::Absent, Condition::Version)
}
