//! What the bytes of a feed's [snapshot](super::snapshot) hold: entries and people by their places.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::{Actor, ActorId, AgentId, UserId};
use crate::item::Commenter;
use crate::pull_request::standing::Standing;
use crate::run::{LastRun, RunStatus};

/// Place of a text or of a person.
pub(super) type Place = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct PackedActor<'a> {
    pub(super) agent: bool,
    pub(super) id: [u8; 16],
    pub(super) name: &'a str,
}

/// Seconds of the Unix epoch, and nanoseconds of the same sign.
pub(super) type Time = (i64, i32);

#[derive(Serialize, Deserialize)]
pub(super) struct PackedEntry<'a> {
    pub(super) number: u64,
    pub(super) version: u64,
    pub(super) item_type: Place,
    pub(super) title: &'a str,
    pub(super) state: Place,
    pub(super) priority: Place,
    pub(super) labels: Vec<Place>,
    pub(super) estimate: Option<f64>,
    pub(super) remaining: Option<f64>,
    pub(super) assignee: Option<Place>,
    pub(super) parent: Option<Place>,
    pub(super) sprint: Option<Place>,
    pub(super) milestone: Option<[u8; 16]>,
    pub(super) rank: Option<&'a str>,
    pub(super) blocked: bool,
    /// Year, month and day.
    pub(super) due: Option<(i16, i8, i8)>,
    pub(super) resolved_at: Option<Time>,
    pub(super) started_at: Option<Time>,
    /// Holder, beginning, last heartbeat.
    pub(super) claim: Option<(Place, Time, Time)>,
    pub(super) live_run: Option<[u8; 16]>,
    #[serde(borrow)]
    pub(super) last_run: Option<PackedRun<'a>>,
    #[serde(borrow)]
    pub(super) link_urls: Vec<&'a str>,
    pub(super) standings: Vec<Option<Standing>>,
    pub(super) linked_items: bool,
    pub(super) commenters: Vec<PackedCommenter>,
    /// Comments, attachments, changes of both.
    pub(super) counts: Option<(u32, u32, u32)>,
    pub(super) created_by: Place,
    pub(super) created_at: Time,
    pub(super) updated_at: Time,
}

/// Whether it is an agent, id, comments that everybody sees, whether any is in the factory.
pub(super) type PackedCommenter = (bool, [u8; 16], u32, bool);

/// The last run of an item: id, how it ended, agent, beginning, end, pull request.
pub(super) type PackedRun<'a> = ([u8; 16], RunStatus, Place, Option<Time>, Time, Option<&'a str>);

pub(super) fn packed_run<'a>(last: &'a LastRun, mut person: impl FnMut(&'a Actor) -> Place) -> PackedRun<'a> {
    let LastRun { id, status, agent, started_at, ended_at, pull_request } = last;
    let (began, ended) = (started_at.map(packed_time), packed_time(*ended_at));
    (id.0.into_bytes(), *status, person(agent), began, ended, pull_request.as_deref())
}

pub(super) fn packed_actor(actor: &Actor) -> PackedActor<'_> {
    PackedActor { agent: actor.id.is_agent(), id: packed_id(actor.id), name: &actor.name }
}

pub(super) fn packed_commenter(commenter: &Commenter) -> PackedCommenter {
    let Commenter { by, comments, factory } = commenter;
    (by.is_agent(), packed_id(*by), *comments, *factory)
}

pub(super) const fn packed_id(id: ActorId) -> [u8; 16] {
    match id {
        ActorId::User(id) => id.0.into_bytes(),
        ActorId::Agent(id) => id.0.into_bytes(),
    }
}

pub(super) fn packed_time(time: Timestamp) -> Time {
    (time.as_second(), time.subsec_nanosecond())
}

pub(super) fn actor(packed: &PackedActor<'_>) -> Actor {
    Actor { id: id(packed.agent, packed.id), name: packed.name.to_owned() }
}

pub(super) fn commenter((agent, by, comments, factory): PackedCommenter) -> Commenter {
    Commenter { by: id(agent, by), comments, factory }
}

pub(super) fn id(agent: bool, packed: [u8; 16]) -> ActorId {
    let id = Uuid::from_bytes(packed);
    if agent { ActorId::Agent(AgentId(id)) } else { ActorId::User(UserId(id)) }
}
