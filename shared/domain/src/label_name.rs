//! What a label may be called, and how history names labels.

use std::collections::BTreeSet;

use crate::refusal::FieldErrors;
use crate::untrusted::is_hidden;

/// Most labels of one item.
pub const MAX_LABELS: usize = 50;
/// Longest label, in characters.
pub const MAX_LABEL: usize = 60;

/// Why a text cannot be a label; `None` when it can.
pub fn label_problem(label: &str) -> Option<String> {
    let length = label.chars().count();
    // Joiners are part of how some scripts and pictures are written.
    let unseen = |c: char| is_hidden(c) && !matches!(c, '\u{200c}' | '\u{200d}');
    let malformed = length == 0
        || length > MAX_LABEL
        || label.starts_with(['-', '+'])
        || label.trim() != label
        || label.contains("  ")
        || label.chars().any(|c| unseen(c) || (c.is_whitespace() && c != ' ') || c == ',' || c == '"')
        || label.chars().all(is_hidden);
    if !malformed {
        return addresses_resolve(label)
            .then(|| format!("{label:?} is not a label: it cannot be addressed."));
    }
    Some(format!(
        "{label:?} is not a label: use 1 to {MAX_LABEL} characters without commas or quotes, with single spaces between \
         words, not beginning with - or +."
    ))
}

/// Whether an item can have these labels, told in the errors.
pub(crate) fn check_labels(labels: &BTreeSet<String>, errors: &mut FieldErrors) {
    if labels.len() > MAX_LABELS {
        errors.add("labels", format!("An item has at most {MAX_LABELS} labels."));
    }
    for problem in labels.iter().filter_map(|label| label_problem(label)) {
        errors.add("labels", problem);
    }
}

/// What history calls the labels of an item.
pub(crate) const LABELS: &str = "labels";

/// What stands between labels in history; no label has it.
pub(crate) const LABEL_SEPARATOR: &str = ", ";

/// The labels as history tells them.
pub(crate) fn labels_in_words(labels: &BTreeSet<String>) -> Option<String> {
    (!labels.is_empty()).then(|| labels.iter().cloned().collect::<Vec<_>>().join(LABEL_SEPARATOR))
}

/// Whether a part of an address goes away before it is sent.
fn addresses_resolve(part: &str) -> bool {
    matches!(part, "." | "..")
}
