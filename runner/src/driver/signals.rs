//! The signals that ask a runner to stop.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::runner_file::FileError;

/// SIGINT, SIGTERM and SIGHUP. One that comes before anybody waits is not lost.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    pub(super) fn listen() -> Result<Self, FileError> {
        let listen = |kind| signal(kind).map_err(|cause| FileError::Read { path: "signals".into(), cause });
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: listen(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}
