//! What an item tells of its last run that ended, so that lists need not read the run.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Run, RunStatus};
use crate::ids::{Actor, RunId};

/// A run that ended, in short: what everybody who sees the item may know of it.
///
/// A part of stored rows. Fields may be added if they have a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    /// Its id.
    pub id: RunId,
    /// How it ended.
    pub status: RunStatus,
    /// The agent that worked.
    pub agent: Actor,
    /// When its harness started, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The pull request that carries its work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
}

impl LastRun {
    /// What is told of a run; nothing of one that has not ended.
    pub fn of(run: &Run) -> Option<Self> {
        let ended = run.ended()?;
        Some(Self {
            id: run.id,
            status: run.status(),
            agent: run.actor(),
            started_at: ended.started_at,
            ended_at: ended.at,
            pull_request: ended.report.pull_request.clone(),
        })
    }
}
