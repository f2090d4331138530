//! A schedule at play, and what the model says at its end.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::SignedDuration;
use svc_app::messages::Message;
use svc_app::notifications::{self, deliver, deliver_due};
use svc_app::tracker::comments::{self, NewComment};
use svc_app::{App, Caller, Result, check, outbox};
use svc_domain::comment::Comment;
use svc_domain::ids::CommentId;
use svc_domain::notification::Entry;
use svc_domain::notification::channel::Platform;
use svc_domain::notification::delivery::Pending;
use svc_storage::{Row, keys};
use svc_testkit::TestClock;

use super::homes::Homes;
use super::office::{Office, PLACES, token, tokens};
use super::{Act, COMMENTS, ITEMS, ROUND, ROUNDS, Step, number};
use crate::simulation::memory::{Memory, Messages};
use crate::simulation::stage::interleaved;

/// Schedules with a multiple of so many comments are checked row by row.
const CHECKED: usize = 6;

/// A copy of it on which a schedule plays.
pub(super) struct Scene<'a> {
    pub(super) homes: &'a Homes,
    pub(super) clock: Arc<TestClock>,
    pub(super) memory: Arc<Memory>,
    pub(super) queue: Arc<Messages>,
    pub(super) office: Arc<Office>,
    /// Comments so far, by item.
    pub(super) said: RefCell<Vec<usize>>,
    /// Comments that a place did not have to tell, because it was gone.
    pub(super) missed: RefCell<BTreeSet<(usize, usize)>>,
}

