//! What the wire shows of the journal of an organization.

use svc_api::tracker::{self as wire, Change, ChangeKind};
use svc_app::journal::OrgChanges;
use svc_domain::journal::Changed;

use super::ListEntry;

/// What changed in an organization.
pub fn org_changes(changes: OrgChanges) -> wire::OrgChanges<ListEntry> {
    wire::OrgChanges {
        cursor: changes.cursor,
        reload: changes.reload,
        items: changes.items.into_iter().map(ListEntry).collect(),
        removed: changes.removed.into_iter().map(String::from).collect(),
        changed: changes.changed.iter().map(change).collect(),
    }
}

fn change(changed: &Changed) -> Change {
    let (item, id) = match changed {
        Changed::Sprint { id, .. } => (None, Some(id.to_string())),
        Changed::Page { id, .. } => (None, Some(id.to_string())),
        Changed::Comment { item, id, .. } => (Some(item), Some(id.to_string())),
        Changed::Run { item, id } => (Some(item), Some(id.to_string())),
        Changed::Attachments { item } | Changed::Watchers { item } | Changed::Refinement { item } => {
            (Some(item), None)
        }
        _ => (None, None),
    };
    Change {
        kind: kind(changed),
        project: changed.project().map(ToString::to_string),
        item: item.map(ToString::to_string),
        id,
    }
}

const fn kind(changed: &Changed) -> ChangeKind {
    match changed {
        Changed::Organization => ChangeKind::Organization,
        Changed::Members => ChangeKind::Members,
        Changed::Invitations => ChangeKind::Invitations,
        Changed::Agents => ChangeKind::Agents,
        Changed::Runners => ChangeKind::Runners,
        Changed::CodeHosts => ChangeKind::CodeHosts,
        Changed::Access { .. } => ChangeKind::Access,
        Changed::Inbox { .. } => ChangeKind::Inbox,
        Changed::Project { .. } => ChangeKind::Project,
        Changed::ProjectMembers { .. } => ChangeKind::ProjectMembers,
        Changed::Workflow { .. } => ChangeKind::Workflow,
        Changed::Labels { .. } => ChangeKind::Labels,
        Changed::Milestones { .. } => ChangeKind::Milestones,
        Changed::Templates { .. } => ChangeKind::Templates,
        Changed::Views { .. } | Changed::OrgViews => ChangeKind::Views,
        Changed::Teams { .. } => ChangeKind::Teams,
        Changed::Playbooks { .. } => ChangeKind::Playbooks,
        Changed::Rules { .. } => ChangeKind::Rules,
        Changed::FactorySettings { .. } => ChangeKind::FactorySettings,
        Changed::RefinementSettings { .. } => ChangeKind::RefinementSettings,
        Changed::Sprint { .. } => ChangeKind::Sprint,
        Changed::Comment { .. } => ChangeKind::Comment,
        Changed::Attachments { .. } => ChangeKind::Attachments,
        Changed::Watchers { .. } => ChangeKind::Watchers,
        Changed::Run { .. } => ChangeKind::Run,
        Changed::Refinement { .. } => ChangeKind::Refinement,
        Changed::Page { .. } => ChangeKind::Page,
        // Items come as what they are.
        Changed::Items { .. } | Changed::Unknown => ChangeKind::Unknown,
    }
}
