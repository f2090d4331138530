//! Which of some projects a caller sees: asked for what names items of projects other than the one that was entered.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::access::{Access, Capability, ProjectStanding};
use svc_domain::identity::ProjectMember;
use svc_domain::ids::ProjectKey;
use svc_storage::{Key, Limits, keys};

use crate::App;
use crate::error::Result;

/// The projects among these that the caller sees, and whether as a factory operator.
pub(crate) async fn visible_projects(
    app: &App,
    access: &Access,
    projects: BTreeSet<ProjectKey>,
) -> Result<BTreeMap<ProjectKey, bool>> {
    let projects: Vec<ProjectKey> = projects.into_iter().collect();
    let mut visible = BTreeMap::new();
    for chunk in projects.chunks(Limits::KEYS) {
        let wanted: Vec<Key> = access
            .user()
            .map(|user| chunk.iter().map(|key| keys::project_member(access.org, key, user)).collect())
            .unwrap_or_default();
        let mut rows = app.table.get_many(&wanted).await?.into_iter();
        for key in chunk {
            let member: Option<ProjectMember> = rows.next().flatten().map(|row| row.read()).transpose()?;
            let role = member.map(|member| member.role);
            let standing = ProjectStanding { key: key.clone(), archived: false, role };
            let inside = Access { project: Some(standing), ..access.clone() };
            if inside.may(Capability::SeeProject) {
                visible.insert(key.clone(), inside.may(Capability::SeeFactory));
            }
        }
    }
    Ok(visible)
}