impl Scene<'_> {
    pub(super) async fn perform(&self, step: &Step, servers: &[App; 2]) {
        self.memory.fail_at(step.failure);
        let (one, other) = (step.server, 1 - step.server);
        let first = self.act(&step.act, &servers[one], one);
        match &step.meanwhile {
            None => first.await,
            Some((act, order)) => {
                let second = self.act(act, &servers[other], other);
                self.memory.race(true);
                interleaved(first, second, *order).await;
                self.memory.race(false);
            }
        }
        self.memory.fail_at(None);
        for place in (1..PLACES).filter(|place| self.office.is_gone(*place)) {
            self.miss(place);
        }
    }

    /// What was said until now need not arrive at a place.
    fn miss(&self, place: usize) {
        let said = self.said.borrow();
        let all = said.iter().enumerate().flat_map(|(item, said)| (0..*said).map(move |n| number(item, n)));
        self.missed.borrow_mut().extend(all.map(|token| (place, token)));
    }

    async fn act(&self, act: &Act, app: &App, server: usize) {
        self.office.begin(server);
        if self.tried(act, app).await.is_err() {
            self.office.died(server);
        }
    }

    async fn tried(&self, act: &Act, app: &App) -> Result<()> {
        match act {
            Act::Comment(item) => self.comment(app, *item).await,
            Act::Work(twice) => self.work(app, if *twice { 2 } else { 1 }).await,
            Act::Send(place) => deliver(app, self.homes.place(*place)).await.map(drop),
            Act::Tick => deliver_due(app).await,
            Act::Wait(seconds) => {
                self.clock.advance(SignedDuration::from_secs(*seconds));
                Ok(())
            }
            Act::Answer(place, weather) => {
                self.office.expect(*place, *weather);
                Ok(())
            }
            Act::Mend(place) => self.mend(app, *place).await,
        }
    }

    async fn comment(&self, app: &App, item: usize) -> Result<()> {
        let n = self.said.borrow()[item];
        if n == COMMENTS {
            return Ok(());
        }
        self.said.borrow_mut()[item] += 1;
        let body = token(number(item, n));
        let new = NewComment { body, reply_to: None, attachments: Vec::new() };
        let ben = Caller { credential: Some(&self.homes.his), org: &self.homes.org.slug };
        comments::create(app, ben, &self.homes.items[item], &new).await.map(drop)
    }

    async fn work(&self, app: &App, times: usize) -> Result<()> {
        let received = app.queue.receive(10, std::time::Duration::ZERO).await?;
        for message in received {
            let Ok(told) = serde_json::from_str::<Message>(&message.body) else { continue };
            for _ in 0..times {
                svc_workers::handle(app, &told).await?;
            }
            app.queue.ack(&message.receipt).await?;
        }
        Ok(())
    }

    async fn mend(&self, app: &App, place: usize) -> Result<()> {
        let hers = Some(&self.homes.hers);
        let wanted = if place == 1 { Platform::Chat2 } else { Platform::Chat3 };
        let channels = notifications::channels(app, hers).await?;
        let Some(channel) = channels.iter().map(|one| &one.channel).find(|one| one.platform == wanted) else {
            return Ok(());
        };
        notifications::test_channel(app, hers, channel.id).await?;
        if self.office.is_gone(place) {
            self.miss(place);
            self.office.mended(place);
        }
        Ok(())
    }

    /// Nothing fails any more, places take what comes, and more than a day passes.
    pub(super) async fn settle(&self, app: &App) -> std::result::Result<(), String> {
        self.office.clear_up();
        for _ in 0..ROUNDS {
            drop(outbox::sweep(app).await);
            self.act(&Act::Tick, app, 0).await;
            // What died comes again after a while.
            for _ in 0..2 {
                self.act(&Act::Work(false), app, 0).await;
                self.clock.advance(SignedDuration::from_mins(2));
            }
            if self.queue.is_empty() && self.memory.each("TOSEND#", |_| Some(())).is_empty() {
                break;
            }
            self.clock.advance(ROUND);
        }
        let unsent = |row: &Row| {
            let pending: Pending = row.read().ok()?;
            (!pending.is_sent()).then(|| format!("{} {}", row.key.pk, row.key.sk))
        };
        match self.memory.each("SEND#", unsent).into_iter().next() {
            Some(left) => Err(format!("{left} waits and is forgotten")),
            None => Ok(()),
        }
    }

    /// What the model says.
    pub(super) async fn judge(&self, app: &App) -> std::result::Result<(), String> {
        let written = self.written();
        let told = self.told(&written);
        if let Some(wrong) =
            written.values().find(|token| told.iter().filter(|one| one == token).count() != 1)
        {
            return Err(format!("comment {wrong} is not in the inbox once: {told:?}"));
        }
        let place_of = |token: &usize| told.iter().position(|one| one == token);
        for place in 0..PLACES {
            let counts = self.office.counts(place);
            for token in written.values() {
                let (arrived, may_repeat) = counts.get(token).copied().unwrap_or_default();
                let need_not =
                    self.office.was_refused(place, *token) || self.missed.borrow().contains(&(place, *token));
                if arrived == 0 && !need_not {
                    return Err(format!("comment {token} was never told at place {place}"));
                }
                if arrived > 1 + may_repeat {
                    return Err(format!("comment {token} was told {arrived} times at place {place}"));
                }
            }
            let mut last = [None; ITEMS];
            for together in self.office.order(place) {
                if let Some(late) = together.iter().find(|token| last[*token / COMMENTS] > place_of(token)) {
                    return Err(format!("comment {late} came late at place {place}"));
                }
                for token in &together {
                    let last = &mut last[token / COMMENTS];
                    *last = place_of(token).max(*last);
                }
            }
        }
        // Reading every row takes as long as the schedule.
        if !written.len().is_multiple_of(CHECKED) {
            return Ok(());
        }
        let report = check::run(app, None).await.map_err(|error| error.to_string())?;
        let ours = ["INBOX", "SEND", "TOSEND", "USER", "MAIL"];
        let mut found =
            report.findings.into_iter().filter(|found| ours.iter().any(|kind| found.kind.starts_with(kind)));
        found.next().map_or(Ok(()), |found| Err(format!("{}: {}", found.row, found.problem)))
    }

    /// The tokens of the comments that there are; the commit of others may have failed.
    fn written(&self) -> BTreeMap<CommentId, usize> {
        let token = |row: &Row| {
            let comment: Comment = row.key.sk.starts_with("COMMENT#").then(|| row.read().ok()).flatten()?;
            Some((comment.id, tokens(&comment.body).into_iter().next()?))
        };
        self.memory.each("ITEM#", token).into_iter().collect()
    }

    /// What Ada was told, item by item in the order in which workers heard of it. One that died lets others go first.
    fn told(&self, written: &BTreeMap<CommentId, usize>) -> Vec<usize> {
        let told = |row: &Row| {
            let entry: Entry = row.read().ok()?;
            let comments = entry.news.iter().filter_map(|news| written.get(&news.comment?).copied());
            Some(comments.collect::<Vec<_>>())
        };
        self.memory.each(&keys::inbox_pk(self.homes.ada), told).concat()
    }
}
