//! Which runs the commits of this process change: a process that is alone reads those again, and no others.
//!
//! Protocol.
//! 1. Before a commit is sent, the runs whose rows it writes are noted as open. When it is known what became of it, they are
//!    noted as changed, if somebody remembers the runs of that organization. If that is never known, it may still happen:
//!    they stay open for [`ABANDONED`].
//! 2. A refresh takes what is open or changed before it reads. What changes in between is noted again, for the next one.

use std::mem;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use svc_domain::ids::{OrgId, RunId};
use svc_storage::{Op, keys};

use super::{Kept, RunLists};

/// A commit that nobody waits for any more is over after this time.
const ABANDONED: SignedDuration = SignedDuration::from_secs(10);

impl RunLists {
    /// Notes the runs whose rows these operations write, before they are sent.
    pub(crate) fn touch(&self, ops: &[Op], now: Timestamp) -> Touching {
        let runs: Vec<(OrgId, RunId)> = ops.iter().filter_map(|op| keys::run_of_entry(&op.key)).collect();
        if !runs.is_empty() {
            let mut kept = self.kept.lock();
            for (org, run) in &runs {
                kept.touches.entry(*org).or_default().entry(*run).or_default().open += 1;
            }
        }
        Touching { kept: Arc::clone(&self.kept), runs, until: Some(now + ABANDONED) }
    }

    /// The runs of an organization that may have changed since this was last asked.
    pub(super) fn touched(&self, org: OrgId, now: Timestamp) -> Vec<RunId> {
        let mut kept = self.kept.lock();
        let Some(touches) = kept.touches.get_mut(&org) else { return Vec::new() };
        let touched = touches.keys().copied().collect();
        touches.retain(|_, touch| {
            touch.changed = false;
            touch.until = touch.until.filter(|until| *until > now);
            touch.open > 0 || touch.until.is_some()
        });
        touched
    }
}

/// A commit that changes runs, on its way.
#[must_use]
pub(crate) struct Touching {
    kept: Arc<Mutex<Kept>>,
    runs: Vec<(OrgId, RunId)>,
    /// Until when it may happen if it is not known what became of it.
    until: Option<Timestamp>,
}

impl Touching {
    /// It is known what became of the commit.
    pub(crate) fn settle(mut self) {
        self.until = None;
    }
}

impl Drop for Touching {
    fn drop(&mut self) {
        if self.runs.is_empty() {
            return;
        }
        let mut kept = self.kept.lock();
        let Kept { orgs, touches, .. } = &mut *kept;
        for (org, run) in mem::take(&mut self.runs) {
            let Some(touches) = touches.get_mut(&org) else { continue };
            let touch = touches.entry(run).or_default();
            touch.open = touch.open.saturating_sub(1);
            touch.until = touch.until.max(self.until);
            touch.changed |= orgs.contains_key(&org);
            if !touch.changed && touch.open == 0 && touch.until.is_none() {
                touches.remove(&run);
            }
        }
    }
}
