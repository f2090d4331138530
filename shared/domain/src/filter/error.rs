//! What is wrong with a filter, said so that its writer can mend it.

use std::fmt;
use std::ops::Range;

use super::ast::Field;
use super::{MAX_CHARS, MAX_DEPTH, MAX_TERMS, MAX_TEXTS};

/// Longest part of a wrong text that a message repeats, in characters.
const MAX_QUOTED: usize = 60;

/// A wrong term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FilterError {
    /// The term as written; for a filter that is too long, its beginning.
    pub term: String,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// What is wrong with it.
    pub problem: Problem,
}

impl FilterError {
    pub(super) fn new(text: &str, span: Range<usize>, problem: Problem) -> Self {
        Self { term: clip(&text[span.clone()]), span, problem }
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.term, self.problem)
    }
}

/// What is wrong with a term, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The filter is too long.
    #[error("A filter has at most {MAX_CHARS} characters; this one has {chars}.")]
    TooLong {
        /// Its length.
        chars: usize,
    },
    /// The filter has too many terms; the span begins with the first that is too many.
    #[error("A filter has at most {MAX_TERMS} terms; this one has {terms}.")]
    TooManyTerms {
        /// How many.
        terms: usize,
    },
    /// The filter looks for too many texts.
    #[error("A filter can search for at most {MAX_TEXTS} texts; this one has {texts}.")]
    TooManyTexts {
        /// How many.
        texts: usize,
    },
    /// A group is not closed.
    #[error("The parenthesis is not closed. End the group with ).")]
    OpenGroup,
    /// Nothing is in a group.
    #[error("A group needs terms, as in (type:bug OR priority:high).")]
    EmptyGroup,
    /// An `OR` has nothing on one side, or is in no group.
    #[error("OR needs terms on both sides and parentheses around them, as in (type:bug OR priority:high).")]
    StrayOr,
    /// Groups are nested too deeply.
    #[error("Groups can be nested at most {MAX_DEPTH} deep.")]
    TooDeep,
    /// There is no colon.
    #[error("A term is written field:value. Search for words with q (svc: -q). {}", fields())]
    NotATerm,
    /// There is no such field.
    #[error("There is no field `{name}`.{} {}", did_you_mean(*nearest), fields())]
    UnknownField {
        /// As written.
        name: String,
        /// The field that looks most like it.
        nearest: Option<&'static str>,
    },
    /// A value is missing, as after a colon, before or after a comma, or between quotes.
    #[error("A value is missing. Write {}.", expects(*field))]
    MissingValue {
        /// Whose value.
        field: Field,
    },
    /// A quote is not closed.
    #[error("The quote is not closed. End the value with \".")]
    OpenQuote,
    /// A quote is only part of a value.
    #[error(
        "Quotes must surround the whole value, as in state:\"In progress\". Inside them, write \\\" for \"."
    )]
    PartlyQuoted,
    /// A backslash in quotes stands before another character than a quote or a backslash.
    #[error("`\\{0}` is not a known escape. Inside quotes, write \\\" for \" and \\\\ for \\.")]
    UnknownEscape(char),
    /// The value is none that the field has.
    #[error("`{value}` is not a value of {field}.{} Write {}.", did_you_mean(*nearest), expects(*field))]
    UnknownValue {
        /// Whose value.
        field: Field,
        /// As written.
        value: String,
        /// The value that looks most like it.
        nearest: Option<&'static str>,
    },
}

impl Problem {
    pub(super) fn unknown_value(field: Field, value: &str, nearest: Option<&'static str>) -> Self {
        Self::UnknownValue { field, value: clip(value), nearest }
    }

    pub(super) fn unknown_field(name: &str, nearest: Option<&'static str>) -> Self {
        Self::UnknownField { name: clip(name), nearest }
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn fields() -> String {
    let names = Field::ALL.iter().map(|field| field.as_str()).collect::<Vec<_>>().join(", ");
    format!("The fields are {names}.")
}

fn did_you_mean(nearest: Option<&'static str>) -> String {
    nearest.map(|word| format!(" Did you mean `{word}`?")).unwrap_or_default()
}

const fn expects(field: Field) -> &'static str {
    match field {
        Field::State => "names of states, or the groups backlog, active, resolved and closed",
        Field::Type => "story, bug, task, epic or subtask",
        Field::Priority => "lowest, low, medium, high or highest, perhaps after >, >=, <, <= or =",
        Field::Assignee | Field::Creator | Field::Commented => {
            "@me, none, any or the name, address or id of a person or an agent"
        }
        Field::Label => {
            "labels: a,b for any of them, a+b for all of them, with quotes around a label that contains , or +, as \
            in label:\"c++\""
        }
        Field::Sprint => "current, none, any or the name or id of a sprint",
        Field::Milestone => "none, any or the name or id of a milestone",
        Field::Blocked => "true or false",
        Field::Estimate | Field::Remaining => {
            "none, any or a number from 0 to 1000000 such as 3 or 0.5, perhaps after >, >=, <, <= or ="
        }
        Field::Claimed => "any, none, @me, @agent or the name, address or id of a person or an agent",
        Field::Parent => "none or an item key such as PRJ-12",
        Field::Due => {
            "a day such as 2026-01-31, today, yesterday, tomorrow, friday, -7d, +2w or +1m, perhaps after >, >=, <, <= or =, none or any"
        }
        Field::Created | Field::Updated | Field::Resolved => {
            "a day such as 2026-01-31, today, yesterday, friday, -7d or -2w, perhaps after >, >=, <, <= or =, an age such as \
             <7d or >2w, none or any"
        }
        Field::Watching => "@me",
        Field::Text | Field::Title => "words, in quotes if there are several",
        Field::Project => "keys of projects such as PRJ",
        Field::Has => {
            "assignee, claim, due, estimate, label, link, milestone, parent, remaining, run, sprint or subtasks"
        }
    }
}
