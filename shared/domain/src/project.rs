//! Projects and the history of items as stored (specification section 2.2).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Actor, ItemKey, ProjectKey, RunId};
use crate::item::FieldChange;
use crate::name::{name_problem, text_problem};
use crate::refusal::FieldErrors;
use crate::word::word_enum;

/// A project. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// Key; never changes.
    pub key: ProjectKey,
    /// Name shown to people.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// Whether it is read-only.
    pub archived: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Longest name of a project, in characters.
pub const MAX_NAME: usize = 100;
/// Longest description of a project, in characters.
pub const MAX_DESCRIPTION: usize = 10_000;

impl Project {
    /// Whether name and description are acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        if let Some(problem) = text_problem("A description", &self.description, MAX_DESCRIPTION) {
            errors.add("description", problem);
        }
        errors.into_result()
    }
}

word_enum! {
    /// What a history entry tells.
    Action {
        /// The item was created.
        Created = "created",
        /// The item was deleted.
        Deleted = "deleted",
        /// The item was brought back.
        Restored = "restored",
        /// It came from another project.
        Transferred = "transferred",
        /// A field changed.
        Changed = "changed",
        /// The workflow state changed.
        Transitioned = "transitioned",
        /// A run's transition was not permitted by the workflow.
        TransitionSkipped = "transitionSkipped",
        /// Somebody began to work on it.
        Claimed = "claimed",
        /// Somebody stopped working on it.
        Released = "released",
        /// A pull request was linked.
        Linked = "linked",
        /// A pull request's link was taken away.
        Unlinked = "unlinked",
        /// A file was attached.
        Attached = "attached",
        /// A file was removed.
        Detached = "detached",
        /// A run was queued.
        RunQueued = "runQueued",
        /// A run ended.
        RunFinished = "runFinished",
    }
}

/// One change of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// Field that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Value after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Run that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The other item of a link. Who does not see its project sees the entry without keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<ItemKey>,
    /// Whether a [`crate::text_change::TextChange`] beside it tells what changed of a long text. Entries from before
    /// these were kept have none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text: bool,
}

impl HistoryEntry {
    /// An entry that names nothing but who did what when.
    pub const fn new(at: Timestamp, actor: Actor, action: Action) -> Self {
        Self { at, actor, action, field: None, from: None, to: None, run: None, other: None, text: false }
    }

    /// An entry that tells of a changed field.
    pub fn changed(at: Timestamp, actor: Actor, change: FieldChange) -> Self {
        Self {
            field: Some(change.field.to_owned()),
            from: change.from,
            to: change.to,
            ..Self::new(at, actor, Action::Changed)
        }
    }

    /// The same, from one value to another.
    #[must_use]
    pub fn between(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        self.from = Some(from.into());
        self.to = Some(to.into());
        self
    }

    /// The same, about a run.
    #[must_use]
    pub const fn about(mut self, run: RunId) -> Self {
        self.run = Some(run);
        self
    }
}
