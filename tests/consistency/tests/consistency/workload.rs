//! The random workload, and what the checker says during it and after it.

use svc_consistency::World;

/// Acts of each of the six callers in a round, and rounds. `WORKLOAD_ROUNDS` asks for more.
const ACTS: usize = 40;
const ROUNDS: usize = 6;

/// The number that determines the workload; `WORKLOAD_SEED` names another, or `random` for a new one.
const SEED: u64 = 20_260_105;

fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) if text == "random" => rand::random(),
        Ok(text) => text.parse().expect("a number, or random"),
        Err(_) => otherwise,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_callers_do_and_whatever_is_cut_off_nothing_dangles() {
    let seed = number("WORKLOAD_SEED", SEED);
    let rounds = number("WORKLOAD_ROUNDS", ROUNDS as u64);
    println!("WORKLOAD_SEED={seed}");
    let mut world = World::new(seed).await;
    let mut done = 0;
    for _ in 0..rounds {
        done += world.work(ACTS).await;
        // Somebody checks in the middle: what waits may wait, and nothing is broken.
        let report = world.check().await;
        assert!(report.is_clean(), "{:#?}", report.findings);
        world.pass().await;
    }
    println!("{done} changes");
    assert!(done > 300, "the workload works: {done} changes succeeded");
    world.drain().await;
    let report = world.check().await;
    println!("{:#?}", report.kinds);
    assert!(report.is_clean(), "{:#?}", report.findings);
    assert!(report.waiting.is_empty(), "{:#?}", report.waiting);
    assert_eq!(report.restless, 0);
}
