//! Names that a filter would not find, because it reads them as words of its own or as ids.

use uuid::Uuid;

use super::print::{MILESTONE_KEYWORDS, SPRINT_KEYWORDS};
use crate::refusal::FieldErrors;

/// Whether a sprint or a milestone that was called `old` before, or is new, may have a name. Names from before this rule
/// stay until they are changed.
///
/// # Errors
/// What is wrong with the field `name`.
pub fn check_findable(name: &str, old: Option<&str>) -> Result<(), FieldErrors> {
    let name = name.trim();
    if old == Some(name) {
        return Ok(());
    }
    let of_sprints = SPRINT_KEYWORDS.iter().map(|(word, _)| *word);
    let mut words = MILESTONE_KEYWORDS.iter().map(|(word, _)| *word).chain(of_sprints);
    if words.any(|word| word.eq_ignore_ascii_case(name)) {
        let message = format!("Choose another name: {name:?} has a special meaning in filters.");
        return Err(FieldErrors::one("name", message));
    }
    if Uuid::try_parse(name).is_ok() {
        return Err(FieldErrors::one("name", "Choose another name: filters would read this one as an id."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_findable;

    #[test]
    fn a_name_is_no_word_that_filters_read_otherwise() {
        for name in ["none", "Any", " CURRENT ", "01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d"] {
            assert!(check_findable(name, None).is_err(), "{name}");
            assert!(check_findable(name, Some("Sprint 1")).is_err(), "{name}");
        }
        assert!(check_findable("none", Some("none")).is_ok(), "it is called so already");
        for name in ["None of it", "Version 1", "currently", "0197"] {
            assert!(check_findable(name, None).is_ok(), "{name}");
        }
    }
}
