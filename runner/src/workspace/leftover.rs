//! What a run leaves, and the names that it is saved under.

use std::path::Path;
use std::time::SystemTime;

use super::git::Git;

/// What is to be saved, and where to.
#[derive(Clone, Debug)]
pub struct Leftover<'a> {
    /// The run.
    pub run_id: &'a str,
    /// Its directory, outside the checkout.
    pub directory: &'a Path,
    /// Git in the checkout.
    pub git: Git,
    /// The clone that it came from.
    pub clone: Option<&'a Path>,
    /// Address that commits of its agent carry.
    pub agent: &'a str,
    /// When it began.
    pub begun: SystemTime,
    /// Commit that the work started from.
    pub base: &'a str,
    /// Commit that origin is known to have.
    pub at_origin: Option<&'a str>,
}

/// A commit that is kept under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What it was to the run, such as `the branch x`.
    pub what: String,
    /// The command that brings it back.
    pub command: String,
    /// Whether the agent replaced it by another, as with `git commit --amend`.
    pub replaced: bool,
    pub(super) name: String,
    pub(super) object: String,
}

impl Saved {
    /// What is kept, and how it comes back.
    pub fn words(&self) -> String {
        format!("Kept: {}. Bring back: {}.", self.what, self.command)
    }
}

/// The name that work of a run is kept under.
pub fn kept_ref(run_id: &str) -> String {
    format!("refs/svc/kept/{run_id}")
}
