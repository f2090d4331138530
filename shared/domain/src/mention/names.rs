//! Where a text mentions people and agents: where each mention begins, how long it is, and whom it means.
//!
//! The web app reads mentions alike, on pages and in its editor: `vectors.json` beside this file holds both to it.
//!
//! A name is compared as search compares words: without case, accents and compatibility forms, `ß` as `ss`. Apostrophes
//! and hyphens are each one, and white space is one space, but for a line's end. Scripts that are written without spaces
//! do not say where a name ends: their letters end one, and may stand before an `@`.

use unicode_normalization::char::is_combining_mark;

use super::Missed;
use crate::ids::Actor;
use crate::search::terms::{decomposed, is_dense};

/// Places in a text that are looked at: enough for every real text, and little work for every other.
const MAX_PLACES: usize = 500;

/// A mention in a text.
pub(super) struct Found<'a> {
    /// First byte, that of its `@`.
    #[cfg_attr(not(test), expect(dead_code, reason = "the vectors say how far a mention reaches"))]
    pub(super) start: usize,
    /// First byte after it.
    #[cfg_attr(not(test), expect(dead_code, reason = "the vectors say how far a mention reaches"))]
    pub(super) end: usize,
    /// Those whom it means: all that have the longest name that fits, and the agents that have the longest of agents.
    pub(super) who: Vec<&'a Actor>,
}

/// The mentions of a text without markup, in its order.
pub(super) fn found<'a>(text: &str, known: &'a [Actor]) -> Vec<Found<'a>> {
    let names = Names::of(known);
    places(text).filter_map(|at| at_place(text, at, &names)).collect()
}

/// What stands behind an `@` in a text without markup and means none of `known`, and whom of `others` it would mean.
pub(super) fn missed(text: &str, known: &[Actor], others: &[Actor]) -> Vec<Missed> {
    let (known, others) = (Names::of(known), Names::of(others));
    let missed = |at: usize| {
        if at_place(text, at, &known).is_some() {
            return None;
        }
        let word = word(&text[at + 1..])?.to_owned();
        let who = at_place(text, at, &others).map(|found| found.who).unwrap_or_default();
        Some(Missed { word, who: who.into_iter().cloned().collect() })
    };
    places(text).filter_map(missed).collect()
}

/// Where mentions may begin: the places of their `@`.
fn places(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('@').map(|(at, _)| at).filter(|at| may_begin(&text[..*at])).take(MAX_PLACES)
}

/// The word that a text begins with, if it may be a name: `@types/node` and `@Test(…)` are written in texts, too.
fn word(text: &str) -> Option<&str> {
    let goes_on = |c: char| c.is_alphanumeric() || joins(c) || "-._'’".contains(c);
    let end = text.find(|c| !goes_on(c)).unwrap_or(text.len());
    let word = text[..end].trim_end_matches(|c: char| "-._'’".contains(c));
    let is_name = word.starts_with(char::is_alphabetic) && !text[end..].starts_with(['/', '(']);
    is_name.then_some(word)
}

/// The mention that begins with the `@` at this place.
fn at_place<'a>(text: &str, at: usize, Names { names, longest }: &Names<'a>) -> Option<Found<'a>> {
    let folded = Folded::of(&text[at + 1..], *longest);
    let fitting: Vec<(usize, &Name)> =
        names.iter().filter_map(|name| Some((folded.length_of(name)?, name))).collect();
    let most = |agents: bool| {
        let of = fitting.iter().filter(|(_, name)| !agents || name.whose.id.is_agent());
        of.map(|(_, name)| name.letters.len()).max()
    };
    let (of_all, of_agents) = (most(false)?, most(true));
    let end = fitting.iter().map(|(length, _)| at + 1 + length).max()?;
    let meant = fitting.into_iter().filter(|(_, name)| {
        let letters = Some(name.letters.len());
        letters == Some(of_all) || (name.whose.id.is_agent() && letters == of_agents)
    });
    Some(Found { start: at, end, who: meant.map(|(_, name)| name.whose).collect() })
}

/// Whether an `@` behind this is not part of a word or an address.
fn may_begin(before: &str) -> bool {
    let last = before.chars().rev().find(|c| !joins(*c));
    !last.is_some_and(|c| in_word(c) || "_-@/#.&=".contains(c))
}

/// Whether a character goes on with a word, in a script that is written with spaces.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() && !is_dense(c)
}

