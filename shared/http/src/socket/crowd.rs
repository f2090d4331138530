//! Tracks connections, decides which one closes when there are too many, and counts the bytes that wait to be
//! read.
//!
//! Protocol.
//! 1. Silent connections never keep others out. If there are too many connections, of one network or in all, the one
//!    that has been idle for longest is closed to admit the new one. If none is idle, the oldest held response of the
//!    account that holds the most is closed: its client reconnects and resumes. Only if all connections are active is
//!    the new one closed. If there are too many in all, the closed one belongs to the network with the most
//!    connections.
//! 2. The bytes of a response count from the moment when it is made until they are freed: what its body gives at once
//!    is handed to the system piece by piece, and freed after the last.
//! 3. If a response makes these bytes too many, the connections that have had bytes waiting for longest are
//!    closed, except those that are receiving right now. If that does not help, a large response is not given.
//! 4. A connection that reads nothing for too long while bytes wait for it is closed.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::limits::Limits;

/// All connections of a server.
pub(super) struct Crowd {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    networks: HashMap<String, HashMap<u64, Arc<Guest>>>,
    count: usize,
    next: u64,
    unsent: usize,
}

/// One connection.
pub(super) struct Guest {
    number: u64,
    network: String,
    now: Mutex<Now>,
    /// Told when it is to be closed.
    pub(super) sent_away: Notify,
    /// Told when bytes were taken.
    pub(super) taken: Notify,
}

/// What a connection is at.
struct Now {
    /// Requests without their whole answer.
    requests: usize,
    /// Since when there is none.
    quiet_since: Instant,
    unsent: usize,
    /// Since when there is something to take.
    unsent_since: Instant,
    /// When something was last taken.
    progress: Instant,
    /// Answers that are held open.
    held: usize,
    /// For whom, and since when, the first of them.
    held_for: Option<(Arc<str>, Instant)>,
}

/// The connection of a request, among its extensions.
#[derive(Clone)]
pub(crate) struct Line(pub(super) Arc<Guest>);

impl Line {
    /// Notes until the result is dropped that the request's answer is held open for an account.
    pub(crate) fn hold(&self, account: &Arc<str>) -> Holding {
        self.0.holds(account, Instant::now());
        Holding(Arc::clone(&self.0))
    }
}

/// An answer that is held open.
pub(crate) struct Holding(Arc<Guest>);

impl Drop for Holding {
    fn drop(&mut self) {
        self.0.holds_less();
    }
}

impl Crowd {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { limits, state: Mutex::default() })
    }

    /// A connection from a network; `None` where each of the others is at work and none is held open.
    pub(super) fn admit(&self, network: String, now: Instant) -> Option<Arc<Guest>> {
        let mut state = self.state.lock();
        let of_network = state.networks.get(&network).map_or(0, HashMap::len);
        if of_network >= self.limits.of_network {
            state.close_one(&network)?;
        } else if state.count >= self.limits.connections {
            let largest = state.networks.iter().max_by_key(|(_, guests)| guests.len());
            let largest = largest.map(|(network, _)| network.clone())?;
            state.close_one(&largest)?;
        }
        state.next += 1;
        let guest = Arc::new(Guest::new(state.next, network.clone(), now));
        state.networks.entry(network).or_default().insert(guest.number, Arc::clone(&guest));
        state.count += 1;
        Some(guest)
    }

    /// A connection has ended.
    pub(super) fn leave(&self, guest: &Guest) {
        let mut state = self.state.lock();
        state.forget(guest);
        let left = std::mem::take(&mut guest.now.lock().unsent);
        state.unsent -= left;
    }

    /// Counts the bytes of an answer; `false` where there is no room for them and they are not few.
    pub(super) fn has_answer(&self, guest: &Guest, bytes: usize, few: bool, at: Instant) -> bool {
        let mut state = self.state.lock();
        while state.unsent + bytes > self.limits.unsent {
            if !state.close_slow(guest, at, self.limits.brisk) {
                if few {
                    break;
                }
                return false;
            }
        }
        state.unsent += bytes;
        let mut now = guest.now.lock();
        if now.unsent == 0 {
            (now.unsent_since, now.progress) = (at, at);
        }
        now.unsent += bytes;
        true
    }

    /// A piece of an answer was handed on, or none will be any more, which freed so many bytes.
    pub(super) fn took(&self, guest: &Guest, bytes: usize, at: Instant) {
        let mut state = self.state.lock();
        let mut now = guest.now.lock();
        // Those of a connection that was closed are counted no more.
        let bytes = bytes.min(now.unsent);
        now.unsent -= bytes;
        now.progress = at;
        state.unsent -= bytes;
        guest.taken.notify_waiters();
    }

    /// Whether a connection has more to take than it may be given.
    pub(super) fn is_laden(&self, guest: &Guest) -> bool {
        guest.now.lock().unsent > self.limits.unsent_of_one
    }

    /// Whether a connection has something to take and does not.
    pub(super) fn is_stalled(&self, guest: &Guest, at: Instant) -> bool {
        let now = guest.now.lock();
        now.unsent > 0 && at.duration_since(now.progress) > self.limits.stall
    }
}

