//! Guesses which known word a mistyped one was meant to be.

/// The candidate that looks most like `word`: at most a third of its letters (at least one) are wrong.
/// Of several, the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= candidate.len())
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many characters must be put in, left out, changed or swapped with their neighbour.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    // Distances between beginnings: one row per length of `from`, of which only the last two are needed.
    let mut before = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for i in 1..=from.len() {
        let mut row = vec![i; to.len() + 1];
        for j in 1..=to.len() {
            let change = last[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            let swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if swapped {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_count_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
        assert_eq!(distance("hihg", "high"), 1);
    }

    #[test]
    fn slips_are_recognized_and_other_words_are_not() {
        let words = ["state", "type", "priority"];
        assert_eq!(nearest("prioritty", words), Some("priority"));
        assert_eq!(nearest("STATUS", words), None);
        assert_eq!(nearest("tpye", words), Some("type"));
        assert_eq!(nearest("stat", words), Some("state"));
        assert_eq!(nearest("colour", words), None);
    }
}
