//! One run, from its assignment to its end.
//!
//! ```text
//! 1. The lifeline heartbeats from the first moment on; the log uploads beside everything else.
//! 2. Workspace, then harness. The switch ends either.
//! 3. The harness and all its processes are gone before anything is concluded.
//! 4. What the agent changed in the repository's configuration is put back, before git is used again.
//! 5. Origin is asked what came of the work; what the agent forgot to push is pushed. Success is what origin shows,
//!    not what the harness says.
//! 6. What origin lacks is saved, what was changed is read for people to look at, and processes that git may have left
//!    are ended.
//! 7. The whole log is sent, then what was changed, then `finish`; all are repeated through network cuts.
//! 8. The workspace is kept when a session could be resumed in it, else removed. The credential of a repository at
//!    a code host goes with the work.
//! ```

mod artifacts;
mod attachments;
mod broken;
mod closing;
mod confined;
mod credential;
mod idle;
mod lifeline;
mod pump;
mod record;
pub mod recover;
mod report;
mod setup;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_api::factory::{Delivers, DeliveryMode, RunKind};
use svc_api::runner::{Assignment, FinishResult};
use tokio::time::{Instant, sleep};

use crate::calls::{Link, RunCalls};
use crate::environment;
use crate::failure::{Failure, FailureReason};
use crate::harness::detect::Detector;
use crate::harness::{Executables, Exit};
use crate::locking::lock;
use crate::log::{Pace, RunLog, Secrets, Uploader};
use crate::plain;
use crate::process::{GRACE, Running};
use crate::runner_file::{Attachments, Profile};
use crate::stop::{Stop, StopSwitch};
use crate::watchdog::Watchdog;
use crate::workspace::outcome::{Expectation, Verified, belongs, pull_request, verify};
use crate::workspace::prepare::Checkout;
use crate::workspace::straight::straighten;
use crate::workspace::{Manifest, RunDirectory, overlay};

use broken::caught;
use closing::closing_words;
use confined::{Around, Slot};
pub use lifeline::Heartbeats;
use lifeline::Lifeline;
use pump::{Pump, exit_of, start};
use record::first_manifest;
use report::Attempt;
use setup::{Earlier, Prepared, Setup};

/// How long the log and the end of a run are tried to be delivered. An instance that was away for longer
/// counts the run as lost anyway.
const DELIVERY: Duration = Duration::from_secs(15 * 60);
/// The same after a person would not wait.
const HURRIED_DELIVERY: Duration = Duration::from_secs(10);
/// A harness that has said its last word gets this long to end by itself.
const AFTER_LAST_WORD: Duration = Duration::from_secs(30);
/// How long finding out what came of a run may take, pushes and pauses included.
const VERIFICATION: Duration = Duration::from_secs(10 * 60);
/// The same for a run that has failed or ran out of time.
const HURRIED_VERIFICATION: Duration = Duration::from_secs(60);

/// What a run needs of the runner.
#[derive(Clone)]
pub struct RunContext {
    /// The instance, as the profile.
    pub link: Link,
    /// The profile as `runner.json` has it now.
    pub profile: Profile,
    /// Harness executables as `runner.json` has them now.
    pub executables: Executables,
    /// Limits of a run's attachments.
    pub attachments: Attachments,
    /// Texts that must not show in the log, besides the run's own token.
    pub secrets: Vec<String>,
    /// Directory of run directories.
    pub root: PathBuf,
    /// Whether every workspace is kept.
    pub keep_workspaces: bool,
    /// Time between heartbeats.
    pub heartbeats: Heartbeats,
    /// Knows which harnesses work.
    pub detector: Arc<Detector>,
    /// Keeps uploads apart.
    pub pace: Arc<Pace>,
    /// Ids of the runs in flight.
    pub active: Arc<Mutex<Vec<String>>>,
    /// Ends harnesses should this process die.
    pub watchdog: Watchdog,
}

/// How a run ended, for the runner.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// Whether the instance refused the runner's secret.
    pub secret_refused: bool,
    /// For the runner's log.
    pub words: String,
}

/// Executes a run and reports it, whatever happens: a panic is a failure of the run.
pub async fn execute(context: RunContext, assignment: Assignment, stop: StopSwitch) -> Ended {
    let calls = RunCalls::new(context.link.clone(), &assignment.run_id, assignment.fence);
    let (directory, watchdog) = (context.root.join(&assignment.run_id), context.watchdog.clone());
    match caught(see_to_its_end(context, assignment.clone(), stop.clone(), calls.clone())).await {
        Ok(ended) => ended,
        Err(panic) => {
            let ended = broken::report(&panic, &calls, &assignment, &directory, &stop).await;
            watchdog.forget(&assignment.run_id);
            ended
        }
    }
}

