use super::generate::{at, plain, project};
use crate::feed::{FeedEntry, FeedIndex};

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
