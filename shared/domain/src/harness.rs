//! The supported coding harnesses: their ids on the wire and the names people know them by.
//!
//! Knows nothing of how a harness is started; that is the runner's.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::word::UnknownWord;

/// A supported coding harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Harness {
    /// Claude Code.
    #[serde(rename = "harness_1")]
    Harness1,
    /// Codex CLI.
    #[serde(rename = "harness_2")]
    Harness2,
    /// opencode.
    #[serde(rename = "harness_3")]
    Harness3,
    /// Cursor CLI.
    #[serde(rename = "harness_4")]
    Harness4,
    /// GitHub Copilot CLI.
    #[serde(rename = "harness_5")]
    Harness5,
}

impl Harness {
    /// Every harness, in the order of their ids.
    pub const ALL: [Self; 5] =
        [Self::Harness1, Self::Harness2, Self::Harness3, Self::Harness4, Self::Harness5];

    /// Its id, as stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Harness1 => "harness_1",
            Self::Harness2 => "harness_2",
            Self::Harness3 => "harness_3",
            Self::Harness4 => "harness_4",
            Self::Harness5 => "harness_5",
        }
    }

    /// The name of its program, by which people call it.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Harness1 => "claude-code",
            Self::Harness2 => "codex",
            Self::Harness3 => "opencode",
            Self::Harness4 => "cursor",
            Self::Harness5 => "copilot",
        }
    }

    /// The one of this program or id, whatever its case.
    ///
    /// # Errors
    /// The programs that there are.
    pub fn called(text: &str) -> Result<Self, UnknownWord> {
        let same = |known: &str| known.eq_ignore_ascii_case(text.trim());
        let found = Self::ALL.into_iter().find(|harness| same(harness.program()) || same(harness.as_str()));
        found.ok_or(UnknownWord(&["claude-code", "codex", "opencode", "cursor", "copilot"]))
    }

    /// The name that people know it by.
    pub const fn display_name(self) -> &'static str {
        match self {
            Self::Harness1 => "Claude Code",
            Self::Harness2 => "Codex CLI",
            Self::Harness3 => "opencode",
            Self::Harness4 => "Cursor CLI",
            Self::Harness5 => "GitHub Copilot CLI",
        }
    }
}

impl fmt::Display for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Harness {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.into_iter().find(|harness| harness.as_str() == text);
        found.ok_or(UnknownWord(&["harness_1", "harness_2", "harness_3", "harness_4", "harness_5"]))
    }
}

#[cfg(test)]
mod tests {
    use super::Harness;

    #[test]
    fn what_is_stored_is_what_is_sent() {
        for harness in Harness::ALL {
            let stored = serde_json::to_string(&harness).unwrap();
            assert_eq!(stored, format!("\"{harness}\""));
            assert_eq!(harness.as_str().parse(), Ok(harness));
            assert_eq!(Harness::called(harness.program()), Ok(harness));
            assert_eq!(Harness::called(harness.as_str()), Ok(harness));
        }
    }
}
