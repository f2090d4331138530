//! Runners as stored: machines that execute runs, and what was last heard of them (specification section
//! 1.5).
//!
//! What an administrator sets and what the machine says of itself are two records: a sign of life never
//! makes an administrator's version stale.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::harness::Harness;
use crate::ids::{RunnerId, UserId};

/// A runner, as its administrator set it up. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Runner {
    /// Id.
    pub id: RunnerId,
    /// Name, unique in the organization whatever its case.
    pub name: String,
    /// Whether its secret is refused.
    pub disabled: bool,
    /// SHA-256 of its secret, hex: the name of the credential's row.
    pub secret_hash: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who made it. Absent in rows from before this was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<UserId>,
}

/// What was last heard of a runner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunnerStatus {
    /// When it last asked for work.
    pub at: Timestamp,
    /// Harnesses that it can start.
    pub harnesses: Vec<Harness>,
    /// Version of the runner program.
    pub client_version: Option<String>,
    /// Operating system and architecture.
    pub platform: Option<String>,
    /// Random id of the machine.
    pub machine_id: Option<String>,
    /// Name that the machine gave itself.
    pub label: Option<String>,
    /// Whether a service manager started it.
    pub service: bool,
    /// How many runs it does at once.
    pub parallel: u32,
    /// Whether it said then that it stops. Absent in rows from before runners said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left: bool,
    /// Whether it takes no runs, because its disk is full. Absent in rows from before a runner could say so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disk_full: bool,
}

impl RunnerStatus {
    /// Of a runner that asks for work without having introduced itself.
    pub const fn unintroduced(at: Timestamp) -> Self {
        Self {
            at,
            harnesses: Vec::new(),
            client_version: None,
            platform: None,
            machine_id: None,
            label: None,
            service: false,
            parallel: 1,
            left: false,
            disk_full: false,
        }
    }

    /// When it was last there; none after it said that it stops.
    pub fn last_there(&self) -> Option<Timestamp> {
        (!self.left).then_some(self.at)
    }
}

/// A runner heard of within this time is online.
pub const ONLINE_FOR: SignedDuration = SignedDuration::from_mins(1);

/// Whether a runner that was last heard of then is online now.
pub fn is_online(last_heard: Option<Timestamp>, now: Timestamp) -> bool {
    last_heard.is_some_and(|at| now.duration_since(at) <= ONLINE_FOR)
}

#[cfg(test)]
mod tests {
    use super::is_online;
    use jiff::{Timestamp, ToSpan};

    #[test]
    fn a_runner_is_online_for_a_minute_after_it_was_heard_of() {
        let now: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        assert!(is_online(Some(now - 60.seconds()), now));
        assert!(!is_online(Some(now - 61.seconds()), now));
        assert!(!is_online(None, now));
    }
}
