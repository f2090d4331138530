//! Labels of a project: their names, colours and descriptions (specification section 2.2).
//!
//! An item may carry a label that the project does not define; defining one says what it looks like and
//! means. Labels are the same whatever their case, and however their letters are composed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use unicode_normalization::UnicodeNormalization as _;

use crate::label_name::label_problem;
use crate::refusal::FieldErrors;

/// A label of a project. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Label {
    /// Name as people write it.
    pub name: String,
    /// Colour: `#` and six hexadecimal digits.
    pub color: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
}

/// Colour of a label that was given none.
pub const DEFAULT_COLOR: &str = "#6b7280";
/// Longest description of a label, in characters.
pub const MAX_DESCRIPTION: usize = 200;
/// Most labels that a project defines.
pub const MAX_DEFINED: usize = 500;

impl Label {
    /// Whether its fields are acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if let Some(problem) = label_problem(&self.name) {
            errors.add("name", problem);
        }
        if !is_color(&self.color) {
            errors.add("color", "Give a colour as # and six hexadecimal digits, such as #0e8a16.");
        }
        if self.description.chars().count() > MAX_DESCRIPTION {
            errors.add("description", format!("A description has at most {MAX_DESCRIPTION} characters."));
        }
        errors.into_result()
    }
}

/// Whether a text is a colour: `#` and six hexadecimal digits.
pub(crate) fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A name as it is kept: composed, so that what looks the same is the same.
pub fn composed(name: &str) -> String {
    if name.is_ascii() { name.to_owned() } else { name.nfc().collect() }
}

/// What the names of one label have in common.
pub fn folded(name: &str) -> String {
    composed(name).to_lowercase()
}

/// Whether two names are one label.
pub fn same(one: &str, other: &str) -> bool {
    one == other || folded(one) == folded(other)
}

/// Each of these labels once, as it is written first, and as it is kept.
pub fn distinct<'a>(names: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    names.into_iter().filter(|name| seen.insert(folded(name))).map(|name| composed(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Label, distinct, same};

    #[test]
    fn every_wrong_field_is_named() {
        let label = |name: &str, color: &str| Label {
            name: name.into(),
            color: color.into(),
            description: "x".repeat(200),
        };
        assert_eq!(label("needs review", "#0E8a16").check(), Ok(()));
        let mut wrong = label("two,words", "red");
        wrong.description.push('x');
        let fields: Vec<_> = wrong.check().unwrap_err().0.into_keys().collect();
        assert_eq!(fields, ["color", "description", "name"]);
        for color in ["", "#", "0e8a16", "#0e8a1", "#0e8a166", "#0e8a1g", "#ééé"] {
            assert!(label("a", color).check().is_err(), "{color}");
        }
    }

    #[test]
    fn labels_are_the_same_whatever_their_case() {
        assert!(same("Bug", "bug") && same("ÄRGER", "ärger") && !same("bug", "bugs"));
        assert!(same("A\u{308}rger", "ärger"), "however their letters are composed");
        let names = ["Bug", "bug", "a\u{308}", "\u{e4}", "BUG"].map(str::to_owned);
        assert_eq!(Vec::from_iter(distinct(&names)), ["Bug", "\u{e4}"]);
    }
}
