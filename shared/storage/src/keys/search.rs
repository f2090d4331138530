//! Keys of the index of texts. The table in [the module above](super) says who reads them.
//!
//! A text that changes leaves a `TOINDEX` row in the commit of the change (2 w); the indexer turns it into
//! the text's `TEXT` row and two postings for every different term that came or went (4 w each, at most
//! 2,000 terms of a text). A question reads, however many texts there are: for at most 6 of its terms, in
//! at most 4 partitions, one query of 256 postings (8 r), and only where each of the terms is that frequent
//! and few texts of those have them all, 1,792 more of each (56 r); then at most 300 `TEXT` rows in threes
//! of 100, the most recent first; then the rows of the answers themselves. Items of a project are found by
//! their feed (see above) besides.

use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::{Target, TextId};

use super::sortable;
use crate::Key;

/// Partition of the postings of the terms that begin with the same letter, in a project, or in all projects.
pub fn term_pk(org: OrgId, project: Option<&ProjectKey>, term: &str) -> String {
    let letter: String = term.chars().take(1).collect();
    match project {
        Some(project) => format!("TERM#{org}#{project}#{letter}"),
        None => format!("TERM#{org}#{letter}"),
    }
}

/// The last moment that a sort key has room for.
const LAST_MILLIS: i64 = 999_999_999_999_999;

/// Sort key of a posting: of a term, first where it is in titles, then the texts written last.
pub fn term_sk(term: &str, in_title: bool, created_millis: i64, text: &TextId) -> String {
    let place = if in_title { '0' } else { '1' };
    format!("{term} {place}{} {text}", sortable(LAST_MILLIS - created_millis.max(0)))
}

/// What a posting's sort key says: whether it is of a title, when the text was written, and which it is.
pub fn read_term_sk(sk: &str) -> Option<(bool, i64, TextId)> {
    let (rest, text) = sk.rsplit_once(' ')?;
    let (_, place) = rest.rsplit_once(' ')?;
    let (title, time) = place.split_at_checked(1)?;
    Some((title == "0", LAST_MILLIS - time.parse::<i64>().ok()?, text.parse().ok()?))
}

/// A text as the index has it.
pub fn text(org: OrgId, text: &TextId) -> Key {
    Key::new(format!("TEXT#{org}#{text}"), "TEXT")
}

/// Partitions of texts to index begin with this.
const TO_INDEX_PREFIX: &str = "TOINDEX#";

/// Shards of the texts to index.
pub const TO_INDEX_SHARDS: u128 = 4;

/// Partition of one shard of the texts to index.
pub fn to_index_pk(shard: u128) -> String {
    format!("{TO_INDEX_PREFIX}{shard}")
}

/// That a text is to be indexed.
pub fn to_index(org: OrgId, text: &TextId) -> Key {
    let number = match text.target {
        Target::Item(number) => u128::from(number),
        Target::Comment(id) => id.0.as_u128(),
        Target::Page(id) => id.0.as_u128(),
    };
    Key::new(to_index_pk(number % TO_INDEX_SHARDS), format!("{org}#{text}"))
}

/// Whether a row says that a text is to be indexed.
pub fn is_to_index(key: &Key) -> bool {
    key.pk.starts_with(TO_INDEX_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::{read_term_sk, term_sk};

    #[test]
    fn postings_of_titles_come_first_then_those_written_last() {
        let text = "PRJ/i12".parse().unwrap();
        let sk = |in_title, created| term_sk("word", in_title, created, &text);
        let in_order = [sk(true, 2), sk(true, 1), sk(false, 2), sk(false, 1)];
        assert!(in_order.is_sorted());
        assert!(in_order[3] < term_sk("words", true, 3, &text));
        assert_eq!(read_term_sk(&sk(true, 7)), Some((true, 7, text)));
        assert_eq!(read_term_sk("word"), None);
    }
}
