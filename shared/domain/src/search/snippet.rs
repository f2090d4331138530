//! What is shown of a text that was found: a part around the first match, and where in it the matches are.

use super::query::{Found, SearchQuery};
use super::terms::tokens;

/// Longest snippet in characters, the dots at its ends not counted.
pub const LENGTH: usize = 200;

/// Characters before the first match.
const LEAD: usize = 40;

/// Most highlights of one text.
const HIGHLIGHTS: usize = 20;

/// A place in a text, in UTF-16 code units, as JavaScript counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// First unit.
    pub start: usize,
    /// First unit after it.
    pub end: usize,
}

/// A part of a text on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The part.
    pub text: String,
    /// Where in it the matches are, in order and apart.
    pub highlights: Vec<Highlight>,
}

/// The whole of a short text, such as a title, with its matches.
pub fn whole(text: &str, query: &SearchQuery) -> Snippet {
    cut(text, 0, text.len(), &places(text, query))
}

/// The part of a text around its first match; its beginning where nothing matches.
pub fn around(text: &str, query: &SearchQuery) -> Snippet {
    let found = places(text, query);
    if text.chars().nth(LENGTH).is_none() {
        return cut(text, 0, text.len(), &found);
    }
    let first = found.first().map_or(0, |found| found.start);
    let before = text[..first].char_indices().rev().take(LEAD).last().map_or(first, |(at, _)| at);
    let start = if before == 0 { 0 } else { after_space(text, before, first) };
    let end = text[start..].char_indices().nth(LENGTH).map_or(text.len(), |(at, _)| start + at);
    let end = if end == text.len() { end } else { before_space(text, start, end) };
    cut(text, start, end, &found)
}

/// The next beginning of a word, where one comes before the match.
fn after_space(text: &str, from: usize, to: usize) -> usize {
    text[from..to].find(char::is_whitespace).map_or(from, |at| {
        let space = from + at;
        text[space..].chars().next().map_or(space, |c| space + c.len_utf8())
    })
}

/// The last end of a word, where one comes in the second half.
fn before_space(text: &str, start: usize, end: usize) -> usize {
    let at = text[start..end].rfind(char::is_whitespace);
    at.filter(|at| *at > (end - start) / 2).map_or(end, |at| start + at)
}

fn places(text: &str, query: &SearchQuery) -> Vec<Found> {
    let tokens = tokens(text);
    let mut found: Vec<Found> = query.clauses.iter().flat_map(|clause| clause.places(&tokens)).collect();
    found.sort_by_key(|found| (found.start, found.end));
    found
}

fn cut(text: &str, start: usize, end: usize, found: &[Found]) -> Snippet {
    let mut shown = String::with_capacity(end - start + 6);
    if start > 0 {
        shown.push('…');
    }
    let lead = shown.encode_utf16().count();
    // White space of any kind becomes a space of the same length, so that places stay.
    shown.extend(text[start..end].chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }));
    if end < text.len() {
        shown.push('…');
    }
    let units = |byte: usize| lead + text[start..byte].encode_utf16().count();
    let mut highlights: Vec<Highlight> = Vec::new();
    for place in found.iter().filter(|place| place.start >= start && place.end <= end) {
        let next = Highlight { start: units(place.start), end: units(place.end) };
        match highlights.last_mut() {
            Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
            _ => highlights.push(next),
        }
    }
    highlights.truncate(HIGHLIGHTS);
    Snippet { text: shown, highlights }
}

#[cfg(test)]
mod tests {
    use super::{LENGTH, Snippet, around, whole};
    use crate::search::SearchQuery;
    use proptest::prelude::*;

    fn marked(snippet: &Snippet) -> String {
        let units: Vec<u16> = snippet.text.encode_utf16().collect();
        let mut shown = String::new();
        let mut at = 0;
        for place in &snippet.highlights {
            shown += &String::from_utf16(&units[at..place.start]).unwrap();
            shown += &format!("[{}]", String::from_utf16(&units[place.start..place.end]).unwrap());
            at = place.end;
        }
        shown + &String::from_utf16(&units[at..]).unwrap()
    }

    #[test]
    fn matches_are_marked() {
        let query = SearchQuery::parse("\"time out\" log");
        assert_eq!(marked(&whole("🎉 Logins\ttime out", &query)), "🎉 [Logins] [time out]");
        assert_eq!(marked(&whole("日本語です", &SearchQuery::parse("本語"))), "日[本語]です");
        assert_eq!(marked(&whole("nothing", &query)), "nothing");
    }

    #[test]
    fn a_long_text_is_cut_between_words_around_the_first_match() {
        let text = format!("{}the needle\nis here {}", "before ".repeat(50), "after ".repeat(100));
        let shown = marked(&around(&text, &SearchQuery::parse("needle")));
        assert!(shown.starts_with("…before") && shown.ends_with("after…"), "{shown}");
        assert!(shown.contains("the [needle] is here"), "{shown}");
    }

    proptest! {
        #[test]
        fn any_text_is_cut(text in "\\PC{0,400}", q in "\\PC{0,20}") {
            let snippet = around(&text, &SearchQuery::parse(&q));
            prop_assert!(snippet.text.chars().count() <= LENGTH + 2);
            marked(&snippet);
        }
    }
}
