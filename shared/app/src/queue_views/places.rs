//! The places of an organization's queue and the runners that ask for them: which runner is offered which run, and
//! what to read next.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use svc_domain::harness::Harness;
use svc_domain::ids::{RunId, RunnerId};
use svc_storage::Query;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How often the queue is read for what other processes did, and for what has become due.
const POLL: Duration = Duration::from_secs(1);
/// For how long a read goes on behind where it began, although a signal comes meanwhile.
const PASS: Duration = Duration::from_secs(10);
/// Runs that are offered at the same time; many would only contend for the same rows.
const OFFERED: usize = 32;
/// Runs that are asked about at once.
const VETTED: usize = 100;
/// How often a run is offered again after a commit that met another.
const CONFLICTS: u32 = 3;

/// A queued run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Queued {
    pub(crate) run: RunId,
    pub(crate) harness: Harness,
    /// The only runner that may take it.
    pub(crate) chosen: Option<RunnerId>,
    /// That runner is disabled or deleted, so that anyone's may.
    pub(crate) chosen_is_gone: bool,
}

/// A request for a run.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    pub(crate) runner: RunnerId,
    pub(crate) harnesses: Vec<Harness>,
    /// Id of its request, which it may repeat while the first call waits.
    pub(crate) request: String,
    /// It does not wait, and is answered by a read that begins from now on.
    pub(crate) at_once: bool,
}

/// What the holder of the turn does next.
#[derive(Debug)]
pub(crate) enum Due {
    /// Read the queue from its beginning, as the read of this number.
    Read(u64),
    /// Read on.
    More(Query),
    /// Ask which of these runs cannot begin.
    Vet(Vec<RunId>),
    /// Nothing until then.
    Nothing(Instant),
}

/// What became of a run that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tried {
    /// It left the queue meanwhile.
    Gone,
    /// It cannot begin now, and perhaps others cannot either.
    Stuck,
    /// Its commit met another one.
    Conflict,
}

#[derive(Default)]
pub(super) struct Seen {
    /// Reads that have begun.
    reads: u64,
    /// The read that the places are of.
    read: Option<Read>,
    /// Where it goes on.
    rest: Option<Query>,
    places: Vec<Place>,
    /// Runs that left the queue since the last read began.
    left: BTreeSet<RunId>,
    /// Whether runs are asked about before they are offered.
    vets: bool,
    asking: Vec<Asking>,
    numbers: u64,
}

pub(super) struct Read {
    pub(super) number: u64,
    pub(super) at: Instant,
    /// How many signals there had been when it began.
    pub(super) signals: u64,
}

struct Place {
    queued: Queued,
    stage: Stage,
    conflicts: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Unvetted,
    Free,
    Offered,
    NotNow,
}

pub(super) struct Asking {
    pub(super) number: u64,
    asker: Asker,
    /// A request that does not wait is answered by a later read.
    after: u64,
    pub(super) offered: Option<Queued>,
    /// Whether there is nothing more for it: it does not wait, or its request has got a run already.
    pub(super) answered: bool,
    wake: Arc<Notify>,
}

impl Asking {
    fn may_take(&self, queued: &Queued) -> bool {
        match queued.chosen {
            Some(chosen) if chosen == self.asker.runner => true,
            Some(_) if !queued.chosen_is_gone => false,
            Some(_) | None => self.asker.harnesses.contains(&queued.harness),
        }
    }

    fn is_idle(&self) -> bool {
        self.offered.is_none() && !self.answered
    }
}

impl Seen {
    pub(super) fn of(&mut self, number: u64) -> Option<&mut Asking> {
        self.asking.iter_mut().find(|asking| asking.number == number)
    }

    /// Adds a request; returns its number.
    pub(super) fn join(&mut self, asker: Asker, wake: Arc<Notify>, signals: u64) -> u64 {
        self.numbers += 1;
        let (number, waits) = (self.numbers, !asker.at_once);
        self.asking.push(Asking { number, asker, after: self.reads, offered: None, answered: false, wake });
        if waits && self.is_fresh(signals) {
            self.hand_out();
        }
        number
    }

