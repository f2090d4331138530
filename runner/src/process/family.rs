//! Which processes belong to a run, and how they are ended.
//!
//! ```text
//! A process belongs to a run when
//! 1. it is the harness, or in its process group, or
//! 2. its parent belongs to the run, or it was seen to belong before (tools run in sessions of their own,
//!    and their parents may be gone), or
//! 3. it was left to this process (a subreaper on Linux), this crate did not start it, and its environment names the run's
//!    directory or it works in the run's checkout, or
//! 4. it was left to this process, this crate did not start it, and no other run in flight can have started it: each began
//!    after it, or works as another user while one of this process's runs works as the process's user.
//!
//! What a user runs besides is never left to this process: it is not touched, whichever user that is.
//!
//! The end of a run freezes before it kills: everyone found is stopped with SIGSTOP, again and again until two passes
//! find no new process. One that forks and ends in a chain is thus caught between two links, and what it started stays
//! its child and is found by rule 2. Only then is everyone killed. With several runs of one user at once, a chain that
//! clears its environment and leaves the checkout is told apart no more: it is ended with the last of these runs.
//! ```

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Signal};

use super::children::own;
use super::table::{self, Entry};
use crate::locking::lock;

static ADOPTING: AtomicBool = AtomicBool::new(false);
static FAMILIES: Mutex<Vec<InFlight>> = Mutex::new(Vec::new());
/// How often a freeze looks at the orphans alone, which is quicker than a whole pass.
const QUICK_LOOKS: u32 = 100;

/// Makes this process the parent of every orphan among its descendants, so that a sweep finds them, and reaps those
/// that end. For a process that starts children through this crate only. Call it in a runtime.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok() {
        ADOPTING.store(true, Ordering::Relaxed);
        tokio::spawn(super::reaper::reap_orphans());
    }
}

/// What tells whether a run can have started a process.
#[derive(Clone, Copy)]
struct InFlight {
    leader: i32,
    begun: u64,
    user: u32,
}

/// The processes of one run.
pub(super) struct Family {
    run: InFlight,
    /// `NAME=value` that only this run's processes have.
    mark: Vec<u8>,
    /// Where its harness works.
    directory: PathBuf,
    seen: HashMap<i32, u64>,
    frozen: HashSet<(i32, u64)>,
}

impl Family {
    /// The family of a harness that was just started in a group of its own, as this user.
    pub(super) fn new(leader: i32, mark: Vec<u8>, directory: PathBuf, user: u32) -> Self {
        let begun = table::entry(leader).map_or(0, |entry| entry.started);
        let run = InFlight { leader, begun, user };
        lock(&FAMILIES).push(run);
        Self { run, mark, directory, seen: HashMap::new(), frozen: HashSet::new() }
    }

    /// Looks up the members of the family. Call it now and then: a process that was seen once is not lost.
    pub(super) fn look(&mut self) -> Vec<i32> {
        self.living().into_iter().map(|entry| entry.pid).collect()
    }

    /// Whether no process is left, as far as two looks can tell.
    pub(super) fn gone(&mut self) -> bool {
        (0..2).all(|_| self.look().is_empty())
    }

    fn living(&mut self) -> Vec<Entry> {
        let members = self.members(&table::read(), table::me());
        self.seen = members.iter().map(|entry| (entry.pid, entry.started)).collect();
        members.into_iter().filter(|entry| !entry.zombie).collect()
    }

    fn members(&self, processes: &[Entry], me: i32) -> Vec<Entry> {
        let known: HashSet<i32> = own().iter().copied().collect();
        let others = self.others();
        let leader = self.run.leader;
        let belongs = |entry: &&Entry| {
            entry.pid == leader
                || entry.group == leader
                || self.seen.get(&entry.pid) == Some(&entry.started)
                || (entry.parent == me && !known.contains(&entry.pid) && self.left_orphan(entry, &others))
        };
        let roots: Vec<Entry> =
            processes.iter().filter(|entry| entry.pid != me).filter(belongs).copied().collect();
        table::with_descendants(processes, roots, me)
    }

    fn others(&self) -> Vec<InFlight> {
        lock(&FAMILIES).iter().filter(|other| other.leader != self.run.leader).copied().collect()
    }

