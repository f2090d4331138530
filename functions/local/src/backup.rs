//! `svc-server backup`: a copy of the embedded store, also while servers work on it, and which earlier ones are kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use svc_app::ports::Clock as _;
use svc_boot::{Store, SystemClock, back_up, is_store};

use crate::args::Args;
use crate::existing;
use crate::failure::Failure;
use crate::progress;
use crate::retention::{self, Retention};

/// After so long a copy without rows is one that was cut off, and no longer one that is being made.
const CUT_OFF: SignedDuration = SignedDuration::from_hours(24);

/// Copies the store to a new directory; with `keep`, to one in `to` that is named by the time, and deletes earlier ones
/// that are not to be kept.
///
/// # Errors
/// What keeps the store from being read, the copy from being written, or an earlier one from being deleted.
pub fn backup(args: &Args, to: &Path, keep: Option<&Retention>) -> Result<(), Failure> {
    let config = existing::config(args)?;
    if config.storage.engine == Store::Aws {
        return Err(
            "this command cannot copy a store on AWS: use table backups and bucket versioning instead".into(),
        );
    }
    let now = SystemClock.now();
    let copy = keep.map_or_else(|| to.to_owned(), |_| to.join(retention::name(now)));
    progress::tell("copying and checking rows and attachments …");
    let copied = back_up(&config.storage.directory, &copy);
    progress::tell("");
    let copied = copied?;
    println!(
        "{} rows and {} files were copied to {} and checked. To restore, copy secrets.key of this store beside the copy, \
         then start the server with --data on it.",
        copied.rows,
        copied.blobs,
        copy.display()
    );
    match keep {
        Some(keep) => clear(to, keep, now),
        None => Ok(()),
    }
}

/// Deletes the copies in a directory that are not to be kept, and those that were cut off. What has another name stays.
fn clear(directory: &Path, keep: &Retention, now: Timestamp) -> Result<(), Failure> {
    let (mut whole, mut gone) = (BTreeSet::new(), Vec::new());
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let at = entry.file_name().to_str().and_then(retention::time_of);
        let Some(at) = at.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_dir())) else { continue };
        if is_store(&entry.path())? {
            whole.insert(at);
        } else if now.duration_since(at) > CUT_OFF {
            gone.push(at);
        }
    }
    let outdated = keep.outdated(&whole);
    let left = whole.len() - outdated.len();
    gone.extend(outdated);
    for at in &gone {
        fs::remove_dir_all(directory.join(retention::name(*at)))?;
    }
    println!("{} backups are kept in {}, {} were deleted.", left, directory.display(), gone.len());
    Ok(())
}
