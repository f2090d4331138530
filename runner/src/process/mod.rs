//! Harness processes: started in a group of their own, and ended with everything that they started.
//!
//! Owns starting, stopping and sweeping (specification section 8: SIGTERM to the process group, SIGKILL ten
//! seconds later). Harnesses run their tools in new sessions, so a group signal alone is never enough.

mod account;
mod children;
mod family;
pub mod marked;
pub mod orphans;
pub(crate) mod owner;
#[cfg(target_os = "linux")]
mod reaper;
mod table;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStderr, ChildStdout, Command};
use tokio::time::{Instant, sleep};

pub use account::Account;
pub use children::{Registered, register};
pub use family::adopt_orphans;

use family::Family;

/// From SIGTERM to SIGKILL.
pub const GRACE: Duration = Duration::from_secs(10);
/// What a harness that ended by itself left running gets this long.
const SWEEP_GRACE: Duration = Duration::from_secs(2);
/// How often the family is looked at while the harness works.
pub const LOOK_EVERY: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(30);
/// Passes that stop what is left, before the next SIGKILL.
const FREEZES: u32 = 40;

/// What to start.
#[derive(Debug)]
pub struct Launch<'a> {
    /// The executable.
    pub program: Cow<'a, Path>,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its working directory.
    pub directory: &'a Path,
    /// Its whole environment.
    pub environment: BTreeMap<OsString, OsString>,
    /// The user to run it as, if it is another one.
    pub account: Option<&'a Account>,
    /// A variable of the environment that only this run has.
    pub mark: &'static str,
    /// Written to its stdin, which is then closed.
    pub stdin: Vec<u8>,
}

/// A harness at work.
pub struct Running {
    leader: i32,
    child: tokio::process::Child,
    family: Family,
    _registered: Registered,
}

impl Running {
    /// Starts a process in a group of its own and hands it its input.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(launch: Launch<'_>) -> io::Result<Self> {
        let mut mark = OsString::from(launch.mark);
        mark.push("=");
        mark.push(launch.environment.get(&OsString::from(launch.mark)).cloned().unwrap_or_default());
        let mut command = Command::new(launch.program.as_ref());
        command
            .args(launch.args)
            .current_dir(launch.directory)
            .env_clear()
            .envs(launch.environment)
            // Some programs believe this rather than the system, and would work where the runner was started.
            .env("PWD", launch.directory)
            .env_remove("OLDPWD")
            .envs(owner::value().map(|value| (owner::VARIABLE, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        in_own_session(&mut command);
        if let Some(account) = launch.account {
            account.confine(&mut command);
        }
        let user = launch.account.map_or_else(|| rustix::process::getuid().as_raw(), |account| account.uid);
        let (mut child, registered) = register(|| {
            let child = command.spawn()?;
            let pid = child.id();
            Ok((child, pid))
        })?;
        let leader = child.id().and_then(|pid| i32::try_from(pid).ok()).unwrap_or(0);
        if let Some(mut stdin) = child.stdin.take() {
            // Beside the reading of its output: a harness may print before it has read everything. One that
            // ends without reading is judged by how it ends.
            tokio::spawn(async move {
                let _ = stdin.write_all(&launch.stdin).await;
                let _ = stdin.shutdown().await;
            });
        }
        let family = Family::new(leader, mark.into_encoded_bytes(), launch.directory.to_owned(), user);
        Ok(Self { leader, child, family, _registered: registered })
    }

    /// Its process id, which is also that of its group.
    pub fn leader(&self) -> i32 {
        self.leader
    }

    /// Its output, once.
    pub fn take_output(&mut self) -> Option<(ChildStdout, ChildStderr)> {
        Some((self.child.stdout.take()?, self.child.stderr.take()?))
    }

    /// Waits for the harness itself, remembering meanwhile whom it starts.
    ///
    /// # Errors
    /// The system refuses to say.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        loop {
            tokio::select! {
                status = self.child.wait() => return status,
                () = sleep(LOOK_EVERY) => { self.family.look(); }
            }
        }
    }

