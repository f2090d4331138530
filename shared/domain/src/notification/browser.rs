//! Browsers in which people are told: by web push, in a browser that they are signed in with.
//!
//! A browser is named by the session that turned it on, and is told nothing once that session has ended.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::NotificationKind;
use crate::ids::TokenId;

/// Longest name of a browser, in characters.
pub const MAX_NAME: usize = 80;
/// Longest address of a push service, in bytes.
pub const MAX_ENDPOINT: usize = 1_000;

/// A browser in which a person is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Browser {
    /// The session that turned it on.
    pub id: TokenId,
    /// What its owner calls it, such as `Firefox · Linux`.
    pub name: String,
    /// Where its push service takes messages, and the keys that they are encrypted with: sealed.
    pub address: String,
    /// What may be shown of the address.
    pub target: String,
    /// Why the last message did not arrive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When it was turned on.
    pub created_at: Timestamp,
}

/// How soon a push service should wake a device (RFC 8030, section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// With whatever else wakes it.
    Low,
    /// Soon.
    Normal,
    /// At once, also where that costs its battery.
    High,
}

impl Urgency {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }

    /// That of a kind: what waits for a person is urgent.
    pub const fn of(kind: NotificationKind) -> Self {
        use NotificationKind::{Assigned, Mentioned, Replied, RunFailed, RunNeedsInput, WikiMentioned};
        match kind {
            RunNeedsInput | Mentioned | WikiMentioned => Self::High,
            RunFailed | Assigned | Replied => Self::Normal,
            _ => Self::Low,
        }
    }
}

/// The name of a browser as it is kept: one line of at most [`MAX_NAME`] characters.
pub fn browser_name(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = line.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    if name.is_empty() { "Browser".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NAME, Urgency, browser_name};
    use crate::notification::NotificationKind as Kind;

    #[test]
    fn names_are_short_lines() {
        assert_eq!(browser_name(" Firefox ·\n Linux "), "Firefox · Linux");
        assert_eq!(browser_name(" \u{7} "), "Browser");
        assert_eq!(browser_name(&"x".repeat(200)).len(), MAX_NAME);
    }

    #[test]
    fn what_waits_for_a_person_wakes_the_device() {
        assert_eq!(Urgency::of(Kind::RunNeedsInput).as_str(), "high");
        assert_eq!(Urgency::of(Kind::Assigned).as_str(), "normal");
        assert_eq!(Urgency::of(Kind::Reacted).as_str(), "low");
    }
}
