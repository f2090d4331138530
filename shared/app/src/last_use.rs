//! When access tokens were last used, coarsely: a process notes each token once in an hour, in the
//! background, so that no request waits for it and few write.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use svc_domain::identity::{Credential, Subject};
use svc_domain::ids::TokenId;
use svc_storage::{Condition, Op, keys};

use crate::App;

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
    /// Notes that a credential was used.
    pub(crate) fn note(&self, app: &App, credential: &Credential) {
        let Subject::PersonalToken { user, token } = credential.subject else { return };
        let now = app.now();
        if self.is_new(token, now) {
            let end = (now + REMEMBERED).min(credential.expires_at.unwrap_or(Timestamp::MAX)).as_second();
            app.write_sometime(vec![
                Op::put(keys::token_use(user, token), Condition::None, &now).expiring(end),
                // One that is revoked at this moment leaves nothing behind.
                Op::check(keys::token(user, token), Condition::Present),
            ]);
        }
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
