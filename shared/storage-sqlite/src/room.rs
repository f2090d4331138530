//! What the file system of a directory says of writing there.

use std::path::Path;

use rustix::fs::{StatVfsMountFlags, statvfs};

/// Whether a directory can be written to, as far as its file system decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Free bytes for those who are not root.
    pub free: u64,
    /// Whether the file system is mounted to be read only.
    pub read_only: bool,
}

impl Room {
    /// That of a directory; `None` when the system does not say.
    pub fn of(directory: &Path) -> Option<Self> {
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let known = statvfs(directory).ok()?;
        let read_only = known.f_flag.contains(StatVfsMountFlags::RDONLY);
        Some(Self { free: known.f_bavail.checked_mul(known.f_frsize)?, read_only })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Room;

    #[test]
    fn room_is_known_of_directories_that_are_there() {
        assert!(Room::of(Path::new("")).is_some());
        assert_eq!(Room::of(Path::new("/nowhere/at/all")), None);
    }
}
