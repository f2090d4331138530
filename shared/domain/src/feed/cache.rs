//! Remembers what was found, so that a list asked again costs its page only.
//!
//! Holds answers about the feed as it is: whoever changes the feed clears it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::Date;

use super::request::{FilterContext, ListRequest, Sort};
use crate::filter::{ClaimChoice, Condition, Filter, PersonChoice};
use crate::ids::{ActorId, MilestoneId};
use crate::workflow::State;

/// Most answers kept; beyond it, the one unused for longest goes.
const MAX_ANSWERS: usize = 128;
/// Longest answer kept, in slots: 40 kB.
const MAX_SLOTS: usize = 10_000;

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
    states: Cow<'a, [State]>,
    stale_mark: Option<Timestamp>,
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
            states: Cow::Borrowed(&[]),
            stale_mark: None,
        };
        for term in filter.terms() {
            key.depend_on(&term.condition, &context, &stale_mark);
        }
        key
    }

    /// Takes in what of the context a condition mentions.
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
            }
            Condition::Claimed(choices) => {
                self.me = if choices.contains(&ClaimChoice::Me) { context.me } else { self.me };
                self.stale_mark = stale_mark(context.stale_before());
            }
            Condition::Due(_) | Condition::Created(_) | Condition::Updated(_) | Condition::Resolved(_) => {
                self.today = Some(context.today());
            }
            Condition::Watching => self.watched = Cow::Borrowed(context.watched),
            Condition::Text(_) => self.texts = Cow::Borrowed(context.texts),
            Condition::Type(_)
            | Condition::Priority(_)
            | Condition::Label(_)
            | Condition::Blocked(_)
            | Condition::Estimate(_)
            | Condition::Remaining(_)
            | Condition::Parent(_)
            | Condition::Has(_) => {}
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
}

impl Cache {
    pub(super) fn clear(&mut self) {
        self.answers.clear();
    }

    /// The total and the slots of a page, where they are known.
    pub(super) fn page(&mut self, key: &Key<'_>, page: Range<usize>) -> Option<(u64, Vec<u32>)> {
        self.uses += 1;
        let answer = self.answers.iter_mut().find(|answer| answer.key == *key)?;
        let complete = answer.slots.len() as u64 == answer.total;
        if answer.slots.len() < page.end && !complete {
            return None;
        }
        answer.last_used = self.uses;
        Some((answer.total, slice(&answer.slots, page).to_vec()))
    }

    /// Remembers the total and the first slots.
    pub(super) fn put(&mut self, key: Key<'_>, total: u64, slots: Vec<u32>) {
        if slots.len() > MAX_SLOTS {
            return;
        }
        self.answers.retain(|answer| answer.key != key);
        if self.answers.len() >= MAX_ANSWERS {
            let oldest = self.answers.iter().enumerate().min_by_key(|(_, answer)| answer.last_used);
            if let Some((at, _)) = oldest {
                self.answers.swap_remove(at);
            }
        }
        self.answers.push(Answer { key: key.into_owned(), total, slots, last_used: self.uses });
    }
}

/// The part of the slots that is on a page; empty beyond the last.
pub(super) fn slice(slots: &[u32], page: Range<usize>) -> &[u32] {
    let end = page.end.min(slots.len());
    &slots[page.start.min(end)..end]
}
