//! The log pipeline: chunk → redact → lines → spool → batch → upload.
//!
//! Owns the way of a run's output from the harness to the instance. Writing never waits for the network.

pub mod redact;
mod spool;
mod upload;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use svc_api::factory::LogStream;
use svc_api::runner::NewLogEntry;
use tokio::sync::Notify;

pub use redact::Secrets;
pub use upload::{Pace, Uploader};

use crate::clock;
use crate::locking::lock;
use redact::Redactor;
use spool::{SpoolReader, SpoolWriter, spool};

/// A longer line becomes several entries.
const LONGEST_LINE: usize = 64 * 1024;

/// The end of the pipeline that a run writes to. Cloning is cheap.
#[derive(Clone)]
pub struct RunLog {
    inner: Arc<Inner>,
}

struct Inner {
    secrets: Mutex<Arc<Secrets>>,
    stdout: Mutex<Stream>,
    stderr: Mutex<Stream>,
    spool: SpoolWriter,
    /// The instance wants no more.
    full: AtomicBool,
    closed: AtomicBool,
    news: Notify,
}

/// One stream between redactor and lines.
struct Stream {
    redactor: Redactor,
    line: Vec<u8>,
}

impl Stream {
    fn new(secrets: &Arc<Secrets>) -> Mutex<Self> {
        Mutex::new(Self { redactor: Redactor::new(Arc::clone(secrets)), line: Vec::new() })
    }

    fn take_in(&mut self, bytes: &[u8]) -> Vec<String> {
        let safe = self.redactor.push(bytes);
        self.lines(&safe)
    }

    fn finish(&mut self) -> Vec<String> {
        let safe = self.redactor.finish();
        let mut lines = self.lines(&safe);
        if !self.line.is_empty() {
            lines.push(text(&std::mem::take(&mut self.line)));
        }
        lines
    }

    fn lines(&mut self, safe: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in safe {
            if byte == b'\n' {
                lines.push(text(&std::mem::take(&mut self.line)));
                continue;
            }
            // Cut between characters.
            if self.line.len() >= LONGEST_LINE && byte & 0xC0 != 0x80 {
                lines.push(text(&std::mem::take(&mut self.line)));
            }
            self.line.push(byte);
        }
        lines
    }
}

fn text(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // NUL is legal in a pipe and nowhere else.
    String::from_utf8_lossy(line).replace('\0', "\u{fffd}")
}

impl RunLog {
    /// A pipeline that spools in `path`, and what uploads from it.
    ///
    /// # Errors
    /// The spool cannot be made.
    pub fn new(path: &Path, secrets: Arc<Secrets>) -> io::Result<(Self, LogSource)> {
        let (writer, reader) = spool(path)?;
        let inner = Arc::new(Inner {
            stdout: Stream::new(&secrets),
            stderr: Stream::new(&secrets),
            secrets: Mutex::new(secrets),
            spool: writer,
            full: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            news: Notify::new(),
        });
        Ok((Self { inner: Arc::clone(&inner) }, LogSource { inner, reader }))
    }

    /// Text of the harness, whole lines.
    pub fn stdout(&self, text: &str) {
        let lines = lock(&self.inner.stdout).take_in(format!("{text}\n").as_bytes());
        self.write(LogStream::Stdout, lines);
    }

    /// Bytes of the harness's stderr as they come.
    pub fn stderr(&self, chunk: &[u8]) {
        let lines = lock(&self.inner.stderr).take_in(chunk);
        self.write(LogStream::Stderr, lines);
    }

    /// Something that the runner did or noticed, or that the harness reported.
    pub fn event(&self, text: &str) {
        let safe = self.redacted(text);
        self.write(LogStream::Event, safe.lines().map(str::to_owned).collect());
    }

    /// A text for another field of the run, without secrets.
    pub fn redacted(&self, text: &str) -> String {
        let secrets = Arc::clone(&lock(&self.inner.secrets));
        secrets.redact(text)
    }

    /// One more secret that must not show from now on.
    pub fn hide(&self, secret: &str) {
        self.hide_all([secret], []);
    }

