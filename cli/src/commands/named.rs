//! Finds what a person named by id or by name (specification section 4.2, run rule 2).

use crate::failure::Failure;
use crate::near::did_you_mean;

/// Most names that a person is shown to choose from.
const SHOWN: usize = 20;

/// Something with an id and a name.
pub(super) struct Named<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
}

/// The one of `all` that `wanted` means: the one with that id, else the one with that name. A name in another case counts
/// where none is spelled so, or from the start with `any_case`.
///
/// # Errors
/// Nothing matches (exit code 4); several match (exit code 2, with their ids).
pub(super) fn pick<T>(
    what: &str,
    wanted: &str,
    mut all: Vec<T>,
    any_case: bool,
    named: fn(&T) -> Named<'_>,
) -> Result<T, Failure> {
    let index = position(what, wanted, &all.iter().map(named).collect::<Vec<_>>(), any_case)?;
    Ok(all.swap_remove(index))
}

fn position(what: &str, wanted: &str, all: &[Named<'_>], any_case: bool) -> Result<usize, Failure> {
    if let Some(found) = all.iter().position(|named| named.id.eq_ignore_ascii_case(wanted)) {
        return Ok(found);
    }
    let matching = |any_case: bool| -> Vec<usize> {
        let folded = wanted.to_lowercase();
        let same = |name: &str| if any_case { name.to_lowercase() == folded } else { name == wanted };
        (0..all.len()).filter(|&index| same(all[index].name)).collect()
    };
    let mut found = matching(any_case);
    if found.is_empty() {
        found = matching(true);
    }
    match found[..] {
        [] => Err(none(what, wanted, all)),
        [only] => Ok(only),
        _ => Err(several(what, wanted, found.iter().map(|&index| &all[index]))),
    }
}

fn none(what: &str, wanted: &str, all: &[Named<'_>]) -> Failure {
    let failure = Failure::not_found(format!("no {what} {wanted:?}"));
    if all.is_empty() {
        return match what {
            "playbook" => failure.hint(
                "there is none yet; create one with `svc playbook create <NAME> -p <PROJECT_KEY> --harness claude-code --body-file <PATH>`",
            ),
            "agent" | "label" | "milestone" | "runner" | "template" | "view" => {
                failure.hint(format!("there is none yet; create one with `svc {what} create <NAME>`"))
            }
            _ => failure,
        };
    }
    let names: Vec<_> = all.iter().map(|named| named.name).take(SHOWN).collect();
    let more = if all.len() > SHOWN { ", …" } else { "" };
    let meant = did_you_mean(wanted, all.iter().map(|named| named.name));
    let meant = meant.map(|meant| format!("{meant} ")).unwrap_or_default();
    failure.hint(format!("{meant}choose from: {}{more}", names.join(", ")))
}

fn several<'a>(what: &str, wanted: &str, found: impl Iterator<Item = &'a Named<'a>>) -> Failure {
    let candidates: Vec<_> = found.map(|named| format!("{}  {}", named.id, named.name)).collect();
    Failure::rejected(format!("{wanted:?} is the name of more than one {what}"))
        .detail(candidates.join("\n  "))
        .hint(format!("name the {what} by its id"))
}

#[cfg(test)]
mod tests {
    use super::{Failure, Named, pick};

    const ALL: &[Named<'_>] = &[
        Named { id: "p1", name: "Fix" },
        Named { id: "p2", name: "fix" },
        Named { id: "p3", name: "Write docs" },
        Named { id: "p4", name: "p3" },
    ];

    fn resolve(what: &str, wanted: &str, any_case: bool) -> Result<&'static str, Failure> {
        let all = ALL.iter().collect();
        pick(what, wanted, all, any_case, |one| Named { id: one.id, name: one.name }).map(|one| one.id)
    }

    #[test]
    fn an_id_wins_over_a_name() {
        assert_eq!(resolve("playbook", "p3", true).unwrap(), "p3");
    }

    #[test]
    fn a_name_is_found_in_any_case() {
        assert_eq!(resolve("playbook", "WRITE DOCS", true).unwrap(), "p3");
        assert_eq!(resolve("agent", "write docs", false).unwrap(), "p3");
    }

    #[test]
    fn a_name_of_several_is_refused_with_their_ids() {
        let failure = resolve("playbook", "Fix", true).unwrap_err();
        assert_eq!(failure.detail.unwrap(), "p1  Fix\n  p2  fix");
        let failure = resolve("agent", "FIX", false).unwrap_err();
        assert_eq!(failure.detail.unwrap(), "p1  Fix\n  p2  fix");
        assert_eq!(resolve("agent", "fix", false).unwrap(), "p2", "spelled exactly, an agent is one");
    }

    #[test]
    fn a_name_of_nothing_lists_what_there_is() {
        let failure = resolve("playbook", "Fi", true).unwrap_err();
        assert_eq!(failure.hint.unwrap(), "did you mean \"Fix\"? choose from: Fix, fix, Write docs, p3");
        let failure = resolve("playbook", "Unheard of", true).unwrap_err();
        assert_eq!(failure.hint.unwrap(), "choose from: Fix, fix, Write docs, p3");
    }
}
