//! Records when access tokens were last used: a process writes at most once an hour for each token, in the
//! background, so that no request waits for it.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use svc_domain::identity::{Credential, Subject};
use svc_domain::ids::TokenId;
use svc_storage::{Condition, Op, keys};

/// How long a last use is remembered, as long as the token lives.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24 * 366);

/// The tokens that this process has noted in this hour.
#[derive(Default)]
pub struct LastUses {
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    hour: i64,
    tokens: HashSet<TokenId>,
}

impl LastUses {
    /// The operations that note that a credential is used now; none where it was noted in this hour.
    pub(crate) fn note(&self, now: Timestamp, credential: &Credential) -> Option<Vec<Op>> {
        let Subject::PersonalToken { user, token } = credential.subject else { return None };
        if !self.is_new(token, now) {
            return None;
        }
        let end = (now + REMEMBERED).min(credential.expires_at.unwrap_or(Timestamp::MAX)).as_second();
        Some(vec![
            Op::put(keys::token_use(user, token), Condition::None, &now).expiring(end),
            // One that is revoked at this moment leaves nothing behind.
            Op::check(keys::token(user, token), Condition::Present),
        ])
    }

    fn is_new(&self, token: TokenId, now: Timestamp) -> bool {
        let hour = now.as_second().div_euclid(3_600);
        let mut noted = self.noted.lock();
        if noted.hour != hour {
            *noted = Noted { hour, tokens: HashSet::new() };
        }
        noted.tokens.insert(token)
    }
}
