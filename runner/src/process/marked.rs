//! What a runner that is gone left running: found by the marks in its environment, and ended.
//!
//! ```text
//! A process was left by a dead runner when
//! 1. its environment names that runner ([`super::owner`]), or a run's directory ([`MARK`]), or
//! 2. it is in the process group of such a run's harness, or
//! 3. its parent is one of these: tools that clear their environment are found so.
//!
//! What works for a run is ended at once. What the runner started for itself is git: it gets time to end by itself,
//! since git that is cut off leaves half of a worktree behind.
//! ```

use std::collections::HashSet;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::table::{self, Entry};
use super::{GRACE, owner};
use crate::environment::MARK;

const POLL: Duration = Duration::from_millis(50);
/// Rounds of SIGKILL at most, and how many of them git is spared: it has just had its SIGTERM.
const ROUNDS: u32 = 100;
const SPARED: u32 = 60;

/// Ends what one runner process left, and the groups of these leaders. Blocks. Answers how many processes there were.
pub fn end_those_of(owner: &Path, root: &Path, leaders: &[i32]) -> usize {
    let mut mark = variable(owner::VARIABLE, owner);
    mark.push(0);
    Search { owner: Some(mark), run: below(MARK, root), any_run: false, leaders }.end()
}

/// Ends what any runner left that worked in this directory of runs. Blocks. Answers how many processes there were.
pub fn end_all_under(root: &Path) -> usize {
    Search { owner: Some(below(owner::VARIABLE, root)), run: below(MARK, root), any_run: true, leaders: &[] }
        .end()
}

/// Ends every process of the run of this directory, whatever started it. Blocks. Answers how many processes there were.
pub fn end_run(directory: &Path) -> usize {
    // What the runner started for itself is not meant.
    Search { owner: None, run: below(MARK, directory), any_run: true, leaders: &[] }.end()
}

fn variable(name: &str, value: &Path) -> Vec<u8> {
    [name.as_bytes(), b"=", value.as_os_str().as_encoded_bytes()].concat()
}

fn below(name: &str, root: &Path) -> Vec<u8> {
    let mut prefix = variable(name, root);
    prefix.push(b'/');
    prefix
}

/// What is looked for: how the variables begin that name the runner and a run.
struct Search<'a> {
    owner: Option<Vec<u8>>,
    run: Vec<u8>,
    /// Whether every process of a run counts, whatever started it.
    any_run: bool,
    leaders: &'a [i32],
}

/// What a dead runner left.
struct Left {
    /// Harnesses and their tools.
    of_runs: Vec<i32>,
    /// The runner's own.
    own: Vec<i32>,
}

impl Left {
    fn len(&self) -> usize {
        self.of_runs.len() + self.own.len()
    }
}

impl Search<'_> {
    /// SIGTERM to what works for runs; ten seconds; SIGTERM to the runner's own and SIGKILL to all others; SIGKILL.
    fn end(&self) -> usize {
        let found = self.look();
        let count = found.len();
        signal(&found.of_runs, Signal::TERM);
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if self.look().len() == 0 {
                return count;
            }
            sleep(POLL);
        }
        signal(&self.look().own, Signal::TERM);
        for round in 0..ROUNDS {
            let left = self.look();
            if left.len() == 0 {
                break;
            }
            signal(&left.of_runs, Signal::KILL);
            if round >= SPARED {
                signal(&left.own, Signal::KILL);
            }
            sleep(POLL);
        }
        count
    }

    fn look(&self) -> Left {
        let processes = table::read();
        let me = table::me();
        let (mut of_runs, mut own) = (Vec::new(), Vec::new());
        for entry in processes.iter().filter(|entry| entry.pid != me) {
            let (owned, of_run) = self.belongs(entry);
            if of_run {
                of_runs.push(*entry);
            } else if owned {
                own.push(*entry);
            }
        }
        let living = |roots: Vec<Entry>| -> Vec<i32> {
            let found = table::with_descendants(&processes, roots, me).into_iter();
            found.filter(|entry| !entry.zombie).map(|entry| entry.pid).collect()
        };
        let of_runs = living(of_runs);
        let known: HashSet<i32> = of_runs.iter().copied().collect();
        let own = living(own).into_iter().filter(|pid| !known.contains(pid)).collect();
        Left { of_runs, own }
    }

    /// Whether a process is the dead runner's, and whether it works for a run.
    fn belongs(&self, entry: &Entry) -> (bool, bool) {
        if self.leaders.contains(&entry.group) {
            return (true, true);
        }
        let mut environment = table::environment(entry.pid);
        environment.push(0);
        // With the zero that ends each: a whole value is looked for like the beginning of one.
        let holds =
            |prefix: &[u8]| environment.split_inclusive(|byte| *byte == 0).any(|one| one.starts_with(prefix));
        let (owned, of_run) = (self.owner.as_deref().is_some_and(holds), holds(&self.run));
        (owned, of_run && (owned || self.any_run))
    }
}

