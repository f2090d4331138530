//! Names of agents, runners and playbooks: how they look, that they are unique, and how a caller's word for
//! one is resolved (specification section 4.2, run rule 2).

use jiff::Timestamp;
use svc_domain::agent::Agent;
use svc_domain::deletion::Deletion;
use svc_domain::name::check_given;
use svc_domain::playbook::Playbook;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::untrusted::first_of;
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
    refused(error, name, Refusal::AlreadyExists(what))
}

/// The same for what comes back, where another one has its name by now.
pub(super) fn taken_meanwhile(error: Error, name: &Key, by: &'static str) -> Error {
    refused(error, name, Refusal::TakenMeanwhile { by, what: "name" })
}

fn refused(error: Error, name: &Key, refusal: Refusal) -> Error {
    match error {
        Error::Storage(StorageError::Conflict { current: Some(row), .. }) if row.key == *name => {
            refusal.into()
        }
        error => error,
    }
}

/// The one thing that a caller means by an id or a name, whatever the name's case; `None` if there is none.
///
/// # Errors
/// [`Refusal::Invalid`] for a name of several, whose ids it lists.
pub(super) fn find<'a, T>(
    field: &str,
    wanted: &str,
    things: &'a [T],
    id: impl Fn(&T) -> String,
    name: impl Fn(&T) -> &str,
) -> Result<Option<&'a T>, Refusal> {
    if let Some(found) = things.iter().find(|thing| id(thing).eq_ignore_ascii_case(wanted)) {
        return Ok(Some(found));
    }
    let lower = wanted.to_lowercase();
    let found: Vec<&T> = things.iter().filter(|thing| name(thing).to_lowercase() == lower).collect();
    if let [] | [_] = found[..] {
        return Ok(found.first().copied());
    }
    let ids: Vec<String> = found.into_iter().map(id).collect();
    let ids = first_of(ids.iter().map(String::as_str));
    Err(Refusal::invalid(field, format!("Several are named {wanted:?}. Give the id of one: {ids}.")))
}

/// As [`find`], for those who may see what there is.
///
/// # Errors
/// As [`find`]; for a word that means none, with the names that there are.
pub(super) fn resolve<'a, T>(
    field: &str,
    wanted: &str,
    things: &'a [T],
    id: impl Fn(&T) -> String,
    name: impl Fn(&T) -> &str,
) -> Result<&'a T, Refusal> {
    find(field, wanted, things, id, &name)?.ok_or_else(|| {
        let known = first_of(things.iter().map(name));
        Refusal::invalid(field, format!("There is no {field} {wanted:?}. There are: {known}."))
    })
}

/// The agent that is meant for new work.
///
/// # Errors
/// As [`resolve`]; says so of the id of a deleted one, which rules, schedules and settings still name.
pub(super) fn agent<'a>(
    wanted: &str,
    all: &'a [(Agent, u64)],
    now: Timestamp,
) -> Result<&'a (Agent, u64), Refusal> {
    let id = |agent: &Agent| agent.id.to_string();
    resolve_there("agent", wanted, all, id, |agent| (&agent.name, agent.deleted.as_ref()), now)
}

/// The playbook that is meant for new work.
///
/// # Errors
/// As [`agent`].
pub(super) fn playbook<'a>(
    wanted: &str,
    all: &'a [(Playbook, u64)],
    now: Timestamp,
) -> Result<&'a (Playbook, u64), Refusal> {
    let id = |playbook: &Playbook| playbook.id.to_string();
    resolve_there("playbook", wanted, all, id, |playbook| (&playbook.name, playbook.deleted.as_ref()), now)
}

/// That something was deleted, for who names it for new work.
pub(super) fn deleted(what: &str, name: &str, deletion: &Deletion, now: Timestamp) -> String {
    if deletion.can_be_undone(now) {
        format!("The {what} {name} was deleted. Restore it within its 30 days, or name another.")
    } else {
        format!("The {what} {name} was deleted. It can no longer be restored: name another.")
    }
}

/// As [`resolve`], of things with their versions, among those that were not deleted.
fn resolve_there<'a, T>(
    what: &'static str,
    wanted: &str,
    all: &'a [(T, u64)],
    id: impl Fn(&T) -> String,
    known: impl Fn(&T) -> (&str, Option<&Deletion>),
    now: Timestamp,
) -> Result<&'a (T, u64), Refusal> {
    let by_id = all.iter().find(|(thing, _)| id(thing).eq_ignore_ascii_case(wanted));
    if let Some((name, Some(deletion))) = by_id.map(|(thing, _)| known(thing)) {
        return Err(Refusal::invalid(what, deleted(what, name, deletion, now)));
    }
    let there: Vec<_> = all.iter().filter(|(thing, _)| known(thing).1.is_none()).collect();
    resolve(what, wanted, &there, |thing| id(&thing.0), |thing| known(&thing.0).0).copied()
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
