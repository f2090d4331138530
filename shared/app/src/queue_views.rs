//! A view of an organization's queue that all waiting runners of this process share, so that many runners cost the
//! store no more than one.
//!
//! Protocol.
//! 1. Each request for work joins the view of its organization; the view lives as long as a request is in it.
//! 2. One of them has the turn to read. It does what [`QueueView::due`] says: reads the queue at each signal and
//!    once a second, no further than needed, and asks which runs cannot begin once one of them could not.
//! 3. Runs are offered oldest first, each to one runner at a time: the one that came first of those that may take it. Only
//!    that one goes to the store; the others sleep. A run that could not begin is offered again after the next read.
//! 4. Nothing here is true for longer than it takes to read it: a runner that is offered a run reads it again and commits
//!    conditionally. A view that is wrong delays a run until the next read.

mod places;

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;
use svc_domain::ids::{OrgId, RunId};
use svc_storage::Query;
use tokio::sync::{MutexGuard, Notify};
use tokio::time::Instant;

use crate::weak_map::WeakMap;
pub(crate) use places::{Asker, Due, Queued, Tried};
use places::{Read, Seen};

/// The queues that requests of this process wait for.
#[derive(Default)]
pub struct QueueViews(WeakMap<OrgId, QueueView>);

impl QueueViews {
    /// The view of an organization's queue.
    pub(crate) fn of(&self, org: OrgId) -> Arc<QueueView> {
        self.0.get(org, QueueView::default)
    }
}

/// An organization's queue as it was read a moment ago.
#[derive(Default)]
pub(crate) struct QueueView {
    seen: Mutex<Seen>,
    turn: tokio::sync::Mutex<()>,
    /// Notified when there may be something to do for the holder of the turn.
    work: Notify,
}

/// A request in a view, which it leaves when it is dropped.
pub(crate) struct Ticket {
    view: Arc<QueueView>,
    number: u64,
    wake: Arc<Notify>,
}

impl QueueView {
    /// Joins the view, knowing how many signals there were.
    pub(crate) fn join(self: &Arc<Self>, asker: Asker, signals: u64) -> Ticket {
        let wake = Arc::new(Notify::new());
        let number = self.seen.lock().join(asker, Arc::clone(&wake), signals);
        self.work.notify_one();
        Ticket { view: Arc::clone(self), number, wake }
    }

    /// Waits for the turn to read for all.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Waits until there may be something to do for the holder of the turn.
    pub(crate) async fn work(&self) {
        self.work.notified().await;
    }

    /// What the holder of the turn does now, after so many signals.
    pub(crate) fn due(&self, signals: u64) -> Due {
        self.seen.lock().due(signals)
    }

    /// The first page of a read, which began after so many signals.
    pub(crate) fn read(&self, number: u64, signals: u64, page: Vec<Queued>, rest: Option<Query>) {
        let mut seen = self.seen.lock();
        seen.begin(Read { number, at: Instant::now(), signals });
        seen.add(page, rest);
    }

    /// The next page of the read.
    pub(crate) fn read_on(&self, page: Vec<Queued>, rest: Option<Query>) {
        self.seen.lock().add(page, rest);
    }

    /// Of the runs that were asked about, some cannot begin.
    pub(crate) fn vetted(&self, asked: &[RunId], stuck: &BTreeSet<RunId>) {
        self.seen.lock().vetted(asked, stuck);
    }
}

impl Ticket {
    /// The run that it is offered.
    pub(crate) fn offered(&self) -> Option<Queued> {
        self.view.seen.lock().of(self.number).and_then(|asking| asking.offered.clone())
    }

    /// Whether there is nothing more for it: it does not wait, or its request has got a run already.
    pub(crate) fn is_answered(&self) -> bool {
        self.view.seen.lock().of(self.number).is_none_or(|asking| asking.answered)
    }

    /// Waits until it is offered a run, or answered.
    pub(crate) async fn woken(&self) {
        self.wake.notified().await;
    }

    /// Leaves the view with the run that it was offered.
    pub(crate) fn took(&self) {
        self.view.seen.lock().took(self.number);
        self.view.work.notify_one();
    }

