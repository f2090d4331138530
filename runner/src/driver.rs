//! Does what the supervisor decides: calls instances, starts runs, listens for signals, re-reads
//! `runner.json`; and tells the supervisor what happened. It decides nothing.

mod asking;
mod options;
mod profiles;
mod signals;
mod takes;
mod updates;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_api::runner::{Assignment, Hello};
use tokio::sync::{Notify, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::calls::{Link, client};
use crate::clock;
use crate::harness::detect::Detector;
use crate::locking::lock;
use crate::log::Pace;
use crate::process::adopt_orphans;
use crate::room::Room;
use crate::run::recover::{Recoveries, recover};
use crate::run::{Ended, Heartbeats, RunContext, execute, inherited_secrets};
use crate::runner_file::{FileError, Profile, RunnerFile};
use crate::stop::{Stop, StopSwitch};
use crate::supervisor::{Command, EXIT_IMPATIENT, Message, ProfileId, ProfileSpec, Supervisor};
use crate::watchdog::Watchdog;
use crate::words::counted;
use crate::workspace::retention;

pub use options::Options;
use profiles::{prepare_file, spec_of};
use signals::Signals;
use takes::Takes;
use updates::Updates;

/// How often `runner.json` is read again.
const REREAD: Duration = Duration::from_secs(3);
/// How long runs that are broken off at the very end get to end their processes.
const BREAK_OFF: Duration = Duration::from_secs(3);
const BEFORE_HELLO: Heartbeats = Heartbeats { every: Duration::from_secs(20), held: true };

/// Runs until the supervisor says that the process ends; answers its exit code.
///
/// # Errors
/// `runner.json` cannot be used, or the system gives no signals.
pub async fn run(options: Options) -> Result<u8, FileError> {
    adopt_orphans();
    // A signal that comes while dead runs are recovered waits for that.
    let signals = Signals::listen()?;
    let (messages, inbox) = mpsc::unbounded_channel();
    let file = prepare_file(&options.file)?;
    let options = Options { root: options.root.canonicalize().unwrap_or(options.root), ..options };
    let watchdog = Watchdog::start(&options.root);
    let recoveries = recover(&options.root, &file, options.keep_workspaces).await;
    let driver = Driver {
        watchdog,
        recoveries,
        takes: Takes::load(&options.root),
        options,
        begun: Instant::now(),
        messages,
        profiles: HashMap::new(),
        runs: HashMap::new(),
        file: Arc::new(Mutex::new(file)),
        detector: Arc::new(Detector::default()),
        active: Arc::default(),
        pace: Arc::default(),
        room: Arc::default(),
        updates: Updates::default(),
    };
    driver.updates.watch(&driver.options, &driver.file, &driver.messages);
    driver.run(inbox, signals).await
}

#[derive(Clone)]
struct Connected {
    spec: ProfileSpec,
    /// None when the address or the secret cannot be used at all.
    link: Option<Link>,
    /// Whether the last hello was heard; none before the first.
    reachable: Arc<Mutex<Option<bool>>>,
    heartbeats: Arc<Mutex<Heartbeats>>,
    stop_waiting: Arc<Notify>,
    /// How this machine introduced itself last.
    introduced: Arc<Mutex<Option<Hello>>>,
}

/// A run that is being executed.
struct InFlight {
    stop: StopSwitch,
    task: AbortHandle,
}

struct Driver {
    options: Options,
    watchdog: Watchdog,
    begun: Instant,
    messages: mpsc::UnboundedSender<Message>,
    profiles: HashMap<ProfileId, Connected>,
    runs: HashMap<String, InFlight>,
    file: Arc<Mutex<RunnerFile>>,
    detector: Arc<Detector>,
    active: Arc<Mutex<Vec<String>>>,
    pace: Arc<Pace>,
    room: Arc<Mutex<Room>>,
    updates: Updates,
    recoveries: Recoveries,
    takes: Takes,
}

impl Driver {
    async fn run(
        mut self,
        mut inbox: mpsc::UnboundedReceiver<Message>,
        mut signals: Signals,
    ) -> Result<u8, FileError> {
        let parallel = usize::try_from(self.options.parallel).unwrap_or(1);
        let nonce = clock::fresh_id().simple().to_string();
        let mut machine = Supervisor::new(parallel, nonce).asking_again(self.takes.earlier());
        let mut reread = interval(REREAD);
        reread.set_missed_tick_behavior(MissedTickBehavior::Delay);
        if !self.options.keep_workspaces {
            retention::sweep(&self.options.root, &[], clock::now()).await;
        }
        loop {
            let wake = machine.next_wake().map(|at| self.begun + at);
            let message = tokio::select! {
                Some(message) = inbox.recv() => message,
                () = signals.next() => Message::Signal,
                _ = reread.tick() => Message::Profiles(self.reread()),
                () = sleep_until(wake.unwrap_or(self.begun)), if wake.is_some() => Message::Tick,
            };
            if let Message::RunEnded { run_id, .. } = &message {
                self.runs.remove(run_id);
            }
            for command in machine.step(self.begun.elapsed(), message) {
                if let Command::Exit(code) = command {
                    self.break_off(inbox).await;
                    if code != EXIT_IMPATIENT {
                        tokio::select! {
                            () = self.say_goodbye() => {}
                            () = signals.next() => {}
                        }
                        self.recoveries.settle().await;
                    }
                    return Ok(code);
                }
                self.perform(command);
            }
        }
    }

    /// Drops the runs that are still in flight, which ends their processes. Only an impatient person's exit
    /// finds any.
    async fn break_off(&mut self, mut inbox: mpsc::UnboundedReceiver<Message>) {
        self.runs.values().for_each(|run| run.task.abort());
        let ended = async {
            while !self.runs.is_empty()
                && let Some(message) = inbox.recv().await
            {
                if let Message::RunEnded { run_id, .. } = message {
                    self.runs.remove(&run_id);
                }
            }
        };
        if tokio::time::timeout(BREAK_OFF, ended).await.is_err() {
            tracing::warn!("some runs did not end");
        }
    }

    /// Reads `runner.json`; a file that cannot be used for the moment changes nothing.
    fn reread(&self) -> Vec<ProfileSpec> {
        let mut known = lock(&self.file);
        match self.options.file.load() {
            Ok(file) => *known = file,
            Err(error) => tracing::warn!("{error}"),
        }
        known.profiles.iter().map(spec_of).collect()
    }

    fn perform(&mut self, command: Command) {
        match command {
            Command::Connect(id, spec) => self.connect(id, spec),
            Command::Hello(id) => self.hello(id),
            Command::Take { profile, request_id, wait } => self.take(profile, request_id, wait),
            Command::StopWaiting(id) => {
                if let Some(connected) = self.profiles.get(&id) {
                    connected.stop_waiting.notify_one();
                }
            }
            Command::GiveBack { profile, assignment, reason } => self.give_back(profile, *assignment, reason),
            Command::StartRun { profile, assignment } => self.start_run(profile, *assignment),
            Command::CancelRun(run_id) => {
                if let Some(run) = self.runs.get(&run_id) {
                    run.stop.pull(Stop::RunnerStopped);
                }
            }
            Command::Forget(id) => {
                self.profiles.remove(&id);
            }
            Command::TellRefused(id) => tracing::error!(
                "{} refuses the runner secret of {}: it was disabled, deleted or rotated; register again with \
                 the new one",
                self.profiles.get(&id).map_or("the instance", |connected| &connected.spec.url),
                self.name_of(id),
            ),
            Command::TellDraining(0) => tracing::info!("stopping"),
            Command::TellDraining(runs) => {
                let runs = counted(runs as u64, "run");
                tracing::info!("stopping after {runs} in flight; interrupt again to cancel");
            }
            Command::TellCancelling(runs) => {
                let runs = counted(runs as u64, "run");
                tracing::info!("cancelling {runs}; interrupt again to leave without reporting");
            }
            Command::TellUpdating(0) => tracing::info!("updating"),
            Command::TellUpdating(runs) => {
                let runs = counted(runs as u64, "run");
                tracing::info!("updating after {runs} in flight; no more runs are taken until then");
            }
            Command::InstallUpdate => self.updates.install(self.messages.clone()),
            Command::Exit(_) => {}
        }
    }

    fn profile_of(&self, id: ProfileId) -> Option<Profile> {
        let spec = &self.profiles.get(&id)?.spec;
        lock(&self.file).profiles.iter().find(|profile| spec_of(profile).is_same_as(spec)).cloned()
    }

    fn name_of(&self, id: ProfileId) -> String {
        let name = self.profile_of(id).map(|profile| profile.organization);
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| "an organization".to_owned())
    }

    fn connect(&mut self, id: ProfileId, spec: ProfileSpec) {
        let client = client(&spec.url, spec.token.expose())
            .map_err(|error| tracing::error!("a profile of runner.json cannot be used: {error}"))
            .ok();
        let known = self.profiles.remove(&id);
        let link = match (known.as_ref().and_then(|known| known.link.clone()), client) {
            (Some(link), Some(client)) => {
                link.replace(client);
                Some(link)
            }
            (link, None) => link,
            (None, Some(client)) => Some(Link::new(client, self.options.secret_grace)),
        };
        let connected = Connected {
            spec,
            link,
            reachable: Arc::default(),
            heartbeats: known.map_or_else(|| Arc::new(Mutex::new(BEFORE_HELLO)), |known| known.heartbeats),
            stop_waiting: Arc::default(),
            introduced: Arc::default(),
        };
        self.profiles.insert(id, connected);
        self.hello(id);
    }

    fn start_run(&mut self, id: ProfileId, assignment: Assignment) {
        // Read again for each run: a mapping made a moment ago counts.
        self.reread();
        let run_id = assignment.run_id.clone();
        let messages = self.messages.clone();
        let ended = |secret_refused| Message::RunEnded { run_id: run_id.clone(), secret_refused };
        let (Some(context), false) = (self.context(id), self.recoveries.had(&assignment)) else {
            let _ = messages.send(ended(false));
            return;
        };
        let recovery = self.recoveries.of(&run_id);
        tracing::info!("{}: run {run_id} begins as {}", assignment.item.key, assignment.agent.name);
        lock(&self.active).push(run_id.clone());
        let (active, key) = (Arc::clone(&self.active), assignment.item.key.clone());
        let stop = StopSwitch::default();
        // A task of its own, so that a panic ends the run and not the runner.
        let run = execute(context, assignment, stop.clone());
        let task = tokio::spawn(async move {
            if let Some(recovery) = recovery {
                // It ended, even if it panicked.
                let _ = recovery.await;
            }
            run.await
        });
        self.runs.insert(run_id.clone(), InFlight { stop, task: task.abort_handle() });
        tokio::spawn(async move {
            let ended = task.await.unwrap_or_else(|error| {
                tracing::error!("run {run_id} broke off: {error}");
                Ended::default()
            });
            lock(&active).retain(|id| *id != run_id);
            tracing::info!("{key}: run {run_id} is over. {}", ended.words);
            let secret_refused = ended.secret_refused;
            let _ = messages.send(Message::RunEnded { run_id, secret_refused });
        });
    }

    fn context(&self, id: ProfileId) -> Option<RunContext> {
        let connected = self.profiles.get(&id)?;
        let file = lock(&self.file).clone();
        let mut secrets = inherited_secrets();
        secrets.extend(file.profiles.iter().map(|profile| profile.token.expose().to_owned()));
        secrets.push(connected.spec.token.expose().to_owned());
        let profile = self.profile_of(id)?;
        let heartbeats = *lock(&connected.heartbeats);
        Some(RunContext {
            link: connected.link.clone()?,
            profile,
            executables: file.executables,
            attachments: file.attachments,
            secrets,
            root: self.options.root.clone(),
            keep_workspaces: self.options.keep_workspaces,
            heartbeats,
            detector: Arc::clone(&self.detector),
            pace: Arc::clone(&self.pace),
            active: Arc::clone(&self.active),
            watchdog: self.watchdog.clone(),
        })
    }
}
