//! Fetches branches of origin; and one fetch for many runs that need the same branch in the same clone.
//!
//! ```text
//! 1. Of several callers, one fetches and the others wait for it.
//! 2. A fetch that began before a call may have missed what was pushed in between: such a caller waits for
//!    the next one, together with all others.
//! ```

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::commits::commit;
use super::git::{Git, GitError};
use super::origin::{Remote, remote_ref};
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

/// Fetches, or takes the result of a fetch for this key that began after this call.
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

/// Fetches one branch of origin; answers its commit, or none when origin has no such branch.
///
/// # Errors
/// Origin cannot be reached.
pub(super) async fn fetch(git: &Git, remote: &Remote, branch: &str) -> Result<Option<String>, GitError> {
    fetch_to(git, &remote.fetch, branch, &remote_ref(branch), &[]).await
}

/// Fetches the branch of a run: from where it is pushed to, which need not be where everything else is fetched from.
///
/// # Errors
/// Neither can be reached.
pub(super) async fn fetch_pushed(
    git: &Git,
    remote: &Remote,
    branch: &str,
) -> Result<Option<String>, GitError> {
    let pushed = fetch_to(git, &remote.push, branch, &remote_ref(branch), &[]).await?;
    if pushed.is_some() || remote.push == remote.fetch {
        Ok(pushed)
    } else {
        fetch(git, remote, branch).await
    }
}

/// Why there is no branch at origin to begin from, and what to do.
pub(super) async fn lacks(git: &Git, address: &str, branch: &str) -> String {
    let (git, origin) = git.clone().toward(address);
    match git.network(["ls-remote", "--quiet", "--end-of-options", &origin]).await {
        Ok(listed) if listed.is_empty() => {
            format!("origin is empty; push a first commit, as with `git push origin HEAD:{branch}`")
        }
        Ok(_) | Err(_) => format!("origin has no branch {branch}; correct the project's default branch"),
    }
}

/// Fetches one branch of an address, under a name of its own and with further options.
pub(super) async fn fetch_to(
    git: &Git,
    address: &str,
    branch: &str,
    local: &str,
    options: &[&str],
) -> Result<Option<String>, GitError> {
    let refspec = format!("+refs/heads/{branch}:{local}");
    let mut args = vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
    args.extend(options);
    let (toward, origin) = git.clone().toward(address);
    args.extend(["--end-of-options", &origin, &refspec]);
    let mut met = 0;
    loop {
        match toward.network(&args).await {
            Ok(_) => return Ok(commit(git, local).await),
            Err(error) if error.message.contains("couldn't find remote ref") => return Ok(None),
            // Git looks into every worktree of the clone, and a person is making one.
            Err(error) if met < MEETINGS && error.message.contains("/commondir: ") => {
                met += 1;
                tokio::time::sleep(MAKING).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// How often a fetch may meet a worktree that is half made, and how long one takes to be made.
const MEETINGS: u32 = 20;
const MAKING: Duration = Duration::from_millis(50);

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
        assert_eq!(ask().await, Ok(Some("3".to_owned())), "a later caller gets news");
    }
}
