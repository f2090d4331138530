//! Brings two changes of one text together, line by line, as version control does.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Lines of the text before that become other lines.
#[derive(Clone, PartialEq, Eq)]
struct Change<'a> {
    before: Range<usize>,
    after: Vec<&'a str>,
}

impl Change<'_> {
    fn line_by_line(self) -> Vec<Self> {
        if self.before.len() != self.after.len() {
            return vec![self];
        }
        let line = |(at, line)| Self { before: at..at + 1, after: vec![line] };
        self.before.zip(self.after).map(line).collect()
    }
}

/// The text with both changes; nothing where they concern the same lines or neighbours, and a person must decide.
pub fn merged(before: &str, mine: &str, theirs: &str) -> Option<String> {
    let (before, mine, theirs) = (lines(before), lines(mine), lines(theirs));
    let (mine, theirs) = (changes(&before, &mine), changes(&before, &theirs));
    let disputed = |a: &Change<'_>, b: &Change<'_>| {
        a != b && a.before.start <= b.before.end && b.before.start <= a.before.end
    };
    if mine.iter().any(|a| theirs.iter().any(|b| disputed(a, b))) {
        return None;
    }
    Some(with_changes(&before, mine.into_iter().chain(theirs).collect()))
}

/// A text with both changes, where one of them gives way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferred {
    /// The text.
    pub text: String,
    /// How many lines of the other change it does not have.
    pub dropped: usize,
}

/// The text with my change, and with theirs where it concerns other lines.
pub fn prefer_mine(before: &str, mine: &str, theirs: &str) -> Preferred {
    let ends = mine.ends_with('\n');
    let (before, mine, theirs) = (lines(before), lines(mine), lines(theirs));
    let (mine, theirs) = (changes(&before, &mine), changes(&before, &theirs));
    // Of lines that became as many others, each is a change of its own.
    let mine: Vec<_> = mine.into_iter().flat_map(Change::line_by_line).collect();
    let theirs: Vec<_> = theirs.into_iter().flat_map(Change::line_by_line).collect();
    let overlap =
        |a: &Change<'_>, b: &Change<'_>| a.before.start < b.before.end && b.before.start < a.before.end;
    let (disputed, kept): (Vec<_>, Vec<_>) =
        theirs.into_iter().partition(|b| mine.iter().any(|a| overlap(a, b)));
    let dropped = disputed.iter().map(|change| change.before.len().max(change.after.len())).sum();
    let mut text = with_changes(&before, mine.into_iter().chain(kept).collect());
    if !ends {
        text.pop();
    }
    Preferred { text, dropped }
}

/// The text with changes of different lines.
fn with_changes(before: &[&str], mut changes: Vec<Change<'_>>) -> String {
    changes.sort_by_key(|change| (change.before.start, change.before.end));
    changes.dedup();
    let (mut text, mut at) = (String::new(), 0);
    for change in changes {
        let same = before.get(at..change.before.start).unwrap_or_default();
        text.extend(same.iter().copied().flat_map(ended));
        text.extend(change.after.into_iter().flat_map(ended));
        at = change.before.end;
    }
    text.extend(before.get(at..).unwrap_or_default().iter().copied().flat_map(ended));
    text
}

/// How many lines differ: where lines became other lines, the more of both.
pub fn changed_lines(before: &str, after: &str) -> usize {
    changes(&lines(before), &lines(after))
        .iter()
        .map(|change| change.before.len().max(change.after.len()))
        .sum()
}

/// Lines without what ends them: whether the last one is ended is not worth a dispute.
fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn ended(line: &str) -> [&str; 2] {
    [line, "\n"]
}

fn changes<'a>(before: &[&str], after: &[&'a str]) -> Vec<Change<'a>> {
    let ops = capture_diff_slices(Algorithm::Myers, before, after);
    ops.into_iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| Change { before: op.old_range(), after: after[op.new_range()].to_vec() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Preferred, changed_lines, merged, prefer_mine};

    const BEFORE: &str = "Title\n\nFirst\nSecond\nThird\nFourth";

    #[test]
    fn changes_of_other_lines_come_together() {
        let mine = BEFORE.replace("Fourth", "Fourth\nFifth");
        let theirs = BEFORE.replace("Title", "Another title").replace("First\n", "");
        let both = "Another title\n\nSecond\nThird\nFourth\nFifth\n";
        assert_eq!(merged(BEFORE, &mine, &theirs).as_deref(), Some(both));
        assert_eq!(merged(BEFORE, &theirs, &mine).as_deref(), Some(both), "whoever was first");
    }

    #[test]
    fn changed_lines_are_counted() {
        let other = BEFORE.replace("Second", "2").replace("Fourth", "4\n5").replace("Title\n", "");
        assert_eq!(changed_lines(BEFORE, &other), 4);
        assert_eq!(changed_lines(BEFORE, BEFORE), 0);
    }

    #[test]
    fn the_same_change_is_made_once() {
        let mine = BEFORE.replace("Second", "2");
        assert_eq!(merged(BEFORE, &mine, &mine), Some(format!("{mine}\n")));
        let theirs = mine.replace("Fourth", "4");
        assert_eq!(merged(BEFORE, &mine, &theirs), Some(format!("{theirs}\n")));
    }

    #[test]
    fn the_same_lines_and_neighbours_are_disputed() {
        let mine = BEFORE.replace("Second", "2");
        for theirs in [
            BEFORE.replace("Second", "Two"),
            BEFORE.replace("Third", "3"),
            BEFORE.replace("First\nSecond\nThird", "Other"),
            String::new(),
        ] {
            assert_eq!(merged(BEFORE, &mine, &theirs), None, "{theirs:?}");
        }
        assert_eq!(merged("", "Mine", "Theirs"), None, "two texts where none was");
    }

    #[test]
    fn my_change_is_preferred_where_lines_are_disputed() {
        let theirs = BEFORE.replace("First", "1st").replace("Third", "3rd");
        let mine = BEFORE.replace("Second", "2").replace("Third", "three").replace("Fourth", "Fourth\nFifth");
        let text = "Title\n\nFirst\n2\nthree\nFourth\nFifth".to_owned();
        assert_eq!(prefer_mine(BEFORE, &mine, BEFORE), Preferred { text: text.clone(), dropped: 0 });
        let both = Preferred { text: text.replace("First", "1st"), dropped: 1 };
        assert_eq!(prefer_mine(BEFORE, &mine, &theirs), both);
        assert_eq!(prefer_mine(BEFORE, "", &theirs).text, "");
    }
}
