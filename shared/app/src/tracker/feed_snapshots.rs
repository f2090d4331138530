//! Snapshots of large feeds: a cold start reads one blob and the rows that changed since, instead of every row.
//!
//! Protocol.
//! 1. A process that holds a large feed of which much is in no snapshot asks the workers for one.
//! 2. A worker reads the row that names the last snapshot, packs the feed into a blob under a new name, and
//!    puts the name into the row under the version that it read: of two writers one wins, and the other
//!    removes its own blob.
//! 3. The winner removes the project's older blobs: the one that was named before, and what crashes left. A
//!    name begins with the time at which its writer had read the row, so that none is removed that could
//!    still win.
//! 4. A snapshot holds everything that was committed before its *mark*, and of what came later some, which is
//!    harmless: the feed's rows from the mark on are read after it (see the protocol of [`super::Feeds`]).
//! 5. The row holds the blob's SHA-256. A blob that is gone, damaged, or of another format, and a mark that the clock
//!    contradicts, are as if there were no snapshot: every row is read. The row is part of the table, so that
//!    a table that is put back to an earlier time has its own snapshot or none.
//!
//! A snapshot older than [`MAX_AGE`] is not used: an item's end must leave a row for longer than that.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use svc_domain::feed::{FeedIndex, Packer, unpack};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_storage::{BlobKey, Condition, Op, Retention, StorageError, keys};

use super::feeds::{Feed, OVERLAP};
use crate::App;
use crate::error::{Error, Result, is_conflict};
use crate::transaction::Transaction;

/// A snapshot older than this is not used.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24 * 30);

/// A snapshot younger than this is not replaced: several may have asked for it.
const MIN_AGE: SignedDuration = SignedDuration::from_mins(1);

/// Items from which on a project has snapshots: fewer are read as quickly row by row.
const LARGE: usize = 2_000;

/// Items that are copied under one lock.
const PART: usize = 2_000;

/// The row that names a project's snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Named {
    /// Path of the blob in its class.
    path: String,
    /// Hex SHA-256 of the blob.
    sha256: String,
    /// Everything that was committed before is in it.
    mark: Timestamp,
}

impl Named {
    /// Where the snapshot is.
    pub(crate) fn key(&self) -> BlobKey {
        BlobKey::new(Retention::Snapshot, &self.path)
    }
}

/// Whether a feed of so many items, of which so many changes are in no snapshot, is worth a new one.
pub(super) const fn is_due(items: usize, changes: usize) -> bool {
    items >= LARGE && changes >= LARGE / 2 && changes >= items / 10
}

/// The last snapshot of a project's feed, and its mark; nothing where there is none that can be used.
pub(super) async fn read(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
) -> Result<Option<(FeedIndex, Timestamp)>> {
    let Some(row) = app.table.get(&keys::feed_snapshot(org, project)).await? else { return Ok(None) };
    // A name that a later program wrote otherwise is as good as none.
    let Ok(named) = row.read::<Named>() else { return Ok(None) };
    let age = app.now().duration_since(named.mark);
    if age > MAX_AGE || age < -OVERLAP / 2 {
        return Ok(None);
    }
    let index = open(app, project, &named).await;
    Ok(index
        .inspect_err(|why| tracing::warn!(%org, %project, %why, "a snapshot is of no use; all rows are read"))
        .ok()
        .map(|index| (index, named.mark)))
}

async fn open(app: &App, project: &ProjectKey, named: &Named) -> std::result::Result<FeedIndex, String> {
    let bytes = app.blobs.get(&named.key()).await.map_err(|error| error.to_string())?;
    let (project, sha256) = (project.clone(), named.sha256.clone());
    // Takes a while, in which the thread's other requests would wait.
    let unpacked = tokio::task::spawn_blocking(move || {
        if hex::encode(Sha256::digest(&bytes)) != sha256 {
            return Err("its bytes are not those that were written".to_owned());
        }
        unpack(project, &bytes).map_err(|why| why.to_string())
    });
    unpacked.await.map_err(|error| error.to_string())?
}

/// Packs a project's feed into a new snapshot, if it is large and the last one is not of just now.
///
/// # Errors
/// Those of storage.
pub async fn write(app: &App, org: OrgId, project: &ProjectKey) -> Result<()> {
    let row = app.table.get(&keys::feed_snapshot(org, project)).await?;
    let before = row.as_ref().and_then(|row| row.read::<Named>().ok());
    if before.is_some_and(|named| app.now().duration_since(named.mark).abs() < MIN_AGE) {
        return Ok(());
    }
    let path = format!("{}{}", folder(org, project), app.uuid());
    let feed = app.feeds.fresh(app, org, project).await?;
    let Some((bytes, mark)) = pack(&feed, project).await? else { return Ok(()) };
    let named = Named { path, sha256: hex::encode(Sha256::digest(&bytes)), mark };
    tracing::debug!(%org, %project, bytes = bytes.len(), "a snapshot of a feed");
    app.blobs.put_once(&named.key(), bytes).await?;
    let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
    let row = Op::put(keys::feed_snapshot(org, project), condition, &named);
    match app.commit(Transaction::bookkeeping(app).with([row])).await {
        Ok(()) => {}
        Err(error) if is_conflict(&error) => return Ok(app.blobs.delete(&named.key()).await?),
        Err(error) => return Err(error),
    }
    clear(app, org, project, &named.key()).await
}

/// The feed as bytes, with a mark that it has reached; nothing for one that is small.
async fn pack(feed: &Feed, project: &ProjectKey) -> Result<Option<(Bytes, Timestamp)>> {
    // First the mark: what is packed may be later.
    let Some(mark) = feed.mark() else { return Ok(None) };
    if feed.read().len() < LARGE {
        return Ok(None);
    }
    let (mut packer, mut from) = (Packer::default(), Some(0));
    while let Some(number) = from {
        from = packer.take(&feed.read(), number, PART);
        // Let those go ahead who wait to change the feed.
        tokio::task::yield_now().await;
    }
    let project = project.clone();
    let bytes = tokio::task::spawn_blocking(move || packer.pack(&project)).await;
    let bytes = bytes.map_err(|error| Error::Storage(StorageError::Unavailable(Box::new(error))))?;
    Ok(Some((bytes.into(), mark)))
}

/// Removes the project's blobs that are older than its snapshot.
async fn clear(app: &App, org: OrgId, project: &ProjectKey, newest: &BlobKey) -> Result<()> {
    for blob in app.blobs.list(Retention::Snapshot, &folder(org, project), None).await? {
        if blob.key < *newest {
            app.blobs.delete(&blob.key).await?;
        }
    }
    Ok(())
}

/// Removes all of a project's blobs: nothing is left of it.
pub(super) async fn forget(app: &App, org: OrgId, project: &ProjectKey) -> Result<()> {
    loop {
        let blobs = app.blobs.list(Retention::Snapshot, &folder(org, project), None).await?;
        if blobs.is_empty() {
            return Ok(());
        }
        for blob in blobs {
            app.blobs.delete(&blob.key).await?;
        }
    }
}

fn folder(org: OrgId, project: &ProjectKey) -> String {
    format!("feed/{org}/{project}/")
}
