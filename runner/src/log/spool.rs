//! The entries of one run on their way to the instance: a file in the run directory.
//!
//! Owns that nothing is lost between the harness and the network, however long the network is away, in
//! bounded memory. Entries are redacted before they come here.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Mutex;

use svc_api::runner::NewLogEntry;

/// The end that entries go into.
pub(super) struct SpoolWriter {
    file: Mutex<File>,
}

/// The end that batches come out of.
pub(super) struct SpoolReader {
    file: BufReader<File>,
    /// A line of which only the beginning was there.
    partial: Vec<u8>,
    /// An entry that was read but did not fit the batch.
    waiting: Option<NewLogEntry>,
}

/// A spool in a new file of mode 0600.
///
/// # Errors
/// The file cannot be made.
pub(super) fn spool(path: &Path) -> io::Result<(SpoolWriter, SpoolReader)> {
    let file = File::options().create(true).append(true).mode(0o600).open(path)?;
    file.set_len(0)?;
    let reader = BufReader::new(File::open(path)?);
    Ok((
        SpoolWriter { file: Mutex::new(file) },
        SpoolReader { file: reader, partial: Vec::new(), waiting: None },
    ))
}

impl SpoolWriter {
    /// Adds entries.
    ///
    /// # Errors
    /// The disk refuses.
    pub(super) fn append(&self, entries: &[NewLogEntry]) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner).write_all(&lines)
    }
}

impl SpoolReader {
    /// The next entries: at most `most`, and at most `bytes` of text unless a single entry has more.
    ///
    /// # Errors
    /// The disk refuses, or the file was changed by someone else.
    pub(super) fn next_batch(&mut self, most: usize, bytes: usize) -> io::Result<Vec<NewLogEntry>> {
        let mut batch = Vec::new();
        let mut size = 0;
        while batch.len() < most {
            let Some(entry) = self.next_entry()? else { break };
            if !batch.is_empty() && size + entry.text.len() > bytes {
                self.waiting = Some(entry);
                break;
            }
            size += entry.text.len();
            batch.push(entry);
        }
        Ok(batch)
    }

    fn next_entry(&mut self) -> io::Result<Option<NewLogEntry>> {
        if let Some(entry) = self.waiting.take() {
            return Ok(Some(entry));
        }
        self.file.read_until(b'\n', &mut self.partial)?;
        if self.partial.last() != Some(&b'\n') {
            return Ok(None);
        }
        let entry = serde_json::from_slice(&self.partial)?;
        self.partial.clear();
        Ok(Some(entry))
    }
}

#[cfg(test)]
mod tests {
    use svc_api::factory::LogStream;

    use super::*;

    fn entry(text: &str) -> NewLogEntry {
        NewLogEntry { at: jiff::Timestamp::UNIX_EPOCH, stream: LogStream::Stdout, text: text.into() }
    }

    fn texts(batch: Vec<NewLogEntry>) -> Vec<String> {
        batch.into_iter().map(|entry| entry.text).collect()
    }

    #[test]
    fn what_goes_in_comes_out_once_and_in_order() {
        let directory = tempfile::tempdir().unwrap();
        let (writer, mut reader) = spool(&directory.path().join("log.jsonl")).unwrap();
        assert!(reader.next_batch(10, 100).unwrap().is_empty());
        writer.append(&[entry("a"), entry("b\u{2028}\"")]).unwrap();
        writer.append(&[entry("c")]).unwrap();
        assert_eq!(texts(reader.next_batch(2, 100).unwrap()), ["a", "b\u{2028}\""]);
        assert_eq!(texts(reader.next_batch(2, 100).unwrap()), ["c"]);
        writer.append(&[entry("d")]).unwrap();
        assert_eq!(texts(reader.next_batch(2, 100).unwrap()), ["d"]);
    }

    #[test]
    fn batches_are_bounded_by_size_and_lose_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let (writer, mut reader) = spool(&directory.path().join("log.jsonl")).unwrap();
        writer.append(&[entry("12345"), entry("67890"), entry(&"x".repeat(50)), entry("end")]).unwrap();
        assert_eq!(reader.next_batch(9, 10).unwrap().len(), 2);
        assert_eq!(texts(reader.next_batch(9, 10).unwrap()), ["x".repeat(50)]);
        assert_eq!(texts(reader.next_batch(9, 10).unwrap()), ["end"]);
    }
}
