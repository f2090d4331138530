//! What changed of a long text: the lines between those that it began and ended with before and after, with a few of
//! them around. So a row of a small change of a long text is small, says by itself what was there before and what is
//! there now, and is made in one pass over both texts; what differs within those lines is found when somebody asks.
//! Never decides who sees it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::Actor;

/// Unchanged lines that are kept on each side.
const CONTEXT: usize = 3;

/// Bytes of each side at most, as JSON writes them: both are in one row.
const MOST_BYTES: usize = 180 * 1024;

/// A change of a text. A stored row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextChange {
    /// The first line that is kept, from 1.
    pub line: usize,
    /// What stood there.
    pub before: String,
    /// What stands there now.
    pub after: String,
    /// Whether there was more on either side than a row has room for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// A change of a comment's text: who and when. A stored row, beside that of its [`TextChange`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentEdit {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
}

impl TextChange {
    /// What makes the first text the second.
    pub fn between(before: &str, after: &str) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) = (lines(before), lines(after));
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = (old.len() - head).min(new.len() - head);
        let pairs = old.iter().rev().zip(new.iter().rev()).take(rest);
        let tail = pairs.take_while(|(a, b)| a == b).count();
        let first = head.saturating_sub(CONTEXT);
        let behind = tail.saturating_sub(CONTEXT);
        let (before, cut_before) = shortened(old[first..old.len() - behind].concat());
        let (after, cut_after) = shortened(new[first..new.len() - behind].concat());
        Self { line: first + 1, before, after, cut: cut_before || cut_after }
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// As much of the text as there is room for, and whether that is not all.
fn shortened(mut text: String) -> (String, bool) {
    let mut room = MOST_BYTES;
    let end = text.char_indices().find(|(_, c)| {
        let size = written(*c);
        let fits = size <= room;
        room = room.saturating_sub(size);
        !fits
    });
    let Some((end, _)) = end else { return (text, false) };
    text.truncate(end);
    (text, true)
}

/// The bytes that JSON needs for a character.
const fn written(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MOST_BYTES, TextChange};

    fn change(before: &str, after: &str) -> (usize, String, String) {
        let TextChange { line, before, after, cut } = TextChange::between(before, after);
        assert!(!cut);
        (line, before, after)
    }

    #[test]
    fn a_small_change_of_a_long_text_is_small() {
        let before: String = (1..=10_000).map(|n| format!("- [ ] task {n}\n")).collect();
        let after = before.replace("[ ] task 5000\n", "[x] task 5000\n");
        let (line, old, new) = change(&before, &after);
        assert_eq!((line, old.lines().count(), new.lines().count()), (4_997, 7, 7));
        assert!(old.contains("- [ ] task 5000\n") && new.contains("- [x] task 5000\n"), "{old} {new}");
    }

    #[test]
    fn lines_that_both_begin_and_end_with_are_counted_once() {
        let (line, old, new) = change("a\na\n", "a\na\na\n");
        assert_eq!((line, old.as_str(), new.as_str()), (1, "a\na\n", "a\na\na\n"));
        assert_eq!(change("", "x"), (1, String::new(), "x".into()));
        assert_eq!(change("x\n", "x"), (1, "x\n".into(), "x".into()));
    }

    #[test]
    fn what_a_row_has_no_room_for_is_cut_between_characters() {
        let long = "\u{1}ä".repeat(100_000);
        let found = TextChange::between(&long, "short");
        assert!(found.cut && found.after == "short");
        let written = serde_json::to_string(&found).unwrap().len();
        assert!(found.before.starts_with("\u{1}ä") && written < MOST_BYTES + 100, "{written}");
        let both = TextChange::between(&long, &"😀\"".repeat(100_000));
        assert!(serde_json::to_string(&both).unwrap().len() < 380 * 1024);
    }

    proptest! {
        #[test]
        fn the_change_makes_the_one_text_the_other(
            before in "[ab\n]{0,60}",
            after in "[ab\n]{0,60}",
        ) {
            let change = TextChange::between(&before, &after);
            let head: String = before.split_inclusive('\n').take(change.line - 1).collect();
            prop_assert!(before[head.len()..].starts_with(&change.before));
            let tail = &before[head.len() + change.before.len()..];
            prop_assert_eq!(format!("{head}{}{tail}", change.after), after);
        }
    }
}
