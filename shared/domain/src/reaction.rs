//! Reactions: the fixed set of emoji, reactions as stored, and how they are counted (specification sections
//! 2.3 and 6.3).
//!
//! A removed reaction keeps its row, so that adding it again is known not to be the first time. Decides
//! nothing about who may react.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::identity::Member;
use crate::ids::{Actor, ActorId, AvatarId};

/// An emoji that comments can be reacted to with, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Emoji {
    /// 👍
    ThumbsUp,
    /// 👎
    ThumbsDown,
    /// ❤️
    Heart,
    /// 🎉
    Party,
    /// 👀
    Eyes,
    /// ✅
    Check,
}

/// A text is none of the six emoji.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Use one of 👍 👎 ❤️ 🎉 👀 ✅.")]
pub struct UnknownEmoji;

impl Emoji {
    /// The fixed set.
    pub const ALL: [Self; 6] =
        [Self::ThumbsUp, Self::ThumbsDown, Self::Heart, Self::Party, Self::Eyes, Self::Check];

    /// The emoji as it is shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ThumbsUp => "👍",
            Self::ThumbsDown => "👎",
            Self::Heart => "\u{2764}\u{fe0f}",
            Self::Party => "🎉",
            Self::Eyes => "👀",
            Self::Check => "✅",
        }
    }

    /// The word that names it in rows.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ThumbsUp => "thumbsUp",
            Self::ThumbsDown => "thumbsDown",
            Self::Heart => "heart",
            Self::Party => "party",
            Self::Eyes => "eyes",
            Self::Check => "check",
        }
    }
}

impl fmt::Display for Emoji {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Emoji {
    type Err = UnknownEmoji;

    /// Reads the emoji with or without variation selectors, which keyboards add as they like. Normalization
    /// changes none of the six.
    fn from_str(text: &str) -> Result<Self, UnknownEmoji> {
        let plain = |text: &str| -> String { text.chars().filter(|c| !is_variation_selector(*c)).collect() };
        let wanted = plain(text);
        Self::ALL.into_iter().find(|emoji| plain(emoji.as_str()) == wanted).ok_or(UnknownEmoji)
    }
}

/// Selectors of text and emoji presentation.
const fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

/// One emoji of one person or agent on one comment, added or removed since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// Which.
    pub emoji: Emoji,
    /// The author, with the name they had when they last added it.
    pub actor: Actor,
    /// When it was first added: what the comment's author is told of, once.
    pub first_at: Timestamp,
    /// Whether it was removed.
    pub removed: bool,
}

/// The people who reacted, as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reactor {
    /// The author, with the name that was stored with the reaction until it is looked up.
    pub actor: Actor,
    /// Their picture, once they are looked up.
    pub avatar: Option<AvatarId>,
}

impl Reactor {
    /// Shows a person as they are called and look now.
    pub fn recognize(&mut self, member: &Member) {
        self.actor.name.clone_from(&member.display_name);
        self.avatar = member.avatar;
    }
}

/// The people who reacted to a comment with one emoji.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Which.
    pub emoji: Emoji,
    /// How many.
    pub count: u32,
    /// They in the order of their first reaction: the first [`NAMED`].
    pub reactors: Vec<Reactor>,
    /// Whether the caller is one of them.
    pub by_me: bool,
}

/// How many of those who reacted with one emoji are named.
pub const NAMED: usize = 100;

/// Counts the reactions to one comment, one after the other: of however many, it keeps those that are named.
#[derive(Debug)]
pub struct Count {
    me: ActorId,
    by_emoji: BTreeMap<Emoji, Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    count: u32,
    by_me: bool,
    first: BTreeMap<(Timestamp, ActorId), Actor>,
}

impl Count {
    /// Counts for this caller.
    pub const fn of(me: ActorId) -> Self {
        Self { me, by_emoji: BTreeMap::new() }
    }

