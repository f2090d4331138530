//! Ends harnesses when the runner is gone without having done so: killed, crashed, or its terminal closed.
//!
//! ```text
//! 1. The runner starts this program once more, as a process in a session of its own, and holds the write end of a
//!    pipe into it. Nothing else has that end.
//! 2. It writes `+ <run> <leader>` when a harness starts and `- <run>` when the run has left nothing behind.
//! 3. The pipe ends when the runner does, however it does. The watchdog then ends the processes of the runs that
//!    are left, and the runner's own git: SIGTERM, ten seconds, SIGKILL.
//! 4. Signals that end the runner (of a terminal, of a person) do not end the watchdog.
//! ```

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

use crate::locking::lock;
use crate::process::marked::end_those_of;
use crate::process::{owner, register};

/// The first argument of this program as a watchdog; the next are the directory of runs, and what marks this runner.
pub const ARGUMENT: &str = "runner-watchdog";

/// The runner's end. Cloning is cheap.
#[derive(Clone, Default)]
pub struct Watchdog {
    pipe: Arc<Mutex<Option<ChildStdin>>>,
}

impl Watchdog {
    /// Starts a watchdog over the runs under `root`. Without one, the runner works on and says so.
    pub fn start(root: &Path) -> Self {
        match Self::spawn(root) {
            Ok(pipe) => Self { pipe: Arc::new(Mutex::new(Some(pipe))) },
            Err(error) => {
                tracing::warn!(%error, "no watchdog: a harness would outlive this runner if it were killed");
                Self::default()
            }
        }
    }

    fn spawn(root: &Path) -> io::Result<ChildStdin> {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg(ARGUMENT)
            .arg(root)
            .arg(owner::begin(root))
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        let (mut child, registered) = register(|| {
            let child = command.spawn()?;
            let pid = child.id();
            Ok((child, Some(pid)))
        })?;
        // It is this process's own as long as this process lives.
        std::mem::forget(registered);
        let pipe = child.stdin.take().ok_or_else(|| io::Error::other("no pipe"))?;
        std::thread::spawn(move || child.wait());
        Ok(pipe)
    }

    /// A harness was started.
    pub fn watch(&self, run: &str, leader: i32) {
        self.tell(&format!("+ {run} {leader}\n"));
    }

    /// A run has left nothing behind.
    pub fn forget(&self, run: &str) {
        self.tell(&format!("- {run}\n"));
    }

    fn tell(&self, line: &str) {
        let mut pipe = lock(&self.pipe);
        if let Some(Err(error)) = pipe.as_mut().map(|pipe| pipe.write_all(line.as_bytes())) {
            tracing::warn!(%error, "the watchdog is gone");
            *pipe = None;
        }
    }
}

/// The watchdog itself, when this process was started as one. Never returns then.
pub fn serve_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_none_or(|first| first != ARGUMENT) {
        return;
    }
    let (Some(root), Some(owner)) = (args.next(), args.next()) else { return };
    let leaders = listen(io::stdin().lock());
    end_those_of(Path::new(&owner), Path::new(&root), &leaders);
    std::process::exit(0);
}

/// Reads until the runner is gone; answers the leaders that it left.
fn listen(lines: impl BufRead) -> Vec<i32> {
    let mut runs: BTreeMap<String, i32> = BTreeMap::new();
    for line in lines.lines().map_while(Result::ok) {
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next(), words.next().and_then(|leader| leader.parse().ok())) {
            (Some("+"), Some(run), Some(leader)) => {
                runs.insert(run.to_owned(), leader);
            }
            (Some("-"), Some(run), None) => {
                runs.remove(run);
            }
            _ => {}
        }
    }
    runs.into_values().filter(|leader| *leader > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::listen;

    #[test]
    fn runs_that_ended_are_forgotten() {
        assert_eq!(listen(&b"+ a 10\n+ b 20\n- a\nnonsense\n+ c 1\n"[..]), [20]);
        assert!(listen(&b""[..]).is_empty());
    }
}