impl State {
    fn forget(&mut self, guest: &Guest) {
        let Some(guests) = self.networks.get_mut(&guest.network) else { return };
        if guests.remove(&guest.number).is_some() {
            self.count -= 1;
        }
        if guests.is_empty() {
            self.networks.remove(&guest.network);
        }
    }

    /// Closes the connection of a network that is missed least.
    fn close_one(&mut self, network: &str) -> Option<()> {
        self.close_silent(network).or_else(|| self.close_held(network))
    }

    /// Closes the connection of a network that has been silent for longest.
    fn close_silent(&mut self, network: &str) -> Option<()> {
        let silent = self.networks.get(network)?.values().filter_map(|guest| {
            let now = guest.now.lock();
            (now.requests == 0).then(|| (now.quiet_since, Arc::clone(guest)))
        });
        let (_, guest) = silent.min_by_key(|(since, _)| *since)?;
        self.close(&guest);
        Some(())
    }

    /// Closes the oldest held answer of the account that holds the most in a network.
    fn close_held(&mut self, network: &str) -> Option<()> {
        let mut of_account: HashMap<Arc<str>, (usize, Instant, &Arc<Guest>)> = HashMap::new();
        for guest in self.networks.get(network)?.values() {
            let Some((account, since)) = guest.now.lock().held_for.clone() else { continue };
            let (count, oldest, whose) = of_account.entry(account).or_insert((0, since, guest));
            *count += 1;
            if since < *oldest {
                (*oldest, *whose) = (since, guest);
            }
        }
        let (_, _, guest) =
            of_account.into_values().max_by_key(|(count, since, _)| (*count, Reverse(*since)))?;
        let guest = Arc::clone(guest);
        self.close(&guest);
        Some(())
    }

    /// Closes the connection that has had bytes to take for longest; `false` where there is none.
    fn close_slow(&mut self, but: &Guest, at: Instant, brisk: Duration) -> bool {
        let slow = self.networks.values().flat_map(HashMap::values).filter_map(|guest| {
            let now = guest.now.lock();
            let is_brisk = at.duration_since(now.unsent_since) <= brisk;
            let slow = now.unsent > 0 && guest.number != but.number && !is_brisk;
            slow.then(|| (now.unsent_since, Arc::clone(guest)))
        });
        let Some((_, guest)) = slow.min_by_key(|(since, _)| *since) else { return false };
        self.close(&guest);
        true
    }

    fn close(&mut self, guest: &Guest) {
        self.forget(guest);
        self.unsent -= std::mem::take(&mut guest.now.lock().unsent);
        guest.sent_away.notify_one();
    }
}

impl Guest {
    fn new(number: u64, network: String, at: Instant) -> Self {
        let now = Now {
            requests: 0,
            quiet_since: at,
            unsent: 0,
            unsent_since: at,
            progress: at,
            held: 0,
            held_for: None,
        };
        Self { number, network, now: Mutex::new(now), sent_away: Notify::new(), taken: Notify::new() }
    }

    /// A request has come.
    pub(super) fn asks(&self) {
        self.now.lock().requests += 1;
    }

    /// A request has its whole answer, or will get none.
    pub(super) fn is_answered(&self, at: Instant) {
        let mut now = self.now.lock();
        now.requests -= 1;
        now.quiet_since = at;
    }

    /// An answer is held open for an account.
    fn holds(&self, account: &Arc<str>, at: Instant) {
        let mut now = self.now.lock();
        now.held += 1;
        now.held_for.get_or_insert_with(|| (Arc::clone(account), at));
    }