    /// Whether this run left a process behind that is this process's child now, and that this crate did not start.
    fn left_orphan(&self, entry: &Entry, others: &[InFlight]) -> bool {
        if entry.zombie {
            return false;
        }
        if ADOPTING.load(Ordering::Relaxed) && self.alone_with(entry, table::user(entry.pid), others) {
            return true;
        }
        table::has_variable(entry.pid, &self.mark)
            || table::directory(entry.pid).is_some_and(|place| place.starts_with(&self.directory))
    }

    /// Whether no other run can have started a process of this user. One whose user no run has may be anybody's:
    /// some programs change it.
    fn alone_with(&self, entry: &Entry, user: Option<u32>, others: &[InFlight]) -> bool {
        let known =
            user.filter(|user| self.run.user == *user || others.iter().any(|other| other.user == *user));
        !others
            .iter()
            .any(|other| other.begun <= entry.started && known.is_none_or(|user| other.user == user))
    }

    /// Stops every member, so that none starts another. Answers whether no new one was found: call it until then.
    pub(super) fn freeze(&mut self) -> bool {
        let members = self.living();
        let mut new = members.into_iter().filter(|entry| self.stop(entry)).count();
        // A process that ends at once leaves its child to this one. Look quickly, while the child still lives.
        for _ in 0..QUICK_LOOKS {
            let others = self.others();
            let strays: Vec<i32> = {
                let known = own();
                table::children().into_iter().filter(|pid| !known.contains(pid)).collect()
            };
            let strays = strays.into_iter().filter_map(table::entry);
            let strays = strays.filter(|entry| !self.frozen.contains(&(entry.pid, entry.started)));
            let found: Vec<Entry> = strays.filter(|entry| self.left_orphan(entry, &others)).collect();
            let stopped = found.iter().filter(|entry| self.stop(entry)).count();
            if stopped == 0 {
                break;
            }
            new += stopped;
        }
        new == 0
    }

    fn stop(&mut self, entry: &Entry) -> bool {
        if let Some(pid) = Pid::from_raw(entry.pid) {
            // Fails for one that is gone: whom it started is looked for all the same.
            let _ = rustix::process::kill_process(pid, Signal::STOP);
        }
        self.frozen.insert((entry.pid, entry.started))
    }

    /// Sends a signal to the harness's group and to everyone else in the family.
    pub(super) fn signal(&mut self, signal: Signal) {
        // Looked up first: once the harness is gone, its children have lost their parent.
        let members = self.look();
        if let Some(group) = Pid::from_raw(self.run.leader) {
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
        let mut known = lock(&FAMILIES);
        if let Some(at) = known.iter().position(|other| other.leader == self.run.leader) {
            known.swap_remove(at);
        }
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
        let family = Family::new(10, b"X=1".to_vec(), "/nowhere".into(), 7);
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
        let mut family = Family::new(10, b"X=1".to_vec(), "/nowhere".into(), 7);
        family.seen.insert(12, 12);
        family.seen.insert(13, 99);
        let processes = [entry(5, 1, 5), entry(12, 1, 12), entry(13, 1, 13)];
        let pids: Vec<i32> = family.members(&processes, 5).iter().map(|entry| entry.pid).collect();
        assert_eq!(pids, [12], "13 is another process under a reused id");
    }

    #[test]
    fn an_orphan_is_left_to_the_only_run_that_can_have_started_it() {
        let family = Family {
            run: InFlight { leader: 10, begun: 100, user: 7 },
            mark: b"X=1".to_vec(),
            directory: "/nowhere".into(),
            seen: HashMap::new(),
            frozen: HashSet::new(),
        };
        let orphan = Entry { started: 200, ..entry(50, 5, 50) };
        let other = |begun, user| [InFlight { leader: 20, begun, user }];
        let cases = [
            (Some(7), [].to_vec(), true, "no other run"),
            (Some(7), other(150, 8).to_vec(), true, "the other works as somebody else"),
            (Some(7), other(201, 7).to_vec(), true, "the other began later"),
            (Some(7), other(150, 7).to_vec(), false, "two of one user"),
            (Some(8), other(150, 8).to_vec(), false, "the other's user"),
            (Some(0), other(150, 8).to_vec(), false, "changed its user: anybody's"),
            (None, other(150, 8).to_vec(), false, "not known"),
        ];
        for (user, others, ours, why) in cases {
            assert_eq!(family.alone_with(&orphan, user, &others), ours, "{why}");
        }
        std::mem::forget(family);
    }
}
