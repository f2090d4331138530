//! Wakes those who wait for something in this process, so that a runner learns of a queued run at once.
//!
//! Only a hint: waiters also poll from time to time, to find what another process did.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use svc_domain::ids::OrgId;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// One notification for each organization that somebody waits for.
#[derive(Default)]
pub struct Notifier {
    runners: Mutex<HashMap<OrgId, Arc<QueueSignal>>>,
    followers: Mutex<HashMap<OrgId, Arc<Notify>>>,
    /// Notified when a text is to be indexed.
    texts: Notify,
    closing: AtomicBool,
}

/// Notifies an organization's runners, and counts how often it did.
#[derive(Default)]
pub struct QueueSignal {
    notify: Notify,
    count: AtomicU64,
}

impl QueueSignal {
    /// Waits for the next signal. Call `enable` *before* looking, so that one between looking and waiting is not lost.
    pub fn notified(&self) -> Notified<'_> {
        self.notify.notified()
    }

    /// How many signals there were so far.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }
}

impl Notifier {
    /// Wakes everyone who waits for this organization's run queue.
    pub fn notify_runners(&self, org: OrgId) {
        if let Some(waiting) = self.runners.lock().get(&org) {
            waiting.count.fetch_add(1, Ordering::SeqCst);
            waiting.notify.notify_waiters();
        }
    }

    /// Wakes everyone who follows what changes in this organization.
    pub fn notify_followers(&self, org: OrgId) {
        if let Some(following) = self.followers.lock().get(&org) {
            following.notify_waiters();
        }
    }

    /// The notification of who follows an organization. Call [`Notify::notified`] and `enable` it *before* looking, so
    /// that a notification between looking and waiting is not lost.
    pub fn followers_of(&self, org: OrgId) -> Arc<Notify> {
        Arc::clone(self.followers.lock().entry(org).or_default())
    }

    /// Wakes the indexer of this process; one that is not waiting goes on at once when it comes to wait.
    pub fn notify_indexer(&self) {
        self.texts.notify_one();
    }

    /// Waits until a text of this process is to be indexed.
    pub async fn wait_for_texts(&self) {
        self.texts.notified().await;
    }

    /// Sends everyone home who waits, and lets nobody wait any more: the process is about to stop.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.runners.lock().values().for_each(|signal| signal.notify.notify_waiters());
        self.followers.lock().values().for_each(|following| following.notify_waiters());
    }

    /// Whether the process is about to stop.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// The notification of an organization's runners.
    pub fn runners_of(&self, org: OrgId) -> Arc<QueueSignal> {
        Arc::clone(self.runners.lock().entry(org).or_default())
    }

    /// Calls `look` until it finds something, at once, at each notification, and every `poll` otherwise, for as
    /// long as `patience` lasts.
    ///
    /// # Errors
    /// The first error of `look`.
    pub async fn wait_for<T, E, F>(
        &self,
        org: OrgId,
        patience: Duration,
        poll: Duration,
        mut look: impl FnMut() -> F,
    ) -> Result<Option<T>, E>
    where
        F: Future<Output = Result<Option<T>, E>>,
    {
        let waiting = self.runners_of(org);
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let notified = waiting.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if let Some(found) = look().await? {
                return Ok(Some(found));
            }
            let now = tokio::time::Instant::now();
            if now >= deadline || self.closing.load(Ordering::SeqCst) {
                return Ok(None);
            }
            let pause = poll.min(deadline - now);
            let _ = tokio::time::timeout(pause, notified).await;
        }
    }
}
