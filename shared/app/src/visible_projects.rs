//! Which of some projects a caller sees: asked for what names items of projects other than the one that was entered.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::access::{Access, Capability, ProjectStanding};
use svc_domain::ids::ProjectKey;
use svc_storage::keys;

use crate::App;
use crate::error::Result;
use crate::wanted;

/// The projects among these that the caller sees, and whether as a factory operator.
pub(crate) async fn visible_projects(
    app: &App,
    access: &Access,
    projects: BTreeSet<ProjectKey>,
) -> Result<BTreeMap<ProjectKey, bool>> {
    let user = access.user();
    let of = |key: &ProjectKey| {
        (keys::project(access.org, key), user.map(|user| keys::project_member(access.org, key, user)))
    };
    let wanted: Vec<_> = projects.iter().map(of).collect();
    let mut visible = BTreeMap::new();
    for (key, (project, member)) in projects.into_iter().zip(wanted::load(app, wanted).await?) {
        // One that was deleted has no row.
        if project.is_none() {
            continue;
        }
        let role = member.map(|row| row.read()).transpose()?.map(|member| member.role);
        let standing = ProjectStanding { key: key.clone(), archived: false, role };
        let inside = Access { project: Some(standing), ..access.clone() };
        if inside.may(Capability::SeeProject) {
            visible.insert(key, inside.may(Capability::SeeFactory));
        }
    }
    Ok(visible)
}
