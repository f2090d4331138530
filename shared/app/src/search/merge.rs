//! Merges segments of an index that became many, while it is searched and written to.
//!
//! Protocol.
//! 1. The row `MERGE` is taken: it names the segment that is about to be written. Every later commit is conditional on
//!    it, so that of two that merge the slower one stops.
//! 2. The new segment is written. Nothing reads it, as no list names it.
//! 3. One commit puts it in the list in place of the old ones, which `MERGE` names from now on. Others may have added
//!    segments behind them meanwhile.
//! 4. The old ones are deleted, then `MERGE`. A search that had read the list before finds them gone, and begins anew.
//!
//! A worker that finds a `MERGE` of more than a minute ago deletes the segments that it names, and begins.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::segment::{Block, Listed, Segment, Segments, Text};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, StorageError, keys};

use crate::App;
use crate::error::Result;
use crate::heavy;
use crate::transaction::Transaction;

/// After so long, the merging worker is taken for dead.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);

/// Rows that are written or deleted in one commit.
const ROOM: usize = Limits::OPS - 2;

/// That segments are being merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Merge {
    /// Segments whose rows are deleted if the merge does not finish.
    pub(crate) unlisted: Vec<String>,
    /// Since when.
    since: Timestamp,
}

/// A project's index.
#[derive(Clone, Copy)]
pub(super) struct Index<'a> {
    pub(super) app: &'a App,
    pub(super) org: OrgId,
    pub(super) project: &'a ProjectKey,
}

impl Index<'_> {
    /// Merges what is due. Does nothing while another worker merges.
    ///
    /// # Errors
    /// Those of storage; a conflict if another one took over.
    pub(super) async fn merge(self) -> Result<()> {
        if self.due().await?.is_none() {
            return Ok(());
        }
        let Some(claim) = self.claim().await? else { return Ok(()) };
        // Another one may have merged them before.
        match self.due().await? {
            Some((old, earlier)) => self.replace(&old, earlier, claim).await,
            None => self.release(&claim).await,
        }
    }

    /// The segments that are to be merged, and whether there are earlier ones.
    async fn due(self) -> Result<Option<(Vec<Listed>, bool)>> {
        let row = self.app.table.get(&keys::index(self.org, self.project)).await?;
        let mut segments: Segments = row.map(|row| row.read()).transpose()?.unwrap_or_default();
        Ok(segments.due().map(|first| (segments.list.split_off(first), first > 0)))
    }

    /// Takes `MERGE`; `None` if another worker has it.
    async fn claim(self) -> Result<Option<Claim>> {
        let row = self.app.table.get(&self.name()).await?;
        let merge = Merge { unlisted: vec![self.app.uuid().simple().to_string()], since: self.app.now() };
        let mut claim = Claim { merge, version: None };
        if let Some(row) = row {
            let left: Merge = row.read()?;
            claim.version = Some(row.version);
            if self.app.now().duration_since(left.since) < PATIENCE {
                return Ok(None);
            }
            claim.merge.unlisted.extend(left.unlisted);
            self.take(&mut claim).await?;
            self.delete(&claim.merge.unlisted[1..], &claim).await?;
            claim.merge.unlisted.truncate(1);
        }
        self.take(&mut claim).await?;
        Ok(Some(claim))
    }

    async fn take(self, claim: &mut Claim) -> Result<()> {
        let op = match claim.version {
            Some(_) => self.put(claim),
            None => {
                // Above those of all rows of this name before, so that no worker takes it for its own.
                let version = self.app.now().as_millisecond().unsigned_abs();
                claim.version = Some(version - 1);
                Op::create_at(self.name(), version, &claim.merge)
            }
        };
        self.commit(vec![op]).await?;
        claim.version = claim.version.map(|version| version + 1);
        Ok(())
    }

    fn name(self) -> Key {
        keys::index_merge(self.org, self.project)
    }

    fn put(self, claim: &Claim) -> Op {
        Op::put(self.name(), claim.condition(), &claim.merge)
    }

    fn held(self, claim: &Claim) -> Op {
        Op::check(self.name(), claim.condition())
    }

    async fn release(self, claim: &Claim) -> Result<()> {
        self.commit(vec![Op::delete(self.name(), claim.condition())]).await
    }

    async fn commit(self, ops: Vec<Op>) -> Result<()> {
        self.app.commit(Transaction::bookkeeping(self.app).with(ops)).await
    }

    /// Writes one segment in place of these.
    async fn replace(self, old: &[Listed], earlier: bool, mut claim: Claim) -> Result<()> {
        let id = claim.merge.unlisted[0].clone();
        let mut parts = Vec::with_capacity(old.len());
        for listed in old {
            parts.push(self.rows(&listed.id).await?);
        }
        let bytes = parts.iter().flatten().map(|row| row.doc.len()).sum();
        let pk = keys::index_pk(self.org, self.project);
        let (texts, rows) = heavy::on_texts(bytes, move || -> Result<_> {
            let parts: Vec<Segment> = parts.iter().map(|rows| read(rows)).collect::<Result<_>>()?;
            let merged = Segment::merged(parts, earlier);
            Ok((merged.texts().len(), ops_of(&pk, &id, &merged)))
        })
        .await??;
        if texts > 0 {
            for rows in rows.chunks(ROOM) {
                self.commit([&[self.held(&claim)], rows].concat()).await?;
            }
        }
        self.list(old, texts, &mut claim).await?;
        self.delete(&claim.merge.unlisted, &claim).await?;
        self.release(&claim).await
    }

    /// Puts the new segment into the list, in place of the old ones.
    async fn list(self, old: &[Listed], texts: usize, claim: &mut Claim) -> Result<()> {
        let new = Listed { id: claim.merge.unlisted[0].clone(), texts: texts.try_into().unwrap_or(u32::MAX) };
        claim.merge.unlisted = old.iter().map(|listed| listed.id.clone()).collect();
        let name = keys::index(self.org, self.project);
        let before: u32 = old.iter().map(|listed| listed.texts).sum();
        let claim_now = self.put(claim);
        self.app
            .decide(|| async {
                let row = self.app.table.get(&name).await?;
                // Only the holder of `MERGE` takes segments out.
                let row = row.ok_or(StorageError::Contention)?;
                let mut segments: Segments = row.read()?;
                let place = segments.list.windows(old.len()).position(|listed| listed == old);
                let place = place.ok_or(StorageError::Contention)?;
                segments.list.splice(place..place + old.len(), (new.texts > 0).then(|| new.clone()));
                segments.stale = segments.stale.saturating_sub(before.saturating_sub(new.texts));
                let listed = if segments.list.is_empty() {
                    Op::delete(name.clone(), Condition::Version(row.version))
                } else {
                    Op::replace(name.clone(), row.version, &segments)
                };
                self.commit(vec![listed, claim_now.clone()]).await
            })
            .await?;
        claim.version = claim.version.map(|version| version + 1);
        Ok(())
    }

    /// The rows of a segment.
    async fn rows(self, segment: &str) -> Result<Vec<Row>> {
        let range = Range::Prefix(keys::segment_prefix(segment));
        let query = Query::new(keys::index_pk(self.org, self.project), range, Limits::KEYS);
        Ok(self.app.table.query_all(query).await?)
    }

    async fn delete(self, segments: &[String], claim: &Claim) -> Result<()> {
        for segment in segments {
            let rows = self.rows(segment).await?;
            let ops: Vec<Op> = rows.into_iter().map(|row| Op::delete(row.key, Condition::None)).collect();
            for ops in ops.chunks(ROOM) {
                self.commit([&[self.held(claim)], ops].concat()).await?;
            }
        }
        Ok(())
    }
}

