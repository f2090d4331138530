//! The permits that this process holds for each subject. Only memory: [`super::spend`] fetches more.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// Permits that this process holds.
#[derive(Default)]
pub struct Budgets {
    leases: Mutex<Leases>,
}

#[derive(Default)]
struct Leases {
    minute: i64,
    by_subject: HashMap<String, Lease>,
}

#[derive(Default)]
struct Lease {
    permits: u32,
    /// Permits granted in this minute, by the store or without it.
    granted: u32,
    exhausted: bool,
    /// Held by the request that fetches a block.
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// What came of spending a permit that this process may hold.
pub(super) enum Spent {
    /// There was one.
    Permit,
    /// The budget of this minute is spent.
    Exhausted,
    /// None is left: who holds the turn fetches a block.
    Empty(Arc<tokio::sync::Mutex<()>>),
}

impl Lease {
    fn spend(&mut self) -> Spent {
        if self.permits > 0 {
            self.permits -= 1;
            Spent::Permit
        } else if self.exhausted {
            Spent::Exhausted
        } else {
            Spent::Empty(Arc::clone(&self.turn))
        }
    }
}

impl Budgets {
    /// Spends a permit of a subject.
    pub(super) fn spend(&self, subject: &str, minute: i64) -> Spent {
        let mut leases = self.leases.lock();
        if leases.minute != minute {
            *leases = Leases { minute, by_subject: HashMap::new() };
        }
        if let Some(lease) = leases.by_subject.get_mut(subject) {
            return lease.spend();
        }
        leases.by_subject.entry(subject.to_owned()).or_default().spend()
    }

    /// How many permits of a block this process grants by what it knows alone.
    pub(super) fn alone(&self, subject: &str, minute: i64, block: u32, limit: u32) -> u32 {
        let leases = self.leases.lock();
        let so_far = leases.by_subject.get(subject).filter(|_| leases.minute == minute);
        block.min(limit.saturating_sub(so_far.map_or(0, |lease| lease.granted)))
    }

    /// Takes back a permit that was not needed after all.
    pub(super) fn give_back(&self, subject: &str, minute: i64) {
        let mut leases = self.leases.lock();
        if leases.minute == minute
            && let Some(lease) = leases.by_subject.get_mut(subject)
        {
            lease.permits += 1;
        }
    }

    /// Keeps all of a granted block but the permit that is spent at once.
    pub(super) fn lease(&self, subject: &str, minute: i64, granted: u32) {
        let mut leases = self.leases.lock();
        if leases.minute != minute {
            return;
        }
        let lease = leases.by_subject.entry(subject.to_owned()).or_default();
        lease.permits += granted.saturating_sub(1);
        lease.granted += granted;
        lease.exhausted |= granted == 0;
    }
}