fn signal(pids: &[i32], signal: Signal) {
    for pid in pids.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // Fails for those that are gone, which is what is wanted.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};

    use super::*;

    fn shell(script: &str, variables: &[(&str, &Path)]) -> std::io::Result<Child> {
        let mut command = Command::new("/bin/sh");
        let child = command.args(["-c", script]).envs(variables.iter().copied()).process_group(0).spawn()?;
        // The program is begun a moment before its environment is there to be read.
        let pid = i32::try_from(child.id()).expect("a number of a process");
        while !String::from_utf8_lossy(&table::environment(pid)).contains(variables[0].0) {
            std::thread::yield_now();
        }
        Ok(child)
    }

    /// The watchdog of a dead runner took the harness of the next one for its own when it was slow to begin.
    #[test]
    fn what_the_next_runner_started_is_not_the_dead_ones() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let (dead, next, run) =
            (root.join(".process-1"), root.join(".process-12"), root.join("run-1/config"));
        let mut left = shell("exec sleep 600", &[(owner::VARIABLE, &dead), (MARK, &run)]).unwrap();
        let mut new = shell("exec sleep 600", &[(owner::VARIABLE, &next), (MARK, &run)]).unwrap();
        let reaped = std::thread::spawn(move || left.wait().unwrap());
        assert_eq!(end_those_of(&dead, root, &[]), 1);
        assert!(!reaped.join().unwrap().success());
        assert!(new.try_wait().unwrap().is_none(), "it works on");
        let reaped = std::thread::spawn(move || new.wait().unwrap());
        assert_eq!(end_all_under(root), 1);
        reaped.join().unwrap();
    }

    /// Nothing that does not name the run is touched, a process without any environment least of all.
    #[test]
    fn ending_a_run_touches_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let (run, other) = (directory.path().join("run-1"), directory.path().join("run-12"));
        let mut bare = Command::new("/bin/sleep").arg("600").env_clear().spawn().unwrap();
        let mut foreign = shell("exec sleep 600", &[(MARK, &other.join("config"))]).unwrap();
        let mut own = shell("exec sleep 600", &[(MARK, &run.join("config"))]).unwrap();
        let reaped = std::thread::spawn(move || own.wait().unwrap());
        let search = Search { owner: None, run: below(MARK, &run), any_run: true, leaders: &[] };
        let found = search.look();
        assert_eq!((found.own.len(), found.of_runs.len()), (0, 1), "looked at before anything is ended");
        assert_eq!(end_run(&run), 1);
        assert!(!reaped.join().unwrap().success());
        for left in [&mut bare, &mut foreign] {
            assert!(left.try_wait().unwrap().is_none(), "it works on");
            left.kill().unwrap();
            left.wait().unwrap();
        }
    }

    #[test]
    fn git_of_a_dead_runner_may_end_what_it_is_doing() {
        let directory = tempfile::tempdir().unwrap();
        let (root, done) = (directory.path(), directory.path().join("done"));
        let script = format!("sleep 1; echo whole >'{}'", done.display());
        let mut git = shell(&script, &[(owner::VARIABLE, &root.join(".process-1"))]).unwrap();
        let reaped = std::thread::spawn(move || git.wait().unwrap());
        assert!(end_all_under(root) >= 1);
        assert_eq!(std::fs::read_to_string(done).unwrap(), "whole\n");
        reaped.join().unwrap();
    }
}
