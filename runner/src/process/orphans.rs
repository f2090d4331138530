//! What a killed runner left that nothing names any more: it cleared its environment and lost its parents.
//!
//! ```text
//! A process was left by a dead run, one that has no end in its manifest, when
//! 1. it began after that run, has no terminal, and its parent is process 1 or another ancestor of this runner: orphans of
//!    the dead runner go there, and what another living runner looks after never does; and
//! 2. it works in the run's directory or checkout; or it is the other user's that had the run's checkout, and has no more than
//!    the processes that runners grant (`MOST_PROCESSES`): a limit that only root can raise, and that nothing
//!    which that user starts besides has; or
//! 3. its parent was left so.
//! ```

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use jiff::Timestamp;
use rustix::process::{Pid, Signal, getuid, kill_process};

use super::account::MOST_PROCESSES;
use super::table::{self, Entry};

const POLL: Duration = Duration::from_millis(30);
/// Passes that stop what is found, and rounds of SIGKILL at most.
const PASSES: u32 = 40;
const ROUNDS: u32 = 50;
/// A run's begin and a process's are told by two clocks.
const SLACK: i64 = 2;

/// A run that has no end.
#[derive(Debug)]
pub struct DeadRun {
    /// Its directory and its checkout.
    pub places: [PathBuf; 2],
    /// When it began.
    pub begun: Timestamp,
}

/// Ends what these runs left. Blocks. Answers how many processes there were. Call it before the checkouts are taken
/// back: their owner tells the user.
pub fn end_left_by(dead: &[DeadRun]) -> usize {
    let own = getuid().as_raw();
    let runs: Vec<Sought<'_>> = dead
        .iter()
        .map(|run| {
            let owner = run.places[1].symlink_metadata().map(|meta| meta.uid()).ok();
            Sought { run, user: owner.filter(|user| *user != own) }
        })
        .collect();
    let mut stopped = HashSet::new();
    for _ in 0..ROUNDS {
        let (mut quiet, mut living) = (0, 0);
        for _ in 0..PASSES {
            let found = look(&runs);
            living = found.len();
            signal(&found, Signal::STOP);
            let new = found.iter().filter(|entry| stopped.insert((entry.pid, entry.started))).count();
            quiet = if new == 0 { quiet + 1 } else { 0 };
            if quiet == 2 {
                break;
            }
        }
        if living == 0 {
            break;
        }
        signal(&look(&runs), Signal::KILL);
        sleep(POLL);
    }
    stopped.len()
}

struct Sought<'a> {
    run: &'a DeadRun,
    /// The other user that its harness worked as.
    user: Option<u32>,
}

impl Sought<'_> {
    fn left(&self, entry: &Entry) -> bool {
        let begun = table::begun(entry).is_some_and(|at| at + SLACK >= self.run.begun.as_second());
        begun && (self.in_place(entry.pid) || self.of_user(entry.pid))
    }

    fn in_place(&self, pid: i32) -> bool {
        let Some(place) = table::directory(pid) else { return false };
        self.run.places.iter().any(|run| place.starts_with(run))
    }

    fn of_user(&self, pid: i32) -> bool {
        self.user.is_some_and(|user| table::user(pid) == Some(user))
            && table::most_processes(pid).is_some_and(|most| most <= MOST_PROCESSES)
    }
}

fn look(runs: &[Sought<'_>]) -> Vec<Entry> {
    if runs.is_empty() {
        return Vec::new();
    }
    let (processes, me) = (table::read(), table::me());
    let above = ancestors(&processes, me);
    let roots = processes.iter().filter(|entry| {
        entry.pid != me
            && !above.contains(&entry.pid)
            && above.contains(&entry.parent)
            && !entry.zombie
            && !table::has_terminal(entry.pid)
            && runs.iter().any(|run| run.left(entry))
    });
    let found = table::with_descendants(&processes, roots.copied().collect(), me);
    found.into_iter().filter(|entry| !entry.zombie).collect()
}

fn ancestors(processes: &[Entry], me: i32) -> HashSet<i32> {
    let mut above = HashSet::from([1]);
    let mut at = me;
    while let Some(entry) = processes.iter().find(|entry| entry.pid == at) {
        if !above.insert(entry.parent) {
            break;
        }
        at = entry.parent;
    }
    above
}

fn signal(found: &[Entry], signal: Signal) {
    for pid in found.iter().filter_map(|entry| Pid::from_raw(entry.pid)) {
        // Fails for those that are gone, which is what is wanted.
        let _ = kill_process(pid, signal);
    }
}
