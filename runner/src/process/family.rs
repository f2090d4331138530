//! Which processes belong to a run, and how they are ended.
//!
//! ```text
//! A process belongs to a run when
//! 1. it is the harness, or in its process group, or
//! 2. its parent belongs to the run, or it was seen to belong before (tools run in sessions of their own,
//!    and their parents may be gone), or
//! 3. it was left to this process (a subreaper on Linux) and its environment names the run's directory, or
//! 4. it was left to this process, nobody here started it, and no other run is in flight.
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use rustix::process::{Pid, Signal, WaitOptions};

use super::table::{self, Entry};
use crate::locking::lock;

/// Ids of the processes that this crate started and waits for. Held while starting one, so that a sweep
/// never takes it for a stray.
static OWN: Mutex<Option<HashSet<i32>>> = Mutex::new(None);
static ADOPTING: AtomicBool = AtomicBool::new(false);
static FAMILIES: AtomicUsize = AtomicUsize::new(0);

/// Makes this process the parent of every orphan among its descendants, so that a sweep finds them. For a
/// process that starts children through this crate only.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok() {
        ADOPTING.store(true, Ordering::Relaxed);
    }
}

fn own() -> MutexGuard<'static, Option<HashSet<i32>>> {
    lock(&OWN)
}

/// A child of this crate as long as it is waited for.
#[derive(Debug)]
pub struct Registered(i32);

impl Drop for Registered {
    fn drop(&mut self) {
        own().get_or_insert_default().remove(&self.0);
    }
}

/// Starts a child, known as this crate's own before anyone can look.
pub fn register<T>(
    start: impl FnOnce() -> std::io::Result<(T, Option<u32>)>,
) -> std::io::Result<(T, Registered)> {
    let mut known = own();
    let (child, pid) = start()?;
    let pid = pid.and_then(|pid| i32::try_from(pid).ok()).unwrap_or(0);
    known.get_or_insert_default().insert(pid);
    Ok((child, Registered(pid)))
}

/// The processes of one run.
pub(super) struct Family {
    leader: i32,
    /// `NAME=value` that only this run's processes have.
    mark: Vec<u8>,
    seen: HashMap<i32, u64>,
}

impl Family {
    /// The family of a harness that was just started in a group of its own.
    pub(super) fn new(leader: i32, mark: Vec<u8>) -> Self {
        FAMILIES.fetch_add(1, Ordering::Relaxed);
        Self { leader, mark, seen: HashMap::new() }
    }

    /// Looks who belongs to the family now. Call it now and then: who was seen once is not lost.
    pub(super) fn look(&mut self) -> Vec<i32> {
        let processes = table::read();
        let members = self.members(&processes, i32::try_from(std::process::id()).unwrap_or(0));
        self.seen = members.iter().map(|entry| (entry.pid, entry.started)).collect();
        for stray in members.iter().filter(|entry| entry.zombie && entry.pid != self.leader) {
            if let Some(pid) = Pid::from_raw(stray.pid) {
                // Fails for those that are not children of this process: their parents reap them.
                let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
        members.into_iter().filter(|entry| !entry.zombie).map(|entry| entry.pid).collect()
    }

    fn members(&self, processes: &[Entry], me: i32) -> Vec<Entry> {
        let known = own();
        let own = |pid: i32| known.as_ref().is_some_and(|known| known.contains(&pid));
        let alone = ADOPTING.load(Ordering::Relaxed) && FAMILIES.load(Ordering::Relaxed) == 1;
        let belongs = |entry: &Entry| {
            entry.pid == self.leader
                || entry.group == self.leader
                || self.seen.get(&entry.pid) == Some(&entry.started)
                || (entry.parent == me
                    && !own(entry.pid)
                    && (alone || table::has_variable(entry.pid, &self.mark)))
        };
        let mut members: Vec<Entry> =
            processes.iter().filter(|entry| entry.pid != me && belongs(entry)).copied().collect();
        let mut at = 0;
        while at < members.len() {
            let parent = members[at].pid;
            let children = processes.iter().filter(|entry| entry.parent == parent && entry.pid != me);
            let new: Vec<Entry> =
                children.filter(|child| !members.iter().any(|m| m.pid == child.pid)).copied().collect();
            members.extend(new);
            at += 1;
        }
        members
    }

    /// Sends a signal to the harness's group and to everyone else in the family.
    pub(super) fn signal(&mut self, signal: Signal) {
        // Looked up first: once the harness is gone, whom it started is nobody's child.
        let members = self.look();
        if let Some(group) = Pid::from_raw(self.leader) {
            // Fails when the group is gone, which is what is wanted.
            let _ = rustix::process::kill_process_group(group, signal);
        }
        for pid in members.into_iter().filter_map(Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, signal);
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        FAMILIES.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: i32, parent: i32, group: i32) -> Entry {
        Entry { pid, parent, group, zombie: false, started: u64::try_from(pid).unwrap() }
    }

    #[test]
    fn descendants_in_other_groups_belong_and_strangers_do_not() {
        let family = Family::new(10, b"X=1".to_vec());
        let processes = [
            entry(1, 0, 1),
            entry(5, 1, 5),
            entry(10, 5, 10),
            entry(11, 10, 11),
            entry(12, 11, 12),
            entry(20, 5, 20),
        ];
        let pids: Vec<i32> = family.members(&processes, 5).iter().map(|entry| entry.pid).collect();
        assert_eq!(pids, [10, 11, 12]);
    }

    #[test]
    fn who_was_seen_is_not_lost_when_its_parent_is_gone() {
        let mut family = Family::new(10, b"X=1".to_vec());
        family.seen.insert(12, 12);
        family.seen.insert(13, 99);
        let processes = [entry(5, 1, 5), entry(12, 1, 12), entry(13, 1, 13)];
        let pids: Vec<i32> = family.members(&processes, 5).iter().map(|entry| entry.pid).collect();
        assert_eq!(pids, [12], "13 is another process under a reused id");
    }
}
