//! Lets few requests of an account be answered at once. The others wait for their turn before anything is done for them, so
//! that a burst of cheap requests stands in the account's own way: whatever queues there are behind this (of the store, of
//! the processors), one account has few places in them.
//!
//! Counts reads only. Writes share the waits for the disk, so many at once are what makes them cheap, and they arrive as
//! slowly as their senders like. A held answer gives its place back ([`Admission::leave`]): it waits more than it works.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::weak_map::WeakMap;

/// Requests of an account that are answered at once: more than a browser sends, and enough that those which ask for the
/// same share one read.
pub const AT_ONCE: usize = 12;

/// The places of this process.
#[derive(Default)]
pub struct Places(WeakMap<Arc<str>, Semaphore>);

impl Places {
    /// Waits for a place of an account, in the order of arrival.
    pub async fn admit(&self, account: &Arc<str>) -> Admission {
        let places = self.0.get(Arc::clone(account), || Semaphore::new(AT_ONCE));
        Admission(Arc::new(Mutex::new(places.acquire_owned().await.ok())))
    }
}

/// A request's place among those of its account. Clones share it; it is given back with the last of them.
#[derive(Clone)]
pub struct Admission(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl Admission {
    /// Gives the place back.
    pub fn leave(&self) {
        self.0.lock().take();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt as _;

    use super::{AT_ONCE, Admission, Places};

    fn taken(places: &Places, account: &Arc<str>) -> Vec<Admission> {
        std::iter::from_fn(|| places.admit(account).now_or_never()).take(2 * AT_ONCE).collect()
    }

    #[test]
    fn an_account_has_few_places_and_leaves_others_theirs() {
        let places = Places::default();
        let (ada, ben): (Arc<str>, Arc<str>) = ("ada".into(), "ben".into());
        let hers = taken(&places, &ada);
        assert_eq!(hers.len(), AT_ONCE);
        assert_eq!(taken(&places, &ben).len(), AT_ONCE);
        let mut waits = Box::pin(places.admit(&ada));
        assert!(waits.as_mut().now_or_never().is_none());
        hers[0].leave();
        assert!(waits.now_or_never().is_some(), "a place was given back");
        drop(hers);
        assert_eq!(taken(&places, &ada).len(), AT_ONCE);
    }
}
