//! What a list is asked for, and what it answers.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::entry::FeedEntry;
use super::text::Words;
use crate::filter::Filter;
use crate::ids::{ActorId, MilestoneId};
use crate::word::word_enum;
use crate::workflow::Workflow;

/// One page of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListRequest<'a> {
    /// Which items.
    pub filter: &'a Filter,
    /// What the filter's words refer to.
    pub context: FilterContext<'a>,
    /// Words that must each occur in the key, the title or a label, whatever their case and accents.
    pub q: Option<&'a str>,
    /// Numbers of items that answer `q` by what the feed does not know: their descriptions.
    pub described: &'a [u64],
    /// In which order.
    pub sort: Sort,
    /// One-based number of the page.
    pub page: u32,
    /// Entries per page.
    pub page_size: u32,
}

/// What a filter's words refer to.
#[derive(Clone, Copy, Debug)]
pub struct FilterContext<'a> {
    /// Who `@me` is; without it, `@me` matches nothing.
    pub me: Option<ActorId>,
    /// Ids of the `current` sprints, one per team that has an active one; without any, `current` matches
    /// nothing.
    pub current_sprints: &'a [String],
    /// The sprints that the filter names, each by id, under its name as the filter writes it.
    pub named_sprints: &'a [(String, String)],
    /// The milestones that the filter names, each by id, under its name as the filter writes it.
    pub named_milestones: &'a [(String, MilestoneId)],
    /// Numbers of the items that the caller watches.
    pub watched: &'a [u64],
    /// For each text that the filter looks for, numbers of items that have it where the feed does not know it: in
    /// their descriptions.
    pub texts: &'a [(String, Vec<u64>)],
    /// The states and their groups.
    pub workflow: &'a Workflow,
    /// Whether who asks sees the factory, and what is said there.
    pub factory: bool,
    /// Whose days the filter means.
    pub zone: &'a TimeZone,
    /// Age of its last heartbeat from which a claim is stale.
    pub claim_stale_after: SignedDuration,
    /// The time now.
    pub now: Timestamp,
}

impl ListRequest<'_> {
    /// The words, if there are any.
    pub(super) fn words(&self) -> Option<Words> {
        self.q.map(Words::of).filter(|words| !words.is_empty())
    }
}

impl FilterContext<'_> {
    /// Claims with a last heartbeat before this time are stale.
    pub(super) fn stale_before(&self) -> Timestamp {
        self.now.checked_sub(self.claim_stale_after).unwrap_or(Timestamp::MIN)
    }

    /// The day of the time now.
    pub(super) fn today(&self) -> Date {
        self.zone.to_datetime(self.now).date()
    }

    /// When a day begins; nothing where that cannot be said, at the end of all time.
    pub(super) fn start_of(&self, day: Date) -> Option<Timestamp> {
        Some(self.zone.to_ambiguous_zoned(day.into()).compatible().ok()?.timestamp())
    }
}

/// A page of entries.
#[derive(Clone, Debug, PartialEq)]
pub struct ListResult<'a> {
    /// How many items match, on all pages.
    pub total: u64,
    /// Those of the page, in order.
    pub entries: Vec<&'a FeedEntry>,
}

word_enum! {
    /// What a list is sorted by.
    SortKey {
        /// Time of the last change.
        Updated = "updated",
        /// Time of creation.
        Created = "created",
        /// Number of the item.
        Key = "key",
        /// Title, whatever its case and accents.
        Title = "title",
        /// Priority.
        Priority = "priority",
        /// Estimate; items without one come last in both directions.
        Estimate = "estimate",
        /// The order given by hand.
        Rank = "rank",
        /// Day by which it is due; items without one come last in both directions.
        Due = "due",
        /// When it was resolved; items that are not come last in both directions.
        Resolved = "resolved",
    }
}

/// The order of a list. Items that it does not tell apart are ordered by number, in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sort {
    /// By what.
    pub key: SortKey,
    /// Whether the highest comes first.
    pub descending: bool,
}

impl Default for Sort {
    /// Last changed first.
    fn default() -> Self {
        Self { key: SortKey::Updated, descending: true }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.descending { "-" } else { "" }, self.key)
    }
}

/// A list cannot be sorted so; the message tells how it can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a sort order. Sort by {keys}, with - in front for the highest first.", keys = sort_keys())]
pub struct UnknownSort(pub String);

fn sort_keys() -> String {
    SortKey::ALL.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Sort {
    type Err = UnknownSort;

    fn from_str(text: &str) -> Result<Self, UnknownSort> {
        let (descending, word) = text.strip_prefix('-').map_or((false, text), |word| (true, word));
        // Words of the API are exact, unlike those that people type in a filter.
        let key = SortKey::ALL.iter().copied().find(|key| key.as_str() == word);
        let key = key.ok_or_else(|| UnknownSort(text.chars().take(60).collect()))?;
        Ok(Self { key, descending })
    }
}
