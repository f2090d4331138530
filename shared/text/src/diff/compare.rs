//! Finds what differs between the lines of two texts.
//!
//! Protocol.
//! 1. The lines that both texts begin and end with are put aside.
//! 2. What is between is compared as a whole if that is little work: it grows with the square of the lines.
//! 3. Otherwise lines that each text has once, in the same order, are found first. What is between two of them is
//!    compared by itself, as long as there is [`MOST_WORK`] left, and shown as replaced after that.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

/// Squares of the lines that are compared with each other: 2,000 lines of both texts take some 20 ms at worst.
const MOST_WORK: usize = 2_000 * 2_000;

/// What is to be done to the old lines to make them the new ones, in order and without gaps.
pub(super) fn compare(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    // Comparing numbers costs the same however long the lines are, and however late they differ.
    let mut known = HashMap::new();
    let (old, new) = (numbered(old, &mut known), numbered(new, &mut known));
    let shared =
        |pairs: &mut dyn Iterator<Item = (&usize, &usize)>| pairs.take_while(|(a, b)| a == b).count();
    let head = shared(&mut old.iter().zip(&new));
    let tail = shared(&mut old[head..].iter().rev().zip(new[head..].iter().rev()));
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut comparison = Comparison { old: &old, new: &new, left: MOST_WORK, ops: Vec::new() };
    comparison.same(0, 0, head);
    comparison.between(head..old_end, head..new_end);
    comparison.same(old_end, new_end, tail);
    comparison.ops
}

/// A number for each line, the same for the same line.
fn numbered<'a>(lines: &[&'a str], known: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    let mut number = |line: &&'a str| {
        let next = known.len();
        *known.entry(line).or_insert(next)
    };
    lines.iter().map(&mut number).collect()
}

struct Comparison<'a> {
    old: &'a [usize],
    new: &'a [usize],
    /// Work that may still be done.
    left: usize,
    ops: Vec<DiffOp>,
}

impl Comparison<'_> {
    fn between(&mut self, old: Range<usize>, new: Range<usize>) {
        if work(&old, &new) <= self.left {
            return self.part(old, new);
        }
        let (mut old_at, mut new_at) = (old.start, new.start);
        for (old_anchor, new_anchor) in anchors(self.old, self.new, &old, &new) {
            self.part(old_at..old_anchor, new_at..new_anchor);
            self.same(old_anchor, new_anchor, 1);
            (old_at, new_at) = (old_anchor + 1, new_anchor + 1);
        }
        self.part(old_at..old.end, new_at..new.end);
    }

    /// Compares a part while there is work left.
    fn part(&mut self, old: Range<usize>, new: Range<usize>) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        let Some(left) = self.left.checked_sub(work(&old, &new)) else {
            let (old_index, new_index) = (old.start, new.start);
            let (old_len, new_len) = (old.len(), new.len());
            return self.ops.push(DiffOp::Replace { old_index, old_len, new_index, new_len });
        };
        self.left = left;
        let (old_lines, new_lines) = (&self.old[old.clone()], &self.new[new.clone()]);
        for op in capture_diff_slices(Algorithm::Myers, old_lines, new_lines) {
            match shifted(op, old.start, new.start) {
                DiffOp::Equal { old_index, new_index, len } => self.same(old_index, new_index, len),
                op => self.ops.push(op),
            }
        }
    }

    /// So many lines are the same.
    fn same(&mut self, old_index: usize, new_index: usize, lines: usize) {
        match self.ops.last_mut() {
            _ if lines == 0 => {}
            Some(DiffOp::Equal { len, .. }) => *len += lines,
            _ => self.ops.push(DiffOp::Equal { old_index, new_index, len: lines }),
        }
    }
}

fn work(old: &Range<usize>, new: &Range<usize>) -> usize {
    if old.is_empty() || new.is_empty() { 0 } else { (old.len() + new.len()).saturating_pow(2) }
}

fn shifted(op: DiffOp, old_by: usize, new_by: usize) -> DiffOp {
    let (tag, old, new) = op.as_tag_tuple();
    let (old_index, new_index) = (old.start + old_by, new.start + new_by);
    match tag {
        DiffTag::Equal => DiffOp::Equal { old_index, new_index, len: old.len() },
        DiffTag::Delete => DiffOp::Delete { old_index, old_len: old.len(), new_index },
        DiffTag::Insert => DiffOp::Insert { old_index, new_index, new_len: new.len() },
        DiffTag::Replace => DiffOp::Replace { old_index, old_len: old.len(), new_index, new_len: new.len() },
    }
}

/// The lines that both parts have once, as many as there are in the same order: their places in both texts.
fn anchors(
    old_lines: &[usize],
    new_lines: &[usize],
    old: &Range<usize>,
    new: &Range<usize>,
) -> Vec<(usize, usize)> {
    let places = once(new_lines, new);
    let mut pairs: Vec<(usize, usize)> =
        once(old_lines, old).into_iter().filter_map(|(line, at)| Some((at, *places.get(&line)?))).collect();
    pairs.sort_unstable();
    rising(&pairs)
}

/// The lines that a part has once, and where.
fn once(lines: &[usize], part: &Range<usize>) -> HashMap<usize, usize> {
    let mut found: HashMap<usize, Option<usize>> = HashMap::new();
    for at in part.clone() {
        found.entry(lines[at]).and_modify(|place| *place = None).or_insert(Some(at));
    }
    found.into_iter().filter_map(|(line, at)| Some((line, at?))).collect()
}

/// The longest series of pairs whose second parts rise too.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that the best series of each length ends with, and the pair before each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut series: Vec<_> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    series.reverse();
    series
}

#[cfg(test)]
mod tests {
    use similar::DiffOp;

    use super::{MOST_WORK, compare, rising, work};

    /// 2,040 random lines of one letter on both sides took 0.1 s of a processor: few bytes, and much work.
    #[test]
    fn no_texts_take_more_work_than_the_most() {
        let lines = |seed: usize| -> Vec<&str> {
            (0..6_000).map(|n| ["a", "b", "c", "d"][(n * n + seed * n) / 7 % 4]).collect()
        };
        let ops = compare(&lines(1), &lines(3));
        assert!(ops.iter().any(|op| matches!(op, DiffOp::Replace { old_len: 5_000.., .. })), "{ops:?}");
        assert!(work(&(0..1_000), &(0..1_000)) <= MOST_WORK);
    }

    #[test]
    fn the_longest_series_that_rises_is_found() {
        assert_eq!(rising(&[(0, 5), (1, 0), (2, 1), (3, 9), (4, 2)]), [(1, 0), (2, 1), (4, 2)]);
        assert_eq!(rising(&[]), []);
    }
}
