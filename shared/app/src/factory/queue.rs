//! How a runner waits for a run that it may take.
//!
//! All waiting runners of this process share one read of the queue ([`crate::queue_views`]).

use std::sync::Arc;
use std::time::Duration;

use svc_domain::ids::OrgId;
use svc_storage::{Query, Range, Row, keys};
use tokio::time::{Instant, sleep_until};

use super::change::QueueEntry;
use super::runners::gone;
use super::waiting;
use crate::App;
use crate::error::Result;
use crate::notifier::QueueSignal;
use crate::queue_views::{Asker, Due, QueueView, Queued, Ticket, Tried};

/// Rows of the queue read at once.
const LOOK: usize = 200;

/// The place of a request before the queue of its organization.
pub(super) struct Seat<'a> {
    app: &'a App,
    org: OrgId,
    signal: Arc<QueueSignal>,
    view: Arc<QueueView>,
    ticket: Ticket,
    /// Until when it waits; `None` for who does not wait.
    until: Option<Instant>,
}

impl<'a> Seat<'a> {
    /// Joins those who wait.
    pub(super) fn join(app: &'a App, org: OrgId, asker: Asker, wait: Duration) -> Self {
        let (signal, view) = (app.notifier.runners_of(org), app.queue_views.of(org));
        let at_once = asker.at_once;
        let ticket = view.join(asker, signal.count());
        let until = (!at_once).then(|| Instant::now() + wait);
        Self { app, org, signal, view, ticket, until }
    }

    /// The next run to try; `None` when there is none, and the time is over.
    pub(super) async fn next(&self) -> Result<Option<Queued>> {
        loop {
            if let Some(queued) = self.ticket.offered() {
                return Ok(Some(queued));
            }
            if self.is_over() {
                return Ok(None);
            }
            tokio::select! {
                biased;
                () = self.ticket.woken() => {}
                _turn = self.view.turn() => self.read_for_all().await?,
                () = self.end() => {}
            }
        }
    }

    /// Leaves with the run that was offered.
    pub(super) fn took(&self) {
        self.ticket.took();
    }

    /// Says what became of the run that was offered.
    pub(super) fn tried(&self, what: Tried) {
        self.ticket.tried(what);
    }

    fn is_over(&self) -> bool {
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        late || self.ticket.is_answered() || (self.until.is_some() && self.app.notifier.is_closing())
    }

    async fn end(&self) {
        match self.until {
            Some(until) => sleep_until(until).await,
            None => std::future::pending().await,
        }
    }

    /// Reads the queue for all who wait, until this one is offered a run or its time is over.
    async fn read_for_all(&self) -> Result<()> {
        let (view, signal) = (&self.view, &self.signal);
        loop {
            let notified = signal.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            let signals = signal.count();
            if self.ticket.offered().is_some() || self.is_over() {
                return Ok(());
            }
            match view.due(signals) {
                Due::Read(number) => {
                    let (page, rest) = self.page(self.beginning()).await?;
                    view.read(number, signals, page, rest);
                }
                Due::More(query) => {
                    let (page, rest) = self.page(query).await?;
                    view.read_on(page, rest);
                }
                Due::Vet(runs) => {
                    let stuck = waiting::stuck(self.app, self.org, &runs).await?;
                    view.vetted(&runs, &stuck);
                }
                Due::Nothing(until) => tokio::select! {
                    biased;
                    () = self.ticket.woken() => {}
                    () = notified => {}
                    () = view.work() => {}
                    () = self.end() => {}
                    () = sleep_until(until) => {}
                },
            }
        }
    }

    /// Reads what may be taken by now.
    fn beginning(&self) -> Query {
        let until = format!("{}~", keys::sortable(self.app.now().as_millisecond()));
        Query::new(keys::queue_pk(self.org), Range::Between("0".to_owned(), until), LOOK)
    }

    /// A page of the queue, and the query for the next one.
    async fn page(&self, query: Query) -> Result<(Vec<Queued>, Option<Query>)> {
        let page = self.app.table.query(&query).await?;
        let entries = page.rows.iter().map(Row::read).collect::<Result<Vec<QueueEntry>, _>>()?;
        let chosen = entries.iter().filter_map(|entry| entry.chosen_runner);
        let gone = gone(self.app, self.org, chosen).await?;
        let queued = entries.into_iter().map(|entry| Queued {
            run: entry.run,
            harness: entry.harness,
            chosen: entry.chosen_runner,
            chosen_is_gone: entry.chosen_runner.is_some_and(|id| gone.contains(&id)),
        });
        let rest = page.cursor.map(|cursor| query.resume(Some(cursor)));
        Ok((queued.collect(), rest))
    }
}