/// `MERGE`, as the merging worker wrote it.
struct Claim {
    merge: Merge,
    version: Option<u64>,
}

impl Claim {
    fn condition(&self) -> Condition {
        self.version.map_or(Condition::Absent, Condition::Version)
    }
}

/// The segment of these rows, which are all that it has.
pub(crate) fn read(rows: &[Row]) -> Result<Segment> {
    let is_list = |row: &&Row| row.key.sk.contains("#TEXTS#");
    let texts = rows.iter().filter(is_list).map(Row::read::<Vec<Text>>);
    let texts: Vec<Vec<Text>> = texts.collect::<std::result::Result<_, _>>()?;
    let blocks = rows.iter().filter(|row| !is_list(row)).map(Row::read::<Block>);
    let blocks: Vec<Block> = blocks.collect::<std::result::Result<_, _>>()?;
    Ok(Segment::read(texts.concat(), blocks))
}

/// The operations that write a segment.
pub(super) fn ops_of(pk: &str, id: &str, segment: &Segment) -> Vec<Op> {
    let (lists, blocks) = segment.rows();
    let lists = lists.enumerate().map(|(number, texts)| (keys::segment_texts_sk(id, number), texts));
    let lists = lists.map(|(sk, texts)| Op::put(Key::new(pk, sk), Condition::None, &texts));
    let blocks = blocks.into_iter().map(|(name, block)| {
        Op::put(Key::new(pk, keys::segment_words_sk(id, &name)), Condition::None, &block)
    });
    lists.chain(blocks).collect()
}
