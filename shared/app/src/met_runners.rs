//! The runners that this process has seen. If a runner repeats a request across an upgrade, that is its first request
//! to the new process; so only then is it worth a read to check whether an older server already answered it.

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
