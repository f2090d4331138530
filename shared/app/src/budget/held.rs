//! Counts the responses that each account holds open in this process, such as streams of changes and a runner's wait
//! for work. They cost little work, but occupy one connection each.
//!
//! The limit is per account, not per credential, because a person may have many tokens. Never closes one.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use svc_domain::identity::Subject;

/// Answers held open for a person or for the agent of a run: each tab of a browser needs one or two.
const MOST: usize = 32;

/// Answers held open for a runner: one for each run that it does, and one for each organization that it polls.
const MOST_OF_RUNNER: usize = 64;

/// What names of people's accounts begin with.
const PERSON: &str = "user:";

/// The account behind a credential, with all of its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    name: Arc<str>,
    most: usize,
}

impl Account {
    /// The account that a credential stands for.
    pub(super) fn of(subject: &Subject) -> Self {
        let (name, most) = match subject {
            Subject::Session { user, .. } | Subject::PersonalToken { user, .. } => {
                (format!("{PERSON}{user}"), MOST)
            }
            Subject::Runner { runner } => (format!("runner:{runner}"), MOST_OF_RUNNER),
            Subject::Directory { token, .. } => (format!("directory:{token}"), MOST),
            Subject::AgentRun { run, .. } => (format!("run:{run}"), MOST),
        };
        Self { name: name.into(), most }
    }

    /// What tells it from others.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Whether it is a person's, who may have many credentials.
    pub(super) fn is_person(&self) -> bool {
        self.name.starts_with(PERSON)
    }

    /// How many answers may be held open for it.
    pub const fn most(&self) -> usize {
        self.most
    }
}

/// The answers that this process holds open.
#[derive(Debug, Default)]
pub struct HeldAnswers {
    counts: Mutex<HashMap<Arc<str>, usize>>,
}

impl HeldAnswers {
    /// Counts one more until the result is dropped; `None` where the account has as many as it may.
    pub fn hold(self: &Arc<Self>, account: &Account) -> Option<Hold> {
        let mut counts = self.counts.lock();
        let count = counts.entry(Arc::clone(&account.name)).or_default();
        if *count >= account.most {
            return None;
        }
        *count += 1;
        Some(Hold { of: Arc::clone(self), account: Arc::clone(&account.name) })
    }
}

/// One answer that is held open.
#[derive(Debug)]
pub struct Hold {
    of: Arc<HeldAnswers>,
    account: Arc<str>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut counts = self.of.counts.lock();
        if let Some(count) = counts.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use svc_domain::identity::Subject;
    use svc_domain::ids::{RunnerId, TokenId, UserId};
    use uuid::Uuid;

    use super::{Account, HeldAnswers, Hold, MOST, MOST_OF_RUNNER};

    fn token(user: u128, token: u128) -> Account {
        let (user, token) = (UserId(Uuid::from_u128(user)), TokenId(Uuid::from_u128(token)));
        Account::of(&Subject::PersonalToken { user, token })
    }

    #[test]
    fn an_account_holds_few_under_all_its_credentials_together() {
        let held = Arc::new(HeldAnswers::default());
        let first: Vec<Hold> = (0..MOST).map_while(|n| held.hold(&token(1, n as u128))).collect();
        assert_eq!(first.len(), MOST);
        assert!(held.hold(&token(1, 999)).is_none(), "another token is no other account");
        let other = held.hold(&token(2, 1));
        assert!(other.is_some());
        drop(first);
        assert!(held.hold(&token(1, 1)).is_some());
        drop(other);
        assert!(held.counts.lock().is_empty(), "nothing is remembered of who holds none");
    }

    #[test]
    fn a_runner_holds_one_for_each_of_its_runs() {
        let held = Arc::new(HeldAnswers::default());
        let runner = Account::of(&Subject::Runner { runner: RunnerId(Uuid::from_u128(1)) });
        let all: Vec<Hold> = std::iter::from_fn(|| held.hold(&runner)).collect();
        assert_eq!(all.len(), MOST_OF_RUNNER);
    }
}
