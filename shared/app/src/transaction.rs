//! The unit of writing: operations, and the domain events that say what they mean.
//!
//! A use case puts into a transaction the rows that are its own, and tells what happened. What follows from the
//! events ([`crate::derive`]) and the row of the request's idempotency key are added by [`App::commit`], in the
//! same atomic commit.

use std::sync::Arc;

use jiff::Timestamp;
use svc_domain::event::{Event, Occurrence};
use svc_domain::ids::{Actor, OrgId};
use svc_domain::item::Item;
use svc_storage::Op;

use crate::App;
use crate::entry::{BearerCredential, Entry};
use crate::feed_clock::{FeedClock, Place};
use crate::idempotency::Reservation;
use crate::tracker::ItemChange;

/// A transaction on its way to [`App::commit`].
#[derive(Debug)]
#[must_use = "a transaction does nothing until it is committed"]
pub struct Transaction {
    org: Option<OrgId>,
    by: Option<Actor>,
    via: Option<String>,
    at: Timestamp,
    feed_clock: Arc<FeedClock>,
    /// The places of its items in their feeds.
    pub(crate) places: Vec<Place>,
    pub(crate) reservation: Option<Arc<Reservation>>,
    /// Whether its organization may have webhooks.
    pub(crate) has_webhooks: bool,
    pub(crate) ops: Vec<Op>,
    pub(crate) occurrences: Vec<Occurrence>,
}

impl Transaction {
    fn new(app: &App, org: Option<OrgId>, by: Option<Actor>) -> Self {
        Self {
            org,
            by,
            via: None,
            at: app.now(),
            feed_clock: Arc::clone(&app.feed_clock),
            places: Vec::new(),
            reservation: None,
            has_webhooks: true,
            ops: Vec::new(),
            occurrences: Vec::new(),
        }
    }

    /// The work that a caller asks for in an organization. Carries the request's idempotency key.
    pub fn of(app: &App, entry: &Entry) -> Self {
        let new = Self::new(app, Some(entry.org_id()), Some(entry.actor().clone()));
        if let (Some(reservation), Some(project)) = (&entry.reservation, &entry.project) {
            reservation.enter(&project.key);
        }
        Self { reservation: entry.reservation.clone(), has_webhooks: entry.org.has_webhooks, ..new }
    }

    /// The work that a caller asks for in no organization. Carries the request's idempotency key.
    pub fn of_account(app: &App, caller: Option<&BearerCredential>) -> Self {
        let reservation = caller.and_then(|caller| caller.reservation.clone());
        Self { reservation, ..Self::new(app, None, None) }
    }

    /// Work that goes on for somebody after their request.
    pub fn on_behalf(app: &App, org: OrgId, by: &Actor) -> Self {
        Self::new(app, Some(org), Some(by.clone()))
    }

    /// Work in an organization that nobody asked for.
    pub fn by_itself(app: &App, org: OrgId) -> Self {
        Self::new(app, Some(org), None)
    }

    /// The time at which all that it does happens.
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// Bookkeeping: rows of the service's own, which are no event.
    pub fn bookkeeping(app: &App) -> Self {
        Self::new(app, None, None)
    }

    /// The same, in this organization.
    pub fn within(self, org: OrgId) -> Self {
        Self { org: Some(org), ..self }
    }

    /// The same, by this actor.
    pub fn signed(self, by: Actor) -> Self {
        Self { by: Some(by), ..self }
    }

    /// The same, done by this in the actor's name, or by itself; of what is told after it.
    pub fn via(self, what: &str) -> Self {
        Self { via: Some(what.to_owned()), ..self }
    }

    /// The same, with more operations. Their order stays, and those of events come after them.
    pub fn with(mut self, ops: impl IntoIterator<Item = Op>) -> Self {
        self.ops.extend(ops);
        self
    }

    /// The same, in which something more happens.
    pub fn telling(mut self, event: impl Into<Event>) -> Self {
        self.tell(event);
        self
    }

    /// Adds operations.
    pub fn write(&mut self, ops: impl IntoIterator<Item = Op>) {
        self.ops.extend(ops);
    }

    /// Tells what happens.
    pub fn tell(&mut self, event: impl Into<Event>) {
        let by = self.by.clone();
        self.tell_by(by, event.into());
    }

    /// Tells what somebody else than the transaction's actor does in it, such as the agent of a run.
    pub fn tell_as(&mut self, by: &Actor, event: impl Into<Event>) {
        self.tell_by(Some(by.clone()), event.into());
    }

    /// Tells what somebody does in another organization than the transaction's; nobody, where it was done on the
    /// machine of the instance.
    pub fn tell_in(&mut self, org: OrgId, by: Option<&Actor>, event: impl Into<Event>) {
        let event = event.into();
        let via = self.via.clone();
        self.occurrences.push(Occurrence { org: Some(org), by: by.cloned(), via, at: self.at, event });
    }

    fn tell_by(&mut self, by: Option<Actor>, event: Event) {
        self.occurrences.push(Occurrence { org: self.org, by, via: self.via.clone(), at: self.at, event });
    }

    /// Writes an item, with what is told of it; answers the item as it is written.
    pub fn save(&mut self, change: ItemChange) -> Item {
        let saved = change.saved(self.at, &self.feed_clock);
        self.places.push(saved.place);
        self.ops.push(saved.op);
        let item = saved.item.after.clone();
        self.tell(Event::ItemSaved(Box::new(saved.item)));
        for (by, event) in saved.events {
            let by = by.or_else(|| self.by.clone());
            self.tell_by(by, event);
        }
        item
    }

    /// The operations, to be changed before the commit.
    pub(crate) fn ops_mut(&mut self) -> &mut [Op] {
        &mut self.ops
    }

    /// Whether there is nothing to write.
    pub(crate) const fn is_empty(&self) -> bool {
        self.ops.is_empty() && self.occurrences.is_empty()
    }
}
