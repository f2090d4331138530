//! Teams of a project: each plans sprints of its own (specification section 4.2).
//!
//! Decides what a team may be called and when it may go; says nothing of permissions, which are the project's.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{ProjectKey, TeamId, TeamKey, UserId};
use crate::name::name_problem;
use crate::refusal::{FieldErrors, Refusal};
use crate::sprint::TeamSprints;

/// A team. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Id.
    pub id: TeamId,
    /// Short name, unique in the project whatever its case; never changes.
    pub key: TeamKey,
    /// Name shown to people.
    pub name: String,
    /// Who is in it. Somebody who is no longer in the project is in none of its teams, whatever is written
    /// here.
    pub members: BTreeSet<UserId>,
    /// Whether it plans no more sprints.
    pub archived: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Longest name of a team, in characters.
pub const MAX_NAME: usize = 100;
/// Most members of a team.
pub const MAX_MEMBERS: usize = 100;
/// Most teams of a project.
pub const MAX_TEAMS: usize = 50;

impl Team {
    /// The team that a project starts with: it has the project's key and name.
    ///
    /// # Panics
    /// Never: the key of a project is one of a team.
    pub fn first(id: TeamId, project: &ProjectKey, name: &str, now: Timestamp) -> Self {
        let key = project.as_str().parse().expect("2 to 10 letters and digits are a valid team key");
        let members = BTreeSet::new();
        Self { id, key, name: name.to_owned(), members, archived: false, created_at: now }
    }

    /// Whether name and members are acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = name_problem(&self.name, MAX_NAME) {
            errors.add("name", problem);
        }
        if self.members.len() > MAX_MEMBERS {
            errors.add("members", format!("A team has at most {MAX_MEMBERS} members."));
        }
        errors.into_result()
    }
}

/// Whether a team may be archived: not while it has sprints to work on.
///
/// # Errors
/// [`Refusal::Conflict`].
pub const fn may_archive(sprints: TeamSprints) -> Result<(), Refusal> {
    if sprints.active.is_some() || sprints.planned > 0 {
        return Err(Refusal::Conflict(
            "the team has planned or active sprints; complete or delete them first",
        ));
    }
    Ok(())
}

/// Whether a team may be deleted: only one that never had a sprint to keep.
///
/// # Errors
/// [`Refusal::Conflict`].
pub const fn may_delete(sprints: TeamSprints) -> Result<(), Refusal> {
    if sprints.active.is_some() || sprints.planned > 0 || sprints.completed > 0 {
        return Err(Refusal::Conflict("the team has sprints; archive it instead"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{MAX_MEMBERS, MAX_NAME, Team, may_archive, may_delete};
    use crate::ids::{SprintId, TeamId, TeamKey, UserId};
    use crate::sprint::TeamSprints;

    #[test]
    fn a_project_starts_with_a_team_of_its_own_name() {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let team = Team::first(TeamId(Uuid::from_u128(1)), &"PRJ".parse().unwrap(), "Search", now);
        assert_eq!((team.key.as_str(), team.name.as_str()), ("PRJ", "Search"));
        assert!(team.check().is_ok());
        for name in ["", "  ", "two\nlines", &"n".repeat(MAX_NAME + 1)] {
            assert!(Team { name: name.to_owned(), ..team.clone() }.check().is_err(), "{name:?}");
        }
        let crowd = (0..=MAX_MEMBERS as u128).map(|n| UserId(Uuid::from_u128(n))).collect();
        assert!(Team { members: crowd, ..team }.check().is_err());
    }

    #[test]
    fn a_key_is_a_short_word() {
        for key in ["T1", "web", "front-end", "7"] {
            assert!(key.parse::<TeamKey>().is_ok(), "{key:?}");
        }
        for key in ["", "-a", "a-", "a b", "é", "a_b", "abcdefghijklmnopqrstu"] {
            assert!(key.parse::<TeamKey>().is_err(), "{key:?}");
        }
    }

    #[test]
    fn a_team_goes_when_no_sprint_needs_it() {
        let none = TeamSprints::default();
        let planned = TeamSprints { planned: 1, ..none };
        let active = TeamSprints { active: Some(SprintId(Uuid::from_u128(1))), ..none };
        let completed = TeamSprints { completed: 1, ..none };
        let may = |sprints| (may_archive(sprints).is_ok(), may_delete(sprints).is_ok());
        assert_eq!(may(none), (true, true));
        assert_eq!(may(planned), (false, false));
        assert_eq!(may(active), (false, false));
        assert_eq!(may(completed), (true, false));
    }
}
