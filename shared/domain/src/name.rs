//! What a name of anything must not have: characters that nobody can see, or that turn the direction of the text
//! around them. Such a name looks like another one, or like none.
//!
//! Says nothing about length or other characters: each thing has its own rules for those. Names from before this rule
//! stay as they are until they are changed.

use crate::refusal::FieldErrors;
use crate::untrusted::is_hidden;

/// What is wrong with a name that has such characters.
pub const UNSEEN: &str =
    "must not contain invisible characters or characters that change the direction of text";

/// Whether every character of a name can be seen. Joiners are part of how some scripts and pictures are written: they
/// may stand between two such letters.
pub fn is_visible(name: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    let joins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let beside = [before, letters.get(at + 1)];
        beside.iter().all(|c| c.is_some_and(|c| !c.is_ascii() && !is_hidden(*c)))
    };
    letters.iter().enumerate().all(|(at, c)| match c {
        '\u{200c}' | '\u{200d}' => joins(at),
        '\n' | '\t' | '\u{2028}' | '\u{2029}' => false,
        c => !is_hidden(*c),
    })
}

/// Whether a name may be given to what was called `old` before, or is new.
///
/// # Errors
/// What is wrong with the field.
pub fn check_given(field: &str, name: &str, old: Option<&str>) -> Result<(), FieldErrors> {
    if old == Some(name) || is_visible(name) {
        return Ok(());
    }
    Err(FieldErrors::one(field, format!("A name {UNSEEN}.")))
}

#[cfg(test)]
mod tests {
    use super::{check_given, is_visible};

    #[test]
    fn a_name_has_no_character_that_nobody_sees() {
        for name in [
            "\u{200b}",
            "Ada\u{200b}",
            "A\u{202e}B",
            "\u{2066}Ada\u{2069}",
            "Buil\u{200d}der",
            "Builder\u{200d}",
            "\u{200d}",
            "\u{feff}Ada",
            "A\u{ad}da",
            "A\u{2028}B",
            "A\nB",
            "\u{2800}",
            "\u{e0041}",
        ] {
            assert!(!is_visible(name), "{name:?}");
        }
        for name in
            ["Ada Lovelace", "👩\u{200d}💻 team", "می\u{200c}خواهم", "ünïcode", "❤\u{fe0f}", "עברית", "日本"]
        {
            assert!(is_visible(name), "{name:?}");
        }
    }

    #[test]
    fn a_name_from_before_the_rule_stays_until_it_is_changed() {
        assert_eq!(check_given("name", "A\u{200b}", Some("A\u{200b}")), Ok(()));
        let refused = check_given("name", "A\u{200b}", Some("B")).unwrap_err();
        assert!(refused.0["name"][0].contains("invisible characters"), "{refused:?}");
        assert!(check_given("name", "A\u{200b}", None).is_err());
    }
}
