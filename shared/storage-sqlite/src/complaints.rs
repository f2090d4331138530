//! Logs failed writes: what failed, where, and the free space, at once and then once a minute with a count. A full
//! disk fails every request, and the log may be on the same disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::room::Room;

/// Between two lines about the same failure.
const PAUSE: Duration = Duration::from_secs(60);

/// Counts failures of one store. Clones count together.
#[derive(Clone)]
pub(crate) struct Complaints {
    directory: Arc<PathBuf>,
    told: Arc<Mutex<Vec<Told>>>,
}

/// When a failure was told of, and how often it has happened since.
struct Told {
    what: &'static str,
    at: Instant,
    since: u64,
}

impl Complaints {
    pub(crate) fn about(database: &Path) -> Self {
        let directory = database.parent().unwrap_or(Path::new("")).to_owned();
        Self { directory: Arc::new(directory), told: Arc::default() }
    }

    /// Tells of a failure, unless that was done a moment ago.
    pub(crate) fn of(&self, what: &'static str, error: &rusqlite::Error) {
        let Some(times) = self.due(what, Instant::now()) else { return };
        let directory = self.directory.display();
        let free_mib = Room::of(&self.directory).map(|room| room.free / 1024 / 1024);
        tracing::error!(%directory, free_mib, times, %error, "{what}");
    }

    /// How often it happened since it was told of last, this time included; `None` when that was a moment ago.
    fn due(&self, what: &'static str, now: Instant) -> Option<u64> {
        let mut told = self.told.lock();
        let Some(last) = told.iter_mut().find(|told| told.what == what) else {
            told.push(Told { what, at: now, since: 0 });
            return Some(1);
        };
        last.since += 1;
        if now.duration_since(last.at) < PAUSE {
            return None;
        }
        last.at = now;
        Some(std::mem::take(&mut last.since))
    }
}

#[cfg(test)]
mod tests {
    use super::{Complaints, PAUSE};
    use std::path::Path;
    use std::time::{Duration, Instant};

    /// A full disk wrote two lines for each request.
    #[test]
    fn the_same_failure_is_told_once_a_minute_with_a_count() {
        let complaints = Complaints::about(Path::new("/data/store.db"));
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        assert_eq!(complaints.due("a", begun), Some(1));
        assert_eq!(complaints.due("a", after(1)), None);
        assert_eq!(complaints.due("b", after(2)), Some(1), "another is told of at once");
        assert_eq!(complaints.due("a", after(59)), None);
        assert_eq!(complaints.due("a", begun + PAUSE), Some(3));
        assert_eq!(complaints.due("a", after(61)), None);
    }
}
