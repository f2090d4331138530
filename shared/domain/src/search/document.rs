//! A text as the index keeps it: where it came from, its words, and the terms that it is found by.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::query::{Clause, SearchQuery};
use super::rank::Class;
use super::terms::{Token, tokens};
use crate::ids::{CommentId, InvalidName, ItemKey, PageId, ProjectKey};
use crate::wiki::{Page, PagePath};

/// Bytes of a text that the index keeps, as JSON writes them: a row has room for it beside the terms.
pub const MAX_TEXT_BYTES: usize = 256 * 1024;

/// Different terms by which one text is found.
pub const MAX_TERMS: usize = 2_000;

/// Where a text is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// Title and description of an item.
    Item(ItemKey),
    /// A comment.
    Comment {
        /// The item that it is on.
        item: ItemKey,
        /// Its id.
        id: CommentId,
    },
    /// A wiki page.
    Page {
        /// The project.
        project: ProjectKey,
        /// Its id, which stays when it moves.
        id: PageId,
        /// Where it was when this was written.
        path: PagePath,
    },
}

/// What a text is called in the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId {
    /// The project.
    pub project: ProjectKey,
    /// What in it.
    pub target: Target,
}

/// What in a project a text is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Target {
    /// The item of this number.
    Item(u64),
    /// A comment.
    Comment(CommentId),
    /// A page.
    Page(PageId),
}

impl Source {
    /// A page where it is now.
    pub fn of_page(project: &ProjectKey, page: &Page) -> Self {
        Self::Page { project: project.clone(), id: page.id, path: page.path.clone() }
    }

    /// Its name in the index.
    pub fn id(&self) -> TextId {
        match self {
            Self::Item(key) => TextId { project: key.project.clone(), target: Target::Item(key.number) },
            Self::Comment { item, id } => {
                TextId { project: item.project.clone(), target: Target::Comment(*id) }
            }
            Self::Page { project, id, .. } => TextId { project: project.clone(), target: Target::Page(*id) },
        }
    }
}

const NAME: InvalidName = InvalidName("the name of a text");

impl fmt::Display for TextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.project, self.target)
    }
}

impl FromStr for TextId {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let (project, target) = text.split_once('/').ok_or(NAME)?;
        Ok(Self { project: project.parse().map_err(|_| NAME)?, target: target.parse()? })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(number) => write!(f, "i{number}"),
            Self::Comment(id) => write!(f, "c{}", id.0.simple()),
            Self::Page(id) => write!(f, "p{}", id.0.simple()),
        }
    }
}

impl FromStr for Target {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let (kind, id) = text.split_at_checked(1).ok_or(NAME)?;
        let uuid = || Uuid::try_parse(id).map_err(|_| NAME);
        match kind {
            "i" => Ok(Self::Item(id.parse().map_err(|_| NAME)?)),
            "c" => Ok(Self::Comment(CommentId(uuid()?))),
            "p" => Ok(Self::Page(PageId(uuid()?))),
            _ => Err(NAME),
        }
    }
}

impl From<Target> for String {
    fn from(target: Target) -> Self {
        target.to_string()
    }
}

impl TryFrom<String> for Target {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        text.parse()
    }
}

/// A text in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Where it is.
    pub source: Source,
    /// Title; empty for what has none.
    pub title: String,
    /// The text, as far as it is kept.
    pub text: String,
    /// Terms of the title, sorted.
    pub title_terms: Vec<String>,
    /// Terms of the text that the title does not have, sorted.
    pub text_terms: Vec<String>,
    /// When it was first written; never changes.
    pub created_at: Timestamp,
    /// Whether an agent had a part in it that stakeholders must not see (specification section 2.9).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub factory: bool,
}

/// How a text answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Where the words are.
    pub class: Class,
    /// How many clauses occur as whole words.
    pub whole: usize,
}

impl Document {
    /// The entry of a text in the index.
    pub fn new(source: Source, title: &str, text: &str, created_at: Timestamp, factory: bool) -> Self {
        let text = kept(text);
        let mut in_title = BTreeSet::new();
        let mut in_text = BTreeSet::new();
        for token in tokens(title) {
            in_title.insert(token.term);
        }
        for token in tokens(text) {
            if in_title.len() + in_text.len() == MAX_TERMS {
                break;
            }
            if !in_title.contains(&token.term) {
                in_text.insert(token.term);
            }
        }
        Self {
            source,
            title: title.to_owned(),
            text: text.to_owned(),
            title_terms: in_title.into_iter().collect(),
            text_terms: in_text.into_iter().collect(),
            created_at,
            factory,
        }
    }

    /// Every term, and whether it is one of the title.
    pub fn terms(&self) -> impl Iterator<Item = (&str, bool)> {
        let of_title = self.title_terms.iter().map(|term| (term.as_str(), true));
        of_title.chain(self.text_terms.iter().map(|term| (term.as_str(), false)))
    }