    /// Ends the harness and everything that it started: SIGTERM, `grace`, SIGKILL.
    ///
    /// # Errors
    /// The system refuses to say how the harness ended.
    pub async fn stop(&mut self, grace: Duration) -> io::Result<ExitStatus> {
        self.family.signal(Signal::TERM);
        self.end_all(grace).await;
        self.child.wait().await
    }

    /// Ends what the harness left behind.
    pub async fn sweep(&mut self) {
        if !self.family.gone() {
            self.family.signal(Signal::TERM);
            self.end_all(SWEEP_GRACE).await;
        }
    }

    /// Waits until no process is left, and kills the rest after `grace`.
    async fn end_all(&mut self, grace: Duration) {
        let deadline = Instant::now() + grace;
        let mut told = false;
        while Instant::now() < deadline {
            let ended = matches!(self.child.try_wait(), Ok(Some(_)) | Err(_));
            if ended && self.family.gone() {
                return;
            }
            if ended && !told {
                // Whom the harness did not end before it went has not been asked yet, or started since.
                told = true;
                self.family.signal(Signal::TERM);
            }
            sleep(POLL).await;
        }
        for _ in 0..50 {
            self.freeze().await;
            self.family.signal(Signal::KILL);
            let ended = matches!(self.child.try_wait(), Ok(Some(_)) | Err(_));
            if ended && self.family.gone() {
                return;
            }
            sleep(POLL).await;
        }
        tracing::warn!("processes of the run cannot be ended");
    }