    /// A request took the run that it was offered. A repetition of it need not wait for another.
    pub(super) fn took(&mut self, number: u64) {
        let Some(at) = self.asking.iter().position(|asking| asking.number == number) else { return };
        let Asking { asker, offered, .. } = self.asking.remove(at);
        if let Some(offered) = offered {
            self.tried(offered.run, Tried::Gone);
        }
        let same = |asking: &&mut Asking| {
            asking.asker.runner == asker.runner && asking.asker.request == asker.request
        };
        for asking in self.asking.iter_mut().filter(same) {
            asking.answered = true;
            asking.wake.notify_one();
        }
        self.hand_out();
    }

    /// Removes a request; returns the run that it was offered.
    pub(super) fn leave(&mut self, number: u64) -> Option<Queued> {
        let at = self.asking.iter().position(|asking| asking.number == number)?;
        self.asking.remove(at).offered
    }

    fn is_fresh(&self, signals: u64) -> bool {
        self.read.as_ref().is_some_and(|read| read.signals == signals && self.is_younger(read, POLL))
    }

    /// Whether a read began no longer ago than this. A request that does not wait came before it, and needs no newer one.
    fn is_younger(&self, read: &Read, age: Duration) -> bool {
        self.asking.iter().all(|asking| asking.asker.at_once) || Instant::now() < read.at + age
    }

    pub(super) fn due(&mut self, signals: u64) -> Due {
        let may_offer = self.offers() < OFFERED && self.asking.iter().any(Asking::is_idle);
        if may_offer && let Some(read) = &self.read {
            let goes_on = self.is_younger(read, PASS);
            let vet = if self.vets && goes_on { self.to_vet() } else { Vec::new() };
            match self.rest.clone() {
                _ if !vet.is_empty() => return Due::Vet(vet),
                Some(rest) if goes_on => return Due::More(rest),
                Some(_) | None => {}
            }
        }
        match &self.read {
            Some(read) if self.is_fresh(signals) && !self.is_asked_again() => Due::Nothing(read.at + POLL),
            Some(_) | None => {
                self.reads += 1;
                self.left.clear();
                Due::Read(self.reads)
            }
        }
    }

    /// Whether a request that does not wait has come since the read began.
    fn is_asked_again(&self) -> bool {
        let number = self.read.as_ref().map_or(0, |read| read.number);
        self.asking.iter().any(|asking| asking.asker.at_once && asking.is_idle() && number <= asking.after)
    }

    pub(super) fn begin(&mut self, read: Read) {
        let stuck = |place: &Place| place.stage == Stage::NotNow;
        self.vets = self.vets && self.places.iter().any(stuck);
        self.read = Some(read);
        // A run that is being tried is offered to no other request.
        self.places.retain(|place| place.stage == Stage::Offered);
    }

    pub(super) fn add(&mut self, page: Vec<Queued>, rest: Option<Query>) {
        let held: BTreeSet<RunId> =
            self.asking.iter().filter_map(|asking| Some(asking.offered.as_ref()?.run)).collect();
        let new =
            page.into_iter().filter(|queued| !held.contains(&queued.run) && !self.left.contains(&queued.run));
        let new = new.map(|queued| Place { queued, stage: Stage::Unvetted, conflicts: 0 });
        self.places.extend(new);
        self.rest = rest;
        self.hand_out();
    }

    /// Of the runs that were asked about, some cannot begin.
    pub(super) fn vetted(&mut self, asked: &[RunId], stuck: &BTreeSet<RunId>) {
        let asked: BTreeSet<&RunId> = asked.iter().collect();
        for place in &mut self.places {
            if place.stage == Stage::Unvetted && asked.contains(&place.queued.run) {
                let is_stuck = stuck.contains(&place.queued.run);
                place.stage = if is_stuck { Stage::NotNow } else { Stage::Free };
            }
        }
        self.hand_out();
    }

    /// A run that was offered can be offered to others.
    pub(super) fn set_free(&mut self, run: RunId) {
        self.set(run, Stage::Free);
    }

