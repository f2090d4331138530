//! Makes a store from an export, as the protocol of [the module above](super) says.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use svc_app::App;
use svc_boot::{init_telemetry, open};
use svc_storage::{BlobKey, ByteStream, Commit, Condition, Op, StorageError, keys};

use super::digest::{Sum, Total};
use super::folder::{BlobLine, Folder, PIECE, sha256_of};
use super::rows::Batch;
use super::stored;
use crate::args::Args;
use crate::failure::Failure;
use crate::progress;

/// Commits, or files, that are on their way at the same time.
const AT_ONCE: usize = 8;

/// Makes a store from an export, or goes on with an import that was cut off.
///
/// # Errors
/// That the store has rows, or the export is unfinished, damaged or from a newer version; what keeps the one from being
/// read or the other from being written; with `verify`, that the store is not as it was exported.
pub async fn import(args: &Args, from: &Path, verify: bool) -> Result<(), Failure> {
    let config = args.config()?;
    init_telemetry(&config.logging);
    let (folder, total) = Folder::to_read(from)?;
    let opened = open(&config).await?;
    let begun = Instant::now();
    let imported = imported(&opened.app, &folder, &total, verify).await;
    progress::tell("");
    opened.close().await;
    imported?;
    println!("{total}");
    eprintln!(
        "Imported in {:.1} s{}. Put the secrets.key of the exported store in the place of the one here, then run svc-server \
         check.",
        begun.elapsed().as_secs_f64(),
        if verify { ", and the store is the same" } else { "" }
    );
    Ok(())
}

async fn imported(app: &App, folder: &Folder, total: &Total, verify: bool) -> Result<(), Failure> {
    begin(app, total).await?;
    let mut sum = Sum::default();
    rows(app, folder, &mut sum).await?;
    blobs(app, folder, &mut sum).await?;
    if sum.total() != *total {
        return Err(format!("the export is damaged: it has {}, and had {total}", sum.total()).into());
    }
    if verify {
        let expired_by = stored::expired_by(app);
        let (there, here) = (folder.sum(expired_by)?.total(), stored::sum(app, expired_by).await?.total());
        if there != here {
            return Err(format!("the store has {here}, and the export {there}").into());
        }
    }
    let ops = vec![Op::delete(keys::store_import(), Condition::Present)];
    Ok(app.table.commit(&Commit { ops, token: None }).await?)
}

/// Marks an empty store. One that has the mark of this export is gone on with.
async fn begin(app: &App, total: &Total) -> Result<(), Failure> {
    let mark = keys::store_import();
    if let Some(row) = app.table.get(&mark).await? {
        return match row.read::<String>()? == total.digest {
            true => Ok(()),
            false => Err("an import of another export into this store has not finished".into()),
        };
    }
    if !app.table.scan(1, None).await?.rows.is_empty() {
        return Err("this store is not empty: import into a new one".into());
    }
    let ops = vec![Op::create(mark, &total.digest)];
    Ok(app.table.commit(&Commit { ops, token: None }).await?)
}

async fn rows(app: &App, folder: &Folder, sum: &mut Sum) -> Result<(), Failure> {
    let mut rows = folder.rows()?;
    let mut batch = Batch::default();
    let mut next = move || -> Result<Option<Batch>, Failure> {
        for row in rows.by_ref() {
            let row = row?;
            sum.row(&row);
            if let Some(full) = batch.push(row) {
                progress::tell(&format!("{} rows", sum.rows));
                return Ok(Some(full));
            }
        }
        Ok(std::mem::take(&mut batch).some())
    };
    let batches = stream::iter(std::iter::from_fn(move || next().transpose()));
    batches.try_for_each_concurrent(AT_ONCE, |batch| async move { batch.write(&*app.table).await }).await
}

async fn blobs(app: &App, folder: &Folder, sum: &mut Sum) -> Result<(), Failure> {
    for blob in folder.blobs()? {
        let BlobLine { name, size, sha256 } = blob?;
        let path = folder.blob(&name)?;
        if std::fs::metadata(&path).map(|file| file.len()).ok() != Some(size) || sha256_of(&path)? != sha256 {
            return Err(format!("the export is damaged: {} is not as it was exported", path.display()).into());
        }
        match app.blobs.put_stream(&BlobKey::from_listing(name.clone()), pieces(&path)?).await {
            Err(StorageError::AlreadyExists(_)) => {}
            put => drop(put?),
        }
        sum.blob(&name, size, &sha256);
        progress::tell(&format!("{} rows, {} files", sum.rows, sum.blobs));
    }
    Ok(())
}

/// The bytes of a file, piece by piece.
fn pieces(path: &Path) -> Result<ByteStream, Failure> {
    let file = File::open(path)?;
    let pieces = stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece)?;
        piece.truncate(read);
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>((read > 0).then(|| (piece.into(), file)))
    });
    Ok(pieces.boxed())
}
