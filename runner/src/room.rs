//! Room for run directories: a runner without any takes no runs, rather than failing each of them. Another runner may
//! have room for them.

use std::path::Path;

/// Free bytes below which no run is taken.
pub const LEAST: u64 = 256 * 1024 * 1024;

/// Free bytes of the file system of a directory for users other than root; `None` when it does not say.
pub fn free(directory: &Path) -> Option<u64> {
    let known = rustix::fs::statvfs(directory).ok()?;
    known.f_bavail.checked_mul(known.f_frsize)
}

/// Whether there was room at the last look.
#[derive(Debug, Default)]
pub struct Room {
    short: bool,
}

impl Room {
    /// Whether runs may be taken; the log is told when that changed.
    pub fn is_enough(&mut self, root: &Path) -> bool {
        let (takes, news) = self.look(root, free(root));
        if let Some(news) = news {
            tracing::warn!("{news}");
        }
        takes
    }

    /// Whether runs may be taken with so many bytes free, and what to tell when that changed. What is not known does
    /// not keep a runner from its work.
    fn look(&mut self, root: &Path, free: Option<u64>) -> (bool, Option<String>) {
        let short = free.is_some_and(|free| free < LEAST);
        let changed = std::mem::replace(&mut self.short, short) != short;
        let mib = |bytes: u64| bytes / 1024 / 1024;
        let told = match (short, free) {
            (true, Some(free)) => format!(
                "no runs are taken: {} MiB are free in {}, and a run needs {}; free some space, or start the runner with \
                 --workspace-root on another disk",
                mib(free),
                root.display(),
                mib(LEAST)
            ),
            _ => format!("there is enough space in {} again: runs are taken", root.display()),
        };
        (!short, changed.then_some(told))
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, Room, free};
    use std::path::Path;

    /// A runner with a full disk took every queued run and failed it.
    #[test]
    fn without_room_no_run_is_taken_which_is_told_once() {
        let root = Path::new("/runs");
        let mut room = Room::default();
        assert_eq!(room.look(root, Some(LEAST)), (true, None));
        let (takes, told) = room.look(root, Some(LEAST - 1));
        assert!(!takes && told.unwrap().starts_with("no runs are taken: 255 MiB are free in /runs"));
        assert_eq!(room.look(root, Some(0)), (false, None));
        let (takes, told) = room.look(root, Some(LEAST));
        assert!(takes && told.unwrap().contains("again"));
        assert_eq!(room.look(root, None), (true, None));
    }

    #[test]
    fn a_directory_tells_its_free_space_and_a_missing_one_nothing() {
        let directory = tempfile::tempdir().unwrap();
        assert!(free(directory.path()).is_some());
        assert_eq!(free(&directory.path().join("none")), None);
    }
}