    /// Says what became of the run that it was offered; it may be offered another.
    pub(crate) fn tried(&self, what: Tried) {
        let mut seen = self.view.seen.lock();
        let Some(offered) = seen.of(self.number).and_then(|asking| asking.offered.take()) else { return };
        seen.tried(offered.run, what);
        seen.hand_out();
        drop(seen);
        self.view.work.notify_one();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut seen = self.view.seen.lock();
        if let Some(offered) = seen.leave(self.number) {
            seen.set_free(offered.run);
            seen.hand_out();
            drop(seen);
            self.view.work.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use svc_domain::harness::Harness;
    use svc_domain::ids::{OrgId, RunId, RunnerId};
    use svc_storage::{Query, Range};
    use uuid::Uuid;

    use super::{Asker, Due, QueueView, QueueViews, Queued, Ticket, Tried};

    fn view() -> Arc<QueueView> {
        QueueViews::default().of(OrgId(Uuid::nil()))
    }

    fn run(number: u128) -> RunId {
        RunId(Uuid::from_u128(number))
    }

    fn queued(number: u128) -> Queued {
        Queued { run: run(number), harness: Harness::ALL[0], chosen: None, chosen_is_gone: false }
    }

    fn chosen(number: u128, runner: u128, gone: bool) -> Queued {
        Queued { chosen: Some(RunnerId(Uuid::from_u128(runner))), chosen_is_gone: gone, ..queued(number) }
    }

    fn join(view: &Arc<QueueView>, runner: u128, at_once: bool) -> Ticket {
        let runner = RunnerId(Uuid::from_u128(runner));
        view.join(Asker { runner, harnesses: vec![Harness::ALL[0]], request: "one".to_owned(), at_once }, 0)
    }

    fn read(view: &QueueView, signals: u64, page: Vec<Queued>, rest: Option<Query>) {
        let Due::Read(number) = view.due(signals) else { panic!("the queue is to be read") };
        view.read(number, signals, page, rest);
    }

    fn offered(ticket: &Ticket) -> Option<RunId> {
        ticket.offered().map(|queued| queued.run)
    }

    #[test]
    fn each_run_is_offered_to_one_and_to_another_when_that_one_leaves() {
        let view = view();
        let (first, second, third) = (join(&view, 1, false), join(&view, 2, false), join(&view, 3, false));
        read(&view, 0, vec![queued(1), queued(2)], None);
        assert_eq!([&first, &second, &third].map(offered), [Some(run(1)), Some(run(2)), None]);
        drop(first);
        assert_eq!(offered(&third), Some(run(1)));
        third.took();
        assert_eq!(offered(&third), None, "it has left");
        read(&view, 1, vec![queued(2), queued(3)], None);
        assert_eq!(offered(&second), Some(run(2)), "it is at it");
        let other = Asker {
            runner: RunnerId(Uuid::nil()),
            harnesses: vec![],
            request: String::new(),
            at_once: false,
        };
        let last = view.join(other, 1);
        assert_eq!(offered(&last), None, "another harness");
    }

    #[test]
    fn who_repeats_a_request_does_not_wait_when_its_first_call_got_a_run() {
        let view = view();
        let (first, again, other) = (join(&view, 1, false), join(&view, 1, false), join(&view, 2, false));
        read(&view, 0, vec![queued(1)], None);
        assert_eq!(offered(&first), Some(run(1)));
        first.took();
        assert!(again.is_answered() && !other.is_answered());
    }

    #[test]
    fn a_chosen_runner_gets_its_run_and_anyone_that_of_one_that_is_gone() {
        let view = view();
        let (first, second) = (join(&view, 1, false), join(&view, 2, false));
        read(&view, 0, vec![chosen(1, 7, false), chosen(2, 2, false), chosen(3, 7, true)], None);
        assert_eq!([&first, &second].map(offered), [Some(run(3)), Some(run(2))]);
    }

    #[test]
    fn a_run_that_meets_other_commits_is_offered_again_and_then_with_the_next_read() {
        let view = view();
        let only = join(&view, 1, false);
        read(&view, 0, vec![queued(1)], None);
        for _ in 0..3 {
            assert_eq!(offered(&only), Some(run(1)));
            only.tried(Tried::Conflict);
        }
        assert_eq!(offered(&only), None);
        assert!(matches!(view.due(0), Due::Nothing(_)));
        read(&view, 1, vec![queued(1)], None);
        assert_eq!(offered(&only), Some(run(1)));
    }

    #[test]
    fn who_does_not_wait_is_answered_by_a_read_that_began_after_it_came() {
        let view = view();
        let waits = join(&view, 1, false);
        let Due::Read(number) = view.due(0) else { panic!("the queue is to be read") };
        let at_once = join(&view, 2, true);
        view.read(number, 0, vec![], None);
        assert!(!at_once.is_answered(), "what was queued meanwhile may not be in it");
        read(&view, 0, vec![queued(1)], None);
        assert!(at_once.is_answered() && offered(&waits) == Some(run(1)));
    }

    #[test]
    fn the_queue_is_read_no_further_than_somebody_needs() {
        let view = view();
        let first = join(&view, 1, false);
        let rest = Query::new("QUEUE", Range::All, 1);
        read(&view, 0, vec![queued(1)], Some(rest));
        assert!(matches!(view.due(0), Due::Nothing(_)));
        let second = join(&view, 2, false);
        assert!(matches!(view.due(1), Due::More(_)), "although a signal came");
        view.read_on(vec![queued(2)], None);
        assert_eq!([&first, &second].map(offered), [Some(run(1)), Some(run(2))]);
    }

    #[test]
    fn once_a_run_could_not_begin_the_others_are_asked_about_together() {
        let view = view();
        let only = join(&view, 1, false);
        read(&view, 0, (1..=4).map(queued).collect(), None);
        only.tried(Tried::Stuck);
        assert_eq!(offered(&only), None);
        for round in 0..2 {
            let Due::Vet(asked) = view.due(round) else { panic!("runs are to be asked about") };
            let stuck: BTreeSet<RunId> = asked.iter().copied().filter(|id| *id != run(4)).collect();
            view.vetted(&asked, &stuck);
            assert_eq!(offered(&only), Some(run(4)));
            only.tried(Tried::Gone);
            read(&view, round + 1, (1..=4).map(queued).collect(), None);
        }
        let Due::Vet(asked) = view.due(2) else { panic!("runs are to be asked about") };
        view.vetted(&asked, &BTreeSet::new());
        only.tried(Tried::Gone);
        read(&view, 3, vec![queued(9)], None);
        assert_eq!(only.offered().map(|queued| queued.run), Some(run(2)), "it is at another one");
        only.tried(Tried::Gone);
        assert_eq!(offered(&only), Some(run(9)), "nothing was stuck any more, and nothing is asked about");
    }

    #[test]
    fn a_run_that_was_taken_while_the_queue_was_read_is_not_offered_again() {
        let view = view();
        let (first, second) = (join(&view, 1, false), join(&view, 2, false));
        read(&view, 0, vec![queued(1)], None);
        let Due::Read(number) = view.due(1) else { panic!("the queue is to be read") };
        first.took();
        view.read(number, 1, vec![queued(1)], None);
        assert_eq!(offered(&second), None);
    }
}
