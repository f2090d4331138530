//! Keeps a run alive in the instance: reports its start, heartbeats, and hears of its cancellation.

use std::time::Duration;

use svc_api::runner::HeartbeatReply;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::calls::{CallError, RunCalls};
use crate::stop::{Stop, StopSwitch};

/// Between two tries to report the start.
const RETRY: Duration = Duration::from_millis(500);

/// A task that ends with this handle.
pub(super) struct Lifeline {
    started: Option<oneshot::Sender<Option<String>>>,
    task: JoinHandle<()>,
}

impl Lifeline {
    /// Heartbeats from now on.
    pub(super) fn begin(calls: RunCalls, every: Duration, stop: StopSwitch) -> Self {
        let (sender, receiver) = oneshot::channel();
        Self { started: Some(sender), task: tokio::spawn(live(calls, every, stop, receiver)) }
    }

    /// The harness started.
    pub(super) fn started(&mut self, session: Option<String>) {
        if let Some(sender) = self.started.take() {
            // The task ends only with this handle.
            let _ = sender.send(session);
        }
    }
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn live(
    calls: RunCalls,
    every: Duration,
    stop: StopSwitch,
    mut started: oneshot::Receiver<Option<String>>,
) {
    let mut listening = true;
    let mut to_report: Option<Option<String>> = None;
    loop {
        let pause = if to_report.is_some() { RETRY } else { every };
        tokio::select! {
            session = &mut started, if listening => {
                listening = false;
                to_report = session.ok();
                if to_report.is_none() {
                    continue;
                }
            }
            () = sleep(pause) => {}
        }
        let answer = match &to_report {
            Some(session) => calls.start(session.clone()).await,
            None => calls.heartbeat().await,
        };
        if !matches!(answer, Err(CallError::Unreachable(_))) {
            to_report = None;
        }
        heed(answer, &stop);
    }
}

fn heed(answer: Result<HeartbeatReply, CallError>, stop: &StopSwitch) {
    match answer {
        Ok(reply) if reply.cancel => stop.pull(Stop::Cancelled),
        Ok(_) => {}
        Err(CallError::Unreachable(reason)) => tracing::debug!(reason, "no heartbeat"),
        Err(CallError::AssignmentEnded) => stop.pull(Stop::AssignmentEnded),
        Err(CallError::SecretRefused) => stop.pull(Stop::SecretRefused),
        Err(CallError::Rejected(reason)) => tracing::warn!(reason, "the instance rejects the heartbeat"),
    }
}
