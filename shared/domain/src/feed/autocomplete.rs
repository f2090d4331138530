//! Finds items while their key or title is being typed (specification section 4.1, rule 1).

use std::collections::HashSet;

use super::entry::FeedEntry;
use super::index::FeedIndex;
use super::text::Words;

/// Of the items that changed last, so many are looked at for common words.
const LOOKED_AT: usize = 4_000;

impl FeedIndex {
    /// At most `limit` items for what was typed so far.
    ///
    /// For nothing, or `#`: the items that changed last. Otherwise, in this order and each once:
    /// 1. the item of this number or key (`12`, `#12`, `PRJ-12`),
    /// 2. items whose number begins so, lowest first,
    /// 3. items whose title holds all the words, last changed first,
    /// 4. if it is the beginning of the project's key, every item, last changed first.
    pub fn autocomplete(&self, q: &str, limit: usize) -> Vec<&FeedEntry> {
        let q = q.trim();
        let typed = q.to_ascii_uppercase();
        let project = format!("{}-", self.project);
        let number = typed.strip_prefix('#').or_else(|| typed.strip_prefix(&project)).unwrap_or(&typed);
        let anything = typed == "#" || project.starts_with(&typed);
        let words = Words::of(q);

        let titles = Some(&words).filter(|words| !words.is_empty());
        let titled = titles.into_iter().flat_map(|words| self.titled(words));
        let recent = anything.then(|| self.orders.newest()).into_iter().flatten();
        let mut seen = HashSet::new();
        let found = self.numbered(number).chain(titled).chain(recent);
        self.entries_of(found.filter(|slot| seen.insert(*slot)).take(limit))
    }

    /// Slots of the numbers that begin with these digits: the number itself, then ever longer ones.
    fn numbered(&self, digits: &str) -> impl Iterator<Item = u32> {
        let plain = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        let number: Option<u64> = digits.parse().ok().filter(|_| plain);
        let ranges = std::iter::successors(number.map(|number| (number, number)), |(low, high)| {
            Some((low.checked_mul(10)?, high.saturating_mul(10).saturating_add(9)))
        });
        ranges.flat_map(|(low, high)| self.slots.range(low..=high).map(|(_, slot)| *slot))
    }

    /// Slots of the titles that hold all the words, last changed first; some may come twice.
    ///
    /// Common words are soon met among the items that changed last, and rare ones have small sets: neither way
    /// looks at many items, however many there are. Only common words that are seldom met together make
    /// their sets be compared.
    fn titled<'a>(&'a self, words: &'a Words) -> impl Iterator<Item = u32> {
        let is_titled = move |slot: &u32| words.occur_in(self.text.title(*slot));
        let sets = self.text.sets(words);
        let smallest = sets.as_ref().and_then(|sets| sets.first().copied());
        let looked_at = if self.orders.are_few(self.text.at_most(words)) { 0 } else { LOOKED_AT };
        let may_be = move |slot: &u32| smallest.is_none_or(|set| set.contains(*slot));
        let met = self.orders.newest().take(looked_at).filter(may_be).filter(is_titled);
        let rest = move || self.orders.by_change(self.text.candidates(words), &self.text).filter(is_titled);
        let found = sets.is_some().then(|| met.chain(std::iter::once_with(rest).flatten()));
        found.into_iter().flatten()
    }
}
