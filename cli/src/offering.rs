//! Words that are the same on every instance, for completion: orders of a list, days, types and the fields of a
//! filter.

use svc_domain::filter::{Field, Thing};
use svc_domain::item::{ItemType, Priority};

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

/// Ages, of what lies behind.
const AGES: [&str; 3] = ["1d", "7d", "4w"];

/// The words that an argument takes, by the name of its value or by its own; nothing where the instance knows them.
pub(crate) fn words(value: &str, long: &str) -> Option<fn(&str) -> Vec<String>> {
    match (value, long) {
        ("ORDER", _) => Some(orders),
        ("DAY", _) => Some(days),
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

/// What stands before the last value of the last term of a filter, the field of the term, and the value as far as it is
/// typed; nothing where the field is not complete.
pub(crate) fn value_of_term(typed: &str) -> Option<(&str, &str, &str)> {
    let start = after_last(typed, &[' ']);
    let term = typed[start..].trim_start_matches(['-', '(']);
    let (field, values) = term.split_once(':')?;
    let begun = &values[after_last(values, &[',', '+'])..];
    Some((&typed[..typed.len() - begun.len()], field, begun))
}

/// Where what follows the last of these begins, outside of quotes.
fn after_last(text: &str, separators: &[char]) -> usize {
    let mut quoted = false;
    let outside = text.char_indices().filter(|(_, c)| {
        quoted ^= *c == '"';
        !quoted && separators.contains(c)
    });
    outside.last().map_or(0, |(at, c)| at + c.len_utf8())
}

/// A value as a filter takes it: in quotes where it would be read as something else.
pub(crate) fn as_value(value: &str) -> String {
    let special = value.contains(|c: char| c.is_whitespace() || "()+\"\\".contains(c));
    if special {
        format!("\"{}\"", value.replace('\\', r"\\").replace('"', "\\\""))
    } else {
        value.to_owned()
    }
}

/// The values of a field that are the same on every instance.
pub(crate) fn values(field: &str, begun: &str) -> Vec<String> {
    match field {
        "type" => fitting("", begun, ItemType::ALL.iter().map(|kind| kind.as_str())),
        "priority" => fitting("", begun, Priority::ALL.iter().map(|priority| priority.as_str())),
        "due" => days(begun),
        // After a comparison, and as an age, too.
        "created" | "updated" | "resolved" => {
            let (sign, day) = begun.split_at(begun.len() - begun.trim_start_matches(['<', '>', '=']).len());
            fitting(sign, day, AGES.into_iter().chain(DAYS.into_iter().filter(|day| !day.starts_with('+'))))
        }
        "has" => fitting("", begun, Thing::ALL.iter().map(|thing| thing.as_str())),
        "blocked" => fitting("", begun, ["true", "false"]),
        _ => Vec::new(),
    }
}

/// The field of the last term, after its sign and the parentheses that it opens.
pub(crate) fn terms(typed: &str) -> Vec<String> {
    let start = after_last(typed, &[' ']);
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
    use super::{as_value, terms, value_of_term, values, words};

    #[test]
    fn words_of_every_instance_are_offered() {
        for (value, long, typed, offered) in [
            ("ORDER", "sort", "-du", &["-due"][..]),
            ("DAY", "due", "t", &["today", "tomorrow", "tuesday", "thursday"]),
            ("LIST", "type", "bug,st", &["bug,story"]),
        ] {
            assert_eq!(words(value, long).unwrap()(typed), offered, "{typed}");
        }
        assert!(words("LIST", "state").is_none());
        assert_eq!(terms("state:active (-pri"), ["state:active (-priority:"]);
    }

    #[test]
    fn the_last_value_of_a_filter_is_told_from_what_stands_before_it() {
        for (typed, parts) in [
            ("state:", Some(("state:", "state", ""))),
            ("type:bug -(label:a,b", Some(("type:bug -(label:a,", "label", "b"))),
            (
                "state:\"In progress\" label:\"needs re",
                Some(("state:\"In progress\" label:", "label", "\"needs re")),
            ),
            ("label:a+c", Some(("label:a+", "label", "c"))),
            ("state:active pri", None),
            ("", None),
        ] {
            assert_eq!(value_of_term(typed), parts, "{typed}");
        }
        assert_eq!(
            (as_value("ui"), as_value("needs review"), as_value("c++")),
            ("ui".to_owned(), "\"needs review\"".to_owned(), "\"c++\"".to_owned())
        );
        assert_eq!(values("priority", "hi"), ["high", "highest"]);
        assert_eq!(values("updated", "<7"), ["<7d"]);
        assert_eq!(values("created", "ye"), Vec::<String>::new());
        assert_eq!(values("has", "l"), ["label", "link"]);
        assert_eq!(terms("tit"), ["title:"]);
    }
}
