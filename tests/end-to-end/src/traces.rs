//! What programs leave on a machine: processes, memory, open files, locks, bytes on the disk.

use std::fs;
use std::path::Path;

/// A process of a test's machine.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its id.
    pub pid: i32,
    /// Its command line.
    pub command: String,
}

/// The processes whose environment, command line or working directory names this directory, but for these.
pub fn processes_of(directory: &Path, known: &[i32]) -> Vec<Trace> {
    let place = directory.as_os_str().as_encoded_bytes();
    let names = |text: &[u8]| text.windows(place.len()).any(|part| part == place);
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mine = i32::try_from(std::process::id()).unwrap_or(0);
    let mut found = Vec::new();
    for pid in pids.filter(|pid| *pid != mine && !known.contains(pid) && crate::is_alive(*pid)) {
        let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let works_in = fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd.starts_with(directory));
        if works_in || names(&read("environ")) || names(&read("cmdline")) {
            let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
            found.push(Trace { pid, command });
        }
    }
    found
}

/// Memory of a process in KiB: what it holds now, and the most that it ever held.
pub fn memory(pid: i32) -> (u64, u64) {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    (value("VmRSS:").unwrap_or(0), value("VmHWM:").unwrap_or(0))
}

/// Files and sockets that a process has open.
pub fn handles(pid: i32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map(Iterator::count).unwrap_or(0)
}

/// Bytes of the files below a directory.
pub fn disk(directory: &Path) -> u64 {
    let mut bytes = 0;
    walk(directory, &mut |path| bytes += fs::symlink_metadata(path).map_or(0, |meta| meta.len()));
    bytes
}

/// Lock files of git below a directory.
pub fn locks(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    walk(directory, &mut |path| {
        if path.extension().is_some_and(|kind| kind == "lock")
            && path.components().any(|part| is_git(part.as_os_str()))
        {
            found.push(path.display().to_string());
        }
    });
    found
}

fn is_git(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().ends_with(".git")
}

fn walk(directory: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, visit);
        } else {
            visit(&path);
        }
    }
}
