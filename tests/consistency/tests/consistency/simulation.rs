//! Thousands of schedules of the factory, and the mistakes that they notice.
//!
//! `SIMULATION_SEED=n SIMULATION_SCHEDULES=1` plays one again; `SIMULATION_SCHEDULES=100000` plays more.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use svc_consistency::simulation::{Act, Mutation, Schedule, Stage, Step};

/// Schedules that every mistake must show in.
const ENOUGH: u64 = 1_000;

pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The first seed of these whose schedule fails, played on every processor.
fn first_failure(stage: &Stage, seeds: std::ops::Range<u64>, mutation: Option<Mutation>) -> Option<u64> {
    let (next, failed) = (AtomicU64::new(seeds.start), AtomicU64::new(u64::MAX));
    let play = || {
        loop {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= seeds.end || seed > failed.load(Ordering::SeqCst) {
                return;
            }
            if Schedule::of(seed).play(stage, mutation).is_err() {
                failed.fetch_min(seed, Ordering::SeqCst);
            }
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from).min(8);
        (0..workers).for_each(|_| drop(scope.spawn(play)));
    });
    Some(failed.into_inner()).filter(|seed| *seed != u64::MAX)
}

#[test]
fn whatever_happens_in_whichever_order_the_factory_holds() {
    let (first, schedules) = (number("SIMULATION_SEED", 0), number("SIMULATION_SCHEDULES", 1_000));
    let (stage, begun) = (Stage::new(), Instant::now());
    let failed = first_failure(&stage, first..first + schedules, None);
    let rate = schedules as f64 / begun.elapsed().as_secs_f64();
    println!("{schedules} schedules from {first}, {rate:.0} a second");
    let Some(seed) = failed else { return };
    let shrunk = Schedule::of(seed).shrunk(&stage, None);
    let why = shrunk.play(&stage, None).unwrap_err();
    panic!("SIMULATION_SEED={seed}: {why}\n{:#?}", shrunk.0);
}

/// Two runners begin at the same moment under a budget that lets one run be at work: one is to continue its run, and the
/// other one gets a new one. Random schedules seldom come to it.
fn two_begin_at_once() -> Schedule {
    let alone = |act| Step { act, server: 0, failure: None, meanwhile: None };
    let acts = [
        Act::Start(0),
        Act::Take(0),
        Act::Begin(0),
        Act::Finish(0, 3),
        Act::GoOn(0, false),
        Act::Start(1),
        Act::Budget(true),
    ];
    let both = Step { meanwhile: Some((Act::Take(1), 0x1500_8779_D575_14EC)), ..alone(Act::Take(0)) };
    Schedule(acts.into_iter().map(alone).chain([both]).collect())
}

#[test]
fn every_mistake_is_noticed() {
    let stage = Stage::new();
    for mutation in Mutation::ALL {
        let schedule = match mutation {
            Mutation::OverspendBudgets => two_begin_at_once(),
            _ => {
                let seed = first_failure(&stage, 0..ENOUGH, Some(mutation));
                Schedule::of(
                    seed.unwrap_or_else(|| panic!("{mutation:?} is not noticed in {ENOUGH} schedules")),
                )
            }
        };
        assert!(schedule.play(&stage, Some(mutation)).is_err(), "{mutation:?} is not noticed");
        let shrunk = schedule.shrunk(&stage, Some(mutation));
        let why = shrunk.play(&stage, Some(mutation)).unwrap_err();
        println!("{mutation:?}: {} steps: {why}", shrunk.0.len());
    }
    assert_eq!(two_begin_at_once().play(&stage, None), Ok(()));
}

/// Schedules that are played while others are, and again alone.
const REPLAYED: u64 = 60;

#[test]
fn a_schedule_replays_exactly() {
    let stage = Stage::new();
    let traces = |seeds: std::ops::Range<u64>| -> Vec<_> {
        seeds.map(|seed| (seed, Schedule::of(seed).trace(&stage, None))).collect()
    };
    let (one, other) = thread::scope(|scope| {
        let at_once = scope.spawn(|| traces(0..REPLAYED));
        let rest = traces(REPLAYED..2 * REPLAYED);
        (at_once.join().unwrap(), rest)
    });
    assert_eq!([one, other].concat(), traces(0..2 * REPLAYED));
}
