//! Keys of the index of texts. The table in [the module above](super) says who reads them.
//!
//! A text that changes leaves a `TOINDEX` row in the commit of the change (2 w). The indexer takes up to 24 texts of a
//! project together: it writes their `TEXT` rows and a segment (one row for the texts, one for each 4 kB of words) and
//! lists it in `SEGMENTS`, all in one commit. Segments are merged now and then, so that there are some ten, and a word
//! is written again some seven times.
//!
//! A question reads, of each project that is searched, `SEGMENTS` (1 r), and of each segment, for at most 6 of its
//! words, the block where the word is and those behind it up to 256 postings, the lists that name the texts, and only
//! where each of the words is that frequent and few texts have them all, up to 2,048 postings; then at most 2,000
//! `TEXT` rows in fifties, the most recent first, until there are enough; then the rows of the answers themselves. Items of a project are found
//! by their feed (see above) besides.

use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::search::{Target, TextId};

use super::sortable;
use crate::Key;

/// Partition of a project's index.
pub fn index_pk(org: OrgId, project: &ProjectKey) -> String {
    format!("INDEX#{org}#{project}")
}

/// The segments of a project's index.
pub fn index(org: OrgId, project: &ProjectKey) -> Key {
    Key::new(index_pk(org, project), "SEGMENTS")
}

/// Which segments are being merged.
pub fn index_merge(org: OrgId, project: &ProjectKey) -> Key {
    Key::new(index_pk(org, project), "MERGE")
}

/// What the sort keys of a segment's rows begin with.
pub fn segment_prefix(segment: &str) -> String {
    format!("SEGMENT#{segment}#")
}

/// Sort key of a list of a segment's texts; lists are numbered from 0.
pub fn segment_texts_sk(segment: &str, list: usize) -> String {
    format!("SEGMENT#{segment}#TEXTS#{list:06}")
}

/// What the sort keys of all lists of a segment's texts begin with.
pub fn segment_texts_prefix(segment: &str) -> String {
    format!("SEGMENT#{segment}#TEXTS#")
}

/// Sort key of a block of a segment's postings, whose first posting has this name.
pub fn segment_words_sk(segment: &str, first: &str) -> String {
    format!("SEGMENT#{segment}#WORDS#{first}")
}

/// Partition of the postings of an index of earlier servers: of the terms that begin with the same letter, in a
/// project, or in all projects.
pub fn earlier_posting_pk(org: OrgId, project: Option<&ProjectKey>, term: &str) -> String {
    let letter: String = term.chars().take(1).collect();
    match project {
        Some(project) => format!("TERM#{org}#{project}#{letter}"),
        None => format!("TERM#{org}#{letter}"),
    }
}

/// The last moment that a sort key has room for.
const LAST_MILLIS: i64 = 999_999_999_999_999;

/// Sort key of such a posting.
pub fn earlier_posting_sk(term: &str, in_title: bool, created_millis: i64, text: &TextId) -> String {
    let place = if in_title { '0' } else { '1' };
    format!("{term} {place}{} {text}", sortable(LAST_MILLIS - created_millis.max(0)))
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
