//! What changed of a text, as a person reads it: lines that went in red, lines that came in green.

use anstyle::{AnsiColor, Style};

use super::sanitize::spelled_out;

const GONE: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const PLACE: Style = AnsiColor::Cyan.on_default();

/// A unified diff, each line after `indent`, without what steers a terminal.
pub(super) fn rendered(unified: &str, indent: &str, color: bool) -> String {
    let mut text = String::with_capacity(unified.len());
    for line in unified.lines() {
        let style = match line.as_bytes().first() {
            Some(b'-') => GONE,
            Some(b'+') => NEW,
            Some(b'@') => PLACE,
            _ => Style::new(),
        };
        let line = spelled_out(line);
        if color {
            text.push_str(&format!("{indent}{style}{line}{style:#}\n"));
        } else {
            text.push_str(&format!("{indent}{line}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::rendered;

    #[test]
    fn lines_are_coloured_by_what_became_of_them_and_steer_nothing() {
        let unified = "@@ -1,2 +1,2 @@\n a\n-b\u{1b}[2J\n+c\n";
        assert_eq!(rendered(unified, "  ", false), "  @@ -1,2 +1,2 @@\n   a\n  -b[U+001B][2J\n  +c\n");
        let colored = rendered(unified, "", true);
        assert!(colored.contains("\u{1b}[32m+c\u{1b}[0m") && !colored.contains("\u{1b}[2J"), "{colored:?}");
    }
}
