//! What requests ask of sprints, in the domain's words.

use svc_api::tracker as wire;
use svc_app::tracker::moves::MoveItem;
use svc_app::tracker::sprints::{ListSprints, UnfinishedTo, UpdateSprint};
use svc_domain::ids::SprintId;
use svc_domain::refusal::FieldErrors;

use super::update_item;
use crate::words::{all, one_of};

/// Which sprints to list.
///
/// # Errors
/// Every field that is not acceptable.
pub fn list_sprints(
    query: wire::SprintQuery,
    (offset, limit): (usize, usize),
) -> Result<ListSprints, FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut states = Vec::new();
    let words = query.state.iter().flat_map(|states| states.split(',')).map(str::trim);
    for word in words.filter(|word| !word.is_empty()) {
        match word.parse() {
            Ok(state) => states.push(state),
            Err(_) => {
                let known = one_of(&all::<wire::SprintState>());
                errors.add("state", format!("{word:?} is not a state of a sprint. {known}"));
            }
        }
    }
    errors.into_result()?;
    Ok(ListSprints { team: query.team, states, offset, limit })
}

/// A change of a sprint.
pub fn update_sprint(update: wire::UpdateSprint) -> UpdateSprint {
    UpdateSprint {
        version: update.version,
        name: update.name,
        goal: update.goal,
        start: update.start.into_option(),
        end: update.end.into_option(),
        capacity: update.capacity.into_option(),
    }
}

/// Where the unfinished items of a completed sprint go.
///
/// # Errors
/// Every field that is not acceptable.
pub fn unfinished_to(wanted: Option<&str>) -> Result<UnfinishedTo, FieldErrors> {
    match wanted {
        None | Some("backlog") => Ok(UnfinishedTo::Backlog),
        Some("next") => Ok(UnfinishedTo::Next),
        Some(id) => id.parse().map(UnfinishedTo::Sprint).map_err(|_| {
            FieldErrors::one("unfinishedTo", "Give backlog, next, or the id of a sprint of the project.")
        }),
    }
}

/// A move of an item.
///
/// # Errors
/// Every field that is not acceptable.
pub fn move_item(to: wire::MoveItem) -> Result<MoveItem, FieldErrors> {
    let sprint = match to.sprint.into_option() {
        None => None,
        Some(None) => Some(None),
        Some(Some(id)) => Some(Some(id.parse::<SprintId>().map_err(|_| {
            FieldErrors::one("sprint", "Give the id of a sprint of the project, or null for the backlog.")
        })?)),
    };
    let version = to.version;
    let fields = to.change.map(|fields| update_item(wire::UpdateItem { version, ..fields.into() }));
    let fields = fields.transpose()?;
    Ok(MoveItem { version, sprint, after: to.after.into_option(), state: to.state, fields })
}
