//! `svc-server backup`: a copy of the embedded store, also while servers work on it.

use std::path::Path;

use svc_boot::{Store, back_up};

use crate::args::Args;
use crate::existing;
use crate::failure::Failure;
use crate::progress;

/// Copies the store to a new directory.
///
/// # Errors
/// What keeps the store from being read, or the copy from being written.
pub fn backup(args: &Args, to: &Path) -> Result<(), Failure> {
    let config = existing::config(args)?;
    if config.storage.engine == Store::Aws {
        return Err(
            "this command cannot copy a store on AWS: use table backups and bucket versioning instead".into(),
        );
    }
    progress::tell("copying and checking rows and attachments …");
    let copied = back_up(&config.storage.directory, to);
    progress::tell("");
    let copied = copied?;
    println!(
        "{} rows and {} files were copied to {} and checked. To restore, copy secrets.key of this store beside the copy, \
         then start the server with --data on it.",
        copied.rows,
        copied.blobs,
        to.display()
    );
    Ok(())
}
