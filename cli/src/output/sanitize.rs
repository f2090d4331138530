//! Text of others on a terminal: titles, comments and logs must not move the cursor, recolour the screen,
//! rename the window or turn the direction of what stands beside them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character steers what shows it: control characters, and those that override or isolate the
/// direction of writing. The marks and letters of right-to-left scripts do not.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without what steers a terminal, save ends of lines and tab.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let unwanted = |c: char| steers(c) && c != '\n' && c != '\t';
    if !text.contains(unwanted) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.chars().peekable();
    let mut kept = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        // The end of a line on Windows; elsewhere it would write over what stands before.
        if !unwanted(c) || (c == '\r' && rest.peek() == Some(&'\n')) {
            kept.push(c);
        }
    }
    Cow::Owned(kept)
}

/// The text on one line: what steers a terminal or ends a line becomes a space.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(|c| steers(c) || matches!(c, '\u{2028}' | '\u{2029}'), " ").trim_end().to_owned()
}

/// A patch, or what it is about, with what would hide or turn parts of it spelled out, so that a reviewer sees what a
/// compiler does.
pub(crate) fn spelled_out(text: &str) -> Cow<'_, str> {
    let hides = |c: char| {
        let kept = c == '\n' || c == '\t';
        !kept
            && (steers(c)
                || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}')
                || matches!(c, '\u{2060}'..='\u{2065}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'))
    };
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        // The end of a line on Windows.
        if hides(c) && c != '\r' {
            let _ = write!(shown, "[U+{:04X}]", u32::from(c));
        } else if c != '\r' {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
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
    use super::{one_line, printable, printable_json, spelled_out};

    #[test]
    fn escapes_lose_their_power() {
        assert_eq!(printable("a\u{1b}[31mb\u{9b}2J\u{7}c\td\n"), "a[31mb2Jc\td\n");
        assert_eq!(printable("good\rbad\r\n\u{1b}c"), "goodbad\r\nc");
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
    fn what_would_disguise_code_is_spelled_out() {
        let code = "if admin {\u{202e}\u{2028}\u{2029}\u{61c}\u{200b}\u{e0041}\u{1b}\t}\r\n";
        let shown = "if admin {[U+202E][U+2028][U+2029][U+061C][U+200B][U+E0041][U+001B]\t}\n";
        assert_eq!(spelled_out(code), shown);
        assert_eq!(spelled_out("+plain é"), "+plain é");
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