    /// How it answers a question; `None` when it does not.
    pub fn answer(&self, query: &SearchQuery) -> Option<Match> {
        let all = query.terms().into_iter().all(|(term, prefix)| {
            has(&self.title_terms, term, prefix) || has(&self.text_terms, term, prefix)
        });
        if !all || query.is_empty() {
            return None;
        }
        let title = tokens(&self.title);
        let in_title: Vec<Option<bool>> = query.clauses.iter().map(|clause| whole(clause, &title)).collect();
        if in_title.iter().all(Option::is_some) {
            let asked: Vec<&str> = query.clauses.iter().flat_map(|c| &c.terms).map(String::as_str).collect();
            let same = title.iter().filter(|token| !token.overlaps).map(|token| &token.term).eq(asked);
            let class = if same { Class::TitleIs } else { Class::Title };
            return Some(Match { class, whole: count(&in_title) });
        }
        let simple = query.clauses.iter().all(|clause| clause.terms.len() == 1);
        if simple {
            let stands = |clause: &&Clause| {
                clause
                    .terms
                    .iter()
                    .all(|t| has(&self.title_terms, t, false) || has(&self.text_terms, t, false))
            };
            let whole = query.clauses.iter().filter(stands).count();
            return Some(Match { class: Class::Text, whole });
        }
        let text = tokens(&self.text);
        let clauses = query.clauses.iter().zip(in_title);
        let found: Vec<Option<bool>> = clauses.map(|(c, title)| title.or_else(|| whole(c, &text))).collect();
        let class = Class::Text;
        found.iter().all(Option::is_some).then(|| Match { class, whole: count(&found) })
    }
}

/// Whether a clause occurs, and if so, whether somewhere as a whole word.
fn whole(clause: &Clause, text: &[Token]) -> Option<bool> {
    clause.places(text).map(|found| found.whole).reduce(|one, other| one || other)
}

fn count(found: &[Option<bool>]) -> usize {
    found.iter().filter(|whole| **whole == Some(true)).count()
}

/// Whether sorted terms have this one, or one that begins so.
fn has(terms: &[String], term: &str, prefix: bool) -> bool {
    let at = terms.partition_point(|known| known.as_str() < term);
    terms.get(at).is_some_and(|known| known == term || (prefix && known.starts_with(term)))
}

/// The part of a text that is kept.
fn kept(text: &str) -> &str {
    let mut bytes = 0;
    for (at, c) in text.char_indices() {
        bytes += match c {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            '\0'..='\u{1f}' => 6,
            _ => c.len_utf8(),
        };
        if bytes > MAX_TEXT_BYTES {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Class, Document, MAX_TERMS, MAX_TEXT_BYTES, Source, TextId};
    use crate::search::SearchQuery;
    use jiff::Timestamp;

    fn document(title: &str, text: &str) -> Document {
        Document::new(Source::Item("PRJ-12".parse().unwrap()), title, text, Timestamp::UNIX_EPOCH, false)
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let uuid = "018f3a5e7d1c70008000000000000007";
        for text in ["PRJ/i12".to_owned(), format!("PRJ/c{uuid}"), format!("PRJ/p{uuid}")] {
            assert_eq!(text.parse::<TextId>().unwrap().to_string(), text);
        }
        for text in ["", "PRJ", "PRJ/", "PRJ/i", "PRJ/ix", "PRJ/x12", "prj/i1", "PRJ/cé"] {
            assert!(text.parse::<TextId>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_text_answers_where_all_words_are() {
        let doc =
            document("Login times out", "After five minutes the session of “Zoë” is gone. See foo_bar.");
        for (q, expected) in [
            ("login", Some((Class::Title, 1))),
            ("log", Some((Class::Title, 0))),
            ("login times out", Some((Class::TitleIs, 3))),
            ("times login", Some((Class::Title, 2))),
            ("login session", Some((Class::Text, 2))),
            ("login sess", Some((Class::Text, 1))),
            ("sess login", None),
            ("\"five minutes\" log", Some((Class::Text, 1))),
            ("\"minutes five\"", None),
            ("zoe", Some((Class::Text, 1))),
            ("foo_ba", Some((Class::Text, 0))),
            ("absent", None),
            ("", None),
        ] {
            let answer = doc.answer(&SearchQuery::parse(q)).map(|found| (found.class, found.whole));
            assert_eq!(answer, expected, "{q:?}");
        }
    }

    #[test]
    fn a_long_text_is_kept_in_part() {
        let words: String = (0..MAX_TERMS * 2).map(|n| format!("w{n} ")).collect();
        let doc = document("title", &words);
        assert_eq!(doc.terms().count(), MAX_TERMS);
        let long = document("title", &"\n\u{1}é".repeat(MAX_TEXT_BYTES));
        assert!(serde_json::to_string(&long.text).unwrap().len() <= MAX_TEXT_BYTES + 2);
    }
}
