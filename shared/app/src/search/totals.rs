//! How many texts of each kind a search found.

use std::collections::BTreeMap;

use svc_domain::search::{Document, Rank, Source};

use super::answer::{Answer, Answered};
use super::question::{Find, Kind};

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The best answers.
    pub answers: Vec<Answered>,
    /// How many there are of each kind that was looked for, where that was asked.
    pub totals: BTreeMap<Kind, Total>,
}

/// How many texts of a kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// How many were counted.
    pub count: u64,
    /// Whether there may be more.
    pub at_least: bool,
}

/// Texts of the index that answer a question, best first.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) found: Vec<(Rank, Document)>,
    /// Whether these are all.
    pub(super) all: bool,
}

/// How many of each kind these are, of which there are more texts than those that were read if not all were.
pub(super) fn totals(find: &Find, named: &[(Rank, Answered)], texts: &Texts) -> BTreeMap<Kind, Total> {
    if !find.count {
        return BTreeMap::new();
    }
    let named = named.iter().map(|(_, answered)| match &answered.answer {
        Answer::Item { .. } => Kind::Items,
        Answer::Comment { .. } => Kind::Comments,
        Answer::Page { .. } => Kind::Pages,
        Answer::Project(_) => Kind::Projects,
        Answer::Person(_) => Kind::People,
    });
    let of_texts = texts.found.iter().map(|(_, document)| match &document.source {
        Source::Item(_) => Kind::Items,
        Source::Comment { .. } => Kind::Comments,
        Source::Page { .. } => Kind::Pages,
    });
    let at_least = |kind: Kind| !texts.all && kind.is_text();
    let none = |kind: &Kind| (*kind, Total { count: 0, at_least: at_least(*kind) });
    let mut totals: BTreeMap<Kind, Total> = find.kinds.iter().map(none).collect();
    for kind in named.chain(of_texts) {
        totals.entry(kind).or_default().count += 1;
    }
    totals
}
