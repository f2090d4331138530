//! The supervisor: decides when to introduce, claim, give back, cancel and stop. A pure machine: a message
//! and the time in, commands out. It never waits, reads no clock, and knows no HTTP, git or process.
//!
//! ```text
//! profile   Connecting ──accepted──► Ready ──401──► Refused (until its secret is replaced: Connecting)
//!              ▲   └──unreachable──► Waiting ──backoff──► Connecting
//!
//! The rules (specification section 4.3, rules 7, 10, 11):
//! 1. An idle machine polls every organization; each has at most one request for a run outstanding.
//! 2. While runs are in flight, only their organization claims more, up to `parallel`. The polls of the
//!    others are asked to stop waiting; a run that one of them brings all the same is given back.
//! 3. After a run its organization waits 2 seconds before it claims again.
//! 4. First signal: claim nothing more, wait for runs in flight. Second: cancel them. Third: end at once.
//! 5. A refused secret stops its profile; once no profile works and no run is in flight: exit code 5. Its runs
//!    end by themselves, unless a new secret is registered soon.
//! 6. A request id is used until it brings a run: a lost answer is asked for again, never abandoned; nor is that of a
//!    process that died.
//! 7. A newer version is installed once nothing is claimed any more and no run is in flight. It ends the process with
//!    75; when it could not be installed, claiming goes on. Signals wait for an installation that has begun.
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use svc_api::runner::Assignment;

use crate::secret::Secret;

mod messages;
mod profile;
#[cfg(test)]
mod tests;

pub use messages::{Command, HelloAnswer, Message, Moment, ProfileId, ProfileSpec, TakeAnswer};

use profile::{OutstandingTake, Phase, Profile};

/// How long an organization waits after a run before it claims again.
pub const COOLDOWN: Duration = Duration::from_secs(2);
/// A profile that asks for no runs says hello this often, so that it stays online and learns of a refusal.
const HELLO_EVERY: Duration = Duration::from_secs(30);
/// Two requests for a run are never closer together than this, unless the first brought one. An instance may ask for more.
const TAKE_EVERY: Duration = Duration::from_secs(1);

/// Exit code when a person would not wait for anything.
pub const EXIT_IMPATIENT: u8 = 1;
/// Exit code when no profile works.
pub const EXIT_NO_PROFILE: u8 = 5;
/// Exit code when a newer version is installed: a service starts again on it.
pub const EXIT_RESTART: u8 = 75;

/// How far a newer version has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Update {
    None,
    /// Claims nothing and waits for runs in flight.
    Draining,
    Installing,
    Installed,
}

/// The machine.
#[derive(Debug)]
pub struct Supervisor {
    parallel: usize,
    nonce: String,
    requests: u64,
    ids: u32,
    profiles: BTreeMap<ProfileId, Profile>,
    /// Address, organization and last request id of registrations that an earlier process had.
    earlier: Vec<(String, String, String)>,
    /// Runs in flight and whose they are.
    runs: BTreeMap<String, ProfileId>,
    giving_back: usize,
    configured: bool,
    signals: u32,
    update: Update,
    exited: bool,
}

impl Supervisor {
    /// A machine that does `parallel` runs at once. `nonce` makes its request ids unlike any other's.
    pub fn new(parallel: usize, nonce: impl Into<String>) -> Self {
        Self {
            parallel: parallel.clamp(1, 16),
            nonce: nonce.into(),
            requests: 0,
            ids: 0,
            profiles: BTreeMap::new(),
            earlier: Vec::new(),
            runs: BTreeMap::new(),
            giving_back: 0,
            configured: false,
            signals: 0,
            update: Update::None,
            exited: false,
        }
    }

    /// The same, which asks first what an earlier process asked last: address, organization and request id of each.
    #[must_use]
    pub fn asking_again(self, earlier: Vec<(String, String, String)>) -> Self {
        Self { earlier, ..self }
    }

    /// Takes in what happened; answers what to do now.
    pub fn step(&mut self, now: Moment, message: Message) -> Vec<Command> {
        let mut commands = Vec::new();
        match message {
            Message::Profiles(specs) => self.configure(now, specs, &mut commands),
            Message::Hello(id, answer, secret) => {
                if self.is_current(id, &secret) {
                    self.hello_answered(now, id, answer, &mut commands);
                }
            }
            Message::Take(id, answer, secret) => {
                // That an old secret is refused says nothing of the new one.
                let stale = matches!(answer, TakeAnswer::Refused) && !self.is_current(id, &secret);
                let answer = if stale { TakeAnswer::Nothing } else { answer };
                self.take_answered(now, id, answer, &mut commands);
            }
            Message::GaveBack => self.giving_back = self.giving_back.saturating_sub(1),
            Message::RunEnded { run_id, secret_refused } => {
                self.run_ended(now, &run_id, secret_refused, &mut commands);
            }
            Message::Signal => self.signalled(&mut commands),
            Message::NewerVersion => self.newer_version(&mut commands),
            Message::UpdateEnded { installed } => {
                self.update = if installed { Update::Installed } else { Update::None };
            }
            Message::Tick => {}
        }
        self.advance(now, &mut commands);
        commands
    }