    fn set(&mut self, run: RunId, stage: Stage) {
        if let Some(place) = self.places.iter_mut().find(|place| place.queued.run == run) {
            place.stage = stage;
        }
    }

    pub(super) fn tried(&mut self, run: RunId, what: Tried) {
        match what {
            Tried::Gone => {
                self.left.insert(run);
                self.places.retain(|place| place.queued.run != run);
            }
            Tried::Stuck => {
                self.set(run, Stage::NotNow);
                self.vets = true;
                // What was asked about before may be stuck as well by now.
                let free = self.places.iter_mut().filter(|place| place.stage == Stage::Free);
                free.for_each(|place| place.stage = Stage::Unvetted);
            }
            Tried::Conflict => {
                let Some(place) = self.places.iter_mut().find(|place| place.queued.run == run) else {
                    return;
                };
                place.conflicts += 1;
                place.stage = if place.conflicts < CONFLICTS { Stage::Free } else { Stage::NotNow };
            }
        }
    }

    fn offers(&self) -> usize {
        self.places.iter().filter(|place| place.stage == Stage::Offered).count()
    }

    /// Runs that an idle request may take if they can begin.
    fn to_vet(&self) -> Vec<RunId> {
        let idle = Idle::of(&self.asking);
        let unvetted = self.places.iter().filter(|place| place.stage == Stage::Unvetted);
        unvetted
            .filter(|place| idle.is_for_one(&place.queued))
            .map(|place| place.queued.run)
            .take(VETTED)
            .collect()
    }

    /// Offers the runs that can begin, oldest first, each to the oldest request that may take it.
    pub(super) fn hand_out(&mut self) {
        let idle = Idle::of(&self.asking);
        let mut offers = self.offers();
        for place in &mut self.places {
            if offers >= OFFERED {
                break;
            }
            let is_free = place.stage == Stage::Free || (place.stage == Stage::Unvetted && !self.vets);
            if !is_free || !idle.is_for_one(&place.queued) {
                continue;
            }
            let mut asking = self.asking.iter_mut().filter(|asking| asking.is_idle());
            if let Some(asking) = asking.find(|asking| asking.may_take(&place.queued)) {
                asking.offered = Some(place.queued.clone());
                asking.wake.notify_one();
                place.stage = Stage::Offered;
                offers += 1;
            }
        }
        self.answer();
    }

    /// Answers the requests that do not wait: there is nothing for them.
    fn answer(&mut self) {
        let (Some(read), None) = (&self.read, &self.rest) else { return };
        let open: Vec<&Queued> = self
            .places
            .iter()
            .filter(|place| matches!(place.stage, Stage::Free | Stage::Unvetted))
            .map(|place| &place.queued)
            .collect();
        for asking in self.asking.iter_mut().filter(|asking| asking.asker.at_once && asking.is_idle()) {
            if read.number > asking.after && !open.iter().any(|queued| asking.may_take(queued)) {
                asking.answered = true;
                asking.wake.notify_one();
            }
        }
    }
}

/// All idle requests, to skip quickly what none of them may take.
struct Idle {
    runners: BTreeSet<RunnerId>,
    harnesses: Vec<Harness>,
}

impl Idle {
    fn of(asking: &[Asking]) -> Self {
        let idle = || asking.iter().filter(|asking| asking.is_idle());
        let mut harnesses: Vec<Harness> = Vec::new();
        for harness in idle().flat_map(|asking| &asking.asker.harnesses) {
            if !harnesses.contains(harness) {
                harnesses.push(*harness);
            }
        }
        Self { runners: idle().map(|asking| asking.asker.runner).collect(), harnesses }
    }

    /// Whether one of them may take the run.
    fn is_for_one(&self, queued: &Queued) -> bool {
        queued.chosen.is_some_and(|chosen| self.runners.contains(&chosen))
            || ((queued.chosen.is_none() || queued.chosen_is_gone)
                && self.harnesses.contains(&queued.harness))
    }
}
