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
    let user = access.user();
    for chunk in projects.chunks(Limits::KEYS / 2) {
        let of = |key: &ProjectKey| -> Vec<Key> {
            let member = user.map(|user| keys::project_member(access.org, key, user));
            std::iter::once(keys::project(access.org, key)).chain(member).collect()
        };
        let wanted: Vec<Key> = chunk.iter().flat_map(of).collect();
        let rows = app.table.get_many(&wanted).await?;
        for (key, rows) in chunk.iter().zip(rows.chunks(wanted.len() / chunk.len())) {
            // One that was deleted has no row.
            let [Some(_), member @ ..] = rows else { continue };
            let member = member.first().and_then(Option::as_ref);
            let member: Option<ProjectMember> = member.map(|row| row.read()).transpose()?;
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
