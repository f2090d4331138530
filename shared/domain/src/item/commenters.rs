//! The commenters of an item, so that filters can ask for them.

use serde::{Deserialize, Serialize};

use crate::ids::ActorId;

/// Most people and agents that are remembered of one item: the first.
pub const MAX_COMMENTERS: usize = 200;

/// A commenter. A part of stored rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commenter {
    /// The person or agent.
    pub by: ActorId,
    /// Their comments that are visible to everybody who sees the item.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub comments: u32,
    /// Whether they ever wrote in a thread that only viewers of the factory see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub factory: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
const fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// The commenters of an item, in the order of their first comments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commenters(pub Vec<Commenter>);

impl Commenters {
    /// Whether no commenter is known.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes in that comments which everybody sees came or, below zero, went.
    pub fn wrote(&mut self, by: ActorId, comments: i32) {
        if let Some(known) = self.of(by) {
            known.comments = known.comments.saturating_add_signed(comments);
        }
        self.0.retain(|known| known.comments > 0 || known.factory);
    }

    /// Adds a comment that only viewers of the factory see, and says whether that is news.
    pub fn wrote_in_factory(&mut self, by: ActorId) -> bool {
        self.of(by).is_some_and(|known| !std::mem::replace(&mut known.factory, true))
    }

    /// The commenters whose comments are visible to everybody.
    pub fn in_public(&self) -> impl Iterator<Item = ActorId> {
        self.0.iter().filter(|known| known.comments > 0).map(|known| known.by)
    }

    /// The commenters in threads that only viewers of the factory see.
    pub fn in_factory(&self) -> impl Iterator<Item = ActorId> {
        self.0.iter().filter(|known| known.factory).map(|known| known.by)
    }

    /// Whether all that was found is known. What was deleted in the factory stays known; beyond the bound nothing is.
    pub fn agree_with(&self, found: &Self) -> bool {
        let public = |all: &Self| {
            let mut public: Vec<_> =
                all.0.iter().filter(|known| known.comments > 0).map(|of| (of.by, of.comments)).collect();
            public.sort_unstable();
            public
        };
        let full = self.0.len() == MAX_COMMENTERS;
        full || (public(self) == public(found)
            && found.in_factory().all(|by| self.in_factory().any(|known| known == by)))
    }

    /// The entry of a commenter, a new one where there is room.
    fn of(&mut self, by: ActorId) -> Option<&mut Commenter> {
        if let Some(at) = self.0.iter().position(|known| known.by == by) {
            return self.0.get_mut(at);
        }
        if self.0.len() == MAX_COMMENTERS {
            return None;
        }
        self.0.push(Commenter { by, comments: 0, factory: false });
        self.0.last_mut()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Commenters, MAX_COMMENTERS};
    use crate::ids::{ActorId, UserId};

    fn person(number: u128) -> ActorId {
        ActorId::User(UserId(Uuid::from_u128(number)))
    }

    #[test]
    fn whoever_has_a_comment_is_known_until_the_last_is_deleted() {
        let mut all = Commenters::default();
        all.wrote(person(1), 1);
        all.wrote(person(1), 1);
        all.wrote(person(2), 1);
        assert!(all.wrote_in_factory(person(3)) && !all.wrote_in_factory(person(3)));
        all.wrote(person(1), -1);
        all.wrote(person(2), -1);
        all.wrote(person(2), -1);
        assert_eq!(all.in_public().collect::<Vec<_>>(), [person(1)]);
        assert_eq!(all.in_factory().collect::<Vec<_>>(), [person(3)]);
        let stored = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Commenters>(&stored).unwrap(), all);
    }

    #[test]
    fn very_many_are_not_all_remembered() {
        let mut all = Commenters::default();
        for number in 0..MAX_COMMENTERS as u128 + 5 {
            all.wrote(person(number), 1);
        }
        assert_eq!(all.0.len(), MAX_COMMENTERS);
        assert!(all.agree_with(&Commenters::default()));
    }
}
