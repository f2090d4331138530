//! The processes of this machine, as far as a sweep needs them.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its id.
    pub(super) pid: i32,
    /// Its parent's id.
    pub(super) parent: i32,
    /// Its process group.
    pub(super) group: i32,
    /// Whether it has ended and waits to be reaped.
    pub(super) zombie: bool,
    /// When it started, in the system's own unit; tells a reused id. 0 where the system does not say.
    pub(super) started: u64,
}

/// Listings of one reading at most.
#[cfg(target_os = "linux")]
const LISTINGS: u32 = 8;

/// This process.
pub(super) fn me() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// All processes. Empty where the system does not say. Where one ends before it was read, its child may have begun after
/// the listing: new processes are read then, too.
#[cfg(target_os = "linux")]
pub(super) fn read() -> Vec<Entry> {
    let (mut known, mut found) = (HashSet::new(), Vec::new());
    for _ in 0..LISTINGS {
        let Ok(listed) = std::fs::read_dir("/proc") else { break };
        let pids = listed.flatten().filter_map(|one| one.file_name().to_str()?.parse::<i32>().ok());
        let mut lost = false;
        for pid in pids {
            if known.insert(pid) {
                let entry = entry(pid);
                lost |= entry.is_none();
                found.extend(entry);
            }
        }
        if !lost {
            break;
        }
    }
    found
}

/// One process.
#[cfg(target_os = "linux")]
pub(super) fn entry(pid: i32) -> Option<Entry> {
    parse(pid, &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// One process.
#[cfg(not(target_os = "linux"))]
pub(super) fn entry(pid: i32) -> Option<Entry> {
    read().into_iter().find(|entry| entry.pid == pid)
}

/// The children of this process, its adopted orphans among them (they go to the first thread). May leave out one whose
/// neighbour ends at that moment.
#[cfg(target_os = "linux")]
pub(super) fn children() -> Vec<i32> {
    let me = me();
    match std::fs::read_to_string(format!("/proc/{me}/task/{me}/children")) {
        Ok(listed) => listed.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect(),
        // Some systems are built without this list.
        Err(_) => read().into_iter().filter(|entry| entry.parent == me).map(|entry| entry.pid).collect(),
    }
}

/// The adopted orphans of this process; there are none here.
#[cfg(not(target_os = "linux"))]
pub(super) fn children() -> Vec<i32> {
    Vec::new()
}

/// These processes and all their descendants, without `me`.
pub(super) fn with_descendants(processes: &[Entry], roots: Vec<Entry>, me: i32) -> Vec<Entry> {
    let mut children: HashMap<i32, Vec<&Entry>> = HashMap::new();
    for entry in processes.iter().filter(|entry| entry.pid != me) {
        children.entry(entry.parent).or_default().push(entry);
    }
    let mut known: HashSet<i32> = roots.iter().map(|entry| entry.pid).collect();
    let mut found = roots;
    let mut at = 0;
    while let Some(parent) = found.get(at) {
        let new = children.remove(&parent.pid).unwrap_or_default();
        found.extend(new.into_iter().filter(|child| known.insert(child.pid)));
        at += 1;
    }
    found
}

/// The user of a process.
#[cfg(target_os = "linux")]
pub(super) fn user(pid: i32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_ascii_whitespace().next()?.parse().ok()
}

/// The user of a process; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn user(_pid: i32) -> Option<u32> {
    None
}

/// Where a process works.
#[cfg(target_os = "linux")]
pub(super) fn directory(pid: i32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/cwd")).ok()
}

/// Where a process works; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn directory(_pid: i32) -> Option<PathBuf> {
    None
}

/// When a process began, in seconds since 1970.
#[cfg(target_os = "linux")]
pub(super) fn begun(entry: &Entry) -> Option<i64> {
    /// The unit in which the system tells times to programs.
    const TICKS: u64 = 100;
    let stat = std::fs::read_to_string("/proc/stat").ok()?;
    let booted: i64 = stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some(booted + i64::try_from(entry.started / TICKS).ok()?)
}

/// When a process began; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn begun(_entry: &Entry) -> Option<i64> {
    None
}

/// Whether a process belongs to a terminal.
#[cfg(target_os = "linux")]
pub(super) fn has_terminal(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let terminal = stat.rfind(')').and_then(|at| stat.get(at + 1..)?.split_ascii_whitespace().nth(4));
    terminal.is_none_or(|terminal| terminal != "0")
}

/// Whether a process belongs to a terminal; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn has_terminal(_pid: i32) -> bool {
    true
}

/// How many processes a process's user may have at once, as far as it goes.
#[cfg(target_os = "linux")]
pub(super) fn most_processes(pid: i32) -> Option<u64> {
    let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max processes"))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// How many processes a process's user may have at once; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn most_processes(_pid: i32) -> Option<u64> {
    None
}

/// Reads a line of `/proc/<pid>/stat`. The name, in parentheses, may hold anything, parentheses too.
#[cfg(target_os = "linux")]
fn parse(pid: i32, stat: &str) -> Option<Entry> {
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let started = fields.nth(16)?.parse().ok()?;
    Some(Entry { pid, parent, group, zombie: matches!(state, "Z" | "X"), started })
}

/// All processes. Empty where the system does not say.
#[cfg(not(target_os = "linux"))]
pub(super) fn read() -> Vec<Entry> {
    let listed = std::process::Command::new("ps").args(["-A", "-o", "pid=,ppid=,pgid=,stat="]).output();
    let Ok(output) = listed else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .filter_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let mut number = || fields.next()?.parse().ok();
            let (pid, parent, group) = (number()?, number()?, number()?);
            let zombie = fields.next()?.starts_with('Z');
            Some(Entry { pid, parent, group, zombie, started: 0 })
        })
        .collect()
}

/// Whether the environment of a process holds this `NAME=value`.
#[cfg(target_os = "linux")]
pub(super) fn has_variable(pid: i32, assignment: &[u8]) -> bool {
    environment(pid).split(|byte| *byte == 0).any(|one| one == assignment)
}

/// The environment of a process: `NAME=value`, with a zero between two.
#[cfg(target_os = "linux")]
pub(super) fn environment(pid: i32) -> Vec<u8> {
    std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default()
}

/// The environment of a process; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn environment(_pid: i32) -> Vec<u8> {
    Vec::new()
}

/// Whether the environment of a process holds this `NAME=value`; not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn has_variable(_pid: i32, _assignment: &[u8]) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_does_not_confuse() {
        let line = "42 (a) b (c)) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 999 1 1 1";
        let entry = Entry { pid: 42, parent: 1, group: 7, zombie: false, started: 999 };
        assert_eq!(parse(42, line), Some(entry));
    }

    #[test]
    fn this_process_is_in_the_table() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert!(read().iter().any(|entry| entry.pid == own));
    }
}
