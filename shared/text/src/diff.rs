//! The difference of two texts, by lines: hunks for programs to show, and the unified form that people and
//! tools read (specification section 2.5: pages have versions).
//!
//! Comparing is bounded: see [`compare`]. So is what is shown: [`MOST_LINES`]. Never fails, and never looks at a clock.

mod compare;

use similar::{DiffOp, DiffTag, group_diff_ops};

use compare::compare;

/// Unchanged lines around a difference.
const CONTEXT: usize = 3;

/// Lines of all hunks together. What comes behind is not shown.
pub const MOST_LINES: usize = 20_000;

/// The difference of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// What differs, in order; none for equal texts.
    pub hunks: Vec<Hunk>,
    /// The same as unified text, without a header that names files.
    pub unified: String,
    /// Whether more differs than is shown.
    pub truncated: bool,
}

/// Lines that differ, with some around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// First line in the old text, from 1; the line before where nothing of it is in the hunk.
    pub old_start: usize,
    /// Lines of the old text.
    pub old_lines: usize,
    /// First line in the new text.
    pub new_start: usize,
    /// Lines of the new text.
    pub new_lines: usize,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What became of it.
    pub kind: LineKind,
    /// The line without its end.
    pub text: String,
    /// Whether it ends at all: the last line of a text may not.
    pub ends: bool,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// It is in both texts.
    Context,
    /// It is in the old one only.
    Removed,
    /// It is in the new one only.
    Added,
}

/// What is to be done to `old` to make it `new`.
pub fn diff(old: &str, new: &str) -> Diff {
    diff_behind(0, old, new)
}

/// The same of a part of two texts, which so many lines come before in both.
pub fn diff_behind(lines: usize, old: &str, new: &str) -> Diff {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let groups = group_diff_ops(compare(&old, &new), CONTEXT);
    let mut diff = Diff::default();
    let mut left = MOST_LINES;
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let mut hunk = hunk(group, &old, &new, left);
        hunk.old_start += lines;
        hunk.new_start += lines;
        let shown = hunk.lines.len();
        diff.truncated = shown < lines_of(group);
        if shown == 0 {
            break;
        }
        left -= shown;
        diff.unified.push_str(&unified(&hunk));
        diff.hunks.push(hunk);
        if diff.truncated {
            break;
        }
    }
    diff
}

/// How many lines a hunk of all of it has.
fn lines_of(group: &[DiffOp]) -> usize {
    let lines = |op: &DiffOp| match op.tag() {
        DiffTag::Equal => op.old_range().len(),
        DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => op.old_range().len() + op.new_range().len(),
    };
    group.iter().map(lines).sum()
}

/// The hunk of a group, with as many lines as there is room for.
fn hunk(group: &[DiffOp], old: &[&str], new: &[&str], room: usize) -> Hunk {
    let mut lines = Vec::with_capacity(lines_of(group).min(room));
    let mut take = |kind, from: &[&str]| {
        let taken = from.len().min(room - lines.len());
        lines.extend(from[..taken].iter().map(|text| Line::of(kind, text)));
    };
    for op in group {
        if op.tag() == DiffTag::Equal {
            take(LineKind::Context, &old[op.old_range()]);
        } else {
            take(LineKind::Removed, &old[op.old_range()]);
            take(LineKind::Added, &new[op.new_range()]);
        }
    }
    let without = |kind| lines.iter().filter(|line| line.kind != kind).count();
    let (old_lines, new_lines) = (without(LineKind::Added), without(LineKind::Removed));
    // Where nothing of a text is in the hunk, the line before is named.
    let start = |first: usize, lines: usize| if lines == 0 { first } else { first + 1 };
    let first = |range: fn(&DiffOp) -> std::ops::Range<usize>| group.first().map_or(0, |op| range(op).start);
    let old_start = start(first(DiffOp::old_range), old_lines);
    let new_start = start(first(DiffOp::new_range), new_lines);
    Hunk { old_start, old_lines, new_start, new_lines, lines }
}

impl Line {
    fn of(kind: LineKind, text: &str) -> Self {
        let cut = text.strip_suffix('\n');
        Self { kind, text: cut.unwrap_or(text).to_owned(), ends: cut.is_some() }
    }
}

