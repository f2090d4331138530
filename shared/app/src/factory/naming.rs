//! Names of agents, runners and playbooks: how they look, that they are unique, and how a caller's word for
//! one is resolved (specification section 4.2, run rule 2).

use svc_domain::agent::Agent;
use svc_domain::name::check_given;
use svc_domain::playbook::Playbook;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Key, Op, StorageError};

use crate::error::{Error, Result};

/// Longest name of an agent or runner, in characters.
const MAX_NAME: usize = 60;

/// Whether it can be the name of an agent or a runner.
pub(super) fn check(name: &str) -> Result<(), FieldErrors> {
    let malformed = name.trim() != name
        || !(1..=MAX_NAME).contains(&name.chars().count())
        || name.chars().any(char::is_control)
        || name.starts_with(['@', '-']);
    if malformed {
        return Err(FieldErrors::one(
            "name",
            format!("Use 1 to {MAX_NAME} characters on one line, not beginning with @ or -."),
        ));
    }
    check_given("name", name, None)
}

/// The operations that give a thing another unique name; none when the row stays the same.
pub(super) fn rename(old: Key, new: Key, id: impl ToString) -> Vec<Op> {
    if old == new {
        return Vec::new();
    }
    vec![Op::create(new, &id.to_string()), Op::delete(old, Condition::None)]
}

/// Turns the conflict of a taken name into its refusal.
pub(super) fn taken(error: Error, name: &Key, what: &'static str) -> Error {
    match error {
        Error::Storage(StorageError::Conflict { current: Some(row), .. }) if row.key == *name => {
            Refusal::AlreadyExists(what).into()
        }
        error => error,
    }
}

/// The one thing that a caller means by an id or a name, whatever the name's case.
///
/// # Errors
/// [`Refusal::Invalid`] for a word that means none, or several, whose ids it lists.
pub(super) fn resolve<'a, T>(
    field: &str,
    wanted: &str,
    things: &'a [T],
    id: impl Fn(&T) -> String,
    name: impl Fn(&T) -> &str,
) -> Result<&'a T, Refusal> {
    if let Some(found) = things.iter().find(|thing| id(thing).eq_ignore_ascii_case(wanted)) {
        return Ok(found);
    }
    let lower = wanted.to_lowercase();
    let found: Vec<&T> = things.iter().filter(|thing| name(thing).to_lowercase() == lower).collect();
    match found[..] {
        [one] => Ok(one),
        [] => {
            let known: Vec<&str> = things.iter().map(&name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Err(Refusal::invalid(field, format!("There is no {field} {wanted:?}. There are: {known}.")))
        }
        _ => {
            let ids: Vec<String> = found.into_iter().map(id).collect();
            Err(Refusal::invalid(
                field,
                format!("Several are called {wanted:?}. Name one by its id: {}.", ids.join(", ")),
            ))
        }
    }
}

/// Something that is named for new work, and that may have been deleted.
pub(super) trait Nameable {
    /// What it is, which is also the field that names it.
    const WHAT: &'static str;
    fn id(&self) -> String;
    fn name(&self) -> &str;
    fn is_there(&self) -> bool;
}

impl Nameable for Agent {
    const WHAT: &'static str = "agent";

    fn id(&self) -> String {
        self.id.to_string()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn is_there(&self) -> bool {
        Self::is_there(self)
    }
}

impl Nameable for Playbook {
    const WHAT: &'static str = "playbook";

    fn id(&self) -> String {
        self.id.to_string()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn is_there(&self) -> bool {
        Self::is_there(self)
    }
}

/// As [`resolve`], of things with their versions, among those that were not deleted.
///
/// # Errors
/// As [`resolve`]; says so of the id of a deleted one, which rules, schedules and settings still name.
pub(super) fn resolve_there<'a, T: Nameable>(
    wanted: &str,
    all: &'a [(T, u64)],
) -> Result<&'a (T, u64), Refusal> {
    let (there, deleted): (Vec<_>, Vec<_>) = all.iter().partition(|(thing, _)| thing.is_there());
    if let Some((gone, _)) = deleted.iter().find(|(thing, _)| thing.id().eq_ignore_ascii_case(wanted)) {
        let (what, name) = (T::WHAT, gone.name());
        let message =
            format!("The {what} {name} was deleted. Restore it within its 30 days, or name another.");
        return Err(Refusal::invalid(what, message));
    }
    resolve(T::WHAT, wanted, &there, |thing| thing.0.id(), |thing| thing.0.name()).copied()
}

#[cfg(test)]
mod tests {
    use super::{check, resolve};
    use svc_domain::refusal::Refusal;

    fn find(wanted: &str) -> Result<&'static str, String> {
        const THINGS: [(u32, &str); 3] = [(1, "Builder"), (2, "Tester"), (3, "tester")];
        resolve("agent", wanted, &THINGS, |t| t.0.to_string(), |t| t.1).map(|t| t.1).map_err(|refusal| {
            let Refusal::Invalid(errors) = refusal else { panic!("{refusal}") };
            errors.0["agent"].join(" ")
        })
    }

    #[test]
    fn a_word_is_an_id_or_a_name_whatever_its_case() {
        assert_eq!(find("1"), Ok("Builder"));
        assert_eq!(find("BUILDER"), Ok("Builder"));
        assert_eq!(find("3"), Ok("tester"));
    }

    #[test]
    fn a_word_for_none_or_several_is_refused_with_the_candidates() {
        assert!(find("Nobody").unwrap_err().contains("Builder, Tester, tester"));
        assert!(find("tester").unwrap_err().ends_with("2, 3."));
    }

    #[test]
    fn names_are_one_line_and_never_look_like_options() {
        assert!(check("Ada's builder").is_ok());
        for bad in ["", " a", "a\nb", "@a", "-a", &"x".repeat(61)] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }
}
