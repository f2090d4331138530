//! Writes an export, as the protocol of [the module above](super) says.

use std::path::Path;
use std::time::Instant;

use futures::StreamExt as _;
use svc_app::App;
use svc_boot::open_to_read;
use svc_storage::{BlobKey, Cursor, Retention, StorageError, keys};

use super::digest::{Sum, Total};
use super::folder::{BlobLine, Folder, Written};
use super::stored;
use crate::args::Args;
use crate::existing;
use crate::failure::Failure;
use crate::progress;

/// Exports the store to a directory, or goes on with an export that was cut off.
///
/// # Errors
/// What keeps the store from being read or the directory from being written; with `verify`, that the store is not as it
/// was exported.
pub async fn export(args: &Args, to: &Path, verify: bool) -> Result<(), Failure> {
    let opened = open_to_read(&existing::config(args)?).await?;
    let begun = Instant::now();
    let exported = exported(&opened.app, to, verify).await;
    progress::tell("");
    opened.close().await;
    let total = exported?;
    println!("{total}");
    let (seconds, place) = (begun.elapsed().as_secs_f64(), to.display());
    eprintln!(
        "Exported to {place} in {seconds:.1} s{}. It has password hashes and hashes of tokens: keep it as you keep a backup. \
         Copy secrets.key separately.",
        if verify { ", and the store is the same" } else { "" }
    );
    Ok(())
}

async fn exported(app: &App, to: &Path, verify: bool) -> Result<Total, Failure> {
    if app.table.get(&keys::store_import()).await?.is_some() {
        return Err("an import into this store has not finished".into());
    }
    let folder = Folder::to_write(to)?;
    let mut sum = Sum::default();
    rows(app, &folder, &mut sum).await?;
    blobs(app, &folder, &mut sum).await?;
    if verify {
        let expired_by = stored::expired_by(app);
        let (there, here) = (folder.sum(expired_by)?.total(), stored::sum(app, expired_by).await?.total());
        if there != here {
            return Err(format!(
                "the store changed while it was exported, so that the export may not fit together: stop its servers, or \
                 export a backup, into another directory (exported: {there}; stored: {here})"
            )
            .into());
        }
    }
    let total = sum.total();
    folder.finish(&total)?;
    Ok(total)
}

async fn rows(app: &App, folder: &Folder, sum: &mut Sum) -> Result<(), Failure> {
    let mut after = None;
    let mut file = folder.more_rows(|row| {
        sum.row(&row);
        after = Some(Cursor::behind(&row.key));
    })?;
    let now = app.clock.now().as_second();
    loop {
        let (rows, next) = stored::page(app, after.as_ref()).await?;
        for row in rows.iter().filter(|row| row.ttl.is_none_or(|ttl| ttl >= now)) {
            file.row(row)?;
            sum.row(row);
        }
        progress::tell(&format!("{} rows", sum.rows));
        after = next;
        if after.is_none() {
            return file.finish();
        }
    }
}

async fn blobs(app: &App, folder: &Folder, sum: &mut Sum) -> Result<(), Failure> {
    let mut last: Option<String> = None;
    let mut file = folder.more_blobs(|blob| {
        sum.blob(&blob.name, blob.size, &blob.sha256);
        last = Some(blob.name);
    })?;
    for (retention, mut after) in to_come(last) {
        loop {
            let listed = app.blobs.list(retention, "", after.as_ref()).await?;
            let Some(found) = listed.last() else { break };
            after = Some(found.key.clone());
            for blob in &listed {
                let name = blob.key.as_str();
                let Some((size, sha256)) = copied(app, &blob.key, folder).await? else { continue };
                sum.blob(name, size, &sha256);
                file.blob(&BlobLine { name: name.to_owned(), size, sha256 })?;
                progress::tell(&format!("{} rows, {} files", sum.rows, sum.blobs));
            }
        }
    }
    file.finish()
}

/// The kinds of blobs that are not exported yet, and behind which blob the first goes on.
fn to_come(last: Option<String>) -> Vec<(Retention, Option<BlobKey>)> {
    let Some(last) = last else { return Retention::ALL.map(|kind| (kind, None)).into() };
    let kinds = Retention::ALL.into_iter().skip_while(|kind| !last.starts_with(kind.prefix()));
    let mut after = Some(BlobKey::from_listing(last.clone()));
    kinds.map(|kind| (kind, after.take())).collect()
}

/// Copies the bytes of a blob; nothing if it was deleted meanwhile.
async fn copied(app: &App, key: &BlobKey, folder: &Folder) -> Result<Option<(u64, String)>, Failure> {
    let mut bytes = match app.blobs.read(key, None).await {
        Err(StorageError::NotFound(_)) => return Ok(None),
        read => read?.bytes,
    };
    let mut file = Written::to(folder.blob(key.as_str())?)?;
    while let Some(piece) = bytes.next().await {
        file.piece(&piece?)?;
    }
    Ok(Some(file.finish()?))
}

#[cfg(test)]
mod tests {
    use super::to_come;

    #[test]
    fn blobs_go_on_behind_the_last_one() {
        assert_eq!(to_come(None).len(), 4);
        let rest = to_come(Some("log/a/b".into()));
        let behind: Vec<_> = rest.iter().map(|(kind, after)| (kind.prefix(), after.is_some())).collect();
        assert_eq!(behind, [("log/", true), ("result/", false), ("snapshot/", false)]);
    }
}