async fn see_to_its_end(
    context: RunContext,
    assignment: Assignment,
    stop: StopSwitch,
    calls: RunCalls,
) -> Ended {
    let lifeline = Lifeline::begin(calls.clone(), context.heartbeats, stop.clone());
    let opened = RunDirectory::create(&context.root, &assignment.run_id).and_then(|directory| {
        directory.describe(&first_manifest(&directory, &assignment, context.link.client().base_url()))?;
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
            return Ended {
                secret_refused: stop.reason() == Some(Stop::SecretRefused),
                words: closing_words(&attempt),
            };
        }
    };
    let uploader = Uploader::new(source, calls.clone(), Arc::clone(&context.pace), stop.clone());
    let confined = Slot::default();
    let mut run = OneRun { context, assignment, directory, log, stop, lifeline, calls, confined };
    run.report(uploader, async |run: &mut OneRun| run.attempt().await).await
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
    /// What is set up, and is to be cleaned up.
    confined: Slot,
}

impl OneRun {
    /// Sees an attempt through and reports it, even one that panics.
    async fn report(&mut self, uploader: Uploader, attempt: impl AsyncFnOnce(&mut Self) -> Attempt) -> Ended {
        let upload = tokio::spawn(uploader.run());
        let attempt = match caught(attempt(self)).await {
            Ok(attempt) => attempt,
            Err(panic) => self.broken_off(&panic).await,
        };
        self.log.event(&closing_words(&attempt));
        self.log.close();
        self.deliver(&attempt, upload).await;
        self.clean_up(&attempt).await;
        self.context.watchdog.forget(&self.assignment.run_id);
        Ended {
            secret_refused: self.stop.reason() == Some(Stop::SecretRefused),
            words: self.log.redacted(&closing_words(&attempt)),
        }
    }

    async fn attempt(&mut self) -> Attempt {
        let attempt = self.attempt_in(Earlier::Session).await;
        if self.assignment.kind == RunKind::FollowUp && attempt.lost_session() {
            self.log.event("The harness no longer knows the earlier session: starting a new one");
            return self.attempt_in(Earlier::Checkout).await;
        }
        attempt
    }

    async fn attempt_in(&mut self, earlier: Earlier) -> Attempt {
        let setup = Setup::of(self, earlier);
        let prepared = tokio::select! {
            prepared = setup.prepare() => prepared.map_err(Attempt::failed),
            reason = self.stop.pulled() => Err(Attempt::stopped(reason)),
        };
        match prepared {
            Ok(prepared) => self.work(prepared).await,
            Err(attempt) => self.leave().await.map_or_else(Attempt::failed, |()| attempt),
        }
    }

    /// Cleans up what was set up, once. Everything that the harness started is gone.
    ///
    /// # Errors
    /// A part of the checkout still belongs to another user: leave it alone.
    async fn leave(&self) -> Result<(), Failure> {
        let Some(confined) = lock(&self.confined).take() else { return Ok(()) };
        let left = confined.leave(Around { log: &self.log, watchdog: &self.context.watchdog }).await;
        self.note(|manifest| manifest.set_up = false);
        left
    }

    /// Starts the harness, sees it through to its end, and asks what came of it.
    async fn work(&mut self, prepared: Prepared) -> Attempt {
        // The credential is there until what came of the work is known.
        let Prepared { reader, mut ready, keeper: _keeper, guard } = prepared;
        let program = ready.program.clone();
        let started = ready.launch().and_then(|launch| {
            start(launch, self.log.clone(), reader).map_err(|error| {
                let detail = format!("{} cannot be started: {error}", program.display());
                Failure::new(FailureReason::HarnessUnavailable, detail)
            })
        });
        let (mut running, pump) = match started {
            Ok(started) => started,
            Err(failure) => return Attempt::failed(self.leave().await.err().unwrap_or(failure)),
        };
        self.context.watchdog.watch(&self.assignment.run_id, running.leader());
        self.note(|manifest| manifest.started = true);
        self.lifeline.measure(pump.meter());
        self.lifeline.started(None);
        let (stopped, exit) = self.see_through(&mut running, &pump).await;
        running.sweep().await;
        if let Err(failure) = self.leave().await {
            return Attempt { stopped, exit: Some(exit), ..Attempt::failed(failure) };
        }
        let checkout = &ready.checkout;
        match straighten(self.directory.path(), checkout.repository.as_deref()).await {
            Ok(told) => told.iter().for_each(|told| self.log.event(told)),
            Err(error) => {
                let place = checkout.repo.display();
                let detail = format!(
                    "the checkout cannot be looked through, so it stays in {place} as it is: {error}"
                );
                let failure = Failure::new(FailureReason::WorkspaceFailed, detail);
                return Attempt { stopped, exit: Some(exit), ..Attempt::failed(failure) };
            }
        }
        if let Some(guard) = guard {
            let told = guard.put_back(&self.assignment.run_id).await;
            told.iter().for_each(|told| self.log.event(told));
        }
        if let Err(error) = overlay::restore(self.directory.path()).await {
            self.log.event(&format!("Files in the checkout could not be restored: {error}"));
        }
        let (conclusion, printed) = pump.conclude(exit).await;
        let printed = printed.filter(|url| belongs(checkout, url));
        let gave_up = self.words_of_giving_up();
        let mut attempt = Attempt {
            stopped,
            exit: Some(exit),
            conclusion,
            pull_request: printed,
            gave_up,
            ..Attempt::default()
        };
        self.verify(&mut attempt, checkout).await;
        self.save(&mut attempt).await;
        self.look_at_changes(&mut attempt, checkout).await;
        running.sweep().await;
        attempt.artifacts = artifacts::left(&self.directory.artifacts(), &self.log);
        attempt
    }