    /// When `Tick` is due, if nothing else happens.
    pub fn next_wake(&self) -> Option<Moment> {
        let working = self.profiles.iter().filter(|(_, profile)| profile.works());
        working.filter_map(|(id, profile)| self.wake_of(*id, profile)).min()
    }

    fn wake_of(&self, id: ProfileId, profile: &Profile) -> Option<Moment> {
        match profile.phase {
            Phase::Waiting { until } => Some(until),
            Phase::Ready if profile.take.is_some() || profile.hello_outstanding || self.signals > 0 => None,
            Phase::Ready if self.may_take(id) => Some(profile.not_before),
            Phase::Ready => Some(profile.last_contact + HELLO_EVERY),
            Phase::Connecting | Phase::Refused => None,
        }
    }

    fn configure(&mut self, now: Moment, specs: Vec<ProfileSpec>, commands: &mut Vec<Command>) {
        self.configured = true;
        for profile in self.profiles.values_mut() {
            profile.removed = !specs.iter().any(|spec| spec.is_same_as(&profile.spec));
        }
        for spec in specs {
            if let Some((id, profile)) =
                self.profiles.iter_mut().find(|(_, known)| known.spec.is_same_as(&spec))
            {
                if profile.spec.token != spec.token {
                    // Its runs go on under the new secret.
                    profile.phase = Phase::Connecting;
                    profile.hello_outstanding = true;
                    profile.failures = 0;
                    commands.push(Command::Connect(*id, spec.clone()));
                }
                profile.spec = spec;
                continue;
            }
            let id = ProfileId(self.ids);
            self.ids += 1;
            commands.push(Command::Connect(id, spec.clone()));
            let same = |one: &mut (String, String, String)| one.0 == spec.url && one.1 == spec.organization;
            let request_id = self.earlier.extract_if(.., same).last().map(|(_, _, request_id)| request_id);
            self.profiles.insert(id, Profile { request_id, ..Profile::new(now, spec) });
        }
    }

    fn hello_answered(
        &mut self,
        now: Moment,
        id: ProfileId,
        answer: HelloAnswer,
        commands: &mut Vec<Command>,
    ) {
        let Some(profile) = self.profiles.get_mut(&id) else { return };
        profile.hello_outstanding = false;
        match answer {
            HelloAnswer::Accepted { take_wait, take_every } => {
                profile.answered(now);
                (profile.take_wait, profile.take_every) = (take_wait, take_every.max(TAKE_EVERY));
                if profile.phase != Phase::Refused {
                    profile.phase = Phase::Ready;
                }
            }
            HelloAnswer::Refused => self.refuse(id, commands),
            HelloAnswer::Unreachable if profile.phase == Phase::Refused => {}
            HelloAnswer::Unreachable => profile.phase = Phase::Waiting { until: profile.back_off(now) },
        }
    }

    fn take_answered(&mut self, now: Moment, id: ProfileId, answer: TakeAnswer, commands: &mut Vec<Command>) {
        let Some(profile) = self.profiles.get_mut(&id) else { return };
        let Some(take) = profile.take.take() else { return };
        match answer {
            TakeAnswer::Run(assignment) => {
                profile.answered(now);
                profile.request_id = None;
                self.place(id, assignment, commands);
            }
            TakeAnswer::Nothing => {
                profile.answered(now);
                profile.not_before = profile.not_before.max(take.since + profile.take_every);
            }
            TakeAnswer::Refused => self.refuse(id, commands),
            failure @ (TakeAnswer::Rejected | TakeAnswer::Unreachable) => {
                if matches!(failure, TakeAnswer::Rejected) {
                    profile.request_id = None;
                }
                let until = profile.back_off(now);
                profile.not_before = profile.not_before.max(until);
            }
        }
    }

    /// Starts the run, or gives it back when it may not run here now.
    fn place(&mut self, profile: ProfileId, assignment: Box<Assignment>, commands: &mut Vec<Command>) {
        if self.runs.contains_key(&assignment.run_id) {
            return;
        }
        let reason = if self.signals > 0 {
            Some("the runner is stopping")
        } else if self.update != Update::None {
            Some("the runner is being updated")
        } else if self.busy_elsewhere(profile) {
            Some("the runner works for another organization")
        } else if self.runs.len() >= self.parallel {
            Some("the runner is busy")
        } else if self.profiles.get(&profile).is_none_or(|known| known.removed) {
            Some("the organization was removed from the runner")
        } else {
            None
        };
        match reason {
            Some(reason) => {
                self.giving_back += 1;
                commands.push(Command::GiveBack { profile, assignment, reason });
            }
            None => {
                self.runs.insert(assignment.run_id.clone(), profile);
                commands.push(Command::StartRun { profile, assignment });
            }
        }
    }

