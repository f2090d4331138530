//! A process that a test started: written to a log file, ended by its id, at the latest when it goes out of
//! scope.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::wait::eventually;

/// How long a process that is thrown away may take to end in order before it is killed.
const FAREWELL: Duration = Duration::from_secs(15);

/// A process that a test started.
pub struct Process {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program; what it prints is added to a file.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(name: &'static str, command: &mut Command, log: &Path) -> Self {
        let out = File::options().create(true).append(true).open(log).expect("the log can be written");
        let err = out.try_clone().expect("a file has two handles");
        let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
        let child = child.unwrap_or_else(|error| panic!("{name} does not start: {error}"));
        Self { name, child, log: log.to_owned() }
    }

    /// Its id.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// When it has ended.
    pub fn signal(&mut self, signal: Signal) {
        assert!(self.status().is_none(), "{} has ended already:\n{}", self.name, self.tail());
        kill_process(self.pid(), signal).expect("a child that was not waited for can be signalled");
    }

    /// How it ended, if it has.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be waited for")
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it goes on for longer than the bound.
    pub async fn ended(&mut self, bound: Duration) -> ExitStatus {
        let what = format!("the end of {}", self.name);
        eventually(&what, bound, async || self.status()).await
    }

    /// Kills it (SIGKILL) and waits for that.
    pub fn kill(&mut self) {
        // Fails when it ended by itself, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// What it printed.
    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// The last lines that it printed.
    pub fn tail(&self) -> String {
        let text = self.printed();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- last lines of {} ---\n{}\n---", self.name, self.tail());
        }
        let deadline = Instant::now() + FAREWELL;
        // A runner waits for its runs at the first signal, and stops them at the second.
        while self.status().is_none() && Instant::now() < deadline {
            let _ = kill_process(self.pid(), Signal::CONT);
            let _ = kill_process(self.pid(), Signal::TERM);
            std::thread::sleep(Duration::from_millis(100));
        }
        self.kill();
    }
}

/// Whether there is a process with this id that has not ended.
pub fn is_alive(pid: i32) -> bool {
    let exists = Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid).is_ok());
    // What ended but was not waited for by its parent is still in the table.
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    exists && !state.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}

/// Kills a process that another one left behind.
pub fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // Fails when it is gone, which is what is wanted.
        let _ = kill_process(pid, Signal::KILL);
    }
}