/// Whether a character belongs to the one before it.
fn joins(c: char) -> bool {
    // The vowels and ends of Korean syllables that are written apart, and joiners.
    is_combining_mark(c) || matches!(c, '\u{1160}'..='\u{11ff}' | '\u{200c}' | '\u{200d}')
}

/// A character as names compare it. Joiners are none.
fn letters(c: char) -> Option<char> {
    match c {
        '\u{200c}' | '\u{200d}' => None,
        '’' | '‘' | 'ʼ' => Some('\''),
        '‐' => Some('-'),
        c if c != '\n' && c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

/// All ways to write the names of some.
struct Names<'a> {
    names: Vec<Name<'a>>,
    /// How many letters the longest has.
    longest: usize,
}

impl<'a> Names<'a> {
    fn of(known: &'a [Actor]) -> Self {
        let names: Vec<Name> = known.iter().flat_map(Name::all_of).collect();
        let longest = names.iter().map(|name| name.letters.len()).max().unwrap_or(0);
        Self { names, longest }
    }
}

/// One way to write a name, folded.
struct Name<'a> {
    whose: &'a Actor,
    letters: Vec<char>,
}

impl<'a> Name<'a> {
    fn all_of(whose: &'a Actor) -> Vec<Self> {
        let parts: Vec<&str> = whose.name.split_whitespace().collect();
        let mut ways: Vec<String> = ["-", ".", "", " "].iter().map(|gap| parts.join(gap)).collect();
        ways.push(whose.id.to_string());
        ways.sort_unstable();
        ways.dedup();
        let ways = ways.iter().map(|way| decomposed(way).filter_map(letters).collect());
        ways.filter(|letters: &Vec<char>| !letters.is_empty())
            .map(|letters| Self { whose, letters })
            .collect()
    }
}

/// The beginning of a text, folded, and where its letters end.
struct Folded<'t> {
    text: &'t str,
    letters: Vec<char>,
    /// For how many letters the text is read to which byte.
    ends: Vec<(usize, usize)>,
}

impl<'t> Folded<'t> {
    fn of(text: &'t str, most: usize) -> Self {
        let mut folded = Self { text, letters: Vec::new(), ends: Vec::new() };
        let mut start = 0;
        while folded.letters.len() <= most
            && let Some(first) = text[start..].chars().next()
        {
            let first_end = start + first.len_utf8();
            let more = |c: char| joins(c) || (is_space(first) && is_space(c));
            let end = text[first_end..].find(|c| !more(c)).map_or(text.len(), |length| first_end + length);
            let unit = if is_space(first) { " " } else { &text[start..end] };
            folded.letters.extend(decomposed(unit).filter_map(letters));
            folded.ends.push((folded.letters.len(), end));
            start = end;
        }
        folded
    }

    /// How many bytes of the text are the name, if it begins with it and goes on with something else.
    fn length_of(&self, name: &Name<'_>) -> Option<usize> {
        if !self.letters.starts_with(&name.letters) {
            return None;
        }
        let at = self.ends.binary_search_by_key(&name.letters.len(), |(letters, _)| *letters).ok()?;
        let end = self.ends[at].1;
        let mut after = self.text[end..].chars();
        let goes_on = match after.next() {
            Some(c) if in_word(c) || c == '_' => true,
            Some('-' | '.' | '@') => after.next().is_some_and(in_word),
            Some(_) | None => false,
        };
        (!goes_on).then_some(end)
    }
}

/// Whether a character is a space between the words of a name.
fn is_space(c: char) -> bool {
    c != '\n' && c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use uuid::Uuid;

    use super::found;
    use crate::ids::{Actor, ActorId, UserId};

    #[derive(Deserialize)]
    struct Vectors {
        names: Vec<String>,
        cases: Vec<(String, Vec<(String, String)>)>,
    }

    #[test]
    fn mentions_are_read_as_the_vectors_say() {
        let vectors: Vectors = serde_json::from_str(include_str!("vectors.json")).unwrap();
        let id = |n: usize| ActorId::User(UserId(Uuid::from_u128(n as u128)));
        let known: Vec<Actor> =
            vectors.names.into_iter().enumerate().map(|(n, name)| Actor { id: id(n), name }).collect();
        for (text, expected) in vectors.cases {
            let mentions = found(&text, &known).into_iter();
            let shown: Vec<(String, String)> = mentions
                .flat_map(|it| it.who.into_iter().map(move |who| (it.start..it.end, who)))
                .map(|(place, who)| (text[place].to_owned(), who.name.clone()))
                .collect();
            assert_eq!(shown, expected, "{text:?}");
        }
    }
}
