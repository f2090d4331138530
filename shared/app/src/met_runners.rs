//! Which runners this process has met. A request that a runner repeats across an upgrade is the first that the new process
//! hears of it; so only then it is worth a read to ask whether an older server answered it before.

use std::collections::HashSet;

use parking_lot::Mutex;
use svc_domain::ids::RunnerId;

/// Runners that are remembered at most. One more makes all be forgotten.
const MOST: usize = 10_000;

/// The runners that this process has met.
#[derive(Default)]
pub struct MetRunners(Mutex<HashSet<RunnerId>>);

impl MetRunners {
    pub(crate) fn knows(&self, runner: RunnerId) -> bool {
        self.0.lock().contains(&runner)
    }

    pub(crate) fn add(&self, runner: RunnerId) {
        let mut met = self.0.lock();
        if met.len() >= MOST {
            met.clear();
        }
        met.insert(runner);
    }
}