    /// Stops every process until no new one is found, twice: a process may start another between a look and a signal.
    async fn freeze(&mut self) {
        let mut quiet = 0;
        for _ in 0..FREEZES {
            quiet = if self.family.freeze() { quiet + 1 } else { 0 };
            if quiet == 2 {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Running {
    /// The run's task was dropped: leave nothing behind all the same.
    fn drop(&mut self) {
        if !self.family.gone() {
            // As far as a moment goes: this cannot wait.
            let _ = (0..FREEZES).any(|_| self.family.freeze());
            self.family.signal(Signal::KILL);
        }
    }
}

/// Lets a program run in a session of its own, of which it is the only group at first: there is no terminal that it could
/// ask a person at, and wait for.
#[expect(unsafe_code, reason = "a session can begin between fork and exec in no other way")]
pub(crate) fn in_own_session(command: &mut Command) {
    let begin = || rustix::process::setsid().map(drop).map_err(io::Error::from);
    // SAFETY: between fork and exec it makes one system call, and neither allocates nor takes a lock.
    unsafe { command.pre_exec(begin) };
}

/// Finds an executable as a shell would: a name on PATH, or a path as it is.
pub fn find_executable(name: &Path, path: Option<&std::ffi::OsStr>) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let works = |candidate: &Path| {
        std::fs::metadata(candidate)
            .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    if name.components().count() > 1 {
        // It is started in another directory than this one.
        return works(name).then(|| std::path::absolute(name).ok()).flatten();
    }
    std::env::split_paths(path?).filter(|dir| dir.is_absolute()).map(|dir| dir.join(name)).find(|c| works(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(directory: &Path, script: &str) -> Running {
        let mut environment: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        environment.insert("RUN_MARK".into(), directory.as_os_str().to_owned());
        Running::start(Launch {
            program: Path::new("/bin/sh").into(),
            args: vec!["-c".into(), script.into()],
            directory,
            environment,
            account: None,
            mark: "RUN_MARK",
            stdin: Vec::new(),
        })
        .unwrap()
    }

    async fn pid_in(path: &Path) -> i32 {
        for _ in 0..6_000 {
            if let Ok(pid) = std::fs::read_to_string(path).unwrap_or_default().trim().parse() {
                return pid;
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("no process wrote {}", path.display());
    }

    fn lives(pid: i32) -> bool {
        table::read().iter().any(|entry| entry.pid == pid && !entry.zombie)
    }

    #[tokio::test]
    async fn stopping_ends_a_grandchild_in_a_session_of_its_own() {
        let directory = tempfile::tempdir().unwrap();
        let script = "setsid sh -c 'echo $$ > pid; exec sleep 600' & wait";
        let mut running = shell(directory.path(), script);
        let grandchild = pid_in(&directory.path().join("pid")).await;
        running.stop(GRACE).await.unwrap();
        assert!(!lives(grandchild));
    }

    /// One that asks at `/dev/tty` stood for minutes in front of the runner's terminal.
    #[tokio::test]
    async fn harnesses_and_git_have_no_terminal_of_the_runners() {
        let directory = tempfile::tempdir().unwrap();
        let mut running = shell(directory.path(), "cut -d' ' -f1,6 /proc/$$/stat >session");
        running.wait().await.unwrap();
        let said = std::fs::read_to_string(directory.path().join("session")).unwrap();
        let (own, session) = said.trim().split_once(' ').unwrap();
        assert_eq!(own, session);
        let git = crate::workspace::git::Git::at(directory.path());
        let asked = git.run(["-c", "alias.session=!cut -d' ' -f6 /proc/$$/stat #", "session"]).await.unwrap();
        // Read as a text: where the session began outside of a container, the number is 0, which is no process.
        let ours = std::fs::read_to_string("/proc/self/stat").unwrap();
        assert_ne!(Some(asked.as_str()), ours.rsplit(')').next().unwrap().split_ascii_whitespace().nth(3));
    }

    #[tokio::test]
    async fn programs_that_believe_pwd_work_in_the_checkout_too() {
        let directory = tempfile::tempdir().unwrap();
        let environment = [("PWD", "/elsewhere"), ("OLDPWD", "/elsewhere")];
        let environment = environment.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let mut running = Running::start(Launch {
            program: Path::new("/usr/bin/env").into(),
            args: Vec::new(),
            directory: directory.path(),
            environment: BTreeMap::from(environment),
            account: None,
            mark: "RUN_MARK",
            stdin: Vec::new(),
        })
        .unwrap();
        let (mut stdout, _stderr) = running.take_output().unwrap();
        let mut said = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut stdout, &mut said).await.unwrap();
        running.wait().await.unwrap();
        assert_eq!(said, format!("PWD={}\n", directory.path().display()));
    }

    #[tokio::test]
    async fn one_that_ignores_sigterm_is_killed() {
        let directory = tempfile::tempdir().unwrap();
        let mut running = shell(directory.path(), "trap '' TERM; echo $$ > pid; while :; do sleep 1; done");
        let pid = pid_in(&directory.path().join("pid")).await;
        let begun = Instant::now();
        running.stop(Duration::from_millis(300)).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(300) && !lives(pid));
    }

    #[tokio::test]
    async fn what_a_harness_leaves_running_is_swept() {
        let directory = tempfile::tempdir().unwrap();
        let script = "setsid sh -c 'echo $$ > pid; exec sleep 600' & sleep 4";
        let mut running = shell(directory.path(), script);
        let left = pid_in(&directory.path().join("pid")).await;
        assert!(running.wait().await.unwrap().success());
        running.sweep().await;
        assert!(!lives(left));
    }

    #[test]
    fn executables_are_found_on_path_and_relative_directories_are_not_searched() {
        let path = std::ffi::OsStr::new(".:relative:/bin:/usr/bin");
        assert!(find_executable(Path::new("sh"), Some(path)).is_some_and(|found| found.is_absolute()));
        assert_eq!(find_executable(Path::new("no-such-program"), Some(path)), None);
        assert_eq!(find_executable(Path::new("/etc/passwd"), Some(path)), None, "not executable");
    }
}
