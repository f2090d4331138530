//! What is asked of what happened lately.

use svc_api::tracker as wire;
use svc_app::tracker::activity::Wanted;
use svc_domain::refusal::{FieldErrors, Refusal};

/// Items where no number is given.
const USUAL: u32 = 20;
/// Most items of an answer.
const MOST: u32 = 50;

/// Which items are wanted.
///
/// # Errors
/// A project key or a cursor that is none.
pub fn activity(query: &wire::ActivityQuery) -> Result<Wanted, Refusal> {
    let mut errors = FieldErrors::default();
    let project = query.project.as_deref().filter(|key| !key.is_empty());
    let project = project.and_then(|key| errors.check("project", key.to_uppercase().parse()));
    let behind = query.cursor.as_deref().and_then(|cursor| {
        let place = cursor.parse().ok();
        if place.is_none() {
            errors.add("cursor", "It must be the `cursor` of an earlier answer.");
        }
        place
    });
    errors.into_result().map_err(Refusal::InvalidQuery)?;
    let limit = query.limit.unwrap_or(USUAL).clamp(1, MOST) as usize;
    Ok(Wanted { project, behind, limit })
}
