//! The processes of this machine, as far as a sweep needs them.

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

/// All processes. Empty where the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn read() -> Vec<Entry> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| parse(pid, &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)).collect()
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
