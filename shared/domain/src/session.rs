//! The sessions of a person: one record that lists them all, so that ending them is one commit.
//!
//! | presented secret      | within the grace | after it                              |
//! |-----------------------|------------------|---------------------------------------|
//! | current               | works            | works                                 |
//! | replaced by a renewal | works            | refused; its session ends at once     |
//!
//! A renewal replaces the secret. Tabs that were under way with the old one may finish; whoever shows it
//! later has a copy, and nobody can tell which of the two is the person: the session ends for both. Knows
//! nothing of cookies.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::TokenId;

/// How long a replaced secret goes on working.
pub const GRACE: SignedDuration = SignedDuration::from_secs(60);

/// Sessions of one person at most; the one unused for longest makes room.
pub const MAX_SESSIONS: usize = 40;

/// Most characters kept of what a browser says of itself.
const MAX_CLIENT: usize = 200;

/// Networks that are remembered at most; the one that was not come from for longest makes room.
const MAX_FAMILIAR: usize = 20;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Id.
    pub id: TokenId,
    /// Hex SHA-256 of the secret that works.
    pub secret_hash: String,
    /// That of the secret that it replaced.
    #[serde(default)]
    pub replaced_hash: Option<String>,
    /// What the browser says of itself.
    #[serde(default)]
    pub client: String,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When it was last renewed.
    pub renewed_at: Timestamp,
    /// When it ends unless it is renewed.
    pub expires_at: Timestamp,
}

impl Session {
    /// Names of the rows of its secrets.
    pub fn hashes(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.secret_hash.as_str()).chain(self.replaced_hash.as_deref())
    }
}

/// All sessions of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sessions {
    /// In the order of sign-in.
    #[serde(default)]
    pub list: Vec<Session>,
    /// Hashes of the networks that the person signed in from, the last one last. Servers from before know
    /// none, and forget them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub familiar: Vec<String>,
    /// When an admin of the instance disabled the account; `None` while it may sign in. Servers from before know
    /// none, and forget it: disable accounts when no such server runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_at: Option<Timestamp>,
    /// When the person signed in last. Servers from before know none, and forget it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_in_at: Option<Timestamp>,
}

impl Sessions {
    /// Adds one; answers those that go: the ended ones, and the longest unused where there are too many.
    pub fn open(&mut self, session: Session, now: Timestamp) -> Vec<Session> {
        let mut gone: Vec<Session> = self.list.extract_if(.., |known| known.expires_at <= now).collect();
        while self.list.len() >= MAX_SESSIONS {
            let oldest = self.list.iter().enumerate().min_by_key(|(_, known)| known.renewed_at);
            let Some((place, _)) = oldest else { break };
            gone.push(self.list.remove(place));
        }
        self.signed_in_at = Some(session.created_at);
        self.list.push(session);
        gone
    }

    /// When the person signed in last, as far as is known.
    pub fn last_sign_in(&self) -> Option<Timestamp> {
        self.signed_in_at.or_else(|| self.list.iter().map(|session| session.created_at).max())
    }

    /// Whether the account was disabled.
    pub const fn is_disabled(&self) -> bool {
        self.disabled_at.is_some()
    }

    /// Whether the person signed in from a network.
    pub fn knows(&self, network: &str) -> bool {
        self.familiar.iter().any(|known| known == network)
    }

    /// Remembers a network that the person signed in from.
    pub fn remember(&mut self, network: String) {
        self.familiar.retain(|known| *known != network);
        self.familiar.push(network);
        let surplus = self.familiar.len().saturating_sub(MAX_FAMILIAR);
        self.familiar.drain(..surplus);
    }

    /// Takes those out that are meant.
    pub fn end(&mut self, mut meant: impl FnMut(&Session) -> bool) -> Vec<Session> {
        self.list.extract_if(.., |session| meant(session)).collect()
    }
}

/// What a browser says of itself, cut to what is worth keeping.
pub fn client(said: &str) -> String {
    said.chars().filter(|c| !c.is_control()).take(MAX_CLIENT).collect()
}

#[cfg(test)]
mod tests {
    use super::{MAX_SESSIONS, Session, Sessions};
    use crate::ids::TokenId;
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    fn session(number: u128, renewed: i64, ends: i64) -> Session {
        let at = |second| Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second);
        Session {
            id: TokenId(Uuid::from_u128(number)),
            secret_hash: number.to_string(),
            replaced_hash: None,
            client: String::new(),
            created_at: at(0),
            renewed_at: at(renewed),
            expires_at: at(ends),
        }
    }

    #[test]
    fn the_longest_unused_makes_room_and_the_ended_go() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(50);
        let mut sessions = Sessions::default();
        sessions.list.push(session(1_000, 0, 50));
        for number in 0..MAX_SESSIONS {
            let renewed = if number == 7 { 1 } else { 10 };
            let gone = sessions.open(session(number as u128, renewed, 100), now);
            assert_eq!(gone.len(), usize::from(number == 0));
        }
        let gone = sessions.open(session(2_000, 50, 100), now);
        assert_eq!(gone.iter().map(|s| s.secret_hash.as_str()).collect::<Vec<_>>(), ["7"]);
        assert_eq!(sessions.list.len(), MAX_SESSIONS);
    }
}
