//! Names of the rows of teams and sprints. What reads them is in the table of `keys.rs`.

use svc_domain::ids::{OrgId, ProjectKey, SprintId, TeamId};
use svc_domain::sprint::{Register, Sprint};
use svc_domain::team::Team;

use super::{project_pk, sortable};
use crate::{Key, KeyOf};

/// Sort keys of a project's teams begin with this.
pub const TEAM_PREFIX: &str = "TEAM#";

/// A team.
pub fn team(org: OrgId, key: &ProjectKey, team: TeamId) -> KeyOf<Team> {
    KeyOf::new(project_pk(org, key), format!("{TEAM_PREFIX}{team}"))
}

/// Sort keys of a project's sprints begin with this.
pub const SPRINT_PREFIX: &str = "SPRINT#";

/// A sprint.
pub fn sprint(org: OrgId, key: &ProjectKey, sprint: SprintId) -> KeyOf<Sprint> {
    KeyOf::new(project_pk(org, key), format!("{SPRINT_PREFIX}{sprint}"))
}

/// How many sprints the teams of a project have, and which are active.
pub fn sprint_register(org: OrgId, key: &ProjectKey) -> KeyOf<Register> {
    KeyOf::new(project_pk(org, key), "SPRINTS")
}

/// Project of a sprint, for addresses that do not name it.
pub fn sprint_ref(sprint: SprintId) -> Key {
    Key::new(format!("SPRINTREF#{sprint}"), "PROJECT")
}

/// Partition of what changed the work of a sprint. `sprint` is its id as items name it.
pub fn facts_pk(org: OrgId, sprint: &str) -> String {
    format!("FACTS#{org}#{sprint}")
}

/// A change of an item in a sprint.
pub fn fact(org: OrgId, sprint: &str, at_millis: i64, number: u64, revision: u64) -> Key {
    Key::new(facts_pk(org, sprint), format!("{}#{number}#{revision}", sortable(at_millis)))
}
