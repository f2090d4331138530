//! What names, titles and texts of anything must not have. In a name or title: line breaks, and characters that nobody
//! can see or that turn the direction of the text around them. Such a name looks like another one, or like none. In a
//! text of many lines: NUL, which other programs take for its end.
//!
//! Some names have further rules of their own. Names from before this rule stay as they are until they are changed.

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

/// What is wrong with the length and lines of a name of at most `max` characters; `None` if nothing is. Whether all of
/// it can be seen is asked where it is given ([`check_given`]).
pub(crate) fn name_problem(name: &str, max: usize) -> Option<String> {
    let length = name.trim().chars().count();
    let fits = (1..=max).contains(&length) && !name.chars().any(char::is_control);
    (!fits).then(|| format!("Give a name of 1 to {max} characters on one line."))
}

/// As [`name_problem`], for a name whose outer spaces are not taken off.
pub(crate) fn exact_name_problem(name: &str, max: usize) -> Option<String> {
    if name.trim() != name {
        return Some("A name must not begin or end with a space.".into());
    }
    name_problem(name, max)
}

/// What is wrong with a title of at most `max` characters; `None` if nothing is.
pub(crate) fn title_problem(title: &str, max: usize) -> Option<String> {
    let length = title.chars().count();
    if length == 0 || length > max {
        return Some(format!("Give a title of 1 to {max} characters; this one has {length}."));
    }
    if title.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Some("A title must be one line without control characters.".into());
    }
    if title.chars().all(|c| c.is_whitespace() || is_hidden(c)) {
        return Some("Give a title that has visible characters.".into());
    }
    (!is_visible(title)).then(|| format!("A title {UNSEEN}."))
}

/// What is wrong with a text of at most `max` characters, which `what` names; `None` if nothing is.
pub(crate) fn text_problem(what: &str, text: &str, max: usize) -> Option<String> {
    if text.contains('\0') {
        return Some(format!("{what} must not contain NUL characters."));
    }
    (text.chars().count() > max).then(|| format!("{what} has at most {max} characters."))
}

#[cfg(test)]
mod tests {
    use super::{check_given, exact_name_problem, is_visible, name_problem, text_problem, title_problem};

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

    /// One table for every kind of text that comes in.
    #[test]
    fn each_kind_of_text_has_its_bad_characters() {
        for (text, is_name, is_title, is_text) in [
            ("Plan", true, true, true),
            ("👩\u{200d}💻 می\u{200c}خواهم", true, true, true),
            ("", false, false, true),
            (" \u{200b}", false, false, true),
            ("a\nb", false, false, true),
            ("a\u{2028}b", false, false, true),
            ("a\u{2029}b", false, false, true),
            ("a\u{202e}b", false, false, true),
            ("\u{feff}a", false, false, true),
            ("a\0b", false, false, false),
            ("a\u{1b}[1mb", false, false, true),
            ("toolong", false, false, false),
        ] {
            let max = if text == "toolong" { 6 } else { 60 };
            let named = name_problem(text, max).is_none() && check_given("name", text, None).is_ok();
            assert_eq!(named, is_name, "name {text:?}");
            assert_eq!(title_problem(text, max).is_none(), is_title, "title {text:?}");
            assert_eq!(text_problem("A text", text, max).is_none(), is_text, "text {text:?}");
        }
        assert!(name_problem(" Plan ", 4).is_none() && exact_name_problem(" Plan ", 6).is_some());
    }
}