    /// One less is.
    fn holds_less(&self) {
        let mut now = self.now.lock();
        now.held -= 1;
        if now.held == 0 {
            now.held_for = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use futures::FutureExt as _;
    use tokio::time::Instant;

    use super::{Crowd, Guest};
    use crate::socket::limits::Limits;

    fn crowd() -> Arc<Crowd> {
        Crowd::new(Limits { connections: 4, of_network: 2, unsent: 100, ..Limits::default() })
    }

    fn was_closed(guest: &Guest) -> bool {
        guest.sent_away.notified().now_or_never().is_some()
    }

    /// A time for each call, in their order.
    fn times() -> impl FnMut() -> Instant {
        let mut now = Instant::now();
        move || {
            now += Duration::from_millis(1);
            now
        }
    }

    #[test]
    fn the_longest_silent_of_a_network_gives_way() {
        let (crowd, mut now) = (crowd(), times());
        let mut come = |network: &str| crowd.admit(network.to_owned(), now());
        let (first, second) = (come("a").unwrap(), come("a").unwrap());
        let other = come("b").unwrap();
        let third = come("a").unwrap();
        assert!(was_closed(&first) && !was_closed(&second) && !was_closed(&other));
        // A working connection stays.
        second.asks();
        let fourth = come("a").unwrap();
        assert!(was_closed(&third) && !was_closed(&second));
        fourth.asks();
        assert!(come("a").is_none(), "each is at work");
        second.is_answered(Instant::now());
        assert!(come("a").is_some());
        assert!(was_closed(&second));
    }

    /// 520 streams of one token kept everybody else of its network out.
    #[test]
    fn the_oldest_held_answer_of_who_holds_most_gives_way() {
        let (crowd, mut now) = (Crowd::new(Limits { of_network: 4, ..Limits::default() }), times());
        let mut come = |account: Option<&str>| {
            let guest = crowd.admit("a".to_owned(), now()).unwrap();
            guest.asks();
            if let Some(account) = account {
                guest.holds(&account.into(), now());
            }
            guest
        };
        let (modest, first) = (come(Some("modest")), come(Some("greedy")));
        let (second, busy) = (come(Some("greedy")), come(None));
        let owner = come(None);
        assert!(was_closed(&first) && !was_closed(&second) && !was_closed(&modest));
        assert!(!was_closed(&busy), "what is at work stays");
        second.holds_less();
        let other = come(None);
        assert!(was_closed(&modest) && !was_closed(&second), "it holds nothing any more");
        assert!(!was_closed(&owner) && !was_closed(&other));
        assert!(crowd.admit("a".to_owned(), now()).is_none(), "each is at work");
    }

    #[test]
    fn of_all_it_is_one_of_the_network_that_has_most() {
        let (crowd, mut now) = (crowd(), times());
        let mut come = |network: &str| crowd.admit(network.to_owned(), now());
        let first = come("b").unwrap();
        let (of_a, _) = (come("a").unwrap(), come("a").unwrap());
        let last = come("c").unwrap();
        assert!(come("d").is_some());
        assert!(was_closed(&of_a) && !was_closed(&first) && !was_closed(&last));
        crowd.leave(&of_a);
        crowd.leave(&first);
        assert!(come("e").is_some());
        assert!(!was_closed(&last), "there was room");
    }

    #[test]
    fn answers_that_nobody_takes_give_way_to_others() {
        let (crowd, begin) = (crowd(), Instant::now());
        let come = |network: &str| crowd.admit(network.to_owned(), begin).unwrap();
        let (idle, brisk, asks) = (come("a"), come("b"), come("c"));
        assert!(crowd.has_answer(&idle, 60, false, begin));
        let later = begin + Duration::from_secs(3);
        assert!(crowd.has_answer(&brisk, 30, false, later));
        assert!(crowd.has_answer(&asks, 50, false, later));
        assert!(was_closed(&idle) && !was_closed(&brisk));
        crowd.took(&idle, 60, later);
        crowd.leave(&idle);
        assert!(!crowd.has_answer(&asks, 30, false, later), "brisk ones are not closed");
        assert!(crowd.has_answer(&asks, 30, true, later), "a small one is given all the same");
        crowd.took(&asks, 80, later);
        crowd.took(&brisk, 30, later);
        assert!(crowd.has_answer(&asks, 100, false, later), "nothing is left over");
    }

    #[test]
    fn whoever_takes_nothing_for_long_is_stalled() {
        let (crowd, begin) = (crowd(), Instant::now());
        let guest = crowd.admit("a".to_owned(), begin).unwrap();
        let at = |seconds| begin + Duration::from_secs(seconds);
        assert!(!crowd.is_stalled(&guest, at(60)), "there is nothing to take");
        assert!(crowd.has_answer(&guest, 60, false, at(60)));
        assert!(!crowd.is_stalled(&guest, at(60)));
        assert!(crowd.is_stalled(&guest, at(81)));
        crowd.took(&guest, 1, at(81));
        assert!(!crowd.is_stalled(&guest, at(100)));
    }
}
