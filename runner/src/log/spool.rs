//! The entries of one run on their way to the instance: a file in the run directory.
//!
//! ```text
//! 1. Nothing is lost between the harness and the network while it is away, up to 32 MiB that wait.
//! 2. What comes after that, or while the disk is full, waits in memory: its last 256 KiB. The rest is left out, and
//!    the log says how much.
//! 3. Where everything was read, the file begins anew: a long run needs no more disk than what waits.
//! ```
//!
//! Entries are redacted before they come here.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};

use svc_api::factory::LogStream;
use svc_api::runner::NewLogEntry;

use crate::locking::lock;
use crate::words::counted;

/// Bytes of the file that may wait.
const MOST_WAITING: u64 = 32 * 1024 * 1024;
/// Bytes of text that are kept of what comes after.
const TAIL: usize = 256 * 1024;
/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// The end that entries go into.
pub(super) struct SpoolWriter {
    shared: Arc<Mutex<Shared>>,
}

/// The end that batches come out of.
pub(super) struct SpoolReader {
    shared: Arc<Mutex<Shared>>,
    /// Bytes that were read and make no whole line yet.
    held: Vec<u8>,
    /// Entries that were read and did not fit the batch.
    waiting: VecDeque<NewLogEntry>,
}

struct Shared {
    file: File,
    written: u64,
    read: u64,
    tail: VecDeque<NewLogEntry>,
    tail_bytes: usize,
    left_out: u64,
    most_waiting: u64,
}

/// A spool in a new file of mode 0600.
///
/// # Errors
/// The file cannot be made.
pub(super) fn spool(path: &Path) -> io::Result<(SpoolWriter, SpoolReader)> {
    let file = File::options().create(true).read(true).write(true).truncate(true).mode(0o600).open(path)?;
    let shared = Arc::new(Mutex::new(Shared {
        file,
        written: 0,
        read: 0,
        tail: VecDeque::new(),
        tail_bytes: 0,
        left_out: 0,
        most_waiting: MOST_WAITING,
    }));
    let reader = SpoolReader { shared: Arc::clone(&shared), held: Vec::new(), waiting: VecDeque::new() };
    Ok((SpoolWriter { shared }, reader))
}

impl SpoolWriter {
    /// Adds entries. What the disk does not take waits in memory, as much as fits.
    pub(super) fn append(&self, entries: Vec<NewLogEntry>) {
        let mut shared = lock(&self.shared);
        if shared.tail.is_empty() && shared.write(&entries).is_ok() {
            return;
        }
        entries.into_iter().for_each(|entry| shared.hold(entry));
    }
}

impl Shared {
    /// Writes whole lines or nothing.
    fn write(&mut self, entries: &[NewLogEntry]) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        if self.written - self.read + lines.len() as u64 > self.most_waiting {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        let end = self.written;
        let done = self.file.seek(SeekFrom::Start(end)).and_then(|_| self.file.write_all(&lines));
        if let Err(error) = done {
            tracing::warn!(%error, "the log of a run cannot be written");
            // Half a line would be none.
            let _ = self.file.set_len(end);
            return Err(error);
        }
        self.written += lines.len() as u64;
        Ok(())
    }

    fn hold(&mut self, entry: NewLogEntry) {
        self.tail_bytes += entry.text.len();
        self.tail.push_back(entry);
        while self.tail_bytes > TAIL && self.tail.len() > 1 {
            self.tail_bytes -= self.tail.pop_front().map_or(0, |entry| entry.text.len());
            self.left_out += 1;
        }
    }

    /// What waits in memory, once the file has nothing more.
    fn take_tail(&mut self) -> Vec<NewLogEntry> {
        let mut entries = Vec::new();
        let left_out = std::mem::take(&mut self.left_out);
        if let Some(first) = self.tail.front().filter(|_| left_out > 0) {
            let lines = counted(left_out, "line");
            let text = format!("{lines} left out here: the instance or the disk could not keep up");
            entries.push(NewLogEntry { at: first.at, stream: LogStream::Event, text });
        }
        entries.extend(self.tail.drain(..));
        self.tail_bytes = 0;
        entries
    }

