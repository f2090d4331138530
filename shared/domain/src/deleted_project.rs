//! Projects that were deleted: what is kept of one, and what it is when it is restored.
//!
//! | state    | its row                    | it can                                                              |
//! |----------|----------------------------|---------------------------------------------------------------------|
//! | there    | the project                | be deleted by Owners and Admins of the organization                 |
//! | deleted  | a [`DeletedProject`]       | be restored by them for [`KEPT`](crate::deletion::KEPT); nothing else |
//! | gone     | one without its project    | nothing; its key is never used again                                |

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::deletion::{Deletion, require_confirmed};
use crate::ids::ProjectKey;
use crate::project::Project;
use crate::refusal::Refusal;

/// What is kept of a project that was deleted. A stored row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedProject {
    /// Its key.
    pub key: ProjectKey,
    /// The project as it was deleted; `None` when nothing is left of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<Project>,
    /// The version that its row had.
    pub row_version: u64,
    /// Who deleted it, and when.
    pub deletion: Deletion,
}

impl DeletedProject {
    /// The version in which its row comes back: later than any that somebody has read.
    pub const fn next_row_version(&self) -> u64 {
        self.row_version + 1
    }

    /// The project, as long as it can be restored.
    pub fn kept(&self, now: Timestamp) -> Option<&Project> {
        self.project.as_ref().filter(|_| self.deletion.can_be_undone(now))
    }

    /// Why there is no such project.
    pub fn refusal(&self, now: Timestamp) -> Refusal {
        self.deletion.refusal("project", "an Owner or Admin of the organization", now)
    }

    /// Whether the project's key was typed as confirmation.
    ///
    /// # Errors
    /// [`Refusal::Invalid`].
    pub fn require_confirmed(key: &ProjectKey, typed: &str) -> Result<(), Refusal> {
        require_confirmed("project's key", key.as_str(), typed)
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    use super::DeletedProject;
    use crate::deletion::{Deletion, KEPT};
    use crate::ids::{Actor, ActorId, UserId};
    use crate::project::Project;
    use crate::refusal::Refusal;

    fn deleted() -> DeletedProject {
        let project = Project {
            key: "PRJ".parse().unwrap(),
            name: "Project".to_owned(),
            description: String::new(),
            archived: true,
            created_at: Timestamp::UNIX_EPOCH,
        };
        let by = Actor { id: ActorId::User(UserId(Uuid::nil())), name: "ada".to_owned() };
        let deletion = Deletion { by, at: Timestamp::UNIX_EPOCH };
        DeletedProject { key: project.key.clone(), project: Some(project), row_version: 7, deletion }
    }

    #[test]
    fn a_project_is_kept_for_thirty_days() {
        let (deleted, end) = (deleted(), Timestamp::UNIX_EPOCH + KEPT);
        let before = end - SignedDuration::from_secs(1);
        assert_eq!(deleted.kept(before), deleted.project.as_ref());
        assert_eq!(deleted.kept(end), None);
        assert_eq!(DeletedProject { project: None, ..deleted.clone() }.kept(before), None);
        assert!(
            matches!(deleted.refusal(before), Refusal::Deleted { until: Some(until), .. } if until == end)
        );
        assert!(matches!(deleted.refusal(end), Refusal::Deleted { until: None, .. }));
    }

    #[test]
    fn the_key_itself_confirms() {
        let key = deleted().key;
        assert_eq!(DeletedProject::require_confirmed(&key, "PRJ"), Ok(()));
        for typed in ["", "prj", "PRJ-1", "yes"] {
            let refused = DeletedProject::require_confirmed(&key, typed);
            assert!(matches!(refused, Err(Refusal::Invalid(_))), "{typed}: {refused:?}");
        }
    }

    /// A stored row: older and newer servers read each other's.
    #[test]
    fn what_is_kept_is_read_again() {
        let text = serde_json::to_string(&deleted()).unwrap();
        assert_eq!(serde_json::from_str::<DeletedProject>(&text).unwrap(), deleted());
    }
}
