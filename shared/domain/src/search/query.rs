//! What a question asks: words that must all occur, the last of them perhaps not typed to its end, and
//! phrases in quotes whose words follow each other.

use super::terms::{Token, tokens};

/// Terms that follow each other in a text. A word is a clause of one term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The terms, one or more.
    pub terms: Vec<String>,
    /// Whether a longer word may stand for the last term.
    pub prefix: bool,
}

/// A question: a text answers it when every clause occurs in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// The clauses; none when the question has no letter and no digit, which nothing answers.
    pub clauses: Vec<Clause>,
}

/// A place where a clause occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// First byte.
    pub start: usize,
    /// First byte after it.
    pub end: usize,
    /// Whether the last term stands there as a whole word.
    pub whole: bool,
}

impl Clause {
    fn of(chunk: &str, open: bool) -> Option<Self> {
        let mut tokens = tokens(chunk);
        if tokens.last().is_some_and(|last| last.overlaps) {
            tokens.pop();
            return Some(Self { terms: terms(tokens), prefix: false });
        }
        // A lone character of a script without spaces is found wherever a term begins with it.
        let lone = tokens.last().is_some_and(|last| last.term.chars().count() == 1 && !last.term.is_ascii());
        (!tokens.is_empty()).then(|| Self { terms: terms(tokens), prefix: open || lone })
    }

    /// Every place where it occurs.
    pub fn places<'a>(&'a self, text: &'a [Token]) -> impl Iterator<Item = Found> + 'a {
        let windows = text.windows(self.terms.len().max(1));
        windows.filter_map(|window| {
            let (last, before) = self.terms.split_last()?;
            let (token, first) = window.split_last()?;
            if !first.iter().zip(before).all(|(token, term)| token.term == *term) {
                return None;
            }
            let whole = token.term == *last;
            let fits = whole || (self.prefix && token.term.starts_with(last.as_str()));
            fits.then(|| Found { start: window[0].start, end: token.end, whole })
        })
    }
}

fn terms(tokens: Vec<Token>) -> Vec<String> {
    tokens.into_iter().map(|token| token.term).collect()
}

impl SearchQuery {
    /// Reads what was typed. Everything is a question: a quote that is not closed ends with it.
    pub fn parse(q: &str) -> Self {
        let mut clauses = Vec::new();
        let mut quoted = false;
        let mut chunks = q.split(['"', '“', '”', '„']).peekable();
        while let Some(part) = chunks.next() {
            let last = chunks.peek().is_none();
            if quoted {
                clauses.extend(Clause::of(part, last));
            } else {
                let mut words = part.split_whitespace().peekable();
                while let Some(word) = words.next() {
                    clauses.extend(Clause::of(word, last && words.peek().is_none()));
                }
            }
            quoted = !quoted;
        }
        clauses.dedup();
        Self { clauses }
    }

    /// Whether nothing can answer it.
    pub const fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The question with other terms in the place of some of its own.
    #[must_use]
    pub fn replacing(&self, other: impl Fn(&str) -> Option<String>) -> Self {
        let mut query = self.clone();
        for term in query.clauses.iter_mut().flat_map(|clause| &mut clause.terms) {
            if let Some(other) = other(term) {
                *term = other;
            }
        }
        query
    }

    /// Every term, each once, and whether a longer word may stand for it.
    pub fn terms(&self) -> Vec<(&str, bool)> {
        let mut all: Vec<(&str, bool)> = Vec::new();
        for clause in &self.clauses {
            let last = clause.terms.len().saturating_sub(1);
            for (place, term) in clause.terms.iter().enumerate() {
                all.push((term, clause.prefix && place == last));
            }
        }
        all.sort_unstable();
        // `false` sorts first and demands more.
        all.dedup_by(|next, kept| next.0 == kept.0);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::SearchQuery;
    use crate::search::terms::tokens;
    use proptest::prelude::*;

    fn shown(q: &str) -> String {
        let clauses = SearchQuery::parse(q).clauses;
        let show = |clause: &super::Clause| clause.terms.join("+") + if clause.prefix { "…" } else { "" };
        clauses.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_was_typed_becomes_clauses() {
        for (q, expected) in [
            ("", ""),
            (" ?! \"\" ", ""),
            ("Log", "log…"),
            ("fix login tim", "fix login tim…"),
            ("\"time out\" log", "time+out log…"),
            ("log \"time out\"", "log time+out"),
            ("log \"time ou", "log time+ou…"),
            ("“Zeit läuft” ab", "zeit+lauft ab…"),
            ("PRJ-12 snake_case", "prj+12 snake+case…"),
            ("日本語", "日本+本語"),
            ("本 api", "本… api…"),
            ("日本v2", "日本+本+v2…"),
        ] {
            assert_eq!(shown(q), expected, "{q:?}");
        }
    }

    #[test]
    fn clauses_occur_where_their_terms_follow_each_other() {
        let answers = |q: &str, text: &str| {
            let tokens = tokens(text);
            let query = SearchQuery::parse(q);
            !query.is_empty() && query.clauses.iter().all(|clause| clause.places(&tokens).next().is_some())
        };
        for (q, text, expected) in [
            ("login time", "The timeout of the login", true),
            ("time login", "The timeout of the login", false),
            ("\"the login\"", "The timeout of the login", true),
            ("\"login the\"", "The timeout of the login", false),
            ("snake_case", "a snake case", true),
            ("cafe", "CAFÉ", true),
            ("語", "日本語です", true),
            ("本語", "日本語", true),
            ("日語", "日本語", false),
            ("日本v2", "新しい日本v2です", true),
            ("", "anything", false),
        ] {
            assert_eq!(answers(q, text), expected, "{q:?} in {text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_text_answers_its_own_words(text in "\\PC{0,40}") {
            let tokens = tokens(&text);
            for word in text.split_whitespace().filter(|word| !word.contains(['"', '“', '”', '„'])) {
                for clause in SearchQuery::parse(word).clauses {
                    prop_assert!(clause.places(&tokens).next().is_some(), "{word:?} in {text:?}: {clause:?}");
                }
            }
        }
    }
}
