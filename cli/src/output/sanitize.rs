//! Text of others on a terminal: titles, comments and logs must not move the cursor, recolour the screen or
//! rename the window.

use std::borrow::Cow;

/// The text without control characters, save newline and tab.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if text.contains(steers) { Cow::Owned(text.replace(steers, "")) } else { Cow::Borrowed(text) }
}

/// The text on one line: control characters become spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{one_line, printable};

    #[test]
    fn escapes_lose_their_power() {
        assert_eq!(printable("a\u{1b}[31mb\u{9b}2J\u{7}c\td\n"), "a[31mb2Jc\td\n");
        assert_eq!(one_line("a\r\n\u{1b}[2Jb\n"), "a   [2Jb");
    }
}
