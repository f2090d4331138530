//! The indexer: turns texts that changed into entries and a segment of the index, as the protocol of
//! [the module above](super) says.

use std::collections::BTreeMap;
use std::mem::replace;
use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use futures::future::{join_all, try_join_all};
use serde::{Deserialize, Serialize};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::segment::{Listed, Segment, Segments};
use svc_domain::search::{Document, Source, Target};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, StorageError, keys};

use super::merge::{Index, ops_of};
use super::source;
use crate::App;
use crate::error::{Error, Result};
use crate::transaction::Transaction;

/// Projects whose texts are indexed at a time: so several commits share a write to the disk.
const PROJECTS: usize = 4;

/// Rows of a shard that are read at once.
const PAGE: usize = 100;

/// Texts of a project that are indexed together, of so many bytes, which have terms of so many bytes: as much as one
/// commit can hold, and a text as long as it may be by itself.
const TEXTS: usize = 24;
const BYTES: usize = 1024 * 1024;
const TERMS: usize = 128 * 1024;

/// That a text is to be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Waiting {
    pub(crate) org: OrgId,
    pub(crate) source: Source,
    /// Whether it is to be written although the index has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) anew: bool,
}

/// A text in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) document: Document,
    /// Whether a segment has its terms. Earlier servers kept a row for each.
    #[serde(default)]
    pub(crate) in_segment: bool,
}

/// The operation that has a text indexed, for the commit that writes it.
pub fn changed(org: OrgId, source: &Source) -> Op {
    waiting(org, source, false)
}

/// The same for a text that is written although the index has it.
pub(super) fn anew(org: OrgId, source: &Source) -> Op {
    waiting(org, source, true)
}

fn waiting(org: OrgId, source: &Source, anew: bool) -> Op {
    let waiting = Waiting { org, source: source.clone(), anew };
    Op::put(keys::to_index(org, &source.id()), Condition::None, &waiting)
}

/// Indexes the texts that wait now; answers how many. One that fails or panics is logged, and waits on.
///
/// # Errors
/// When the waiting texts cannot be read.
pub async fn index_waiting(app: &App) -> Result<usize> {
    let first = |shard| Query::new(keys::to_index_pk(shard), Range::All, PAGE);
    let mut shards: Vec<Query> = (0..keys::TO_INDEX_SHARDS).map(first).collect();
    let mut indexed = 0;
    while !shards.is_empty() {
        let pages = try_join_all(shards.iter().map(|query| app.table.query(query))).await?;
        let mut waiting = BTreeMap::<(OrgId, ProjectKey), Vec<Key>>::new();
        let mut next = Vec::new();
        for (query, page) in shards.into_iter().zip(pages) {
            for row in page.rows {
                match row.read::<Waiting>() {
                    Ok(Waiting { org, source, .. }) => {
                        waiting.entry((org, source.id().project)).or_default().push(row.key);
                    }
                    Err(error) => tell(&row.key, &error.into()),
                }
            }
            next.extend(page.cursor.map(|cursor| query.resume(Some(cursor))));
        }
        shards = next;
        let waiting: Vec<_> = waiting.into_iter().collect();
        for projects in waiting.chunks(PROJECTS) {
            let taken = projects.iter().map(|((org, project), names)| {
                let index = Index { app, org: *org, project };
                index.take_in(names)
            });
            indexed += join_all(taken).await.into_iter().sum::<usize>();
        }
    }
    Ok(indexed)
}

