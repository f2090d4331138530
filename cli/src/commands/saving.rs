//! Bytes that are downloaded: to stdout, or to a file that only its owner can read.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use svc_client::Download;
use svc_domain::attachment::name::file_name;
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::output::size;
use crate::session::Session;

/// The file to write: the path, or the name in the directory that the path is; `else_name` where the name is none.
pub(super) fn target(path: &Path, name: &str, else_name: &str) -> PathBuf {
    let directory = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
    // The name comes from the instance: here it must be one again, and hidden in no list.
    let name = file_name(name).map(|name| name.trim_start_matches('.').to_owned());
    match name.filter(|name| directory && !name.is_empty()) {
        Some(name) => path.join(name),
        None if directory => path.join(else_name),
        None => path.to_owned(),
    }
}

/// Refuses what no file can be written to, before anything is asked of the instance.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    refuse_what_is_no_file(path)?;
    refuse_without_directory(path)
}

/// Sends bytes to stdout as they come.
pub(super) async fn print(bytes: u64, mut download: Download, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.is_terminal() {
        let mut text = Vec::new();
        while let Some(piece) = download.piece().await? {
            text.extend_from_slice(&piece);
        }
        return session.output.exact(&String::from_utf8_lossy(&text));
    }
    let mut left = bytes;
    while let Some(piece) = download.piece().await? {
        session.output.bytes(&piece)?;
        left = left.saturating_sub(piece.len() as u64);
    }
    if left > 0 { Err(short(left)) } else { Ok(()) }
}

/// Writes bytes to a file, which appears when it is complete, and says so.
pub(super) async fn save(
    path: &Path,
    bytes: u64,
    download: Download,
    session: &Session<'_>,
) -> Result<(), Failure> {
    keep(path, bytes, download).await?;
    session.output.say(&format!("wrote {} to {}", size(bytes), path.display()));
    Ok(())
}

/// Writes bytes to a file, which appears when it is complete. `bytes` is 0 where their number is not known.
pub(super) async fn keep(path: &Path, bytes: u64, mut download: Download) -> Result<(), Failure> {
    let trouble = |error: &io::Error| Failure::io(format_args!("cannot write {}", path.display()), error);
    // A temporary file has mode 0600 from the start and goes away when this is cut off. Its name is no other file's
    // business, so of an error only the kind is told.
    let mut file =
        NamedTempFile::new_in(directory_of(path)).map_err(|error| trouble(&error.kind().into()))?;
    let mut left = bytes;
    while let Some(piece) = download.piece().await? {
        file.write_all(&piece).map_err(|error| trouble(&error))?;
        left = left.saturating_sub(piece.len() as u64);
    }
    if left > 0 {
        return Err(short(left));
    }
    file.as_file().sync_all().map_err(|error| trouble(&error))?;
    // Takes the place of the name itself: a link that came there meanwhile is replaced, not followed.
    file.persist(path).map_err(|error| trouble(&error.error))?;
    Ok(())
}

fn refuse_what_is_no_file(path: &Path) -> Result<(), Failure> {
    let why = match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_symlink() => "is a symbolic link",
        Ok(found) if !found.is_file() => "is not a file",
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::io(format_args!("cannot access {}", path.display()), &error)),
    };
    Err(Failure::rejected(format!("{} {why}; it was not changed", path.display()))
        .hint("name another file with -o"))
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn refuse_without_directory(path: &Path) -> Result<(), Failure> {
    let directory = directory_of(path);
    if directory.is_dir() {
        return Ok(());
    }
    Err(Failure::rejected(format!("there is no directory {}", directory.display()))
        .hint("create it, or name another file with -o"))
}

fn short(left: u64) -> Failure {
    Failure::io(
        format_args!("the download broke off; {left} bytes are missing"),
        &ErrorKind::UnexpectedEof.into(),
    )
}