fn unified(hunk: &Hunk) -> String {
    let Hunk { old_start, old_lines, new_start, new_lines, lines } = hunk;
    let mut text = format!("@@ -{old_start},{old_lines} +{new_start},{new_lines} @@\n");
    for line in lines {
        text.push(match line.kind {
            LineKind::Context => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        });
        text.push_str(&line.text);
        text.push_str(if line.ends { "\n" } else { "\n\\ No newline at end of file\n" });
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::{Diff, LineKind, diff};

    /// What a reader of the hunks makes of the old text.
    fn applied(old: &str, diff: &Diff) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (mut made, mut at) = (String::new(), 0);
        for hunk in &diff.hunks {
            let start = if hunk.old_lines == 0 { hunk.old_start } else { hunk.old_start - 1 };
            made.extend(old[at..start].iter().copied());
            for line in hunk.lines.iter().filter(|line| line.kind != LineKind::Removed) {
                made.push_str(&line.text);
                made.push_str(if line.ends { "\n" } else { "" });
            }
            at = start + hunk.old_lines;
        }
        made.extend(old[at..].iter().copied());
        made
    }

    #[test]
    fn a_difference_reads_as_patch_writes_it() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
        let new = "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nten\neleven";
        insta::assert_snapshot!(diff(old, new).unified);
        assert_eq!(diff(old, old), Diff::default());
        assert_eq!(diff("", "a\n").unified, "@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(diff("a\n", "").unified, "@@ -1,1 +0,0 @@\n-a\n");
    }

    #[test]
    fn texts_that_have_nothing_in_common_take_no_longer_than_they_should() {
        let text = |word: &str| (0..100_000).map(|n| format!("{word}{n}\n")).collect::<String>();
        let (old, new) = (format!("same\n{}", text("a")), format!("same\n{}", text("b")));
        let begin = Instant::now();
        let found = diff(&old, &new);
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
        assert_eq!((found.hunks.len(), found.hunks[0].old_lines), (1, super::MOST_LINES));
        assert!(found.truncated);
        // Lines that come twice.
        let text = |word: &str| (0..3_000).map(|n| format!("{word}{}\n", n % 1_500)).collect::<String>();
        assert_eq!(applied(&text("a"), &diff(&text("a"), &text("b"))), text("b"));
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    }

    /// 90 lines against 99,000: few in one of the texts, and as much work as many in both.
    #[test]
    fn a_short_text_against_a_long_one_takes_no_longer_than_it_should() {
        let text = |word: &str, lines: usize| (0..lines).map(|n| format!("{word}{n}\n")).collect::<String>();
        let begin = Instant::now();
        let found = diff(&text("a", 90), &text("b", 99_000));
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
        assert!(found.truncated);
        assert_eq!(found.hunks[0].lines.len(), super::MOST_LINES);
        assert_eq!((found.hunks[0].old_lines, found.hunks[0].new_lines), (90, super::MOST_LINES - 90));
    }

    /// A line that changes in every thousandth of 30,000 lines.
    #[test]
    fn few_differences_of_long_texts_are_found_one_by_one() {
        let text = |changed: &str| -> String {
            let line = |n: usize| {
                if n.is_multiple_of(1_000) { format!("{changed} {n}\n") } else { format!("line {n}\n") }
            };
            (1..30_000).map(line).collect()
        };
        let (old, new) = (text("old"), text("new"));
        let found = diff(&old, &new);
        assert_eq!(found.hunks.len(), 29);
        assert!(
            found.hunks.iter().all(|hunk| (hunk.old_lines, hunk.new_lines) == (7, 7)),
            "{}",
            found.unified
        );
        assert_eq!(applied(&old, &found), new);
    }

    #[test]
    fn a_difference_that_fits_is_whole() {
        let text = |word: &str| (0..2_000).map(|n| format!("{word}{n}\n")).collect::<String>();
        assert!(!diff(&text("a"), &text("b")).truncated);
    }

    proptest! {
        #[test]
        fn hunks_make_the_old_text_the_new_one(
            old in "([a-c]?\n){0,20}[a-c]?",
            new in "([a-c]?\n){0,20}[a-c]?",
        ) {
            prop_assert_eq!(applied(&old, &diff(&old, &new)), new);
        }

        #[test]
        fn so_do_those_of_texts_that_are_compared_in_parts(
            old in "([a-z]{1,2}\n){0,60}",
            new in "([a-z]{1,2}\n){0,60}",
            step in 1_usize..2_003,
        ) {
            // Most of these lines come once.
            let shared: String = (0..2_500).map(|n| format!("{}\n", n * step % 2_003)).collect();
            let (old, new) = (format!("{old}{shared}{old}\n"), format!("{new}{shared}{new}"));
            prop_assert_eq!(applied(&old, &diff(&old, &new)), new);
        }
    }
}
