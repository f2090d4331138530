//! Organizations that were deleted: what is kept of one, and what it is when it is restored.
//!
//! | state    | its row                       | it can                                                               |
//! |----------|-------------------------------|----------------------------------------------------------------------|
//! | there    | the organization              | be deleted by its Owners                                             |
//! | deleted  | a [`DeletedOrg`]              | be restored by them for [`KEPT`](crate::deletion::KEPT); nothing else |
//! | leaving  | one without its organization  | nothing: a worker takes away what is left of it                      |
//! | gone     | none                          | nothing; its slug is free                                            |

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::deletion::{Deletion, require_confirmed};
use crate::identity::Org;
use crate::ids::OrgSlug;
use crate::refusal::Refusal;

/// What is kept of an organization that was deleted. A stored row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedOrg {
    /// Its slug, which stays taken as long as this row is there.
    pub slug: OrgSlug,
    /// The organization as it was deleted; `None` once a worker takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<Org>,
    /// The version that its row had.
    pub row_version: u64,
    /// Who deleted it, and when.
    pub deletion: Deletion,
}

impl DeletedOrg {
    /// The version in which its row comes back: later than any that somebody has read.
    pub const fn next_row_version(&self) -> u64 {
        self.row_version + 1
    }

    /// The organization, as long as it can be restored.
    pub fn kept(&self, now: Timestamp) -> Option<&Org> {
        self.org.as_ref().filter(|_| self.deletion.can_be_undone(now))
    }

    /// Why there is no such organization.
    pub fn refusal(&self, now: Timestamp) -> Refusal {
        self.deletion.refusal("organization", "one of its Owners", now)
    }

    /// Whether the organization's slug was typed as confirmation.
    ///
    /// # Errors
    /// [`Refusal::Invalid`].
    pub fn require_confirmed(slug: &OrgSlug, typed: &str) -> Result<(), Refusal> {
        require_confirmed("organization's slug", slug.as_str(), typed)
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    use super::DeletedOrg;
    use crate::deletion::{Deletion, KEPT};
    use crate::identity::Org;
    use crate::ids::{Actor, ActorId, OrgId, UserId};
    use crate::refusal::Refusal;

    fn deleted() -> DeletedOrg {
        let org = Org {
            id: OrgId(Uuid::nil()),
            slug: "demo".parse().unwrap(),
            name: "Demo".to_owned(),
            read_only: true,
            created_at: Timestamp::UNIX_EPOCH,
            plan: None,
            has_webhooks: false,
        };
        let by = Actor { id: ActorId::User(UserId(Uuid::nil())), name: "ada".to_owned() };
        let deletion = Deletion { by, at: Timestamp::UNIX_EPOCH };
        DeletedOrg { slug: org.slug.clone(), org: Some(org), row_version: 7, deletion }
    }

    #[test]
    fn an_organization_is_kept_for_thirty_days_unless_it_is_taken_away() {
        let (deleted, end) = (deleted(), Timestamp::UNIX_EPOCH + KEPT);
        let before = end - SignedDuration::from_secs(1);
        assert_eq!(deleted.kept(before), deleted.org.as_ref());
        assert_eq!(deleted.kept(end), None);
        assert_eq!(DeletedOrg { org: None, ..deleted.clone() }.kept(before), None);
        assert!(
            matches!(deleted.refusal(before), Refusal::Deleted { until: Some(until), .. } if until == end)
        );
        assert!(matches!(deleted.refusal(end), Refusal::Deleted { until: None, .. }));
    }

    #[test]
    fn the_slug_itself_confirms() {
        let slug = deleted().slug;
        assert_eq!(DeletedOrg::require_confirmed(&slug, "demo"), Ok(()));
        for typed in ["", "Demo", "demo2", "yes"] {
            let refused = DeletedOrg::require_confirmed(&slug, typed);
            assert!(matches!(refused, Err(Refusal::Invalid(_))), "{typed}: {refused:?}");
        }
    }

    /// A stored row: older and newer servers read each other's.
    #[test]
    fn what_is_kept_is_read_again() {
        let text = serde_json::to_string(&deleted()).unwrap();
        assert_eq!(serde_json::from_str::<DeletedOrg>(&text).unwrap(), deleted());
    }
}
