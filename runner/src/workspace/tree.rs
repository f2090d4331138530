//! Changes the owner of a directory tree, while another user may be at work in it.
//!
//! Every step goes through the handle of a directory and opens what lies in it without following a link, so that no user can
//! lead the walk out of the tree by exchanging a directory for a link. Never works with the path of anything but the top.
//!
//! ```text
//! 1. Giving: the top is closed first. What lies in a directory changes hands before the directory does, and the top is the
//!    last: until then no other user can enter.
//! 2. Only what is the runner's is given. A file with several names stays, since it may be a file of another place.
//! 3. Taking: a directory is taken before it is listed, with its access lists removed. From then on no other user can exchange
//!    what lies in it, whatever handles they still have. Those of the repository are closed to everyone else.
//! 4. In the repository the files are taken too. Those that git goes by, and those with several names, are replaced by
//!    copies, which no other process has open. All copies together have a bound: a file of 1 GiB may take no place on the disk.
//!    The files of the checkout itself stay the user's.
//!    A link in the repository, and one or a file in its place, is removed: it leads the runner's git to settings that the
//!    user still writes.
//! 5. A second name of a file that is not the user's is removed: the runner would read it for the user.
//! ```

use std::ffi::{CString, OsStr};
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

/// Directories inside of each other. Each takes a file handle.
const DEEPEST: usize = 200;
/// Bytes of all files that are copied.
const MOST_COPIED: u64 = 1024 * 1024 * 1024;
/// How the names of copies begin until they are whole.
const COPY: &str = ".svc-copy-";
/// Extended attributes that give others rights.
const ACCESS_LISTS: [&str; 2] = ["system.posix_acl_access", "system.posix_acl_default"];

/// A user and their group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

impl Owner {
    /// The user and group of this process.
    pub(super) fn me() -> Self {
        let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
        Self { uid: uid.as_raw(), gid: gid.as_raw() }
    }
}

/// Gives a file, or a tree, of this process to a user. `top` lies in a directory that no other user may write. Answers how
/// many files stayed because they have several names.
///
/// # Errors
/// The disk refuses, or directories lie too deep in each other.
pub(super) fn give(top: &Path, to: Owner) -> io::Result<u64> {
    let mut giving = Giving { me: Owner::me(), to, stayed: 0 };
    if top.symlink_metadata()?.is_dir() {
        let directory = open(CWD, top, OFlags::DIRECTORY)?;
        own(&directory, giving.me)?;
        directory.set_permissions(Permissions::from_mode(0o700))?;
        giving.content(&directory, 0, &mut |_| {})?;
        own(&directory, to)?;
    } else {
        giving.file(&open(CWD, top, OFlags::empty())?)?;
    }
    Ok(giving.stayed)
}

/// Takes the directories of a checkout, and its whole repository, from a user. `top` lies in a directory that no other user
/// may write.
///
/// # Errors
/// The disk refuses, or directories lie too deep in each other. The rest is taken all the same.
pub(super) fn take(top: &Path, from: u32) -> io::Result<()> {
    let mut taking = Taking { me: Owner::me(), from, copied: 0, failed: None };
    let directory = open(CWD, top, OFlags::DIRECTORY)?;
    own(&directory, taking.me)?;
    close(&directory, 0o700)?;
    taking.content(&directory, 0, Part::Top);
    taking.failed.map_or(Ok(()), Err)
}

