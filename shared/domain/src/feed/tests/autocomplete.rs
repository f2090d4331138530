use proptest::prelude::*;
use proptest::sample::select;

use super::generate::{at, plain, project, rows};
use crate::feed::{FeedEntry, FeedIndex};
use crate::search::terms::fold_text;

/// Numbers 1 to 130; the higher, the later it changed, but for number 3, which changed last.
fn project_of_130() -> FeedIndex {
    let mut index = FeedIndex::new(project());
    for number in 1..=130 {
        let title = match number {
            3 => "Rename PRJ 12 to Café".to_owned(),
            40 => "Login fails after 12 minutes".to_owned(),
            41 => "fails to log in".to_owned(),
            _ => format!("Chore {}", char::from(b'a' + u8::try_from(number % 26).unwrap())),
        };
        index.apply(plain(number, &title));
    }
    index.apply(FeedEntry { version: 2, updated_at: at(1_000), ..index.get(3).unwrap().clone() });
    index
}

fn numbers(q: &str, limit: usize) -> Vec<u64> {
    project_of_130().autocomplete(q, limit).iter().map(|entry| entry.number).collect()
}

#[test]
fn nothing_typed_brings_what_changed_last() {
    for q in ["", "  ", "#"] {
        assert_eq!(numbers(q, 3), [3, 130, 129], "{q:?}");
    }
}

#[test]
fn identifiers_come_first_then_longer_ones_then_titles() {
    assert_eq!(numbers("12", 20), [12, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 3, 40]);
    for q in ["#12", "PRJ-12", "prj-12"] {
        assert_eq!(numbers(q, 20), [12, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129], "{q}");
    }
    assert_eq!(numbers("#12", 2), [12, 120]);
    assert_eq!(numbers("#130", 5), [130]);
    assert_eq!(numbers("#131", 5), [] as [u64; 0]);
    assert_eq!(numbers("#0", 5), [] as [u64; 0]);
    assert_eq!(numbers("99999999999999999999", 5), [] as [u64; 0]);
}

#[test]
fn a_beginning_of_the_project_key_brings_titles_then_everything() {
    assert_eq!(numbers("PRJ", 3), [3, 130, 129]);
    assert_eq!(numbers("prj-", 3), [3, 130, 129]);
    assert_eq!(numbers("p", 200).len(), 130);
    assert_eq!(numbers("OTHER-1", 3), [] as [u64; 0]);
}

#[test]
fn title_fragments_match_whatever_their_case_and_accents() {
    assert_eq!(numbers("LOG fai", 5), [41, 40]);
    assert_eq!(numbers("CAFÉ", 5), [3]);
    assert_eq!(numbers("afe", 5), [3]);
    assert_eq!(numbers("fe\u{301}", 5), [3]);
    assert_eq!(numbers("nowhere", 5), [] as [u64; 0]);
}

#[test]
fn the_limit_is_kept() {
    assert_eq!(numbers("", 0), [] as [u64; 0]);
    assert_eq!(numbers("chore", 7).len(), 7);
}

/// What [`FeedIndex::autocomplete`] promises, by scans and sorts.
fn scanned(index: &FeedIndex, q: &str, limit: usize) -> Vec<u64> {
    let (q, mut newest) = (q.trim(), index.iter().collect::<Vec<_>>());
    newest.sort_by_key(|entry| std::cmp::Reverse((entry.updated_at, entry.number)));
    let typed = q.to_ascii_uppercase();
    let digits = typed.strip_prefix('#').or_else(|| typed.strip_prefix("PRJ-")).unwrap_or(&typed);
    let begins = |entry: &&FeedEntry| !digits.is_empty() && entry.number.to_string().starts_with(digits);
    let holds = |entry: &&FeedEntry| {
        let title = fold_text(&entry.title);
        let mut words = q.split_whitespace().map(fold_text).filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(|word| title.contains(&word))
    };
    let anything = typed == "#" || "PRJ-".starts_with(&typed);
    let all = newest.iter().filter(|_| anything);
    let numbered = index.iter().filter(begins);
    let found = numbered.chain(newest.iter().copied().filter(holds)).chain(all.copied());
    let mut seen = std::collections::HashSet::new();
    found.map(|entry| entry.number).filter(|number| seen.insert(*number)).take(limit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn completions_are_those_of_a_scan_and_a_sort(
        rows in rows(),
        q in select(vec!["", "#", "1", "#2", "prj-1", "log", "LOGIN page", "a", "är", "ger a", "日", "ΣΑ", "o fa", "nowhere", "p", "-"]),
        limit in 0..20_usize,
    ) {
        let mut index = FeedIndex::new(project());
        for row in rows.into_iter().take(40) {
            index.apply(row);
            let found: Vec<u64> = index.autocomplete(q, limit).iter().map(|entry| entry.number).collect();
            prop_assert_eq!(found, scanned(&index, q, limit), "{}", q);
        }
    }
}

/// In a project that is larger than what is looked at one by one, whether words are common, rare or seldom together.
#[test]
fn completions_of_a_large_project_are_those_of_a_scan_and_a_sort() {
    let title = |number: u64| match number % 1_000 {
        7 => "Login page of the rare kind".to_owned(),
        // The two are common, and together only in the older half.
        n if n % 2 == 0 => format!("Login {number}"),
        n if n % 10 == 1 && number < 3_000 => "Login of a page".to_owned(),
        _ => format!("page {number}"),
    };
    let mut index = FeedIndex::of(project(), (1..=10_500).map(|number| plain(number, &title(number))));
    for _ in 0..2 {
        for q in ["login", "page", "login page", "rare", "kind login", "page o", "lo", "of", "p", "77"] {
            for limit in [1, 200] {
                let found: Vec<u64> = index.autocomplete(q, limit).iter().map(|entry| entry.number).collect();
                assert_eq!(found, scanned(&index, q, limit), "{q} {limit}");
            }
        }
        index.apply(FeedEntry { version: 2, updated_at: at(20_000), ..plain(7, "Login page, renamed") });
        index.apply(FeedEntry { version: 2, deleted: true, ..plain(1_007, "") });
    }
}
