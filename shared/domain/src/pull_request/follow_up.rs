//! A follow-up that a pull request asks for, and what its run is told of it. `pull_request.rs` says when one is asked for.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RunId;
use crate::word::word_enum;

/// Most bytes of what a follow-up is asked for.
const MAX_TEXT: usize = 4_000;

word_enum! {
    /// Why a follow-up is asked for.
    Cause {
        /// A check failed.
        ChecksFailed = "checksFailed",
        /// A review requested changes.
        ChangesRequested = "changesRequested",
    }
}

/// A follow-up that a pull request asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FollowUpRequest {
    /// Why.
    pub cause: Cause,
    /// The commit that it is about.
    pub head: String,
    /// When it was asked for.
    pub at: Timestamp,
    /// What happened to it.
    pub state: RequestState,
}

/// What has become of a follow-up that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum RequestState {
    /// It waits until the item is free.
    Waiting {
        /// What it is asked for, in the code host's words.
        text: String,
    },
    /// Its run was queued.
    Started {
        /// The run.
        run: RunId,
    },
    /// No run was started.
    Dropped {
        /// Why, in a sentence.
        reason: String,
    },
}

/// The work that a follow-up goes on from: its branch is the run's (specification section 3.2, follow-up branch
/// choice). The runner looks what has become of it before the harness starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FollowUp {
    /// Pull request of that work, if one was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
    /// Branch to begin from the default branch where the pull request was merged or closed.
    pub new_branch: String,
    /// What the code host asks for, where no mention does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<HostRequest>,
}

/// What a code host asks a follow-up for, by what it told of a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostRequest {
    /// Address of the pull request.
    pub url: String,
    /// Why.
    pub cause: Cause,
    /// The commit that it is about.
    pub head: String,
    /// What is wrong with it, in the host's words or a reviewer's.
    pub text: String,
}

impl FollowUpRequest {
    /// Whether it waits until the item is free.
    pub(super) const fn is_waiting(&self) -> bool {
        matches!(self.state, RequestState::Waiting { .. })
    }

    /// Whether no run was started.
    pub(super) const fn is_dropped(&self) -> bool {
        matches!(self.state, RequestState::Dropped { .. })
    }

    /// Takes up more text; answers whether it was new.
    pub(super) fn add(&mut self, more: &str) -> bool {
        let RequestState::Waiting { text } = &mut self.state else { return false };
        if text.contains(more.trim()) {
            return false;
        }
        *text = shortened(&format!("{text}\n\n{more}"));
        true
    }
}

/// The text in as many bytes as are kept of it.
pub(super) fn shortened(text: &str) -> String {
    crate::untrusted::shortened(text.trim(), MAX_TEXT)
}
