//! The digest of a store as it is.

use futures::StreamExt as _;
use sha2::{Digest as _, Sha256};
use svc_app::App;
use svc_storage::{BlobKey, Cursor, Retention, Row, StorageError, keys};

use super::digest::Sum;
use crate::failure::Failure;
use crate::progress;

/// Rows that are read at once.
const PAGE: usize = 1_000;

/// Seconds in which rows may vanish by themselves while digests are compared.
const WHILE_VERIFYING: i64 = 24 * 60 * 60;

/// Rows that expire before this second of the Unix epoch do not count when digests are compared: engines remove them.
pub(super) fn expired_by(app: &App) -> i64 {
    app.clock.now().as_second() + WHILE_VERIFYING
}

/// A page of rows, and where the next one begins. The mark of an import is no row of the store.
pub(super) async fn page(
    app: &App,
    after: Option<&Cursor>,
) -> Result<(Vec<Row>, Option<Cursor>), StorageError> {
    let mut page = app.table.scan(PAGE, after).await?;
    page.rows.retain(|row| row.key != keys::store_import());
    Ok((page.rows, page.cursor))
}

/// The digest of what is stored, without rows that expire before this second of the Unix epoch.
pub(super) async fn sum(app: &App, expired_by: i64) -> Result<Sum, Failure> {
    let mut sum = Sum::default();
    let mut after = None;
    loop {
        let (rows, next) = page(app, after.as_ref()).await?;
        rows.iter().filter(|row| row.ttl.is_none_or(|ttl| ttl >= expired_by)).for_each(|row| sum.row(row));
        progress::tell(&format!("verifying: {} rows", sum.rows));
        after = next;
        if after.is_none() {
            break;
        }
    }
    for retention in Retention::ALL {
        let mut after: Option<BlobKey> = None;
        loop {
            let listed = app.blobs.list(retention, "", after.as_ref()).await?;
            let Some(last) = listed.last() else { break };
            after = Some(last.key.clone());
            for blob in &listed {
                let (size, sha256) = hashed(app, &blob.key).await?;
                sum.blob(blob.key.as_str(), size, &sha256);
                progress::tell(&format!("verifying: {} rows, {} files", sum.rows, sum.blobs));
            }
        }
    }
    progress::tell("");
    Ok(sum)
}

async fn hashed(app: &App, key: &BlobKey) -> Result<(u64, String), Failure> {
    let mut bytes = app.blobs.read(key, None).await?.bytes;
    let (mut size, mut hash) = (0, Sha256::new());
    while let Some(piece) = bytes.next().await {
        let piece = piece?;
        size += piece.len() as u64;
        hash.update(&piece);
    }
    Ok((size, hex::encode(hash.finalize())))
}
