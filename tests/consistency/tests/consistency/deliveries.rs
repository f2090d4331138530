//! Thousands of schedules of telling one person, each against a model of what must arrive.
//!
//! `SIMULATION_SEED=n SIMULATION_SCHEDULES=1` plays one again; `SIMULATION_SCHEDULES=100000` plays more.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use svc_consistency::simulation::Mutation;
use svc_consistency::simulation::deliveries::{Deliveries, Homes};

use crate::simulation::number;

/// Schedules that every mistake must show in.
const ENOUGH: u64 = 300;

/// The first seed of these whose schedule fails, played on every processor.
fn first_failure(homes: &Homes, seeds: std::ops::Range<u64>, mutation: Option<Mutation>) -> Option<u64> {
    let (next, failed) = (AtomicU64::new(seeds.start), AtomicU64::new(u64::MAX));
    let play = || {
        loop {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= seeds.end || seed > failed.load(Ordering::SeqCst) {
                return;
            }
            if homes.play(&Deliveries::of(seed), mutation).is_err() {
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
fn whatever_happens_each_is_told_once_and_none_is_lost() {
    let (first, schedules) = (number("SIMULATION_SEED", 0), number("SIMULATION_SCHEDULES", 1_000));
    let (homes, begun) = (Homes::new(), Instant::now());
    let failed = first_failure(&homes, first..first + schedules, None);
    let rate = schedules as f64 / begun.elapsed().as_secs_f64();
    println!("{schedules} schedules from {first}, {rate:.0} a second");
    let Some(seed) = failed else { return };
    let shrunk = Deliveries::of(seed).shrunk(&homes, None);
    let why = homes.play(&shrunk, None).unwrap_err();
    panic!("SIMULATION_SEED={seed}: {why}\n{:#?}", shrunk.0);
}

#[test]
fn every_mistake_in_telling_is_noticed() {
    let homes = Homes::new();
    for mutation in Mutation::OF_TELLING {
        let seed = first_failure(&homes, 0..ENOUGH, Some(mutation));
        let seed = seed.unwrap_or_else(|| panic!("{mutation:?} is not noticed in {ENOUGH} schedules"));
        let why = homes.play(&Deliveries::of(seed), Some(mutation)).unwrap_err();
        println!("{mutation:?}: seed {seed}: {why}");
    }
}