impl Index<'_> {
    /// Indexes these texts of the project, and merges its segments where they have become many; answers how many
    /// texts it were.
    async fn take_in(self, mut names: &[Key]) -> usize {
        let (mut indexed, mut together) = (0, TEXTS);
        while let Some(first) = names.first() {
            match self.guarded(&names[..names.len().min(together)]).await {
                Ok(taken) => {
                    indexed += taken;
                    names = &names[taken..];
                }
                // A text that fails or panics keeps no other from being indexed.
                Err(_) if together > 1 => together = 1,
                Err(error) => {
                    tell(first, &error);
                    names = &names[1..];
                }
            }
        }
        if let Err(error) = self.merge().await {
            tracing::debug!(%error, project = %self.project, "the index was not merged");
        }
        indexed
    }

    async fn guarded(self, names: &[Key]) -> Result<usize> {
        let written = AssertUnwindSafe(self.app.decide(|| self.write(names))).catch_unwind().await;
        written.unwrap_or_else(|_| Err(StorageError::Corrupt("indexing it panicked".into()).into()))
    }

    /// Indexes the first of these texts in one commit; answers how many they are.
    async fn write(self, names: &[Key]) -> Result<usize> {
        let Self { app, org, project } = self;
        let waiting: Vec<Row> = app.table.get_many(names).await?.into_iter().flatten().collect();
        let asked: Vec<Waiting> = waiting.iter().map(Row::read).collect::<std::result::Result<_, _>>()?;
        let entries: Vec<Key> = asked.iter().map(|asked| keys::text(org, &asked.source.id())).collect();
        let rows = app.table.get_many(&entries).await?;
        // What is written is never older than the entries and the list that it replaces.
        let list = app.table.get(&keys::index(org, project)).await?;
        let old: Vec<Option<Entry>> = rows
            .iter()
            .map(|row| row.as_ref().map(Row::read).transpose())
            .collect::<std::result::Result<_, _>>()?;
        let texts = asked.iter().zip(&old).map(|(asked, old)| {
            let known = old.as_ref().map(|old| &old.document.source);
            source::load(app, org, &asked.source, known)
        });
        let new: Vec<Option<Document>> = try_join_all(texts).await?;
        let mut segments: Segments = list.as_ref().map(Row::read).transpose()?.unwrap_or_default();
        let (mut ops, mut changes, mut room) =
            (Vec::new(), Vec::<(Target, Option<&Document>)>::new(), Room::default());
        let mut taken = names.len() - waiting.len();
        for place in 0..waiting.len() {
            let (waits, row, old, new) = (&waiting[place], &rows[place], &old[place], new[place].as_ref());
            if !room.takes(new) {
                break;
            }
            taken += 1;
            ops.push(waits.deleted());
            let known = old.as_ref().filter(|old| old.in_segment && !asked[place].anew);
            if known.map(|old| &old.document) == new && (new.is_some() || old.is_none()) {
                continue;
            }
            if let Some(old) = old.as_ref().filter(|old| !old.in_segment) {
                self.forget_earlier(&old.document).await?;
            }
            let condition = row.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
            ops.push(match new {
                Some(document) => {
                    let entry = Entry { document: document.clone(), in_segment: true };
                    Op::put(entries[place].clone(), condition, &entry)
                }
                None => Op::delete(entries[place].clone(), condition),
            });
            segments.stale +=
                u32::from(old.as_ref().is_some_and(|old| old.in_segment)) + u32::from(new.is_none());
            changes.push((asked[place].source.id().target, new));
        }
        if !changes.is_empty() {
            let id = app.uuid().simple().to_string();
            let texts = changes.len().try_into().unwrap_or(u32::MAX);
            ops.extend(ops_of(&keys::index_pk(org, project), &id, &Segment::of(changes)));
            segments.list.push(Listed { id, texts });
            let condition = list.map_or(Condition::Absent, |row| Condition::Version(row.version));
            ops.push(Op::put(keys::index(org, project), condition, &segments));
        }
        app.commit(Transaction::bookkeeping(app).with(ops)).await?;
        Ok(taken)
    }

    /// Deletes the postings of a text that an earlier server indexed.
    async fn forget_earlier(self, document: &Document) -> Result<()> {
        let id = document.source.id();
        let created = document.created_at.as_millisecond();
        let postings = document.terms().flat_map(|(term, in_title)| {
            let sk = keys::earlier_posting_sk(term, in_title, created, &id);
            [Some(self.project), None]
                .map(|project| Key::new(keys::earlier_posting_pk(self.org, project, term), sk.clone()))
        });
        let ops: Vec<Op> = postings.map(|name| Op::delete(name, Condition::None)).collect();
        for ops in ops.chunks(Limits::OPS) {
            self.app.commit(Transaction::bookkeeping(self.app).with(ops.to_vec())).await?;
        }
        Ok(())
    }
}

/// What the texts of a commit take.
#[derive(Default)]
struct Room {
    bytes: usize,
    terms: usize,
    any: bool,
}

impl Room {
    /// Whether there is room for this one, too; for the first there always is.
    fn takes(&mut self, document: Option<&Document>) -> bool {
        let terms: usize =
            document.into_iter().flat_map(Document::terms).map(|(term, _)| term.len() + 16).sum();
        self.terms += terms;
        self.bytes += terms + document.map_or(0, |document| document.text.len());
        !replace(&mut self.any, true) || (self.bytes <= BYTES && self.terms <= TERMS)
    }
}

fn tell(text: &Key, error: &Error) {
    // A full disk is reported elsewhere.
    if !matches!(error, Error::Storage(StorageError::Full)) {
        tracing::warn!(%error, text = text.sk, "a text was not indexed and waits on");
    }
}
