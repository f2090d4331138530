//! Texts as this service takes them: what a title, a text and a label may be.

use svc_domain::item::MAX_TITLE;
use svc_domain::label_name::{MAX_LABEL, label_problem};

/// A text without the characters that no text has here: NUL, and the carriage returns of other systems.
pub(crate) fn text(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "")
}

/// A title: one line of at most 300 characters. `true` says that it was cut.
pub(crate) fn title(text: &str) -> (String, bool) {
    let line = self::text(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TITLE - 1) {
        Some((end, _)) if line.chars().count() > MAX_TITLE => (format!("{}…", &line[..end]), true),
        _ if line.is_empty() => ("(no title)".to_owned(), false),
        _ => (line, false),
    }
}

/// The label that is nearest to a name; nothing where no character of it can stand in one.
pub(crate) fn label(name: &str) -> Option<String> {
    if label_problem(name).is_none() {
        return Some(name.to_owned());
    }
    let kept: String = self::text(name).replace([',', '"'], " ");
    let line = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.trim_start_matches(['-', '+', ' ']).chars().take(MAX_LABEL).collect();
    Some(cut.trim().to_owned()).filter(|label| label_problem(label).is_none())
}

/// A colour as `#rrggbb`: sources leave the `#` out, shorten it, or name it.
pub(crate) fn color(text: &str) -> Option<String> {
    let digits = text.trim().trim_start_matches('#').to_ascii_lowercase();
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match digits.len() {
        6 if is_hex => Some(format!("#{digits}")),
        3 if is_hex => {
            Some(digits.chars().fold("#".to_owned(), |color, digit| format!("{color}{digit}{digit}")))
        }
        _ => None,
    }
}

/// A text in parts of at most so many characters, divided between lines where there are any.
pub(crate) fn parts(text: &str, most: usize) -> Vec<String> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((end, _)) = rest.char_indices().nth(most) {
        let line = rest[..end].rfind('\n').map_or(end, |line| line + 1);
        let (part, after) = rest.split_at(line);
        parts.push(part.to_owned());
        rest = after;
    }
    parts.push(rest.to_owned());
    parts
}

#[cfg(test)]
mod tests {
    use super::{color, label, parts, text, title};

    #[test]
    fn texts_keep_everything_but_what_no_text_has() {
        assert_eq!(text("\u{feff}a\r\nb\0c\rd"), "a\nbc\nd");
        assert_eq!(title(" Two\r\nlines "), ("Two lines".into(), false));
        assert_eq!(title(" \n"), ("(no title)".into(), false));
        let (cut, was_cut) = title(&"é".repeat(400));
        assert_eq!((cut.chars().count(), was_cut), (300, true));
        assert!(!title(&"é".repeat(300)).1);
    }

    #[test]
    fn labels_become_what_labels_are_here() {
        for (name, kept) in [
            ("bug", Some("bug")),
            ("help wanted", Some("help wanted")),
            ("a, \"b\"  c", Some("a b c")),
            ("--urgent", Some("urgent")),
            ("..", None),
            ("  ", None),
        ] {
            assert_eq!(label(name).as_deref(), kept, "{name}");
        }
        assert_eq!(label(&"x".repeat(80)).unwrap().len(), 60);
    }

    #[test]
    fn colours_are_hexadecimal() {
        assert_eq!(color("D73A4A").as_deref(), Some("#d73a4a"));
        assert_eq!(color("#abc").as_deref(), Some("#aabbcc"));
        assert_eq!(color("green_dark"), None);
    }

    #[test]
    fn long_texts_are_divided_between_lines() {
        assert_eq!(parts("ab\ncd\nef", 5), ["ab\n", "cd\nef"]);
        assert_eq!(parts("ééééé", 2), ["éé", "éé", "é"]);
        assert_eq!(parts("", 2), [""]);
    }
}
