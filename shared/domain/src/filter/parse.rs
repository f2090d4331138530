//! Reads a filter. Never panics, and reports every wrong term, not only the first.

use std::ops::Range;

use super::ast::{Condition, Filter};
use super::error::{FilterError, Problem};
use super::groups::Groups;
use super::{MAX_CHARS, MAX_TERMS, MAX_TEXTS};

impl Filter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Every wrong term with its place, in the order they were written.
    pub fn parse(text: &str) -> Result<Self, Vec<FilterError>> {
        let chars = text.chars().count();
        if chars > MAX_CHARS {
            return Err(vec![FilterError::new(text, 0..text.len(), Problem::TooLong { chars })]);
        }
        let spans = term_spans(text);
        if let Some(first) = spans.get(MAX_TERMS) {
            let problem = Problem::TooManyTerms { terms: spans.len() };
            return Err(vec![FilterError::new(text, first.clone(), problem)]);
        }
        let mut groups = Groups::default();
        let mut errors = Vec::new();
        for span in spans {
            if let Err((span, problem)) = groups.take(text, span) {
                errors.push(FilterError::new(text, span, problem));
            }
        }
        let filter = match groups.end() {
            Ok(filter) => filter,
            Err((span, problem)) => {
                errors.push(FilterError::new(text, span, problem));
                Self::default()
            }
        };
        let texts: usize = filter.terms().iter().map(|term| texts_of(&term.condition)).sum();
        if texts > MAX_TEXTS {
            errors.push(FilterError::new(text, 0..text.len(), Problem::TooManyTexts { texts }));
        }
        if errors.is_empty() { Ok(filter) } else { Err(errors) }
    }
}

/// How many texts a condition looks for.
const fn texts_of(condition: &Condition) -> usize {
    match condition {
        Condition::Text(texts) => texts.len(),
        _ => 0,
    }
}

/// Where the terms stand: what lies between white space outside quotes.
fn term_spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        if c.is_whitespace() && !quoted {
            spans.extend(start.take().map(|start| start..at));
            continue;
        }
        start.get_or_insert(at);
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    spans.extend(start.map(|start| start..text.len()));
    spans
}
