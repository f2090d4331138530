//! Processes of runs whose runner is gone: found by the mark in their environment, and ended.
//!
//! ```text
//! A process belongs to a dead run when
//! 1. its environment names a run's directory under this root, or
//! 2. it is in the process group of such a run's harness, or
//! 3. its parent belongs to one: tools that clear their environment are found so.
//! ```

use std::collections::HashSet;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::GRACE;
use super::table::{self, Entry};
use crate::environment::MARK;

const POLL: Duration = Duration::from_millis(50);

/// Ends every process of runs under `root`, and the groups of these leaders: SIGTERM, ten seconds, SIGKILL. Blocks.
/// Answers how many there were.
pub fn end_marked(root: &Path, leaders: &[i32]) -> usize {
    let found = members(root, leaders);
    let count = found.len();
    signal(&found, Signal::TERM);
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline {
        if members(root, leaders).is_empty() {
            return count;
        }
        sleep(POLL);
    }
    for _ in 0..50 {
        let left = members(root, leaders);
        if left.is_empty() {
            break;
        }
        signal(&left, Signal::KILL);
        sleep(POLL);
    }
    count
}

fn signal(pids: &[i32], signal: Signal) {
    for pid in pids.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // Fails for those that are gone, which is what is wanted.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

fn members(root: &Path, leaders: &[i32]) -> Vec<i32> {
    let processes = table::read();
    let me = i32::try_from(std::process::id()).unwrap_or(0);
    let mut prefix = format!("{MARK}=").into_bytes();
    prefix.extend_from_slice(root.as_os_str().as_encoded_bytes());
    prefix.push(b'/');
    let marked = |entry: &&Entry| {
        entry.pid != me
            && (leaders.contains(&entry.group) || table::has_variable_with_prefix(entry.pid, &prefix))
    };
    let mut found: HashSet<i32> = processes.iter().filter(marked).map(|entry| entry.pid).collect();
    loop {
        let before = found.len();
        let children = processes.iter().filter(|entry| entry.pid != me && found.contains(&entry.parent));
        let children: Vec<i32> = children.map(|entry| entry.pid).collect();
        found.extend(children);
        if found.len() == before {
            break;
        }
    }
    processes
        .iter()
        .filter(|entry| !entry.zombie && found.contains(&entry.pid))
        .map(|entry| entry.pid)
        .collect()
}