    fn run_ended(&mut self, now: Moment, run_id: &str, secret_refused: bool, commands: &mut Vec<Command>) {
        let Some(id) = self.runs.remove(run_id) else { return };
        if let Some(profile) = self.profiles.get_mut(&id) {
            profile.not_before = profile.not_before.max(now + COOLDOWN);
            profile.last_contact = now;
        }
        if secret_refused {
            self.refuse(id, commands);
        }
    }

    fn refuse(&mut self, id: ProfileId, commands: &mut Vec<Command>) {
        let Some(profile) = self.profiles.get_mut(&id) else { return };
        if profile.phase == Phase::Refused {
            return;
        }
        profile.phase = Phase::Refused;
        if !profile.removed {
            commands.push(Command::TellRefused(id));
        }
    }

    fn signalled(&mut self, commands: &mut Vec<Command>) {
        self.signals += 1;
        match self.signals {
            1 => commands.push(Command::TellDraining(self.runs.len())),
            2 => {
                commands.push(Command::TellCancelling(self.runs.len()));
                commands.extend(self.runs.keys().cloned().map(Command::CancelRun));
            }
            _ => {}
        }
    }

    fn newer_version(&mut self, commands: &mut Vec<Command>) {
        if self.is_claiming() {
            self.update = Update::Draining;
            commands.push(Command::TellUpdating(self.runs.len()));
        }
    }

    fn is_current(&self, id: ProfileId, secret: &Secret) -> bool {
        self.profiles.get(&id).is_some_and(|profile| profile.spec.token == *secret)
    }

    fn busy_elsewhere(&self, id: ProfileId) -> bool {
        self.runs.values().any(|owner| *owner != id)
    }

    fn is_claiming(&self) -> bool {
        self.signals == 0 && self.update == Update::None
    }

    fn may_take(&self, id: ProfileId) -> bool {
        let here = self.profiles.get(&id).is_some_and(|profile| profile.works());
        here && self.is_claiming() && self.runs.len() < self.parallel && !self.busy_elsewhere(id)
    }

    /// Everything that follows from the state and the time alone.
    fn advance(&mut self, now: Moment, commands: &mut Vec<Command>) {
        if self.exited {
            commands.clear();
            return;
        }
        let ids: Vec<ProfileId> = self.profiles.keys().copied().collect();
        for id in ids {
            self.advance_profile(now, id, commands);
        }
        self.forget_removed(commands);
        self.exit_if_done(commands);
    }

    fn advance_profile(&mut self, now: Moment, id: ProfileId, commands: &mut Vec<Command>) {
        let may_take = self.may_take(id);
        let draining = self.signals > 0;
        let Some(profile) = self.profiles.get_mut(&id) else { return };
        if let Some(take) = &mut profile.take {
            if !may_take && !take.told_to_stop {
                take.told_to_stop = true;
                commands.push(Command::StopWaiting(id));
            }
            return;
        }
        if draining || !profile.works() || profile.hello_outstanding {
            return;
        }
        match profile.phase {
            Phase::Waiting { until } if until <= now => {
                profile.phase = Phase::Connecting;
                profile.hello_outstanding = true;
                commands.push(Command::Hello(id));
            }
            Phase::Ready if may_take && profile.not_before <= now => {
                let request_id = profile.request_id.get_or_insert_with(|| {
                    self.requests += 1;
                    format!("{}-{}", self.nonce, self.requests)
                });
                let (request_id, wait) = (request_id.clone(), profile.take_wait);
                profile.take = Some(OutstandingTake { since: now, told_to_stop: false });
                commands.push(Command::Take { profile: id, request_id, wait });
            }
            Phase::Ready if profile.last_contact + HELLO_EVERY <= now => {
                profile.hello_outstanding = true;
                commands.push(Command::Hello(id));
            }
            Phase::Waiting { .. } | Phase::Ready | Phase::Connecting | Phase::Refused => {}
        }
    }

    fn forget_removed(&mut self, commands: &mut Vec<Command>) {
        let runs = &self.runs;
        self.profiles.retain(|id, profile| {
            let needed = !profile.removed
                || profile.take.is_some()
                || profile.hello_outstanding
                || runs.values().any(|owner| owner == id);
            if !needed {
                commands.push(Command::Forget(*id));
            }
            needed
        });
    }

    fn exit_if_done(&mut self, commands: &mut Vec<Command>) {
        let idle = self.runs.is_empty() && self.giving_back == 0;
        let quiet = self.profiles.values().all(|profile| profile.take.is_none());
        let code = if self.signals > 2 {
            EXIT_IMPATIENT
        } else if self.update == Update::Installing {
            return;
        } else if self.signals > 0 && idle && quiet {
            0
        } else if self.configured && idle && !self.profiles.values().any(Profile::works) {
            EXIT_NO_PROFILE
        } else if self.update == Update::Installed {
            EXIT_RESTART
        } else {
            if self.update == Update::Draining && idle && quiet {
                self.update = Update::Installing;
                commands.push(Command::InstallUpdate);
            }
            return;
        };
        self.exited = true;
        commands.push(Command::Exit(code));
    }
}