    /// Finds out what came of the work, and pushes it. A cancel ends that too.
    async fn verify(&self, attempt: &mut Attempt, checkout: &Checkout) {
        let direct = self.assignment.delivery_mode == DeliveryMode::PushToDefaultBranch;
        let nothing = self.assignment.delivers == Delivers::Nothing;
        let (expected, patience) = match attempt.result() {
            FinishResult::Cancelled | FinishResult::Unknown => return,
            FinishResult::Succeeded if self.assignment.kind == RunKind::FollowUp || nothing => {
                (Expectation::ANSWER, VERIFICATION)
            }
            FinishResult::Succeeded => (Expectation::WORK, VERIFICATION),
            // Half a piece of work is no delivery, but must not be lost with the machine.
            FinishResult::Failed | FinishResult::TimedOut => {
                (Expectation { push: !direct, commits: false, finish: false }, HURRIED_VERIFICATION)
            }
        };
        let stopped = async {
            match attempt.stopped {
                None => self.stop.pulled().await,
                Some(_) => std::future::pending().await,
            }
        };
        let default = &self.assignment.repository.default_branch;
        let verified = tokio::select! {
            verified = tokio::time::timeout(patience, verify(checkout, default, &expected)) => verified,
            reason = stopped => {
                attempt.stopped = Some(reason);
                return;
            }
        };
        let verified = verified.unwrap_or_else(|_| Verified {
            missing: Some("checking origin took too long".to_owned()),
            ..Verified::default()
        });
        verified.events.iter().for_each(|event| self.log.event(event));
        if let (None, Some(branch)) = (&attempt.pull_request, &verified.pushed_branch) {
            attempt.pull_request = pull_request(checkout, branch).await;
        }
        attempt.verified = verified;
    }

    /// Why the agent cannot do the work, in its own words.
    fn words_of_giving_up(&self) -> Option<String> {
        const LONGEST: u64 = 4_000;
        let file = plain::open(&self.directory.failure()).ok()?;
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(file, LONGEST), &mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let text =
            if text.is_empty() { "the agent said that it cannot do the work".to_owned() } else { text };
        self.log.event(&format!("The agent gave up: {text}"));
        Some(text)
    }

    /// Changes the manifest.
    fn note(&self, change: impl FnOnce(&mut Manifest)) {
        let Some(mut manifest) = Manifest::read(self.directory.path()) else { return };
        change(&mut manifest);
        if let Err(error) = self.directory.describe(&manifest) {
            tracing::warn!(%error, "the workspace cannot be described");
        }
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
            () = pump.done_for(AFTER_LAST_WORD) => None,
            () = pump.watch_idleness() => None,
            () = self.tell_session(pump) => None,
        };
        match stopped {
            Some(Stop::TimeLimit) => {
                self.log.event(&format!(
                    "The time limit of {} s was reached: stopping the harness",
                    limit.as_secs()
                ));
            }
            Some(Stop::Cancelled) => self.log.event("Cancelled: stopping the harness"),
            Some(Stop::RunnerStopped) => self.log.event("The runner was stopped: stopping the harness"),
            Some(Stop::AssignmentEnded | Stop::SecretRefused) => {}
            None => self.log.event("The harness did not exit after its result: stopping it"),
        }
        let begun = Instant::now();
        let exit = exit_of(running.stop(GRACE).await);
        tracing::debug!(milliseconds = begun.elapsed().as_millis(), "harness stopped");
        (stopped, exit)
    }

    /// Tells the instance of the session, once there is one. Never ends.
    async fn tell_session(&self, pump: &Pump) {
        if let Some(session) = pump.session().await {
            self.note(|manifest| manifest.session = Some(session.clone()));
            self.lifeline.started(Some(session));
        }
        std::future::pending().await
    }
}

/// Secrets of this process's environment, as a harness inherits them.
pub fn inherited_secrets() -> Vec<String> {
    environment::inherited_secrets(std::env::vars_os())
}
