//! A simulation of the whole factory: people, runners, servers and workers do random things on the real use cases,
//! calls fail and processes die in the middle, two of them work at the same moment in every order, messages come late
//! and twice. After each step the invariants are asked ([`invariants`]).
//!
//! A [`Schedule`] is plain data made from a seed: it replays exactly, and one that fails is made shorter until every
//! step of it is needed ([`Schedule::shrunk`]). A run of a schedule takes a copy of one furnished store, so that
//! thousands fit into a minute.

mod blobs;
pub mod deliveries;
mod invariants;
mod memory;
mod stage;
mod steps;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

pub use memory::{Failure, Mutation};
pub use stage::Stage;
pub use steps::{Act, Step};

/// Steps of a schedule.
const STEPS: usize = 28;

/// What happens, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule(pub Vec<Step>);

impl Schedule {
    /// The schedule of a seed.
    pub fn of(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        Self((0..STEPS).map(|_| step(&mut random)).collect())
    }

    /// Plays it, and answers what does not hold, and after which step.
    pub fn play(&self, stage: &Stage, mutation: Option<Mutation>) -> Result<(), String> {
        stage.play(self, mutation).0
    }

    /// Plays it, and answers a digest of every call of the store that it made, in their order.
    pub fn trace(&self, stage: &Stage, mutation: Option<Mutation>) -> u64 {
        stage.play(self, mutation).1
    }

    /// The shortest schedule that still fails, by leaving out one step after the other, and then what fails in it.
    #[must_use]
    pub fn shrunk(&self, stage: &Stage, mutation: Option<Mutation>) -> Self {
        let fails = |schedule: &Self| schedule.play(stage, mutation).is_err();
        let mut best = self.clone();
        let mut place = 0;
        while place < best.0.len() {
            let mut shorter = best.clone();
            shorter.0.remove(place);
            let mut calmer = best.clone();
            calmer.0[place] = Step { failure: None, meanwhile: None, ..best.0[place].clone() };
            if fails(&shorter) {
                best = shorter;
            } else if calmer != best && fails(&calmer) {
                best = calmer;
            } else {
                place += 1;
            }
        }
        best
    }
}

fn step(random: &mut StdRng) -> Step {
    let act = act(random);
    let failure = random
        .random_bool(0.15)
        .then(|| Failure { after: random.random_range(0..8), done: random.random_bool(0.5) });
    let meanwhile = random.random_bool(0.3).then(|| {
        let same = random.random_bool(0.4);
        (if same { alike(&act, random) } else { self::act(random) }, random.random())
    });
    Step { act, server: random.random_range(0..2), failure, meanwhile }
}

/// What another one does at the same moment: the same, or it competes for it.
fn alike(act: &Act, random: &mut StdRng) -> Act {
    match act {
        Act::Take(runner) if random.random() => Act::Take((runner + 1) % stage::RUNNERS),
        Act::Take(runner) => Act::TakeAgain(*runner),
        act => act.clone(),
    }
}

fn act(random: &mut StdRng) -> Act {
    let item = random.random_range(0..stage::ITEMS);
    let runner = random.random_range(0..stage::RUNNERS);
    match random.random_range(0..46) {
        0..4 => Act::Start(item),
        4 => Act::Schedule(item),
        5..10 => Act::Take(runner),
        10 => Act::TakeAgain(runner),
        11..14 => Act::Begin(runner),
        14 => Act::Heartbeat(runner),
        15..19 => Act::Finish(runner, random.random_range(0..5)),
        19 => Act::GiveBack(runner),
        20 => Act::Cancel(item),
        21..24 => Act::Move(item, random.random_range(0..4)),
        24 => Act::Claim(item),
        25 => Act::Refine(item),
        26 => Act::HandIn(runner, random.random()),
        27 => Act::Reply(item, random.random_range(0..3)),
        28..30 => Act::Work(random.random()),
        30 => Act::Jobs,
        31..34 => Act::Mention(item, random.random()),
        34 => Act::TakeBack(item, random.random()),
        35..37 => Act::GoOn(item, random.random()),
        37 | 43 => Act::Budget(random.random_bool(0.7)),
        38..40 => Act::Link(item),
        40 => Act::Unlink(item),
        41 => Act::Recur(random.random_range(0..3)),
        42 => Act::Jobs,
        _ => Act::Wait(random.random_range(1..7)),
    }
}
