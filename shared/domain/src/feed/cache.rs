//! Remembers what was found, so that a list asked again costs its page only, and after a change little more.
//!
//! Protocol.
//! 1. An answer is about the feed as it was after so many changes: a page of it is right while there were no more.
//! 2. Each change of a slot is noted. Of an answer from before, the hits are right for all slots but those that
//!    changed since: whoever asks again judges these, and orders the hits anew.
//! 3. Where the change of one item decides about others too (who has subtasks, who is called so), and where many
//!    slots changed, the answer is forgotten.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use roaring::RoaringBitmap;

use super::request::{FilterContext, ListRequest, Sort};
use crate::filter::{ClaimChoice, Condition, Filter, PersonChoice, Thing};
use crate::ids::{ActorId, MilestoneId};
use crate::workflow::State;

/// Most answers kept; beyond it, the one unused for longest goes.
const MAX_ANSWERS: usize = 128;
/// Longest answer kept, in slots: 40 kB.
const MAX_SLOTS: usize = 10_000;
/// Changes after which an answer is forgotten.
const MAX_CHANGES: usize = 256;
/// Most bytes of hits that are kept: those of fifty large answers about a million items.
const MAX_HITS: usize = 6 * 1024 * 1024;

/// What an answer depends on besides the feed: of the context, only what the filter mentions, so that
/// people who see the same share an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key<'a> {
    /// Hash of the filter, the words and the sort: most other keys differ in it.
    fingerprint: u64,
    filter: Cow<'a, Filter>,
    q: Cow<'a, str>,
    described: Cow<'a, [u64]>,
    sort: Sort,
    me: Option<ActorId>,
    current_sprints: Cow<'a, [String]>,
    named_sprints: Cow<'a, [(String, String)]>,
    named_milestones: Cow<'a, [(String, MilestoneId)]>,
    watched: Cow<'a, [u64]>,
    texts: Cow<'a, [(String, Vec<u64>)]>,
    today: Option<Date>,
    zone: Option<TimeZone>,
    factory: Option<bool>,
    states: Cow<'a, [State]>,
    stale_mark: Option<Timestamp>,
    /// Whether a change of one item can change whether others match.
    is_about_others: bool,
}

impl<'a> Key<'a> {
    /// Key of a request. `stale_mark` stands for the claims that are stale at its time.
    pub(super) fn of(request: &ListRequest<'a>, stale_mark: impl Fn(Timestamp) -> Option<Timestamp>) -> Self {
        let ListRequest { filter, context, sort, .. } = *request;
        let q = request.q.unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (filter, q, sort).hash(&mut hasher);
        let mut key = Self {
            fingerprint: hasher.finish(),
            filter: Cow::Borrowed(filter),
            q: Cow::Borrowed(q),
            described: Cow::Borrowed(request.described),
            sort,
            me: None,
            current_sprints: Cow::Borrowed(&[]),
            named_sprints: Cow::Borrowed(&[]),
            named_milestones: Cow::Borrowed(&[]),
            watched: Cow::Borrowed(&[]),
            texts: Cow::Borrowed(&[]),
            today: None,
            zone: None,
            factory: None,
            states: Cow::Borrowed(&[]),
            stale_mark: None,
            is_about_others: false,
        };
        for term in filter.terms() {
            key.depend_on(&term.condition, &context, &stale_mark);
        }
        key
    }

    /// Takes in what of the context a condition mentions, and whether it is about one item alone.
    fn depend_on(
        &mut self,
        condition: &Condition,
        context: &FilterContext<'a>,
        stale_mark: impl Fn(Timestamp) -> Option<Timestamp>,
    ) {
        match condition {
            Condition::State(_) => self.states = Cow::Borrowed(&context.workflow.states),
            Condition::Sprint(_) => {
                self.current_sprints = Cow::Borrowed(context.current_sprints);
                self.named_sprints = Cow::Borrowed(context.named_sprints);
            }
            Condition::Milestone(_) => self.named_milestones = Cow::Borrowed(context.named_milestones),
            Condition::Assignee(choices) | Condition::Creator(choices) => {
                self.me = if choices.contains(&PersonChoice::Me) { context.me } else { self.me };
                self.is_about_others |= choices.iter().any(|choice| matches!(choice, PersonChoice::Named(_)));
            }
            Condition::Claimed(choices) => {
                self.me = if choices.contains(&ClaimChoice::Me) { context.me } else { self.me };
                self.stale_mark = stale_mark(context.stale_before());
                self.is_about_others |= choices.iter().any(|choice| matches!(choice, ClaimChoice::Named(_)));
            }
            Condition::Due(_) => self.today = Some(context.today()),
            Condition::Created(_) | Condition::Updated(_) | Condition::Resolved(_) => {
                self.today = Some(context.today());
                self.zone = Some(context.zone.clone());
            }
            Condition::Commented(choices) => {
                self.me = if choices.contains(&PersonChoice::Me) { context.me } else { self.me };
                self.factory = Some(context.factory);
                self.is_about_others |= choices.iter().any(|choice| matches!(choice, PersonChoice::Named(_)));
            }
            Condition::Watching => self.watched = Cow::Borrowed(context.watched),
            Condition::Text(_) => self.texts = Cow::Borrowed(context.texts),
            Condition::Has(things) => self.is_about_others |= things.contains(&Thing::Subtasks),
            Condition::Type(_)
            | Condition::Priority(_)
            | Condition::Label(_)
            | Condition::Blocked(_)
            | Condition::Estimate(_)
            | Condition::Remaining(_)
            | Condition::Title(_)
            | Condition::Project(_)
            | Condition::Parent(_) => {}
        }
    }

