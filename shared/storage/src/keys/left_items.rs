//! Rows of items and projects that are not where they were, and what hangs on those. The table of all rows is in the module above.

use svc_domain::deleted_item::DeletedItem;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::transfer::Transfer;

use super::{
    AGENT_PREFIX, CHANNEL_PREFIX, COMMENT_PREFIX, EDIT_PREFIX, EDIT_TEXT_PREFIX, FILE_PREFIX, HISTORY_PREFIX,
    HISTORY_TEXT_PREFIX, INVITATION_PREFIX, ITEM_RUN_PREFIX, MENTION_PREFIX, REACTION_PREFIX, RUNNER_PREFIX,
    SEEN_PREFIX, WATCHER_PREFIX, item_pk, org_pk, project_pk,
};
use crate::KeyOf;

/// Sort keys of an organization's deleted projects begin with this.
pub const DELETED_PROJECT_PREFIX: &str = "DELETED#";

/// A project that was deleted.
pub fn deleted_project(org: OrgId, key: &ProjectKey) -> KeyOf<DeletedProject> {
    KeyOf::new(org_pk(org), format!("{DELETED_PROJECT_PREFIX}{key}"))
}

/// Beginnings of the sort keys of what goes with an organization in the end, but for its projects, its members and what is
/// kept of itself.
pub const GOES_WITH_ORG: [&str; 17] = [
    AGENT_PREFIX,
    "BLOCKS",
    "BUDGETS",
    CHANNEL_PREFIX,
    "CODEHOST",
    DELETED_PROJECT_PREFIX,
    "GROUPS",
    INVITATION_PREFIX,
    "NAME#",
    "NOTIFY",
    RUNNER_PREFIX,
    // Tokens, people and groups of the directory.
    "SCIM",
    SEEN_PREFIX,
    "STARTS",
    "STORED",
    "VIEWS",
    "WEBHOOK",
];

/// Sort keys of a project's deleted items begin with this.
pub const DELETED_ITEM_PREFIX: &str = "DELETED#";

/// An item that was deleted.
pub fn deleted_item(org: OrgId, key: &ItemKey) -> KeyOf<DeletedItem> {
    KeyOf::new(project_pk(org, &key.project), format!("{DELETED_ITEM_PREFIX}{:012}", key.number))
}

/// Where an item went that has another key now.
pub fn transfer(org: OrgId, from: &ItemKey) -> KeyOf<Transfer> {
    KeyOf::new(item_pk(org, from), "TRANSFER")
}

/// Beginnings of the sort keys of what follows an item to its new key, in this order: a comment comes before what names
/// it, and a run before what it refined.
pub const FOLLOWS_ITEM: [&str; 13] = [
    COMMENT_PREFIX,
    EDIT_PREFIX,
    EDIT_TEXT_PREFIX,
    REACTION_PREFIX,
    ITEM_RUN_PREFIX,
    "REFINEMENT",
    FILE_PREFIX,
    MENTION_PREFIX,
    WATCHER_PREFIX,
    HISTORY_PREFIX,
    HISTORY_TEXT_PREFIX,
    "FILES",
    "OUTLINE",
];

/// Beginnings of the sort keys of what goes with an item in the end, in this order: what names a comment goes before
/// the comments. Its runs stay.
pub const GOES_WITH_ITEM: [&str; 13] = [
    "CHILDREN",
    FILE_PREFIX,
    "FILES",
    MENTION_PREFIX,
    "OUTLINE",
    REACTION_PREFIX,
    EDIT_TEXT_PREFIX,
    EDIT_PREFIX,
    COMMENT_PREFIX,
    WATCHER_PREFIX,
    HISTORY_TEXT_PREFIX,
    HISTORY_PREFIX,
    "REFINEMENT",
];
