//! One run, from its assignment to its end.
//!
//! ```text
//! 1. The lifeline heartbeats from the first moment on; the log uploads beside everything else.
//! 2. Workspace, then harness. Whoever pulls the switch ends either.
//! 3. The harness and all its processes are gone before anything is concluded.
//! 4. Origin is asked what came of the work; what the agent forgot to push is pushed.
//! 5. The whole log is sent, then `finish`; both are repeated through network cuts.
//! 6. The workspace is kept when a session could be resumed in it, else removed. The credential of a repository at
//!    a code host goes with the work.
//! ```

mod credential;
mod idle;
mod lifeline;
mod pump;
mod report;
mod setup;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_api::factory::RunKind;
use svc_api::runner::{Assignment, FinishResult};
use svc_client::Client;
use tokio::time::{Instant, sleep};

use crate::calls::{CallError, RunCalls};
use crate::clock;
use crate::environment;
use crate::failure::{Failure, FailureReason};
use crate::harness::detect::Detector;
use crate::harness::{Executables, Exit};
use crate::log::{Pace, RunLog, Secrets, Uploader};
use crate::process::{GRACE, Running};
use crate::runner_file::Profile;
use crate::stop::{Stop, StopSwitch};
use crate::workspace::RunDirectory;
use crate::workspace::outcome::{pull_request, verify};
use crate::workspace::retention;

use lifeline::Lifeline;
use pump::Pump;
use report::Attempt;
use setup::{Prepared, Setup};

/// How long the log and the end of a run are tried to be delivered. An instance that was away for longer
/// counts the run as lost anyway.
const DELIVERY: Duration = Duration::from_secs(15 * 60);
/// The same after a person would not wait.
const HURRIED_DELIVERY: Duration = Duration::from_secs(10);
/// A harness that has said its last word gets this long to end by itself.
const AFTER_LAST_WORD: Duration = Duration::from_secs(30);

/// What a run needs of the runner.
#[derive(Clone)]
pub struct RunContext {
    /// The instance, as the profile. Must not try again by itself.
    pub client: Client,
    /// The profile as `runner.json` has it now.
    pub profile: Profile,
    /// Harness executables as `runner.json` has them now.
    pub executables: Executables,
    /// Texts that must not show in the log, besides the run's own token.
    pub secrets: Vec<String>,
    /// Directory of run directories.
    pub root: PathBuf,
    /// Whether every workspace is kept.
    pub keep_workspaces: bool,
    /// Time between heartbeats.
    pub heartbeat: Duration,
    /// Knows which harnesses work.
    pub detector: Arc<Detector>,
    /// Keeps uploads apart.
    pub pace: Arc<Pace>,
    /// Ids of the runs in flight.
    pub active: Arc<Mutex<Vec<String>>>,
}

/// Executes a run and reports it. Answers whether the instance refused the runner's secret.
pub async fn execute(context: RunContext, assignment: Assignment, stop: StopSwitch) -> bool {
    let calls = RunCalls::new(context.client.clone(), &assignment.run_id, assignment.fence);
    let lifeline = Lifeline::begin(calls.clone(), context.heartbeat, stop.clone());
    let opened = RunDirectory::create(&context.root, &assignment.run_id).and_then(|directory| {
        let secrets = context.secrets.iter().map(String::as_str).chain([assignment.token.as_str()]);
        let (log, source) = RunLog::new(&directory.log(), Arc::new(Secrets::new(secrets)))?;
        Ok((directory, log, source))
    });
    let (directory, log, source) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let detail = format!("the run directory cannot be made in {}: {error}", context.root.display());
            let attempt = Attempt::failed(Failure::new(FailureReason::WorkspaceFailed, detail));
            let finish = attempt.finish(assignment.fence, str::to_owned);
            let _ = calls.finish(&finish, delivery(&stop)).await;
            return stop.reason() == Some(Stop::SecretRefused);
        }
    };
    let uploader = Uploader::new(source, calls.clone(), Arc::clone(&context.pace), stop.clone());
    let mut run = OneRun { context, assignment, directory, log, stop, lifeline, calls };
    run.attempt_and_report(uploader).await
}

fn delivery(stop: &StopSwitch) -> Duration {
    if stop.reason() == Some(Stop::RunnerStopped) { HURRIED_DELIVERY } else { DELIVERY }
}

struct OneRun {
    context: RunContext,
    assignment: Assignment,
    directory: RunDirectory,
    log: RunLog,
    stop: StopSwitch,
    lifeline: Lifeline,
    calls: RunCalls,
}

impl OneRun {
    async fn attempt_and_report(&mut self, uploader: Uploader) -> bool {
        let upload = tokio::spawn(uploader.run());
        let attempt = self.attempt().await;
        self.log.event(&closing_words(&attempt));
        self.log.close();
        self.deliver(&attempt, upload).await;
        self.clean_up(&attempt).await;
        self.stop.reason() == Some(Stop::SecretRefused)
    }

    async fn attempt(&mut self) -> Attempt {
        let setup = Setup::new(&self.context, &self.assignment, &self.directory, &self.log, &self.calls);
        let prepared = tokio::select! {
            prepared = setup.prepare() => prepared,
            reason = self.stop.pulled() => return Attempt::stopped(reason),
        };
        match prepared {
            Ok(prepared) => self.work(prepared).await,
            Err(failure) => Attempt::failed(failure),
        }
    }

