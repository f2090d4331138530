//! Actors and deletions, as the API names them.

use svc_api::identity::Actor;
use svc_domain::{deletion, ids};

/// A person or an agent.
pub fn actor(actor: &ids::Actor) -> Actor {
    Actor { id: actor.id.to_string(), name: actor.name.clone(), agent: actor.id.is_agent() }
}

/// Who deleted something, and until when it can be restored.
pub(crate) fn deletion(deletion: &deletion::Deletion) -> svc_api::deletion::Deletion {
    svc_api::deletion::Deletion {
        by: actor(&deletion.by),
        at: deletion.at,
        restorable_until: deletion.until(),
    }
}