    fn into_owned(self) -> Key<'static> {
        Key {
            filter: Cow::Owned(self.filter.into_owned()),
            q: Cow::Owned(self.q.into_owned()),
            described: Cow::Owned(self.described.into_owned()),
            current_sprints: Cow::Owned(self.current_sprints.into_owned()),
            named_sprints: Cow::Owned(self.named_sprints.into_owned()),
            named_milestones: Cow::Owned(self.named_milestones.into_owned()),
            watched: Cow::Owned(self.watched.into_owned()),
            texts: Cow::Owned(self.texts.into_owned()),
            states: Cow::Owned(self.states.into_owned()),
            ..self
        }
    }
}

#[derive(Debug)]
struct Answer {
    key: Key<'static>,
    /// The changes that there were before.
    changes: u64,
    hits: RoaringBitmap,
    /// Bytes of the hits.
    size: usize,
    total: u64,
    /// The hits in order, from the first on; all of them, or as many as were wanted so far.
    slots: Vec<u32>,
    last_used: u64,
}

/// The answers.
#[derive(Debug, Default)]
pub(super) struct Cache {
    answers: Vec<Answer>,
    /// Counts uses.
    uses: u64,
    /// Counts changes.
    changes: u64,
    /// The slots that changed last.
    changed: VecDeque<u32>,
}

impl Cache {
    /// Takes in that a slot changed.
    pub(super) fn note(&mut self, slot: u32) {
        self.changes += 1;
        if self.changed.len() >= MAX_CHANGES {
            self.changed.pop_front();
        }
        self.changed.push_back(slot);
        let last = self.changes;
        self.answers.retain(|answer| last - answer.changes <= MAX_CHANGES as u64);
    }

    /// The total and the slots of a page, where they are known.
    pub(super) fn page(&mut self, key: &Key<'_>, page: Range<usize>) -> Option<(u64, Vec<u32>)> {
        self.uses += 1;
        let changes = self.changes;
        let known = |answer: &&mut Answer| answer.changes == changes && answer.key == *key;
        let answer = self.answers.iter_mut().find(known)?;
        let complete = answer.slots.len() as u64 == answer.total;
        if answer.slots.len() < page.end && !complete {
            return None;
        }
        answer.last_used = self.uses;
        Some((answer.total, slice(&answer.slots, page).to_vec()))
    }

    /// Takes out the hits, which are right for all slots but those that changed since, which come with them.
    pub(super) fn take(&mut self, key: &Key<'_>) -> Option<(RoaringBitmap, Vec<u32>)> {
        let at = self.answers.iter().position(|answer| answer.key == *key)?;
        let answer = self.answers.swap_remove(at);
        let since = usize::try_from(self.changes - answer.changes).unwrap_or(usize::MAX);
        let changed = self.changed.iter().rev().take(since).copied().collect();
        let is_right = since == 0 || !answer.key.is_about_others;
        is_right.then_some((answer.hits, changed))
    }

    /// Remembers the hits and the first of their slots.
    pub(super) fn put(&mut self, key: Key<'_>, hits: RoaringBitmap, slots: Vec<u32>) {
        if slots.len() > MAX_SLOTS {
            return;
        }
        self.answers.retain(|answer| answer.key != key);
        let (size, total) = (hits.serialized_size(), hits.len());
        let kept = |cache: &Self| cache.answers.iter().map(|answer| answer.size).sum::<usize>() + size;
        while self.answers.len() >= MAX_ANSWERS || kept(self) > MAX_HITS {
            let oldest = self.answers.iter().enumerate().min_by_key(|(_, answer)| answer.last_used);
            let Some((at, _)) = oldest else { break };
            self.answers.swap_remove(at);
        }
        let (key, changes, last_used) = (key.into_owned(), self.changes, self.uses);
        self.answers.push(Answer { key, changes, hits, size, total, slots, last_used });
    }
}

/// The part of the slots that is on a page; empty beyond the last.
pub(super) fn slice(slots: &[u32], page: Range<usize>) -> &[u32] {
    let end = page.end.min(slots.len());
    &slots[page.start.min(end)..end]
}
