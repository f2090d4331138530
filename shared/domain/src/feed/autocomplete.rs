//! Finds items while their key or title is being typed (specification section 4.1, rule 1).

use std::collections::HashSet;

use super::entry::FeedEntry;
use super::index::FeedIndex;
use super::text::Words;

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
        let all = Some(&self.facets.all).filter(|_| anything);
        let recent = all.into_iter().flat_map(|all| self.orders.by_change(all.clone(), &self.text));
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

    /// Slots of the titles that hold all the words, last changed first.
    fn titled(&self, words: &Words) -> impl Iterator<Item = u32> {
        let candidates = self.text.candidates(words, self.facets.all.clone());
        self.orders.by_change(candidates, &self.text).filter(|slot| words.occur_in(self.text.title(*slot)))
    }
}
