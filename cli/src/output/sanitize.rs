//! Text of others on a terminal: titles, comments and logs must not move the cursor, recolour the screen,
//! rename the window or turn the direction of what stands beside them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character steers what shows it: control characters, and those that override or isolate the
/// direction of writing. The marks and letters of right-to-left scripts do not.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without what steers a terminal, save newline and tab.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let unwanted = |c: char| steers(c) && c != '\n' && c != '\t';
    if text.contains(unwanted) { Cow::Owned(text.replace(unwanted, "")) } else { Cow::Borrowed(text) }
}

/// The text on one line: what steers a terminal or ends a line becomes a space.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(|c| steers(c) || matches!(c, '\u{2028}' | '\u{2029}'), " ").trim_end().to_owned()
}

/// The same JSON, where what steers a terminal is written as its number.
pub(crate) fn printable_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) && c != '\n' {
            // These are all below U+10000, and stand in strings, where JSON takes their number for them.
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{one_line, printable, printable_json};

    #[test]
    fn escapes_lose_their_power() {
        assert_eq!(printable("a\u{1b}[31mb\u{9b}2J\u{7}c\td\n"), "a[31mb2Jc\td\n");
        assert_eq!(one_line("a\r\n\u{1b}[2Jb\n"), "a   [2Jb");
    }

    #[test]
    fn what_turns_the_direction_goes_and_what_is_written_in_it_stays() {
        assert_eq!(printable("safe\u{202e}exe.txt\u{2066}"), "safeexe.txt");
        assert_eq!(one_line("a\u{2028}b\u{202e}"), "a b");
        let hebrew = "\u{5e9}\u{5dc}\u{5d5}\u{5dd}\u{200f}";
        assert_eq!(printable(hebrew), hebrew);
    }

    #[test]
    fn json_means_the_same_without_what_steers() {
        let value = serde_json::json!({ "title": "a\u{1b}[2J\u{9b}31m\u{7f}\u{202e}b\té" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = printable_json(&text);
        assert!(!shown.contains(['\u{9b}', '\u{7f}', '\u{202e}']), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
