//! A run's harness and its set-up and clean-up commands, kept apart from the machine as the operator asks.
//!
//! ```text
//! 1. The user of the harness is looked up before anything is made: a wrong one fails the run with its reason.
//! 2. With another user, the files of the run become that user's before the first command, and the checkout is taken
//!    back once all processes are gone.
//! 3. Set-up commands run as the harness does, since they run the repository's code. One that fails ends the run.
//! 4. Clean-up commands run once, however the run ends, and change nothing about how it ended. They run as the user of
//!    the harness; with a sandbox command on the machine itself and in the run's directory, where they can end what
//!    the sandbox left.
//! 5. What a command leaves running is ended with it.
//! ```

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;

use crate::environment::{self, MARK};
use crate::failure::{Failure, FailureReason};
use crate::harness::Known;
use crate::isolation::{Isolation, Places, sandbox_words, wants_env_file};
use crate::locking::lock;
use crate::log::{RunLog, Secrets};
use crate::process::marked::end_run;
use crate::process::{Account, Launch, Running, find_executable};
use crate::watchdog::Watchdog;
use crate::workspace::handover::{hand_over, take_back};
use crate::workspace::{Manifest, RunDirectory};

/// How long all set-up commands of a run may take, and all clean-up commands.
const SETUP: Duration = Duration::from_secs(20 * 60);
const CLEANUP: Duration = Duration::from_secs(2 * 60);
/// How long output is read on after all of its writers are gone.
const DRAIN: Duration = Duration::from_secs(2);
/// Bytes of the end of a command's output that a failure names.
const TAIL: usize = 1_000;
/// The file with the environment of the harness, for sandbox commands that ask for it.
const ENV_FILE: &str = "environment";

/// The user or the command that runs the harness of a run.
#[derive(Clone, Debug)]
pub(super) struct Confinement {
    isolation: Isolation,
    account: Option<Account>,
}

impl Confinement {
    /// What the operator asks for, if it can be done here.
    pub(super) async fn of(isolation: Isolation) -> Result<Self, Failure> {
        let impossible = |why: String| Failure::new(FailureReason::WorkspaceFailed, why);
        let account = match isolation.user() {
            Some(name) => Some(Account::find(name).await.map_err(impossible)?),
            None => None,
        };
        Ok(Self { isolation, account })
    }

    /// Whether the harness cannot reach the mapped clone.
    pub(super) fn separates(&self) -> bool {
        self.isolation.separates()
    }

    /// Whether the harness runs as root.
    pub(super) fn as_root(&self) -> bool {
        self.account.is_none() && rustix::process::geteuid().is_root()
    }

    /// What the harness gets of this process's environment.
    pub(super) fn inherited(&self, harness: &Known) -> Vec<(OsString, OsString)> {
        self.variables(harness.variables)
    }

    fn variables(&self, own: &[&str]) -> Vec<(OsString, OsString)> {
        let mut variables = environment::allowed(std::env::vars_os(), &self.isolation, own);
        if let Some(account) = &self.account {
            environment::belong_to(&mut variables, account);
        }
        variables
    }

    /// The same for a run, with the environment of its harness.
    pub(super) fn confined(
        self,
        directory: &RunDirectory,
        workspace: &Path,
        run_id: &str,
        mut environment: BTreeMap<OsString, OsString>,
    ) -> Confined {
        for (name, value) in
            [("SVC_RUN_ID", OsString::from(run_id)), ("SVC_RUN_DIR", directory.path().into())]
        {
            environment.insert(name.into(), value);
        }
        environment.insert("SVC_WORKSPACE".into(), workspace.into());
        let (directory, workspace) = (directory.clone(), workspace.to_owned());
        Confined { confinement: self, directory, workspace, run_id: run_id.to_owned(), environment }
    }
}

/// How the harness of a run is started.
#[derive(Clone, Debug)]
pub(super) struct Confined {
    confinement: Confinement,
    directory: RunDirectory,
    workspace: PathBuf,
    run_id: String,
    environment: BTreeMap<OsString, OsString>,
}

/// The confined harness of a run, from its set-up until its clean-up.
pub(super) type Slot = Mutex<Option<Arc<Confined>>>;

