//! Events of sprints.

use crate::ids::{ProjectKey, SprintId};

/// A sprint, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprintRef {
    /// The project.
    pub project: ProjectKey,
    /// The sprint.
    pub id: SprintId,
    /// Its name.
    pub name: String,
}

/// What happens to a sprint.
#[derive(Clone, Debug, PartialEq)]
pub enum SprintEvent {
    /// A sprint was planned.
    Planned(SprintRef),
    /// A sprint was changed.
    Changed(SprintRef),
    /// A sprint was started.
    Started(SprintRef),
    /// A sprint was completed; its unfinished items have to leave.
    Completed(SprintRef),
    /// A planned sprint was deleted; its items have to leave.
    Deleted(SprintRef),
}
