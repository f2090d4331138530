//! Rows of segments that this process has read. Segments never change, so that what was read once is true for as long
//! as a list names the segment; those that were asked for least lately make room.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use lru::LruCache;
use parking_lot::Mutex;
use svc_domain::search::segment::{Block, Text};

/// Bytes of rows that are kept, as they are stored; in memory they take some three times that.
const MOST: usize = 16 * 1024 * 1024;

/// Rows of segments in memory.
#[derive(Debug)]
pub struct Cache(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    segments: LruCache<String, Rows>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Rows {
    blocks: BTreeMap<String, Arc<Block>>,
    lists: HashMap<usize, Arc<Vec<Text>>>,
    bytes: usize,
}

impl Default for Cache {
    fn default() -> Self {
        Self(Mutex::new(Kept { segments: LruCache::unbounded(), bytes: 0 }))
    }
}

impl Cache {
    /// The block in which a name is, or would be.
    pub(super) fn around(&self, segment: &str, name: &str) -> Option<Arc<Block>> {
        let mut kept = self.0.lock();
        let upto = (Bound::Unbounded, Bound::Included(name));
        let (_, block) = kept.segments.get(segment)?.blocks.range::<str, _>(upto).next_back()?;
        block.next.as_ref().is_none_or(|next| next.as_str() > name).then(|| Arc::clone(block))
    }

    /// The block of this name.
    pub(super) fn block(&self, segment: &str, name: &str) -> Option<Arc<Block>> {
        self.0.lock().segments.get(segment)?.blocks.get(name).cloned()
    }

    /// A list of texts.
    pub(super) fn texts(&self, segment: &str, list: usize) -> Option<Arc<Vec<Text>>> {
        self.0.lock().segments.get(segment)?.lists.get(&list).cloned()
    }

    pub(super) fn keep_block(&self, segment: &str, name: &str, block: &Arc<Block>, bytes: usize) {
        self.keep(segment, bytes, |rows| rows.blocks.insert(name.to_owned(), Arc::clone(block)).is_none());
    }

    pub(super) fn keep_texts(&self, segment: &str, list: usize, texts: &Arc<Vec<Text>>, bytes: usize) {
        self.keep(segment, bytes, |rows| rows.lists.insert(list, Arc::clone(texts)).is_none());
    }

    fn keep(&self, segment: &str, bytes: usize, insert: impl FnOnce(&mut Rows) -> bool) {
        let mut kept = self.0.lock();
        let rows = kept.segments.get_or_insert_mut_ref(segment, Rows::default);
        if insert(rows) {
            rows.bytes += bytes;
            kept.bytes += bytes;
        }
        while kept.bytes > MOST {
            let Some((_, rows)) = kept.segments.pop_lru() else { break };
            kept.bytes -= rows.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Block, Cache, MOST};

    fn block(next: Option<&str>) -> Arc<Block> {
        Arc::new(Block { next: next.map(str::to_owned), postings: Vec::new() })
    }

    #[test]
    fn a_name_is_looked_for_only_where_no_block_is_missing_in_between() {
        let cache = Cache::default();
        cache.keep_block("s", "!", &block(Some("heron t0")), 1);
        cache.keep_block("s", "pelican t0", &block(None), 1);
        assert!(cache.around("s", "crane ").is_some());
        assert!(cache.around("s", "heron t0").is_none() && cache.around("s", "ibis ").is_none());
        assert_eq!(cache.around("s", "stork "), cache.block("s", "pelican t0"));
        assert!(cache.around("other", "crane ").is_none());
    }

    #[test]
    fn what_was_asked_for_least_lately_makes_room() {
        let cache = Cache::default();
        for segment in ["a", "b", "a", "c"] {
            cache.keep_block(segment, "!", &block(None), MOST / 2);
        }
        let there = ["a", "b", "c"].map(|segment| cache.block(segment, "!").is_some());
        assert_eq!(there, [true, false, true]);
    }
}
