//! Words that are the same on every instance, for who presses Tab: orders of a list, days, types and the fields of a
//! filter.

use svc_domain::filter::Field;
use svc_domain::item::ItemType;

const ORDERS: [&str; 9] =
    ["updated", "created", "key", "title", "priority", "estimate", "due", "resolved", "rank"];
const DAYS: [&str; 12] = [
    "today",
    "tomorrow",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "+7d",
    "+2w",
    "+1m",
];

/// The words that an argument takes, by the name of its value or by its own; nothing where the instance knows them.
pub(crate) fn words(value: &str, long: &str) -> Option<fn(&str) -> Vec<String>> {
    match (value, long) {
        ("ORDER", _) => Some(orders),
        ("DAY", _) => Some(days),
        ("TERMS", _) => Some(terms),
        ("LIST", "type") => Some(types),
        _ => None,
    }
}

fn orders(typed: &str) -> Vec<String> {
    let (sign, begun) = typed.split_at(usize::from(typed.starts_with('-')));
    fitting(sign, begun, ORDERS)
}

fn days(typed: &str) -> Vec<String> {
    fitting("", typed, DAYS)
}

/// The last type of a list.
fn types(typed: &str) -> Vec<String> {
    let (before, begun) = typed.split_at(typed.rfind(',').map_or(0, |comma| comma + 1));
    fitting(before, begun, ItemType::ALL.iter().map(|kind| kind.as_str()))
}

/// The field of the last term, after its sign and the parentheses that it opens.
fn terms(typed: &str) -> Vec<String> {
    let start = typed.rfind(' ').map_or(0, |space| space + 1);
    let start = start + typed[start..].len() - typed[start..].trim_start_matches(['-', '(']).len();
    let (before, begun) = typed.split_at(start);
    let fields = fitting(before, begun, Field::ALL.iter().map(|field| field.as_str()));
    fields.into_iter().map(|field| format!("{field}:")).collect()
}

fn fitting<'a>(before: &str, begun: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let begun = begun.to_lowercase();
    words.into_iter().filter(|word| word.starts_with(&begun)).map(|word| format!("{before}{word}")).collect()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_of_every_instance_are_offered() {
        for (value, long, typed, offered) in [
            ("ORDER", "sort", "-du", &["-due"][..]),
            ("DAY", "due", "t", &["today", "tomorrow", "tuesday", "thursday"]),
            ("LIST", "type", "bug,st", &["bug,story"]),
            ("TERMS", "filter", "state:active (-pri", &["state:active (-priority:"]),
            ("TERMS", "filter", "state:act", &[]),
        ] {
            assert_eq!(words(value, long).unwrap()(typed), offered, "{typed}");
        }
        assert!(words("LIST", "state").is_none());
    }
}