/// Removes pipes, sockets and devices below a directory, for which git would wait. In a repository `links` go, too, but for
/// those of hooks, which git is never asked to run; in a checkout its repository is not looked at, and what cannot be
/// looked into is passed over. Answers how many there were.
///
/// # Errors
/// The disk refuses, or directories of a repository lie too deep in each other.
pub(super) fn strip(top: &Path, links: bool) -> io::Result<usize> {
    fn content(directory: &File, depth: usize, links: bool, hooks: bool) -> io::Result<usize> {
        let mut removed = 0;
        for name in names(directory)? {
            match kind(directory, &name)? {
                Some(FileType::Directory) if !links && depth == 0 && name == ".git" => {}
                Some(FileType::Directory) => {
                    let inner = || {
                        let inner = open(directory, &name, OFlags::DIRECTORY)?;
                        content(&inner, deeper(depth)?, links, depth == 0 && name == "hooks")
                    };
                    removed += if links { inner()? } else { inner().unwrap_or_default() };
                }
                Some(FileType::RegularFile) | None => {}
                Some(FileType::Symlink) if hooks || !links => {}
                Some(_) => {
                    remove(directory, &name)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
    content(&open(CWD, top, OFlags::DIRECTORY)?, 0, links, false)
}

struct Giving {
    me: Owner,
    to: Owner,
    stayed: u64,
}

impl Giving {
    /// `step` hears of each entry before it is touched.
    fn content(&mut self, directory: &File, depth: usize, step: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        let closed = directory.metadata()?;
        let closed = closed.uid() == self.me.uid && closed.mode() & 0o022 == 0;
        for name in names(directory)? {
            step(&name);
            match kind(directory, &name)? {
                Some(FileType::Directory) => {
                    let inner = open(directory, &name, OFlags::DIRECTORY)?;
                    self.content(&inner, deeper(depth)?, step)?;
                    if inner.metadata()?.uid() == self.me.uid {
                        own(&inner, self.to)?;
                    }
                }
                Some(FileType::RegularFile) => self.file(&open(directory, &name, OFlags::empty())?)?,
                // A link cannot be opened: it changes hands by its name, where no other user can exchange it.
                Some(FileType::Symlink) if closed => own_link(directory, &name, self.to)?,
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn file(&mut self, file: &File) -> io::Result<()> {
        let meta = file.metadata()?;
        match meta.nlink() {
            _ if !meta.is_file() || meta.uid() != self.me.uid => Ok(()),
            0 | 1 => own(file, self.to),
            _ => {
                self.stayed += 1;
                Ok(())
            }
        }
    }
}

/// Where in a checkout a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Top,
    Files,
    Repository,
    /// What git verifies when it reads it, and the contents of large files, of which git reads nothing else.
    Objects,
}

impl Part {
    fn of(self, name: &OsStr) -> Self {
        match (self, name.as_bytes()) {
            (Self::Top, b".git") => Self::Repository,
            (Self::Top | Self::Files, _) => Self::Files,
            (Self::Repository, b"objects" | b"lfs") | (Self::Objects, _) => Self::Objects,
            (Self::Repository, _) => Self::Repository,
        }
    }
}

struct Taking {
    me: Owner,
    from: u32,
    /// Bytes of the files that were copied.
    copied: u64,
    failed: Option<io::Error>,
}

impl Taking {
    fn content(&mut self, directory: &File, depth: usize, part: Part) {
        let names = names(directory).unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            Vec::new()
        });
        for name in names {
            if let Err(error) = self.entry(directory, &name, depth, part.of(&name)) {
                self.failed.get_or_insert(error);
            }
        }
    }

    fn entry(&mut self, directory: &File, name: &OsStr, depth: usize, part: Part) -> io::Result<()> {
        match kind(directory, name)? {
            Some(FileType::Directory) => {
                let inner = open(directory, name, OFlags::DIRECTORY)?;
                own(&inner, self.me)?;
                let others = if part == Part::Files { inner.metadata()?.mode() & 0o055 } else { 0 };
                close(&inner, others | 0o700)?;
                self.content(&inner, deeper(depth)?, part);
                Ok(())
            }
            // A checkout that is given away has a repository of its own.
            Some(FileType::RegularFile) if depth == 0 && part == Part::Repository => remove(directory, name),
            Some(FileType::RegularFile) => self.file(directory, name, part),
            Some(_) if part != Part::Files => remove(directory, name),
            Some(_) | None => Ok(()),
        }
    }

    fn file(&mut self, directory: &File, name: &OsStr, part: Part) -> io::Result<()> {
        let file = open(directory, name, OFlags::empty())?;
        let meta = file.metadata()?;
        let several = meta.nlink() > 1;
        if several && meta.uid() != self.from {
            return remove(directory, name);
        }
        match part {
            Part::Top | Part::Files => return Ok(()),
            Part::Objects if !several => {
                own(&file, self.me)?;
                return close(&file, meta.mode() & 0o700);
            }
            Part::Repository | Part::Objects => {}
        }
        self.copied = self.copied.saturating_add(meta.len());
        if !meta.is_file() || self.copied > MOST_COPIED {
            let name = name.to_string_lossy();
            return Err(io::Error::other(format!("{name} is no file, or more than 1 GiB is to be copied")));
        }
        replace(directory, name, file, &meta)
    }
}

/// Removes the access lists of what was taken, and sets its mode.
fn close(file: &File, mode: u32) -> io::Result<()> {
    for list in ACCESS_LISTS {
        match rustix::fs::fremovexattr(file, list) {
            // The file system has none, or this file.
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::ACCESS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    file.set_permissions(Permissions::from_mode(mode))
}

fn remove(directory: &File, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(directory, name, AtFlags::empty())?)
}

/// Puts a copy in the place of a file, as old as that one, and of this process alone.
fn replace(directory: &File, name: &OsStr, file: File, meta: &Metadata) -> io::Result<()> {
    let (place, mut copy) = new_file(directory)?;
    io::copy(&mut io::Read::take(file, meta.len()), &mut copy)?;
    copy.set_permissions(Permissions::from_mode(meta.mode() & 0o700))?;
    copy.set_modified(meta.modified()?)?;
    Ok(rustix::fs::renameat(directory, place, directory, name)?)
}

/// A new file, under a name that nothing in the directory has: the agent may have guessed the usual ones.
fn new_file(directory: &File) -> io::Result<(String, File)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut number = 0_u64;
    loop {
        let name = format!("{COPY}{number}");
        match rustix::fs::openat(directory, &name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => return Ok((name, file.into())),
            Err(Errno::EXIST) => number += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Opens what has this name itself, never what a link leads to, and never blocks.
fn open(directory: impl std::os::fd::AsFd, name: impl AsRef<Path>, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(directory, name.as_ref(), flags, Mode::empty())?.into())
}

fn own(file: &File, owner: Owner) -> io::Result<()> {
    fchown(file, Some(owner.uid), Some(owner.gid))
}

fn own_link(directory: &File, name: &OsStr, owner: Owner) -> io::Result<()> {
    let (uid, gid) = (rustix::fs::Uid::from_raw(owner.uid), rustix::fs::Gid::from_raw(owner.gid));
    Ok(rustix::fs::chownat(directory, name, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW)?)
}

/// What has this name; nothing if it is gone.
fn kind(directory: &File, name: &OsStr) -> io::Result<Option<FileType>> {
    match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(FileType::from_raw_mode(stat.st_mode))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn names(directory: &File) -> io::Result<Vec<std::ffi::OsString>> {
    let named = |entry: rustix::io::Result<rustix::fs::DirEntry>| -> io::Result<CString> {
        Ok(entry?.file_name().to_owned())
    };
    let names: Vec<CString> = Dir::read_from(directory)?.map(named).collect::<io::Result<_>>()?;
    let names = names.iter().map(|name| OsStr::from_bytes(name.to_bytes()).to_owned());
    Ok(names.filter(|name| name != "." && name != "..").collect())
}

fn deeper(depth: usize) -> io::Result<usize> {
    if depth < DEEPEST {
        Ok(depth + 1)
    } else {
        Err(io::Error::other(format!("more than {DEEPEST} directories lie in each other")))
    }
}

#[cfg(test)]
mod tests;
