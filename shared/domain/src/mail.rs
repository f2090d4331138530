//! Whether the mail of an instance works, as its last attempts say.
//!
//! | what came of a mail                 | what is known then                                        |
//! |-------------------------------------|-----------------------------------------------------------|
//! | the server took it                  | mail works                                                |
//! | no answer, no sign-in, or not now   | mail fails                                                |
//! | refused, as its address may be wrong | mail fails from the [`REFUSED`]th in a row                |

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Refused mails in a row that are no wrong addresses any more.
const REFUSED: u32 = 3;
/// Most characters that are kept of what a mail server says.
const MAX_WHY: usize = 300;

/// Whether mail works. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MailHealth {
    /// Since when it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Why the last mail was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Mails that were refused since the last one that was taken.
    pub refused: u32,
}

impl MailHealth {
    /// The server took a mail.
    pub fn worked(&mut self) {
        *self = Self::default();
    }

    /// The server took no mail.
    pub fn failed(&mut self, why: &str, now: Timestamp) {
        self.failing_since.get_or_insert(now);
        self.why = Some(said(why));
    }

    /// The server refused this mail.
    pub fn refused(&mut self, why: &str, now: Timestamp) {
        self.refused = (self.refused + 1).min(REFUSED);
        self.why = Some(said(why));
        if self.refused == REFUSED {
            self.failing_since.get_or_insert(now);
        }
    }

    /// Why mail fails; `None` while it works.
    pub fn failure(&self) -> Option<&str> {
        self.failing_since.and(self.why.as_deref())
    }
}

/// What a mail server said, on one line and not too long.
pub fn said(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_WHY).collect()
}

#[cfg(test)]
mod tests {
    use super::{MailHealth, said};
    use jiff::{SignedDuration, Timestamp};

    const START: Timestamp = Timestamp::UNIX_EPOCH;

    #[test]
    fn a_server_that_takes_nothing_fails_at_once_and_one_mail_makes_it_well() {
        let mut health = MailHealth::default();
        health.failed("535 wrong password", START);
        health.failed("no answer", START + SignedDuration::from_secs(60));
        assert_eq!((health.failing_since, health.failure()), (Some(START), Some("no answer")));
        health.worked();
        assert_eq!(health, MailHealth::default());
    }

    #[test]
    fn one_refused_address_is_no_failure_and_three_in_a_row_are() {
        let mut health = MailHealth::default();
        for _ in 0..2 {
            health.refused("550 nobody", START);
            assert_eq!(health.failure(), None);
        }
        health.refused("554 relay access denied", START);
        assert_eq!(health.failure(), Some("554 relay access denied"));
    }

    #[test]
    fn what_a_server_says_is_one_line() {
        assert_eq!(said("451\r\n \u{1b}[31mlater"), "451 [31mlater");
        assert_eq!(said(&"x".repeat(1_000)).len(), 300);
    }
}
