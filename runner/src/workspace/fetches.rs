//! One fetch for many runs that need the same branch of the same origin in the same clone.
//!
//! ```text
//! 1. Of those who ask, one fetches; the others wait for it.
//! 2. A fetch that had begun before somebody asked may have missed what was pushed in between: who asked then waits for
//!    the next one, together with all the others who did.
//! ```

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::git::GitError;
use crate::locking::lock;

/// The commit of the branch; none where origin has no such branch.
type Fetched = Result<Option<String>, GitError>;

#[derive(Default)]
struct Slot {
    /// How many fetches have begun.
    begun: AtomicU64,
    /// The number of the last one that ended, and what it brought.
    last: tokio::sync::Mutex<Option<(u64, Fetched)>>,
}

static SLOTS: Mutex<BTreeMap<String, Arc<Slot>>> = Mutex::new(BTreeMap::new());

/// Fetches, unless somebody does it now for everybody with this key.
pub(super) async fn coalesced(key: String, fetch: impl Future<Output = Fetched>) -> Fetched {
    let slot = Arc::clone(lock(&SLOTS).entry(key).or_default());
    let asked = slot.begun.load(Ordering::SeqCst);
    let mut last = slot.last.lock().await;
    if let Some((number, fetched)) = &*last
        && *number > asked
    {
        return fetched.clone();
    }
    let number = slot.begun.fetch_add(1, Ordering::SeqCst) + 1;
    let fetched = fetch.await;
    *last = Some((number, fetched.clone()));
    fetched
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;
    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test]
    async fn many_share_a_fetch_that_began_after_they_asked() {
        let (fetches, gate) = (Arc::new(AtomicU64::new(0)), Arc::new(Semaphore::new(0)));
        let ask = || {
            let (fetches, gate) = (Arc::clone(&fetches), Arc::clone(&gate));
            coalesced("a test".to_owned(), async move {
                let number = fetches.fetch_add(1, Ordering::SeqCst) + 1;
                gate.acquire().await.unwrap().forget();
                Ok(Some(number.to_string()))
            })
        };
        let mut asking = JoinSet::new();
        asking.spawn(ask());
        while fetches.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..20 {
            asking.spawn(ask());
        }
        // All of them have asked when each had its turn.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        gate.add_permits(100);
        let mut brought: Vec<String> =
            asking.join_all().await.into_iter().map(|fetched| fetched.unwrap().unwrap()).collect();
        brought.sort_unstable();
        assert_eq!(
            (brought[0].as_str(), brought[1].as_str()),
            ("1", "2"),
            "the first had begun before the others"
        );
        assert!(brought[1..].iter().all(|number| number == "2"), "{brought:?}");
        assert_eq!(ask().await, Ok(Some("3".to_owned())), "who asks later gets news");
    }
}