/// What a command needs of its run, besides.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) log: &'a RunLog,
    pub(super) watchdog: &'a Watchdog,
}

impl Confined {
    fn isolation(&self) -> &Isolation {
        &self.confinement.isolation
    }

    /// How a program is started as the harness is.
    pub(super) fn launch<'a>(
        &'a self,
        program: &'a Path,
        args: Vec<OsString>,
        stdin: Vec<u8>,
    ) -> Result<Launch<'a>, Failure> {
        let launch = self.plain(program, args, &self.workspace);
        let Some(template) = self.isolation().sandbox() else { return Ok(Launch { stdin, ..launch }) };
        let failed = |why: String| {
            let detail = format!("the sandbox command `{template}` cannot be used: {why}");
            Failure::new(FailureReason::WorkspaceFailed, detail)
        };
        let env_file = self.directory.path().join(ENV_FILE);
        if wants_env_file(template) {
            let lines = env_lines(&self.environment);
            self.directory.write(ENV_FILE, &lines).map_err(|error| failed(error.to_string()))?;
        }
        let places = Places {
            workspace: &self.workspace,
            run_dir: self.directory.path(),
            env_file: &env_file,
            run_id: &self.run_id,
        };
        let mut words = sandbox_words(template, &places).map_err(failed)?.into_iter();
        let first = PathBuf::from(words.next().unwrap_or_default());
        let path = std::env::var_os("PATH");
        let sandbox = find_executable(&first, path.as_deref())
            .ok_or_else(|| failed(format!("{} is not on the PATH of the runner", first.display())))?;
        let args = words.chain([program.into()]).chain(launch.args).collect();
        Ok(Launch { program: sandbox.into(), args, stdin, ..launch })
    }

    fn plain<'a>(&'a self, program: &'a Path, args: Vec<OsString>, directory: &'a Path) -> Launch<'a> {
        Launch {
            program: program.into(),
            args,
            directory,
            environment: self.environment.clone(),
            account: self.confinement.account.as_ref(),
            mark: MARK,
            stdin: Vec::new(),
        }
    }

    /// Makes the run ready for its harness: files change hands, and set-up commands run.
    ///
    /// # Errors
    /// `workspace-failed`, with the command and the end of its output.
    pub(super) async fn set_up(&self, around: Around<'_>) -> Result<(), Failure> {
        let failed = |why: String| Failure::new(FailureReason::WorkspaceFailed, why);
        if let Some(account) = &self.confinement.account {
            let given = hand_over(&self.directory, &self.workspace, account).await;
            let stayed = given.map_err(|error| {
                failed(format!("the checkout cannot be given to {}: {error}", account.name))
            })?;
            if stayed > 0 {
                let name = &account.name;
                around.log.event(&format!("{stayed} files have several names and were not given to {name}"));
            }
            if !account.may_write(&self.workspace).await {
                return Err(failed(format!(
                    "{} cannot access {}: start the runner with --workspace-root in a directory that everyone may \
                    enter, such as /var/lib/svc",
                    account.name,
                    self.workspace.display()
                )));
            }
        }
        let commands = &self.isolation().setup;
        let all = async {
            for command in commands {
                around.log.event(&format!("Set-up: {command}"));
                let launch = self.launch(Path::new("/bin/sh"), shell(command), Vec::new())?;
                let ended = self.run(launch, around).await;
                ended.map_err(|why| failed(format!("the set-up command `{command}` failed: {why}")))?;
            }
            Ok(())
        };
        let late =
            || failed(format!("the set-up commands took longer than {} minutes", SETUP.as_secs() / 60));
        timeout(SETUP, all).await.unwrap_or_else(|_| Err(late()))
    }

    /// Runs the clean-up commands and takes the checkout back. Every process of the harness is gone.
    ///
    /// # Errors
    /// A part of the checkout still belongs to another user: leave it alone.
    pub(super) async fn leave(&self, around: Around<'_>) -> Result<(), Failure> {
        self.end_strays().await;
        let commands = &self.isolation().cleanup;
        let directory =
            if self.isolation().sandbox().is_some() { self.directory.path() } else { &self.workspace };
        let all = async {
            for command in commands {
                around.log.event(&format!("Clean-up: {command}"));
                let launch = self.plain(Path::new("/bin/sh"), shell(command), directory);
                if let Err(why) = self.run(launch, around).await {
                    around.log.event(&format!("The clean-up command `{command}` failed: {why}"));
                }
            }
        };
        if timeout(CLEANUP, all).await.is_err() {
            let minutes = CLEANUP.as_secs() / 60;
            around
                .log
                .event(&format!("The clean-up commands took longer than {minutes} minutes and were ended"));
        }
        self.end_strays().await;
        let _ = std::fs::remove_file(self.directory.path().join(ENV_FILE));
        take_back(&self.workspace).await.map_err(|error| {
            let place = self.workspace.display();
            let detail = format!(
                "the checkout cannot be taken back from the user of the harness, so it stays in {place} as it is: {error}"
            );
            Failure::new(FailureReason::WorkspaceFailed, detail)
        })
    }

    /// What a sandbox started elsewhere is no child of this process, but carries the run's mark.
    async fn end_strays(&self) {
        if self.isolation().separates() {
            let directory = self.directory.path().to_owned();
            // It ended, even if it panicked.
            let _ = tokio::task::spawn_blocking(move || end_run(&directory)).await;
        }
    }

    /// Runs a command to its end, its output into the log; says why it failed, with the end of what it said.
    async fn run(&self, launch: Launch<'_>, around: Around<'_>) -> Result<(), String> {
        let mut running = Running::start(launch).map_err(|error| format!("it cannot be started: {error}"))?;
        around.watchdog.watch(&self.run_id, running.leader());
        let (stdout, stderr) = running.take_output().ok_or("it has no output")?;
        let tail = Arc::new(Mutex::new(Vec::new()));
        let reading = [
            tokio::spawn(read(stdout, around.log.clone(), Arc::clone(&tail))),
            tokio::spawn(read(stderr, around.log.clone(), Arc::clone(&tail))),
        ];
        let status = running.wait().await.map_err(|error| error.to_string())?;
        running.sweep().await;
        for stream in reading {
            // A process that cannot be ended may hold it open.
            let _ = timeout(DRAIN, stream).await;
        }
        around.log.flush();
        if status.success() {
            return Ok(());
        }
        let said = around.log.redacted(String::from_utf8_lossy(&lock(&tail)).trim());
        Err(if said.is_empty() { status.to_string() } else { format!("{status}\n{said}") })
    }
}

