//! All kinds of rows and their checks: the table of the key design, as data. If you add a row there, add its check
//! here; a test compares the two.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::context::Parts;
use super::kind::Kind;
use super::{
    comments, factory, files, items, notifications, orgs, passing, people, projects, runs, schedules, search,
    sprints, views, webhooks, wiki,
};

const FAMILIES: &[&[Kind]] = &[
    people::KINDS,
    orgs::KINDS,
    projects::KINDS,
    views::KINDS,
    sprints::KINDS,
    items::KINDS,
    comments::KINDS,
    files::KINDS,
    wiki::KINDS,
    factory::KINDS,
    schedules::KINDS,
    webhooks::KINDS,
    runs::KINDS,
    search::KINDS,
    passing::KINDS,
    notifications::KINDS,
];

/// The kinds by the first word of their partitions, which is no open part.
static BY_FIRST_WORD: LazyLock<BTreeMap<&str, Vec<&Kind>>> = LazyLock::new(|| {
    let mut kinds: BTreeMap<&str, Vec<&Kind>> = BTreeMap::new();
    for kind in FAMILIES.iter().flat_map(|family| family.iter()) {
        kinds.entry(first_word(kind.pk)).or_default().push(kind);
    }
    kinds
});

fn first_word(text: &str) -> &str {
    text.split_once('#').map_or(text, |(first, _)| first)
}

/// The kind of a row, and the parts of its name. The one that names most of it is meant.
pub(super) fn kind_of<'a>(pk: &'a str, sk: &'a str) -> Option<(&'static Kind, Parts<'a>)> {
    let fits = |kind: &'static Kind| {
        let mut parts = parts(kind.pk, pk)?;
        parts.extend(self::parts(kind.sk, sk)?);
        Some((kind, parts))
    };
    let kinds = BY_FIRST_WORD.get(first_word(pk))?.iter().copied();
    kinds.filter_map(fits).max_by_key(|(kind, _)| [kind.pk, kind.sk].map(|name| name.split('#').count()))
}

/// What the open parts of a pattern are in a text. The last one may have a `#` of its own.
fn parts<'a>(pattern: &'static str, text: &'a str) -> Option<Parts<'a>> {
    // Most kinds end here, at little cost.
    let literal = pattern.find('<').map_or(pattern, |at| &pattern[..at]);
    if !text.starts_with(literal) {
        return None;
    }
    let mut found = Vec::new();
    let mut texts = text.splitn(pattern.split('#').count(), '#');
    for part in pattern.split('#') {
        let text = texts.next()?;
        match part.strip_prefix('<').and_then(|part| part.strip_suffix('>')) {
            Some(name) if !text.is_empty() => found.push((name, text)),
            Some(_) => return None,
            None if part == text => {}
            None => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, first_word, kind_of, parts};
    use std::collections::BTreeSet;

    /// The rows of the table that opens the key design.
    fn designed() -> BTreeSet<(String, String)> {
        let path = format!("{}/../storage/src/keys.rs", std::env::var("CARGO_MANIFEST_DIR").unwrap());
        let text = std::fs::read_to_string(path).unwrap();
        let mut partition = String::new();
        let mut rows = BTreeSet::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("//! | ")) {
            let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            if !cells[0].is_empty() {
                cells[0].clone_into(&mut partition);
            }
            if !cells[1].is_empty() && !partition.starts_with("partition") {
                rows.insert((partition.clone(), cells[1].to_owned()));
            }
        }
        rows
    }

    #[test]
    fn every_row_of_the_key_design_has_its_check_and_no_other_has() {
        let checked: BTreeSet<(String, String)> = FAMILIES
            .iter()
            .flat_map(|family| family.iter())
            .map(|kind| (kind.pk.to_owned(), kind.sk.to_owned()))
            .collect();
        let designed = designed();
        assert!(designed.len() > 50, "the table is read: {designed:?}");
        let unchecked: Vec<_> = designed.difference(&checked).collect();
        let unknown: Vec<_> = checked.difference(&designed).collect();
        assert!(unchecked.is_empty(), "rows of the key design without a check in check/: {unchecked:?}");
        assert!(
            checked.iter().all(|(pk, _)| !first_word(pk).contains('<')),
            "a kind is found by its first word"
        );
        assert!(unknown.is_empty(), "checks of rows that the key design does not have: {unknown:?}");
    }

    #[test]
    fn the_last_part_of_a_name_may_have_any_character() {
        assert_eq!(
            parts("NAME#<kind>#<name>", "NAME#team#a#b"),
            Some(vec![("kind", "team"), ("name", "a#b")])
        );
        assert_eq!(parts("SPRINT#<sprint>", "SPRINTS"), None);
        assert_eq!(parts("EMAIL#<e-mail>", "EMAIL#"), None);
        assert_eq!(parts("A", "A#b"), None);
    }

    #[test]
    fn of_two_kinds_the_one_that_names_more_is_meant() {
        let name = |pk: &str, sk: &str| kind_of(pk, sk).map(|(kind, _)| kind.name());
        assert_eq!(name("TERM#o#PRJ#w", "x").unwrap(), "TERM#<org>#<KEY>#<letter> <term> <place> <text>");
        assert_eq!(name("TERM#o#w", "x").unwrap(), "TERM#<org>#<letter> <term> <place> <text>");
        assert_eq!(name("RUNS#o", "id").unwrap(), "RUNS#<org> <run>");
        assert_eq!(name("RUNS#o", "id#PRJ-1").unwrap(), "RUNS#<org> <moment>#<PRJ-12>");
        assert_eq!(name("ORG#1", "NOTHING"), None);
    }
}
