//! Words that differ by one wrong letter: another one, one too many, one too few, or two neighbours that changed places.

/// Letters that a word must have for one of them to be forgiven: shorter words are near too many others.
const FEWEST: usize = 4;

/// Whether a wrong letter of a term is forgiven: of words, not of numbers, which mean something else.
pub fn may_be_wrong(term: &str) -> bool {
    term.chars().count() >= FEWEST && !term.chars().any(char::is_numeric)
}

/// What of a known term was meant by one with a wrong letter, and whether that is all of it. Where the term may go on
/// (`prefix`), a beginning of the known one may be meant.
pub fn near<'t>(asked: &str, prefix: bool, known: &'t str) -> Option<(&'t str, bool)> {
    if known.chars().any(char::is_numeric) {
        return None;
    }
    let asked: Vec<char> = asked.chars().collect();
    let letters: Vec<(usize, char)> = known.char_indices().collect();
    let chars: Vec<char> = letters.iter().map(|(_, c)| *c).collect();
    if is_near(&asked, &chars) {
        return Some((known, true));
    }
    let beginnings = [asked.len(), asked.len() + 1, asked.len() - 1];
    let mut beginnings = beginnings.into_iter().filter(|length| prefix && *length < chars.len());
    let length = beginnings.find(|length| is_near(&asked, &chars[..*length]))?;
    Some((&known[..letters[length].0], false))
}

fn is_near(one: &[char], other: &[char]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - same], &other[..other.len() - same]) {
        ([_] | [], [_] | []) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{may_be_wrong, near};

    #[test]
    fn one_letter_is_forgiven() {
        for (asked, prefix, known, expected) in [
            ("pelican", false, "pelican", Some(("pelican", true))),
            ("pelicen", false, "pelican", Some(("pelican", true))),
            ("relican", false, "pelican", Some(("pelican", true))),
            ("pelcan", false, "pelican", Some(("pelican", true))),
            ("pellican", false, "pelican", Some(("pelican", true))),
            ("peilcan", false, "pelican", Some(("pelican", true))),
            ("pelicna", false, "pelican", Some(("pelican", true))),
            ("pelixon", false, "pelican", None),
            ("pelxc", false, "pelican", None),
            ("pelxc", true, "pelican", Some(("pelic", false))),
            ("pxlxc", true, "pelican", None),
            ("pelxcan", true, "pelicans", Some(("pelican", false))),
            ("plican", true, "pelicans", Some(("pelican", false))),
            ("pellic", true, "pelican", Some(("pelic", false))),
            ("größe", false, "grösse", None),
            ("мосвка", false, "москва", Some(("москва", true))),
            ("words", false, "word4", None),
        ] {
            assert_eq!(near(asked, prefix, known), expected, "{asked} {prefix} {known}");
        }
        assert!(may_be_wrong("login") && !may_be_wrong("log") && !may_be_wrong("word42"));
    }
}
