//! Names of the playbooks that schedules follow, and which of them were deleted: such a schedule makes nothing.

use std::collections::HashMap;

use svc_api::factory::Schedule;

use crate::session::Session;

/// What people call the playbooks of a project, by their ids.
#[derive(Default)]
pub(super) struct Playbooks {
    /// None where the caller may not list them.
    there: Option<HashMap<String, String>>,
    deleted: HashMap<String, String>,
}

impl Playbooks {
    /// Those that these schedules follow, as far as the caller may list them.
    pub(super) async fn of(schedules: &[Schedule], project: &str, org: &str, session: &Session<'_>) -> Self {
        let org = session.org(org);
        if schedules.is_empty() {
            return Self::default();
        }
        let Ok(playbooks) = org.playbooks(project).await else { return Self::default() };
        let by_id = |playbooks: Vec<svc_api::factory::Playbook>| {
            playbooks.into_iter().map(|playbook| (playbook.id, playbook.name)).collect::<HashMap<_, _>>()
        };
        let there = by_id(playbooks);
        let deleted = if schedules.iter().all(|schedule| there.contains_key(&schedule.playbook)) {
            HashMap::new()
        } else {
            by_id(org.deleted_playbooks(project).await.unwrap_or_default())
        };
        Self { there: Some(there), deleted }
    }

    /// The name of a schedule's playbook, or that it was deleted; its id where nothing is known.
    pub(super) fn word(&self, schedule: &Schedule) -> String {
        let id = &schedule.playbook;
        match (&self.there, self.deleted.get(id)) {
            (None, _) => id.clone(),
            (Some(_), Some(name)) => format!("deleted playbook {name}"),
            (Some(there), None) => there.get(id).cloned().unwrap_or_else(|| format!("deleted playbook {id}")),
        }
    }
}