    /// Starts the harness, sees it through to its end, and asks what came of it.
    async fn work(&mut self, prepared: Prepared) -> Attempt {
        // The credential is there until what came of the work is known.
        let Prepared { session, reader, mut ready, keeper: _keeper } = prepared;
        let (mut running, pump) = match start(ready.launch(), self.log.clone(), reader) {
            Ok(started) => started,
            Err(error) => {
                let detail = format!("{} cannot be started: {error}", ready.program.display());
                return Attempt::failed(Failure::new(FailureReason::HarnessUnavailable, detail));
            }
        };
        self.lifeline.started(session);
        let (stopped, exit) = self.see_through(&mut running, &pump).await;
        running.sweep().await;
        drop(running);
        let (conclusion, printed) = pump.conclude(exit).await;
        let mut attempt =
            Attempt { stopped, exit: Some(exit), conclusion, pull_request: printed, ..Attempt::default() };
        let result = attempt.result();
        if result != FinishResult::Cancelled {
            let verified = verify(&ready.checkout, result == FinishResult::Succeeded).await;
            verified.events.iter().for_each(|event| self.log.event(event));
            if let (None, Some(branch)) = (&attempt.pull_request, &verified.pushed_branch) {
                attempt.pull_request = pull_request(&ready.checkout, branch).await;
            }
            attempt.verified = verified;
        }
        attempt
    }

    /// Waits for the end of the harness, or brings it about.
    async fn see_through(&self, running: &mut Running, pump: &Pump) -> (Option<Stop>, Exit) {
        let limit = Duration::from_secs(self.assignment.time_limit_seconds);
        let stopped = tokio::select! {
            status = running.wait() => return (None, exit_of(status)),
            reason = self.stop.pulled() => Some(reason),
            () = sleep(limit) => {
                self.stop.pull(Stop::TimeLimit);
                Some(Stop::TimeLimit)
            }
            () = async { pump.done().await; sleep(AFTER_LAST_WORD).await } => None,
            () = pump.watch_idleness() => None,
        };
        match stopped {
            Some(Stop::TimeLimit) => {
                self.log.event(&format!(
                    "The time limit of {} s is reached: stopping the harness",
                    limit.as_secs()
                ));
            }
            Some(Stop::Cancelled) => self.log.event("Cancelled: stopping the harness"),
            Some(Stop::RunnerStopped) => self.log.event("The runner was stopped: stopping the harness"),
            Some(Stop::AssignmentEnded | Stop::SecretRefused) => {}
            None => self.log.event("The harness does not end after its last word: stopping it"),
        }
        let begun = Instant::now();
        let exit = exit_of(running.stop(GRACE).await);
        tracing::debug!(milliseconds = begun.elapsed().as_millis(), "harness stopped");
        (stopped, exit)
    }

    /// Sends the rest of the log, then the end of the run.
    async fn deliver(&self, attempt: &Attempt, mut upload: tokio::task::JoinHandle<()>) {
        let listening = || self.stop.reason().is_none_or(Stop::may_report);
        tokio::select! {
            _ = &mut upload, if listening() => {}
            () = sleep(delivery(&self.stop)), if listening() => {
                tracing::warn!(run = self.assignment.run_id, "the end of the log could not be delivered");
            }
            else => {}
        }
        upload.abort();
        if !listening() {
            return;
        }
        let finish = attempt.finish(self.assignment.fence, |text| self.log.redacted(text));
        match self.calls.finish(&finish, delivery(&self.stop)).await {
            Ok(()) => {}
            Err(CallError::AssignmentEnded) => self.stop.pull(Stop::AssignmentEnded),
            Err(CallError::SecretRefused) => self.stop.pull(Stop::SecretRefused),
            Err(CallError::Unreachable(reason) | CallError::Rejected(reason)) => {
                tracing::error!(
                    run = self.assignment.run_id,
                    reason,
                    "the end of the run could not be reported"
                );
            }
        }
    }

    async fn clean_up(&self, attempt: &Attempt) {
        let root = &self.context.root;
        let kept = attempt.conclusion.session.is_some() || self.context.keep_workspaces;
        setup::close(&self.directory, attempt.conclusion.session.clone(), clock::now());
        let active: Vec<String> = {
            let active = self.context.active.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            active.iter().filter(|id| **id != self.assignment.run_id).cloned().collect()
        };
        if !kept {
            setup::discard(root, &self.directory, &self.assignment).await;
        }
        if !self.context.keep_workspaces {
            retention::sweep(root, &active, clock::now()).await;
        }
    }
}

fn start(
    launch: crate::process::Launch<'_>,
    log: RunLog,
    reader: Box<dyn crate::harness::Reader>,
) -> std::io::Result<(Running, Pump)> {
    let mut running = Running::start(launch)?;
    let (stdout, stderr) = running.take_output().ok_or_else(|| std::io::Error::other("no output"))?;
    Ok((running, Pump::begin(log, reader, stdout, stderr)))
}

fn exit_of(status: std::io::Result<std::process::ExitStatus>) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    match status {
        Ok(status) => match status.signal() {
            Some(signal) => Exit::Signal(signal),
            None => Exit::Code(status.code().unwrap_or(-1)),
        },
        Err(_) => Exit::Code(-1),
    }
}

fn closing_words(attempt: &Attempt) -> String {
    match (attempt.result(), attempt.cause()) {
        (FinishResult::Succeeded, _) => "The run succeeded".to_owned(),
        (FinishResult::TimedOut, _) => "The run was stopped at its time limit".to_owned(),
        (FinishResult::Failed, Some(cause)) => {
            format!("The run failed ({}): {}", cause.reason.as_str(), cause.detail)
        }
        (FinishResult::Failed | FinishResult::Cancelled | FinishResult::Unknown, _) => {
            "The run was cancelled".to_owned()
        }
    }
}

/// Secrets of this process's environment, as a harness inherits them.
pub fn inherited_secrets() -> Vec<String> {
    environment::inherited_secrets(std::env::vars_os())
}

/// Whether a run works in the checkout of an earlier one.
const fn continues(kind: RunKind) -> bool {
    matches!(kind, RunKind::Continue)
}