    /// Secrets that must not show from now on, and texts that are looked for in few forms.
    pub fn hide_all<'a>(
        &self,
        secrets: impl IntoIterator<Item = &'a str>,
        plain: impl IntoIterator<Item = &'a str>,
    ) {
        let more = {
            let mut known = lock(&self.inner.secrets);
            *known = Arc::new(known.with(secrets, plain));
            Arc::clone(&known)
        };
        for stream in [&self.inner.stdout, &self.inner.stderr] {
            lock(stream).redactor.learn(Arc::clone(&more));
        }
    }

    /// Nothing more comes from the harness.
    pub fn flush(&self) {
        for (stream, state) in
            [(LogStream::Stdout, &self.inner.stdout), (LogStream::Stderr, &self.inner.stderr)]
        {
            let lines = lock(state).finish();
            self.write(stream, lines);
        }
    }

    /// Nothing more comes at all: the uploader ends when it has sent everything.
    pub fn close(&self) {
        self.flush();
        self.inner.closed.store(true, Ordering::Release);
        self.inner.news.notify_one();
    }

    fn write(&self, stream: LogStream, lines: Vec<String>) {
        if lines.is_empty() || self.inner.full.load(Ordering::Relaxed) {
            return;
        }
        let at = clock::now();
        let entries: Vec<NewLogEntry> =
            lines.into_iter().map(|text| NewLogEntry { at, stream, text }).collect();
        self.inner.spool.append(entries);
        self.inner.news.notify_one();
    }
}

/// The end of the pipeline that an [`Uploader`] reads from.
pub struct LogSource {
    inner: Arc<Inner>,
    reader: SpoolReader,
}

impl LogSource {
    fn next_batch(&mut self, most: usize, bytes: usize) -> io::Result<Vec<NewLogEntry>> {
        self.reader.next_batch(most, bytes)
    }

    fn is_closed(&self) -> bool {
        self.inner.closed.load(Ordering::Acquire)
    }

    async fn news(&self) {
        self.inner.news.notified().await;
    }

    /// The instance wants no more.
    pub(crate) fn shut(&self) {
        self.inner.full.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipeline(secret: &str) -> (tempfile::TempDir, RunLog, LogSource) {
        let directory = tempfile::tempdir().unwrap();
        let secrets = Arc::new(Secrets::new([secret]));
        let (log, source) = RunLog::new(&directory.path().join("log"), secrets).unwrap();
        (directory, log, source)
    }

    fn all(source: &mut LogSource) -> Vec<(LogStream, String)> {
        let batch = source.next_batch(1_000, 1 << 20).unwrap();
        batch.into_iter().map(|entry| (entry.stream, entry.text)).collect()
    }

    #[test]
    fn stderr_chunks_become_redacted_lines() {
        let (_directory, log, mut source) = pipeline("very-secret-token");
        for chunk in [&b"one very-sec"[..], b"ret-token t", b"wo\r\nthree"] {
            log.stderr(chunk);
        }
        assert_eq!(all(&mut source), [(LogStream::Stderr, "one [redacted] two".to_owned())]);
        log.flush();
        assert_eq!(all(&mut source), [(LogStream::Stderr, "three".to_owned())]);
    }

    #[test]
    fn streams_do_not_mix_and_events_are_redacted() {
        let (_directory, log, mut source) = pipeline("very-secret-token");
        log.stderr(b"err ");
        log.stdout("out\nmore");
        log.event("pushed with very-secret-token");
        log.stderr(b"or\n");
        let texts: Vec<String> = all(&mut source).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["out", "more", "pushed with [redacted]", "err or"]);
    }

    #[test]
    fn a_very_long_line_becomes_several_entries_cut_between_characters() {
        let (_directory, log, mut source) = pipeline("very-secret-token");
        let long = "é".repeat(LONGEST_LINE);
        log.stdout(&long);
        let entries = all(&mut source);
        assert!(entries.len() >= 2);
        assert_eq!(entries.into_iter().map(|(_, text)| text).collect::<String>(), long);
    }
}
