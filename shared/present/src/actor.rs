//! Whoever does something, as the API names them.

use svc_api::identity::Actor;
use svc_domain::ids;

/// A person or an agent.
pub fn actor(actor: &ids::Actor) -> Actor {
    Actor { id: actor.id.to_string(), name: actor.name.clone(), agent: actor.id.is_agent() }
}
