//! Copies a data directory consistently, even while others write to it.
//!
//! The protocol:
//!
//! 1. The blobs are copied. Blobs never change, so their copies stay correct.
//! 2. A snapshot of the rows is copied into a file with a temporary name.
//! 3. New blobs are copied. Together with step 1, the copy has every blob that the rows name. It may also have blobs
//!    that were deleted since step 1, which is harmless.
//! 4. The copy of the rows is checked and renamed. An interrupted copy has blobs but no rows; opening it is refused. A
//!    copy that fails removes what it made, so that the next one may use the same name.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt as _};
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use svc_storage::StorageError;

use crate::schema::Access;
use crate::store::{BLOBS, FILE};
use crate::{error, schema};

/// Name of the copy of the rows until it is checked.
const UNFINISHED: &str = "store.new";

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Rows.
    pub rows: u64,
    /// Blobs.
    pub blobs: u64,
}

/// Copies a data directory to a directory that is new or empty.
///
/// # Errors
/// [`StorageError::Unusable`] when the target is not empty or in the directory that is copied, or the copy is not sound;
/// otherwise what keeps the one from being read or the other from being written.
pub fn back_up(from: &Path, to: &Path) -> Result<Copied, StorageError> {
    let access = schema::readable(&from.join(FILE))?;
    if is_within(to, from).map_err(error::file)? {
        return Err(StorageError::Unusable(format!(
            "{} is in the data directory {}: name a directory outside of it for the copy",
            to.display(),
            from.display()
        )));
    }
    let is_new = !to.exists();
    make_directory(to).map_err(error::file)?;
    if fs::read_dir(to).map_err(error::file)?.next().is_some() {
        return Err(StorageError::Unusable(format!(
            "{} is not empty: name a new directory for the copy",
            to.display()
        )));
    }
    if !is_new {
        keep_others_out(to).map_err(error::file)?;
    }
    // Of two copies to the same directory, the second fails here, and takes nothing away from the first.
    let unfinished = to.join(UNFINISHED);
    OpenOptions::new().create_new(true).write(true).mode(0o600).open(unfinished).map_err(error::file)?;
    copy(from, to, access).inspect_err(|_| take_away(to, is_new))
}

/// Whether a path, which need not exist, is a directory or in it.
fn is_within(path: &Path, directory: &Path) -> io::Result<bool> {
    let directory = directory.canonicalize()?;
    let path = std::path::absolute(path)?;
    let real = path.ancestors().find_map(|part| {
        let rest = path.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    Ok(real.is_some_and(|real| real.starts_with(directory)))
}

/// Takes away what a failed copy made in a directory that was empty. What cannot be taken away stays: the failure is
/// told in any case.
fn take_away(to: &Path, is_new: bool) {
    let _ = fs::remove_dir_all(to.join(BLOBS));
    let _ = fs::remove_file(to.join(UNFINISHED));
    if is_new {
        let _ = fs::remove_dir(to);
    }
}

fn copy(from: &Path, to: &Path, access: Access) -> Result<Copied, StorageError> {
    let mut copied =
        Copied { blobs: copy_new(&from.join(BLOBS), &to.join(BLOBS)).map_err(error::file)?, rows: 0 };
    let unfinished = to.join(UNFINISHED);
    let source = schema::reader(&from.join(FILE), access).map_err(error::database)?;
    copy_rows(&source, &unfinished)?;
    copied.blobs += copy_new(&from.join(BLOBS), &to.join(BLOBS)).map_err(error::file)?;
    copied.rows = checked(&unfinished)?;
    fs::rename(&unfinished, to.join(FILE)).and_then(|()| File::open(to)?.sync_all()).map_err(error::file)?;
    Ok(copied)
}

fn copy_rows(source: &Connection, to: &Path) -> Result<(), StorageError> {
    // The connection only reads its own database, but may write the new one.
    source.pragma_update(None, "query_only", false).map_err(error::database)?;
    source.execute("VACUUM INTO ?1", [to.to_string_lossy()]).map_err(error::database)?;
    File::open(to).and_then(|file| file.sync_all()).map_err(error::file)
}

/// Reads all of a copy; answers its rows.
fn checked(copy: &Path) -> Result<u64, StorageError> {
    let conn =
        Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(error::database)?;
    let said: String =
        conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(error::database)?;
    if said != "ok" {
        return Err(StorageError::Unusable(format!("the copy {} is not sound: {said}", copy.display())));
    }
    let rows: i64 =
        conn.query_row("SELECT count(*) FROM record", [], |row| row.get(0)).map_err(error::database)?;
    Ok(rows.unsigned_abs())
}

/// Copies the files of a directory that are not in the other yet, except those that are being written; answers how
/// many.
fn copy_new(from: &Path, to: &Path) -> io::Result<u64> {
    let entries = match fs::read_dir(from) {
        Ok(entries) => entries,
        // The last file of it was deleted meanwhile, and the directory with it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    make_directory(to)?;
    let mut copied = 0;
    for entry in entries {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            // What is unfinished is of no use in a copy; an empty directory of that name is.
            copied += if entry.file_name() == ".tmp" {
                make_directory(&to).map(|()| 0)?
            } else {
                copy_new(&from, &to)?
            };
        } else if !to.exists() {
            match fs::copy(&from, &to) {
                Ok(_) => {
                    File::open(&to)?.sync_all()?;
                    copied += 1;
                }
                // Deleted meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    File::open(to)?.sync_all()?;
    Ok(copied)
}

/// Where others could put files in the place of those of the copy, only its owner may enter from now on.
fn keep_others_out(directory: &Path) -> io::Result<()> {
    let mode = fs::metadata(directory)?.permissions().mode();
    if mode & 0o022 == 0 {
        return Ok(());
    }
    fs::set_permissions(directory, Permissions::from_mode(0o700))
}

fn make_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
