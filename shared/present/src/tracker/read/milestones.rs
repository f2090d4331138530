//! What requests ask of milestones.

use svc_api::tracker as wire;
use svc_app::tracker::milestones::{NewMilestone, UpdateMilestone};
use svc_domain::refusal::FieldErrors;

use crate::words::check;

/// A milestone to make.
pub fn new_milestone(new: wire::NewMilestone) -> NewMilestone {
    let wire::NewMilestone { name, description, due } = new;
    NewMilestone { name, description, due }
}

/// A change of a milestone.
///
/// # Errors
/// Every field that is not acceptable.
pub fn update_milestone(update: wire::UpdateMilestone) -> Result<UpdateMilestone, FieldErrors> {
    let mut errors = FieldErrors::default();
    let wire::UpdateMilestone { version, name, description, due, state } = update;
    let state = state.and_then(|wanted| check("state", wanted, &mut errors));
    errors.into_result()?;
    Ok(UpdateMilestone { version, name, description, due: due.into_option(), state })
}
