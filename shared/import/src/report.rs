//! What does not come, or not as it was: each with its reason, counted by reason, and listed.

use std::collections::BTreeMap;

use crate::exports::{Miss, MissingCount};

use super::spool::Spool;
use crate::failure::Failure;

/// Different reasons that are counted one by one; further ones are counted together.
const MOST_REASONS: usize = 100;

/// All that does not come.
#[derive(Debug)]
pub struct Report {
    pub(crate) misses: Spool<Miss>,
    counts: BTreeMap<(String, String), u64>,
}

impl Report {
    /// An empty one.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn new() -> Result<Self, Failure> {
        Ok(Self { misses: Spool::new()?, counts: BTreeMap::new() })
    }

    /// Something does not come.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn miss(&mut self, kind: &str, id: &str, reason: &str) -> Result<(), Failure> {
        self.add(Miss { kind: kind.to_owned(), id: id.to_owned(), reason: reason.to_owned(), text: None })
    }

    /// A text does not come.
    pub(crate) fn miss_text(
        &mut self,
        kind: &str,
        id: &str,
        reason: &str,
        text: &str,
    ) -> Result<(), Failure> {
        let text = Some(text.to_owned());
        self.add(Miss { kind: kind.to_owned(), id: id.to_owned(), reason: reason.to_owned(), text })
    }

    /// Something does not come.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn add(&mut self, miss: Miss) -> Result<(), Failure> {
        let mut key = (miss.kind.clone(), miss.reason.clone());
        if self.counts.len() >= MOST_REASONS && !self.counts.contains_key(&key) {
            key.1 = "other reasons".to_owned();
        }
        *self.counts.entry(key).or_default() += 1;
        // What there is no room for is counted.
        if self.misses.is_full() { Ok(()) } else { self.misses.push(&miss) }
    }

    /// Whether everything comes.
    pub const fn is_empty(&self) -> bool {
        self.misses.is_empty()
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.misses.len()
    }

    /// All of them as they came.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn read(&mut self) -> Result<impl Iterator<Item = Result<Miss, Failure>>, Failure> {
        self.misses.read()
    }

    /// How many there are of each kind and reason.
    pub fn counts(&self) -> impl Iterator<Item = MissingCount> {
        let counts = self.counts.iter();
        counts.map(|((kind, reason), count)| MissingCount {
            kind: kind.clone(),
            reason: reason.clone(),
            count: *count,
        })
    }
}
