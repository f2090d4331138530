//! Which answer comes first: exact identifiers, then titles, then the rest by match and recency.

use std::cmp::Reverse;

use jiff::Timestamp;

use crate::feed::FeedEntry;
use crate::ids::ProjectKey;

/// Where an answer has what was asked for, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It is the item of this key or number.
    Identifier,
    /// The item's number begins so.
    Number,
    /// The title is what was asked for.
    TitleIs,
    /// The title holds all the words.
    Title,
    /// The text holds some of the words, or all.
    Text,
    /// Only the key of its project begins so.
    Project,
}

/// Place of an answer: the smaller comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    class: Class,
    /// More whole words come first.
    whole: Reverse<usize>,
    /// What was written later comes first.
    created: Reverse<Timestamp>,
    /// Keeps the order the same however often it is asked for.
    name: String,
}

impl Rank {
    /// The rank of an answer; `name` tells it from all others.
    pub const fn new(class: Class, whole: usize, created: Timestamp, name: String) -> Self {
        Self { class, whole: Reverse(whole), created: Reverse(created), name }
    }

    /// Where the answer has what was asked for.
    pub const fn class(&self) -> Class {
        self.class
    }
}

/// Why autocomplete found an item: the counterpart of [`FeedIndex::autocomplete`](crate::feed::FeedIndex).
pub fn class_of_item(entry: &FeedEntry, project: &ProjectKey, q: &str) -> Class {
    let typed = q.trim().to_uppercase();
    let own = format!("{project}-");
    let number = typed.strip_prefix('#').or_else(|| typed.strip_prefix(&own)).unwrap_or(&typed);
    let digits = entry.number.to_string();
    let title = entry.title.to_lowercase();
    if !number.is_empty() && digits == number {
        Class::Identifier
    } else if !number.is_empty() && digits.starts_with(number) {
        Class::Number
    } else if title == q.trim().to_lowercase() {
        Class::TitleIs
    } else if !typed.is_empty() && q.split_whitespace().all(|word| title.contains(&word.to_lowercase())) {
        Class::Title
    } else {
        Class::Project
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Rank};
    use jiff::Timestamp;

    #[test]
    fn identifiers_then_titles_then_match_then_recency() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let in_order = [
            Rank::new(Class::Identifier, 0, at(1), "PRJ/i1".into()),
            Rank::new(Class::Number, 0, at(9), "PRJ/i11".into()),
            Rank::new(Class::TitleIs, 2, at(1), "PRJ/i5".into()),
            Rank::new(Class::Title, 2, at(1), "PRJ/i6".into()),
            Rank::new(Class::Title, 1, at(9), "PRJ/i7".into()),
            Rank::new(Class::Text, 2, at(8), "PRJ/c1".into()),
            Rank::new(Class::Text, 2, at(7), "PRJ/c2".into()),
            Rank::new(Class::Text, 2, at(7), "PRJ/p1".into()),
            Rank::new(Class::Text, 1, at(9), "PRJ/i8".into()),
            Rank::new(Class::Project, 0, at(9), "PRJ/i9".into()),
        ];
        let mut mixed = in_order.to_vec();
        mixed.reverse();
        mixed.sort();
        assert_eq!(mixed, in_order);
    }
}
