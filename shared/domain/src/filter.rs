//! The item filter language (specification section 2.2): text to terms and back.
//!
//! Reading one knows nothing of items, projects or who asks: `@me`, `current` and state groups are resolved
//! where a filter is evaluated ([`crate::feed`]), once its states are those of the project
//! ([`Filter::check_states`]).
//!
//! ```text
//! filter  = clause *(space clause)                 all clauses must match
//! clause  = term | ["-"] "(" filter *("OR" filter) ")"   any filter of a group matches
//! term    = ["-"] field ":" choice *("," choice)   any choice matches; "-" turns the term round
//! choice  = value | comparison value               comparison: > >= < <= =
//! value   = word | "\"" text "\""                  in quotes, \" and \\ stand for " and \
//! ```
//!
//! | field               | choices                                                         |
//! |---------------------|-----------------------------------------------------------------|
//! | state               | name of a state or of a group, whatever its case                |
//! | type                | story, bug, task, epic, subtask                                 |
//! | priority            | lowest … highest, with or without a comparison                  |
//! | assignee, creator,  | `@me`, `none`, `any`, an id, an address, a name or a word of it |
//! | commented           |                                                                 |
//! | label               | labels, whatever their case; `a+b` wants both                   |
//! | sprint              | `current`, `none`, `any`, an id, a name                         |
//! | milestone           | `none`, `any`, an id, a name                                    |
//! | blocked             | `true` or `false`, one of them                                  |
//! | estimate, remaining | a number with or without a comparison, `none`, `any`            |
//! | claimed             | `any`, `none`, `@me`, `@agent`, an id, an address, a name or a  |
//! |                     | word of it                                                      |
//! | parent              | an item key, `none`                                             |
//! | due, created,       | a day with or without a comparison, `none`, `any`; the day as   |
//! | updated, resolved   | `2026-01-31`, `today`, `yesterday`, `tomorrow`, `friday`,       |
//! |                     | `-7d`, `+2w`, `+1m`; of the last three also an age: `<7d`       |
//! | watching            | `@me`                                                           |
//! | text, title         | words, all of which the key, title, labels or description have, |
//! |                     | or the title alone                                              |
//! | project             | keys of projects                                                |
//! | has                 | assignee, claim, due, estimate, label, link, milestone, parent, |
//! |                     | remaining, run, sprint, subtasks                                |
//!
//! A sprint, milestone or person in quotes is never a keyword: `sprint:"none"` means the sprint of that name. Days are those of
//! whoever asks ([`crate::feed::FilterContext::zone`]). A day of the week is the next one for `due` and the last one for the other fields; today where it is one.

mod ast;
mod day;
mod error;
mod groups;
mod nearest;
mod own_words;
mod parse;
mod people;
mod print;
mod renaming;
mod states;
mod term;
#[cfg(test)]
mod tests;

pub use ast::{
    ClaimChoice, Clause, Comparison, Condition, DayChoice, Field, Filter, MilestoneChoice, Number,
    NumberChoice, Operator, ParentChoice, PersonChoice, SprintChoice, Term, Thing,
};
pub use day::Day;
pub use error::{FilterError, Problem};
pub use nearest::nearest;
pub use own_words::check_findable;
pub use renaming::Renaming;

/// Longest filter, in characters.
pub const MAX_CHARS: usize = 2_000;
/// Most terms of a filter.
pub const MAX_TERMS: usize = 50;
/// Deepest that groups of a filter stand in one another.
pub const MAX_DEPTH: usize = 5;
/// Most texts that a filter looks for: each is looked up in the search index.
pub const MAX_TEXTS: usize = 4;
/// Most days, weeks or months from today in a filter.
pub const MAX_DAYS: i16 = 9_999;
/// Largest number in a filter, which is the largest estimate.
pub const MAX_NUMBER: f64 = 1_000_000.0;
