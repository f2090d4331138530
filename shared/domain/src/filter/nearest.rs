//! Guesses which known word a mistyped one was meant to be.

/// The candidate that looks most like `word`: at most a third of its letters (at least one) are wrong.
/// Of several, the first.
pub(crate) fn nearest(
    word: &str,
    candidates: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= candidate.len())
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many characters must be put in, left out or changed (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let change = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_count_edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn slips_are_recognized_and_other_words_are_not() {
        let words = ["state", "type", "priority"];
        assert_eq!(nearest("prioritty", words), Some("priority"));
        assert_eq!(nearest("STATUS", words), None);
        assert_eq!(nearest("stat", words), Some("state"));
        assert_eq!(nearest("colour", words), None);
    }
}