fn shell(command: &str) -> Vec<OsString> {
    vec!["-c".into(), command.into()]
}

/// A line for each variable. One with a line break cannot be among them.
fn env_lines(environment: &BTreeMap<OsString, OsString>) -> Vec<u8> {
    let pairs = environment
        .iter()
        .map(|(name, value)| [name.as_encoded_bytes(), b"=", value.as_encoded_bytes(), b"\n"].concat());
    pairs.filter(|line| line.iter().filter(|byte| **byte == b'\n').count() == 1).flatten().collect()
}

async fn read(mut stream: impl AsyncRead + Unpin, log: RunLog, tail: Arc<Mutex<Vec<u8>>>) {
    let mut chunk = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut chunk).await {
        log.stderr(&chunk[..count]);
        let mut tail = lock(&tail);
        tail.extend_from_slice(&chunk[..count]);
        let old = tail.len().saturating_sub(TAIL);
        tail.drain(..old);
    }
}

/// Runs the clean-up commands of a run whose runner died, without the variables that only its harness had.
pub(super) async fn leave_dead(manifest: &Manifest, directory: &RunDirectory, isolation: Isolation) {
    let Ok(confinement) = Confinement::of(isolation).await else { return };
    let Ok((log, source)) = RunLog::new(&directory.log(), Arc::new(Secrets::new([]))) else { return };
    // Its reader is gone.
    source.shut();
    let mut environment: BTreeMap<OsString, OsString> = confinement.variables(&[]).into_iter().collect();
    environment.insert(MARK.into(), directory.config_home().into());
    let confined = confinement.confined(directory, &manifest.repo, &manifest.run_id, environment);
    if let Err(failure) = confined.leave(Around { log: &log, watchdog: &Watchdog::default() }).await {
        tracing::warn!("{}: {}", manifest.item, failure.detail);
    }
}