    /// Counts a reaction, unless it was removed.
    pub fn add(&mut self, Reaction { emoji, actor, first_at, removed }: Reaction) {
        if removed {
            return;
        }
        let counted = self.by_emoji.entry(emoji).or_default();
        counted.count += 1;
        counted.by_me |= actor.id == self.me;
        counted.first.insert((first_at, actor.id), actor);
        if counted.first.len() > NAMED {
            counted.first.pop_last();
        }
    }

    /// The reactions as the caller sees them, in the order of the fixed set.
    pub fn tallies(self) -> Vec<Tally> {
        let tally = |(emoji, Counted { count, by_me, first })| {
            let reactors = first.into_values().map(|actor| Reactor { actor, avatar: None }).collect();
            Tally { emoji, count, reactors, by_me }
        };
        self.by_emoji.into_iter().map(tally).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Count, Emoji, NAMED, Reaction};
    use crate::comment::tests::{agent, person};
    use crate::ids::{Actor, ActorId, UserId};

    #[test]
    fn the_six_are_read_however_they_are_written() {
        for emoji in Emoji::ALL {
            let bare = emoji.as_str().trim_end_matches('\u{fe0f}');
            for text in [bare.to_owned(), format!("{bare}\u{fe0f}"), format!("{bare}\u{fe0e}")] {
                assert_eq!(text.parse(), Ok(emoji), "{text:?}");
            }
            let word = serde_json::to_string(&emoji).unwrap();
            assert_eq!(word, format!("{:?}", emoji.word()));
        }
        let row: Vec<&str> = Emoji::ALL.iter().map(|emoji| emoji.as_str()).collect();
        assert_eq!(row.join(" "), "👍 👎 ❤️ 🎉 👀 ✅");
    }

    #[test]
    fn anything_else_is_none_of_them() {
        for text in ["", "\u{fe0f}", "😀", "👍🏽", "👍👍", " 👍", "thumbsUp", ":+1:", "💔", "👍\u{200d}", "✔️"]
        {
            assert!(text.parse::<Emoji>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_was_removed_does_not_count() {
        let reaction = |emoji, actor: Actor, second: i64, removed| Reaction {
            emoji,
            actor,
            first_at: jiff::Timestamp::new(second, 0).unwrap(),
            removed,
        };
        let mut count = Count::of(agent().id);
        for reaction in [
            reaction(Emoji::Check, person(), 1, false),
            reaction(Emoji::ThumbsUp, person(), 3, false),
            reaction(Emoji::ThumbsUp, agent(), 2, false),
            reaction(Emoji::Eyes, person(), 1, true),
        ] {
            count.add(reaction);
        }
        let seen = count.tallies();
        let told: Vec<_> = seen
            .iter()
            .map(|t| (t.emoji, t.reactors.iter().map(|r| r.actor.name.as_str()).collect::<Vec<_>>(), t.by_me))
            .collect();
        assert_eq!(told, [(Emoji::ThumbsUp, vec!["bot", "Ada"], true), (Emoji::Check, vec!["Ada"], false)]);
    }

    #[test]
    fn of_very_many_the_first_are_named_and_all_are_counted() {
        let person = |n: u16| {
            let id = ActorId::User(UserId(uuid::Uuid::from_u128(n.into())));
            Actor { id, name: n.to_string() }
        };
        let mut count = Count::of(person(0).id);
        // The last first, as rows come in any order of time.
        for n in 0..300 {
            let first_at = jiff::Timestamp::new(300 - i64::from(n), 0).unwrap();
            count.add(Reaction { emoji: Emoji::Heart, actor: person(n), first_at, removed: false });
        }
        let [hearts] = &count.tallies()[..] else { panic!("one emoji") };
        assert_eq!((hearts.count, hearts.reactors.len(), hearts.by_me), (300, NAMED, true));
        assert_eq!(
            (hearts.reactors[0].actor.name.as_str(), hearts.reactors[99].actor.name.as_str()),
            ("299", "200")
        );
    }
}
