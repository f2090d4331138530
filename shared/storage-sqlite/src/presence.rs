//! Tells whether another process has a data directory open to write.
//!
//! Protocol.
//! 1. A process that opens the directory holds `store.lock` meanwhile. It adds a byte to `store.users` and keeps a shared lock of
//!    that file for as long as it has the directory open.
//! 2. A process that could lock the file for itself is alone until the file grows.
//! 3. When the file has grown, the process tries once a second, holding `store.lock`, whether it can lock it for itself
//!    again: then the others are gone, and it is alone anew.
//!
//! A process that only reads does not count.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use parking_lot::Mutex;

/// A process among those that have a directory open.
pub(crate) struct Presence {
    lock: File,
    users: File,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How often the process began to be alone.
    era: u64,
    /// Length of the file since then; `None` while others are there.
    length: Option<u64>,
    /// Second of the last attempt to be alone.
    tried: i64,
}

impl Presence {
    /// Enters a directory, whose `lock` the caller holds.
    pub(crate) fn enter(dir: &Path, lock: File) -> io::Result<Self> {
        let open = |name: &str| OpenOptions::new().create(true).append(true).mode(0o600).open(dir.join(name));
        let mut users = open("store.users")?;
        let is_alone = users.try_lock().is_ok();
        if is_alone {
            users.set_len(0)?;
        }
        users.write_all(b".")?;
        // Nobody else asks for it now: they wait for the directory's lock.
        users.lock_shared()?;
        let presence = Self { lock, users, state: Mutex::default() };
        if is_alone {
            presence.begin(&mut presence.state.lock());
        }
        Ok(presence)
    }

    fn begin(&self, state: &mut State) {
        state.era += 1;
        state.length = self.length();
    }

    fn length(&self) -> Option<u64> {
        self.users.metadata().ok().map(|users| users.len())
    }

    /// The same number as long as the process is alone; `second` is the time.
    pub(crate) fn alone(&self, second: i64) -> Option<u64> {
        let mut state = self.state.lock();
        if state.length.is_some() && state.length == self.length() {
            return Some(state.era);
        }
        state.length = None;
        if state.tried == second {
            return None;
        }
        state.tried = second;
        if self.lock.try_lock().is_err() {
            return None;
        }
        if self.users.try_lock().is_ok() {
            self.begin(&mut state);
        }
        // Either way others may open the directory again.
        let shared = self.users.lock_shared();
        let unlocked = self.lock.unlock();
        if shared.is_err() || unlocked.is_err() {
            state.length = None;
        }
        state.length.map(|_| state.era)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::path::Path;

    use super::Presence;

    fn lock(dir: &Path) -> File {
        OpenOptions::new().create(true).append(true).open(dir.join("store.lock")).unwrap()
    }

    fn enter(dir: &Path) -> Presence {
        Presence::enter(dir, lock(dir)).unwrap()
    }

    #[test]
    fn a_process_is_alone_until_another_comes_and_anew_after_it_went() {
        let dir = tempfile::tempdir().unwrap();
        let first = enter(dir.path());
        assert_eq!((first.alone(1), first.alone(1)), (Some(1), Some(1)));
        let second = enter(dir.path());
        assert_eq!((first.alone(1), second.alone(1)), (None, None));
        assert_eq!((first.alone(2), second.alone(2)), (None, None));
        drop(second);
        assert_eq!(first.alone(2), None, "it was asked in this second");
        assert_eq!((first.alone(3), first.alone(3)), (Some(2), Some(2)));
    }

    #[test]
    fn one_that_came_and_went_between_two_looks_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let first = enter(dir.path());
        drop(enter(dir.path()));
        assert_eq!(first.alone(1), Some(2));
    }

    #[test]
    fn none_is_alone_while_another_opens_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        let first = enter(dir.path());
        drop(enter(dir.path()));
        let opening = lock(dir.path());
        opening.lock().unwrap();
        assert_eq!(first.alone(1), None);
        drop(opening);
        assert_eq!(first.alone(2), Some(2));
    }
}
