//! Reads files that an agent had its hands on: in the directory of its run, its checkout and its repository.
//!
//! Whatever lies in such a place may have become a pipe without a writer, a device, a link, or larger than the
//! memory. Only plain files are opened, nothing is waited for, and no more is read than was asked for.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

/// Bytes that a file which the runner itself wrote can have.
pub(crate) const RECORD: u64 = 16 * 1024 * 1024;

/// Opens a plain file, and nothing else. Links are not followed.
///
/// # Errors
/// It cannot be opened, or is something else.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = open_with(path, OFlags::NOFOLLOW | OFlags::NONBLOCK)?;
    let meta = file.metadata()?;
    // Root reads everything, also what another user cannot read but could give a second name.
    if meta.nlink() > 1 && rustix::process::geteuid().is_root() && meta.uid() != owner_around(path)? {
        return Err(io::Error::other("it is a second name of somebody else's file"));
    }
    Ok(file)
}

/// The owner of the directory of a file.
fn owner_around(path: &Path) -> io::Result<u32> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(directory.metadata()?.uid())
}

/// The content of a plain file.
///
/// # Errors
/// As [`open`]; it has more than `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    whole(open(path)?, most)
}

/// The same as text; bytes that are none are replaced.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    read(path, most).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The content of a plain file, which a link may lead to.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_linked(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    whole(open_with(path, OFlags::NONBLOCK)?, most)
}

fn open_with(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|error| match error.raw_os_error() {
        Some(code) if code == Errno::LOOP.raw_os_error() => io::Error::other("it is a symbolic link"),
        _ => error,
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no plain file")) }
}

fn whole(file: File, most: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::other(format!("it has more than {most} bytes"));
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::testing::pipe;

    #[test]
    fn only_plain_files_are_read_and_no_more_of_them_than_was_asked_for() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        std::fs::write(place("file"), "content").unwrap();
        symlink(place("file"), place("link")).unwrap();
        symlink("/dev/zero", place("device")).unwrap();
        pipe(&place("pipe"));
        symlink(place("pipe"), place("to-pipe")).unwrap();
        File::create(place("huge")).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&place("file"), 7).unwrap(), b"content");
        assert_eq!(read_linked(&place("link"), 7).unwrap(), b"content");
        for name in ["link", "device", "pipe", "huge", "to-pipe", "none", "."] {
            assert!(read(&place(name), 1 << 20).is_err(), "{name}");
        }
        for name in ["device", "pipe", "huge", "to-pipe", "none", "."] {
            assert!(read_linked(&place(name), 1 << 20).is_err(), "{name}");
        }
        let why = read(&place("file"), 6).unwrap_err().to_string();
        assert_eq!(why, "it has more than 6 bytes");
    }
}
