//! What both exports of Jira share: links, states with their resolutions, and groups of states.

use svc_api::tracker::{LinkKind, StateGroup};

use super::gathered::Gathered;
use crate::failure::Failure;

/// Resolutions that say no more than that an issue is done.
const DONE: &[&str] = &["done", "fixed", "resolved", "unresolved", "completed", "complete"];

/// A state, with the resolution where it says more than that the issue is done.
pub(super) fn state(status: &str, resolution: Option<&str>) -> String {
    match resolution.filter(|resolution| !DONE.contains(&resolution.to_lowercase().as_str())) {
        Some(resolution) => format!("{status} ({resolution})"),
        None => status.to_owned(),
    }
}

/// The group of a category of states: its key in JSON, or its name in CSV.
pub(super) fn group(category: &str) -> Option<StateGroup> {
    match category.to_lowercase().as_str() {
        "new" | "to do" => Some(StateGroup::Backlog),
        "indeterminate" | "in progress" => Some(StateGroup::Active),
        "done" => Some(StateGroup::Closed),
        _ => None,
    }
}

/// A link of a type, from `issue` to `other` (outward) or the other way round.
pub(super) fn link(
    kind: &str,
    outward: bool,
    issue: &str,
    other: &str,
    gathered: &mut Gathered,
) -> Result<(), Failure> {
    let lower = kind.to_lowercase();
    let relation = match (lower.as_str(), outward) {
        ("blocks" | "blocker" | "dependency", true) => LinkKind::Blocks,
        ("blocks" | "blocker" | "dependency", false) => LinkKind::BlockedBy,
        ("duplicate" | "duplicates", true) => LinkKind::Duplicates,
        ("duplicate" | "duplicates", false) => LinkKind::DuplicatedBy,
        ("relates" | "related" | "relates to", _) => LinkKind::Relates,
        _ => {
            let why = format!("links of the type {kind} come as \"relates\"");
            gathered.report.miss("link", &format!("{issue} {other}"), &why)?;
            LinkKind::Relates
        }
    };
    gathered.link(issue, other, relation)
}
