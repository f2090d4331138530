//! What does not come, or not as it was: each with its reason, counted for the terminal and listed for `--report`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::spool::Spool;
use crate::failure::Failure;
use crate::output::{Column, Table};

/// Different reasons that are counted one by one; further ones are counted together.
const MOST_REASONS: usize = 100;

/// Something that does not come.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Miss {
    /// What it is: `item`, `column`, `label`.
    pub(crate) kind: String,
    /// Its id or name at the source.
    pub(crate) id: String,
    /// Why, in words.
    pub(crate) reason: String,
    /// The text that is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// All that does not come.
pub(crate) struct Report {
    misses: Spool<Miss>,
    counts: BTreeMap<(String, String), u64>,
}

impl Report {
    /// An empty one.
    pub(crate) fn new() -> Result<Self, Failure> {
        Ok(Self { misses: Spool::new()?, counts: BTreeMap::new() })
    }

    /// Something does not come.
    pub(crate) fn miss(&mut self, kind: &str, id: &str, reason: &str) -> Result<(), Failure> {
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

    fn add(&mut self, miss: Miss) -> Result<(), Failure> {
        let mut key = (miss.kind.clone(), miss.reason.clone());
        if self.counts.len() >= MOST_REASONS && !self.counts.contains_key(&key) {
            key.1 = "other reasons".to_owned();
        }
        *self.counts.entry(key).or_default() += 1;
        self.misses.push(&miss)
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.misses.len()
    }

    /// All of them as they came.
    pub(crate) fn read(&mut self) -> Result<impl Iterator<Item = Result<Miss, Failure>>, Failure> {
        self.misses.read()
    }

    /// How many there are of each kind and reason.
    pub(crate) fn table(&self) -> Table {
        let mut table =
            Table::new([Column::fixed("COUNT"), Column::fixed("KIND"), Column::flexible("REASON")]);
        for ((kind, reason), count) in &self.counts {
            table.row([count.to_string().into(), kind.as_str().into(), reason.as_str().into()]);
        }
        table
    }

    /// Writes all of them to a file, one JSON line each.
    pub(crate) fn write(&mut self, path: &Path) -> Result<(), Failure> {
        let unwritable =
            |error: &std::io::Error| Failure::io(format!("cannot write {}", path.display()), error);
        let file = std::fs::File::create(path).map_err(|error| unwritable(&error))?;
        let mut file = std::io::BufWriter::new(file);
        for miss in self.read()? {
            let line = serde_json::to_string(&miss?).map_err(|error| unwritable(&error.into()))?;
            writeln!(file, "{line}").map_err(|error| unwritable(&error))?;
        }
        file.flush().map_err(|error| unwritable(&error))
    }
}
