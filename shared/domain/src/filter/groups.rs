//! Groups of a filter: what stands between parentheses, and the `OR` between its parts.
//!
//! A parenthesis opens a group where a term could begin, and closes one at the end of a term. Everywhere else it is a
//! part of the value, as it always was outside groups; in a group, a value that ends with one stands in quotes.

use std::ops::Range;

use super::MAX_DEPTH;
use super::ast::{Clause, Filter};
use super::error::Problem;
use super::term::parse_term;

/// Something wrong, and where.
type Wrong = (Range<usize>, Problem);

/// The open groups, outermost first, and the clauses outside all groups.
#[derive(Default)]
pub(super) struct Groups {
    whole: Vec<Clause>,
    open: Vec<Group>,
}

struct Group {
    span: Range<usize>,
    negated: bool,
    /// The parts that are complete.
    any: Vec<Filter>,
    /// The part that is read.
    all: Vec<Clause>,
}

impl Groups {
    /// Reads one word of the filter: the text between two white spaces.
    pub(super) fn take(&mut self, text: &str, span: Range<usize>) -> Result<(), Wrong> {
        let mut rest = &text[span.clone()];
        while let Some((negated, inside)) = opening(rest) {
            self.begin(span.clone(), negated)?;
            rest = inside;
        }
        let (term, closing) = if self.open.is_empty() { (rest, 0) } else { without_closing(rest) };
        if term.eq_ignore_ascii_case("OR") {
            self.or(span.clone())?;
        } else if !term.is_empty() {
            let term = parse_term(term).map_err(|problem| (span.clone(), problem));
            self.clauses().push(Clause::Term(term?));
        }
        for _ in 0..closing {
            self.close(span.clone())?;
        }
        Ok(())
    }

    /// The filter.
    pub(super) fn end(self) -> Result<Filter, Wrong> {
        match self.open.into_iter().next() {
            Some(group) => Err((group.span, Problem::OpenGroup)),
            None => Ok(Filter { clauses: self.whole }),
        }
    }

    /// The clauses that the next one joins.
    fn clauses(&mut self) -> &mut Vec<Clause> {
        match self.open.last_mut() {
            Some(group) => &mut group.all,
            None => &mut self.whole,
        }
    }

    fn begin(&mut self, span: Range<usize>, negated: bool) -> Result<(), Wrong> {
        if self.open.len() == MAX_DEPTH {
            return Err((span, Problem::TooDeep));
        }
        self.open.push(Group { span, negated, any: Vec::new(), all: Vec::new() });
        Ok(())
    }

    fn or(&mut self, span: Range<usize>) -> Result<(), Wrong> {
        match self.open.last_mut() {
            Some(group) if !group.all.is_empty() => {
                group.any.push(Filter { clauses: std::mem::take(&mut group.all) });
                Ok(())
            }
            Some(_) | None => Err((span, Problem::StrayOr)),
        }
    }

    fn close(&mut self, span: Range<usize>) -> Result<(), Wrong> {
        let Some(Group { negated, mut any, all, .. }) = self.open.pop() else {
            return Err((span, Problem::NotATerm));
        };
        if all.is_empty() {
            return Err((span, if any.is_empty() { Problem::EmptyGroup } else { Problem::StrayOr }));
        }
        any.push(Filter { clauses: all });
        self.clauses().push(Clause::Group { negated, any });
        Ok(())
    }
}

/// Where a group begins: whether it is negated, and the text after its parenthesis.
fn opening(text: &str) -> Option<(bool, &str)> {
    match text.strip_prefix('-') {
        Some(rest) => Some((true, rest.strip_prefix('(')?)),
        None => Some((false, text.strip_prefix('(')?)),
    }
}

/// The text without the parentheses at its end, and how many there are.
fn without_closing(text: &str) -> (&str, usize) {
    let term = text.trim_end_matches(')');
    (term, text.len() - term.len())
}
