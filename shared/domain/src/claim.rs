//! The claim of an item: who works on it now (specification section 3.3).
//!
//! | state     | claim               | heartbeat            | release              |
//! |-----------|---------------------|----------------------|----------------------|
//! | unclaimed | claimed             | refused              | nothing to do        |
//! | mine      | refused             | fresh again          | unclaimed            |
//! | another's | refused             | refused              | refused              |
//! | stale     | claimed by caller   | mine only: fresh     | unclaimed by anyone  |
//!
//! Claiming what one holds already is refused like any claimed item: of many claims with one credential,
//! as a script or a team of agents makes them, exactly one succeeds.
//!
//! A claim is *stale* when its heartbeat is older than the setting (5 minutes unless set otherwise). While
//! a live run holds an item, only the run releases its claim; the caller of this module sees to that.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::Actor;
use crate::refusal::Refusal;

/// Who works on an item now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// The person or agent.
    pub holder: Actor,
    /// Since when.
    pub since: Timestamp,
    /// Last sign of life.
    pub heartbeat_at: Timestamp,
}

impl Claim {
    /// A claim that begins now.
    pub const fn begin(holder: Actor, now: Timestamp) -> Self {
        Self { holder, since: now, heartbeat_at: now }
    }

    /// Whether its heartbeat is too old: anyone may claim the item.
    pub fn is_stale(&self, now: Timestamp, stale_after: SignedDuration) -> bool {
        now.duration_since(self.heartbeat_at) > stale_after
    }
}

/// What a caller does to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Takes the item.
    Claim,
    /// Shows that they still work on it.
    Heartbeat,
    /// Lets it go.
    Release,
}

/// The claim after an event of `caller`.
///
/// # Errors
/// [`Refusal::ItemClaimed`] when another holds it, [`Refusal::NotClaimHolder`] when there is none to keep
/// fresh.
pub fn step(
    claim: Option<&Claim>,
    event: Event,
    caller: &Actor,
    now: Timestamp,
    stale_after: SignedDuration,
) -> Result<Option<Claim>, Refusal> {
    let Some(claim) = claim else {
        return match event {
            Event::Claim => Ok(Some(Claim::begin(caller.clone(), now))),
            Event::Heartbeat => Err(Refusal::NotClaimHolder),
            Event::Release => Ok(None),
        };
    };
    let mine = claim.holder.id == caller.id;
    let stale = claim.is_stale(now, stale_after);
    match event {
        Event::Heartbeat if mine => Ok(Some(Claim { heartbeat_at: now, ..claim.clone() })),
        Event::Claim if stale => Ok(Some(Claim::begin(caller.clone(), now))),
        Event::Release if mine || stale => Ok(None),
        Event::Heartbeat if stale => Err(Refusal::NotClaimHolder),
        Event::Claim | Event::Heartbeat | Event::Release => {
            Err(Refusal::ItemClaimed { holder: claim.holder.name.clone() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Claim, Event, step};
    use crate::ids::{Actor, ActorId, UserId};
    use jiff::{SignedDuration, Timestamp, ToSpan};
    use uuid::Uuid;

    const STALE: SignedDuration = SignedDuration::from_mins(5);

    fn actor(n: u128, name: &str) -> Actor {
        Actor { id: ActorId::User(UserId(Uuid::from_u128(n))), name: name.to_owned() }
    }

    #[test]
    fn every_state_times_every_event() {
        let now: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        let fresh = now - 1.minute();
        let old = now - 6.minutes();
        let (me, other) = (actor(1, "me"), actor(2, "other"));
        let states = [
            ("unclaimed", None),
            ("mine, fresh", Some(Claim::begin(me.clone(), fresh))),
            ("mine, stale", Some(Claim::begin(me.clone(), old))),
            ("another's, fresh", Some(Claim::begin(other.clone(), fresh))),
            ("another's, stale", Some(Claim::begin(other, old))),
        ];
        let mut table = String::new();
        for (name, state) in &states {
            for event in [Event::Claim, Event::Heartbeat, Event::Release] {
                let result = match step(state.as_ref(), event, &me, now, STALE) {
                    Ok(None) => "unclaimed".to_owned(),
                    Ok(Some(claim)) => format!(
                        "{} since {} heartbeat {}",
                        claim.holder.name, claim.since, claim.heartbeat_at
                    ),
                    Err(refusal) => format!("refused: {refusal}"),
                };
                table += &format!("{name:18} {:10} {result}\n", format!("{event:?}"));
            }
        }
        insta::assert_snapshot!(table);
    }
}
