//! Brings a harness's output to its reader and into the log.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_api::factory::LogStream;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::idle::Idle;
use crate::harness::{Conclusion, Exit, Reader, Used};
use crate::locking::lock;
use crate::log::RunLog;
use crate::process::{Launch, Running};
use crate::words::counted;
use crate::workspace::outcome::last_pull_request;

/// A longer line is no event that an adapter could use: its end is dropped.
const LONGEST_LINE: usize = 16 * 1024 * 1024;
/// How long pipes are read on after all of their writers are gone.
const DRAIN: Duration = Duration::from_secs(2);
const IDLE_CHECK: Duration = Duration::from_secs(5);

/// Tells what a harness has used so far, as far as it has said.
#[derive(Clone)]
pub(super) struct Meter(Arc<Shared>);

impl Meter {
    pub(super) fn used(&self) -> Used {
        lock(&self.0.reader).used()
    }
}

/// The output of one harness.
pub(super) struct Pump {
    shared: Arc<Shared>,
    tasks: JoinSet<()>,
}

struct Shared {
    log: RunLog,
    reader: Mutex<Box<dyn Reader>>,
    pull_request: Mutex<Option<String>>,
    last_output: Mutex<Instant>,
    done: watch::Sender<bool>,
    session: watch::Sender<Option<String>>,
}

impl Pump {
    /// Reads both streams until they end.
    pub(super) fn begin(
        log: RunLog,
        reader: Box<dyn Reader>,
        stdout: impl AsyncRead + Unpin + Send + 'static,
        stderr: impl AsyncRead + Unpin + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            log,
            reader: Mutex::new(reader),
            pull_request: Mutex::default(),
            last_output: Mutex::new(Instant::now()),
            done: watch::Sender::new(false),
            session: watch::Sender::new(None),
        });
        let mut tasks = JoinSet::new();
        let for_stdout = Arc::clone(&shared);
        tasks.spawn(async move {
            read(stdout, |chunk| for_stdout.touch(chunk), |line| for_stdout.stdout(line)).await
        });
        let for_stderr = Arc::clone(&shared);
        tasks.spawn(async move {
            let raw = |chunk: &[u8]| {
                for_stderr.touch(chunk);
                for_stderr.log.stderr(chunk);
            };
            read(stderr, raw, |line| lock(&for_stderr.reader).stderr(line)).await;
        });
        Self { shared, tasks }
    }

    /// Its meter.
    pub(super) fn meter(&self) -> Meter {
        Meter(Arc::clone(&self.shared))
    }

    /// Waits until the harness has said its last word, and nothing more for so long.
    pub(super) async fn done_for(&self, long: Duration) {
        let mut done = self.shared.done.subscribe();
        // The sender lives as long as `self`.
        while done.wait_for(|done| *done).await.is_ok() {
            let goes_on = tokio::time::timeout(long, done.wait_for(|done| !*done)).await;
            if goes_on.is_err() {
                return;
            }
        }
    }

    /// Waits until the harness has named the session that it works in.
    pub(super) async fn session(&self) -> Option<String> {
        let mut session = self.shared.session.subscribe();
        // The sender lives as long as `self`.
        session.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// Says in the log when nothing was printed for long. Never ends.
    pub(super) async fn watch_idleness(&self) {
        let mut idle = Idle::default();
        loop {
            sleep(IDLE_CHECK).await;
            let silent = lock(&self.shared.last_output).elapsed();
            if let Some(minutes) = idle.notice(silent) {
                self.shared.log.event(&format!(
                    "The harness has printed nothing for {}; it will be stopped at the time limit, unless you cancel \
                    the run",
                    counted(minutes, "minute")
                ));
            }
        }
    }

    /// Reads what is still in the pipes, then concludes.
    pub(super) async fn conclude(mut self, exit: Exit) -> (Conclusion, Option<String>) {
        let all = async {
            while let Some(read) = self.tasks.join_next().await {
                if let Err(error) = read
                    && let Ok(panic) = error.try_into_panic()
                {
                    // What was read is not whole: the run ends as one that panicked itself.
                    std::panic::resume_unwind(panic);
                }
            }
        };
        if tokio::time::timeout(DRAIN, all).await.is_err() {
            tracing::warn!("somebody still holds the output of the harness open");
        }
        self.shared.log.flush();
        let conclusion = lock(&self.shared.reader).conclude(exit);
        let pull_request = lock(&self.shared.pull_request).clone();
        (conclusion, pull_request)
    }
}

/// Starts a harness and reads its output.
pub(super) fn start(
    launch: Launch<'_>,
    log: RunLog,
    reader: Box<dyn Reader>,
) -> std::io::Result<(Running, Pump)> {
    let mut running = Running::start(launch)?;
    let (stdout, stderr) = running.take_output().ok_or_else(|| std::io::Error::other("no output"))?;
    Ok((running, Pump::begin(log, reader, stdout, stderr)))
}

/// How a harness ended.
pub(super) fn exit_of(status: std::io::Result<std::process::ExitStatus>) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    match status {
        Ok(status) => match status.signal() {
            Some(signal) => Exit::Signal(signal),
            None => Exit::Code(status.code().unwrap_or(-1)),
        },
        Err(_) => Exit::Code(-1),
    }
}

impl Shared {
    fn touch(&self, _chunk: &[u8]) {
        *lock(&self.last_output) = Instant::now();
    }

    fn stdout(&self, line: &str) {
        let mut reader = lock(&self.reader);
        for shown in reader.stdout(line) {
            match shown.stream {
                LogStream::Event => self.log.event(&shown.text),
                _ => {
                    if let Some(url) = last_pull_request(&shown.text) {
                        *lock(&self.pull_request) = Some(url);
                    }
                    self.log.stdout(&shown.text);
                }
            }
        }
        self.done.send_if_modified(|done| std::mem::replace(done, reader.is_done()) != reader.is_done());
        if self.session.borrow().is_none()
            && let Some(session) = reader.session()
        {
            self.session.send_replace(Some(session.to_owned()));
        }
    }
}

async fn read(mut stream: impl AsyncRead + Unpin, mut raw: impl FnMut(&[u8]), mut line: impl FnMut(&str)) {
    let mut chunk = vec![0; 64 * 1024];
    let mut held: Vec<u8> = Vec::new();
    // A pipe that breaks has ended.
    while let Ok(read @ 1..) = stream.read(&mut chunk).await {
        raw(&chunk[..read]);
        let mut rest = &chunk[..read];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            hold(&mut held, &rest[..end]);
            line(&String::from_utf8_lossy(&held));
            held.clear();
            rest = &rest[end + 1..];
        }
        hold(&mut held, rest);
    }
    if !held.is_empty() {
        line(&String::from_utf8_lossy(&held));
    }
}

fn hold(held: &mut Vec<u8>, bytes: &[u8]) {
    let room = LONGEST_LINE.saturating_sub(held.len());
    held.extend_from_slice(&bytes[..bytes.len().min(room)]);
}