    /// Reads on; answers nothing at the end.
    fn read_on(&mut self) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.written - self.read).unwrap_or(CHUNK);
        let mut bytes = vec![0; left.min(CHUNK)];
        self.file.seek(SeekFrom::Start(self.read))?;
        self.file.read_exact(&mut bytes)?;
        self.read += bytes.len() as u64;
        if self.read == self.written && self.written > 0 {
            self.file.set_len(0)?;
            (self.read, self.written) = (0, 0);
        }
        Ok(bytes)
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
                self.waiting.push_front(entry);
                break;
            }
            size += entry.text.len();
            batch.push(entry);
        }
        Ok(batch)
    }

    fn next_entry(&mut self) -> io::Result<Option<NewLogEntry>> {
        loop {
            if let Some(entry) = self.waiting.pop_front() {
                return Ok(Some(entry));
            }
            let bytes = {
                let mut shared = lock(&self.shared);
                let bytes = shared.read_on()?;
                if bytes.is_empty() {
                    self.waiting.extend(shared.take_tail());
                }
                bytes
            };
            if bytes.is_empty() && self.waiting.is_empty() {
                return Ok(None);
            }
            self.held.extend_from_slice(&bytes);
            let whole = self.held.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            for line in self.held[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                self.waiting.push_back(serde_json::from_slice(line)?);
            }
            self.held.drain(..whole);
        }
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
        writer.append(vec![entry("a"), entry("b\u{2028}\"")]);
        writer.append(vec![entry("c")]);
        assert_eq!(texts(reader.next_batch(2, 100).unwrap()), ["a", "b\u{2028}\""]);
        assert_eq!(texts(reader.next_batch(2, 100).unwrap()), ["c"]);
        writer.append(vec![entry("d")]);
        assert_eq!(texts(reader.next_batch(2, 100).unwrap()), ["d"]);
    }

    #[test]
    fn batches_are_bounded_by_size_and_lose_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let (writer, mut reader) = spool(&directory.path().join("log.jsonl")).unwrap();
        writer.append(vec![entry("12345"), entry("67890"), entry(&"x".repeat(50)), entry("end")]);
        assert_eq!(reader.next_batch(9, 10).unwrap().len(), 2);
        assert_eq!(texts(reader.next_batch(9, 10).unwrap()), ["x".repeat(50)]);
        assert_eq!(texts(reader.next_batch(9, 10).unwrap()), ["end"]);
    }

    #[test]
    fn what_is_too_much_is_left_out_but_its_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let (writer, mut reader) = spool(&path).unwrap();
        lock(&writer.shared).most_waiting = 10_000;
        let line = |n: u32| entry(&format!("{n:06} {}", "x".repeat(1_000)));
        (0..2_000).for_each(|n| writer.append(vec![line(n)]));
        assert!(std::fs::metadata(&path).unwrap().len() <= 10_000);
        let all = texts(reader.next_batch(10_000, 1 << 30).unwrap());
        let left_out = all.iter().position(|text| text.contains("lines left out here")).unwrap();
        assert!(all[left_out - 1].starts_with("000008"), "{}", all[left_out - 1]);
        assert!(all.last().unwrap().starts_with("001999"));
        let tail: usize = all[left_out + 1..].iter().map(String::len).sum();
        assert!((TAIL - 2_000..=TAIL).contains(&tail), "{tail}");
        writer.append(vec![line(2_000)]);
        assert_eq!(reader.next_batch(10, 1 << 20).unwrap().len(), 1, "it goes on");
    }

    #[test]
    fn what_was_read_needs_no_disk() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let (writer, mut reader) = spool(&path).unwrap();
        for n in 0..100 {
            writer.append(vec![entry(&n.to_string())]);
            assert_eq!(texts(reader.next_batch(10, 100).unwrap()), [n.to_string()]);
        }
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    }
}
