//! A simulation of telling one person: comments are written, workers hear of them and send them by mail and to two chats,
//! processes die between any two calls, two of them are at one channel at the same moment, and channels answer as badly as
//! they can. A model says what must have arrived where:
//!
//! - each comment is in the inbox once;
//! - each is told at each place once, and once more at most for each attempt that arrived and whose sender died, or got no
//!   answer, before it was written that it had;
//! - none is lost, but what a place refused as wrong, and what came while a place was gone;
//! - the comments on an item arrive in the order in which the inbox tells them.
//!
//! Mail and Slack are told at once, Discord with the digest of the day.

mod homes;
mod office;
mod scene;

use jiff::SignedDuration;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

pub use self::homes::Homes;
pub use self::office::Weather;

use self::office::PLACES;
use super::memory::{Failure, Mutation};

/// Steps of a schedule.
const STEPS: usize = 16;
/// Items that are commented on.
const ITEMS: usize = 4;
/// Comments on one of them: as many as a message quotes everywhere.
const COMMENTS: usize = 3;
/// Rounds until everything must have arrived, of [`ROUND`] each: more than a day.
const ROUNDS: usize = 14;
/// How much time passes in one.
const ROUND: SignedDuration = SignedDuration::from_hours(3);

/// What happens, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliveries(pub Vec<Step>);

/// One step: an act on a server, perhaps with a call that fails, perhaps while another act goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub act: Act,
    /// On which server.
    pub server: usize,
    /// A call that fails: its caller died.
    pub failure: Option<Failure>,
    /// What happens at the same moment on the other server, and at which calls which of the two goes on.
    pub meanwhile: Option<(Act, u64)>,
}

/// What somebody does; numbers name items and places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Ben comments on an item that Ada watches.
    Comment(usize),
    /// Workers handle what waits, each message twice or once.
    Work(bool),
    /// A worker sends what is due at a place.
    Send(usize),
    /// The job of every minute sends everything that is due.
    Tick,
    /// Seconds pass.
    Wait(i64),
    /// A place answers its next message like this.
    Answer(usize, Weather),
    /// Ada sends a test to a chat, which mends it.
    Mend(usize),
}

impl Deliveries {
    /// The schedule of a seed.
    pub fn of(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        Self((0..STEPS).map(|_| step(&mut random)).collect())
    }

    /// The shortest schedule that still fails, by leaving out one step after the other.
    #[must_use]
    pub fn shrunk(&self, homes: &Homes, mutation: Option<Mutation>) -> Self {
        let mut best = self.clone();
        let mut place = 0;
        while place < best.0.len() {
            let mut shorter = best.clone();
            shorter.0.remove(place);
            if homes.play(&shorter, mutation).is_err() {
                best = shorter;
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
        .random_bool(0.3)
        .then(|| Failure { after: random.random_range(0..12), done: random.random_bool(0.5) });
    let meanwhile = random.random_bool(0.3).then(|| {
        let same = random.random_bool(0.6);
        (if same { act.clone() } else { self::act(random) }, random.random())
    });
    Step { act, server: random.random_range(0..2), failure, meanwhile }
}

fn act(random: &mut StdRng) -> Act {
    let place = random.random_range(0..PLACES);
    match random.random_range(0..24) {
        0..6 => Act::Comment(random.random_range(0..ITEMS)),
        6..10 => Act::Work(random.random()),
        10..13 => Act::Send(place),
        13..17 => Act::Tick,
        17..19 => Act::Wait([1, 5, 40, 130, 600, 7_200][random.random_range(0..6)]),
        19..23 => {
            let all = [Weather::Lost, Weather::Down, Weather::Busy, Weather::Wrong, Weather::Gone];
            Act::Answer(place, all[random.random_range(0..all.len())])
        }
        _ => Act::Mend(random.random_range(1..PLACES)),
    }
}

/// The number of a comment on an item, by which its order is known.
const fn number(item: usize, n: usize) -> usize {
    item * COMMENTS + n
}
