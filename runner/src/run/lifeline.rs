//! Keeps a run alive in the instance: reports its start, heartbeats, and hears of its cancellation. Each heartbeat says
//! what the run has used so far.
//!
//! The instance holds the answer to a heartbeat until the next one is due, or until the run is cancelled: a cancel
//! reaches a harness that says nothing at once, with no more requests than heartbeats are. An instance may hold nothing,
//! and an older one refuses to; then a cancel is heard with the next heartbeat.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use svc_api::runner::HeartbeatReply;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

use super::broken::caught;
use super::pump::Meter;
use crate::calls::{CallError, RunCalls};
use crate::harness::Used;
use crate::stop::{Stop, StopSwitch};

/// Between two tries to report the start.
const RETRY: Duration = Duration::from_millis(500);
/// Between two heartbeats that are held.
const LEAST: Duration = Duration::from_secs(1);

/// How an instance wants heartbeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeats {
    /// From one to the next.
    pub every: Duration,
    /// Whether it holds their answers.
    pub held: bool,
}

/// A task that ends with this handle.
pub(super) struct Lifeline {
    started: mpsc::UnboundedSender<Option<String>>,
    meter: Arc<OnceLock<Meter>>,
    task: JoinHandle<()>,
}

impl Lifeline {
    /// Heartbeats from now on.
    pub(super) fn begin(calls: RunCalls, heartbeats: Heartbeats, stop: StopSwitch) -> Self {
        let (started, receiver) = mpsc::unbounded_channel();
        let meter = Arc::new(OnceLock::new());
        let source = Source { calls, meter: Arc::clone(&meter) };
        Self { started, meter, task: tokio::spawn(live_on(source, heartbeats, stop, receiver)) }
    }

    /// Tells what this meter says from now on.
    pub(super) fn measure(&self, meter: Meter) {
        // A run has one harness.
        let _ = self.meter.set(meter);
    }

    /// The harness started; or its session is known by now.
    pub(super) fn started(&self, session: Option<String>) {
        // The task ends only with this handle.
        let _ = self.started.send(session);
    }
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What there is to tell, and how.
struct Source {
    calls: RunCalls,
    meter: Arc<OnceLock<Meter>>,
}

/// A run that fell silent would be lost: a panic begins its heartbeats anew.
async fn live_on(
    source: Source,
    heartbeats: Heartbeats,
    stop: StopSwitch,
    mut started: mpsc::UnboundedReceiver<Option<String>>,
) {
    while let Err(panic) = caught(live(&source, heartbeats, &stop, &mut started)).await {
        tracing::error!(panic, "the heartbeats of a run panicked");
        sleep(RETRY).await;
    }
}

async fn live(
    source: &Source,
    Heartbeats { every, held }: Heartbeats,
    stop: &StopSwitch,
    started: &mut mpsc::UnboundedReceiver<Option<String>>,
) {
    let mut to_report: Option<Option<String>> = None;
    let mut contact = Contact::default();
    let mut holds = held && every >= Duration::from_secs(1);
    loop {
        let begun = Instant::now();
        let hold = (holds && to_report.is_none()).then_some(every);
        let answer = tokio::select! {
            answer = source.call(to_report.as_ref(), hold) => answer,
            // What is held is let go: its sign of life has been heard.
            Some(session) = started.recv() => {
                to_report = Some(session);
                continue;
            }
        };
        if hold.is_some() && matches!(answer, Err(CallError::Rejected(_))) {
            holds = false;
            continue;
        }
        let unreachable = matches!(answer, Err(CallError::Unreachable(_)));
        let pause = match &answer {
            _ if unreachable && to_report.is_some() => RETRY,
            Ok(reply) if holds && !reply.cancel => LEAST,
            _ => every,
        };
        to_report = to_report.filter(|_| unreachable);
        if let Some(news) = contact.news(&answer) {
            tracing::warn!("{news}");
        }
        heed(answer, stop);
        // A held answer comes when the next heartbeat is due, or before that from an instance that holds it for less.
        tokio::select! {
            Some(session) = started.recv() => to_report = Some(session),
            () = sleep_until(begun + pause) => {}
        }
    }
}

impl Source {
    async fn call(
        &self,
        to_report: Option<&Option<String>>,
        hold: Option<Duration>,
    ) -> Result<HeartbeatReply, CallError> {
        if let Some(session) = to_report {
            return self.calls.start(session.clone()).await;
        }
        let used = self.meter.get().map_or_else(Used::default, Meter::used);
        self.calls.heartbeat(hold, used).await
    }
}

/// Whether the instance was reached the last time.
#[derive(Default)]
struct Contact {
    lost: bool,
}

impl Contact {
    /// What to tell when contact was lost, or is there again.
    fn news(&mut self, answer: &Result<HeartbeatReply, CallError>) -> Option<String> {
        let was_lost = self.lost;
        self.lost = matches!(answer, Err(CallError::Unreachable(_)));
        match answer {
            Err(CallError::Unreachable(reason)) if !was_lost => {
                Some(format!("the service cannot be reached ({reason}); the run continues"))
            }
            Ok(_) if was_lost => Some("connected again; the run continues".to_owned()),
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use super::{CallError, Contact, HeartbeatReply};

    #[test]
    fn a_service_that_is_away_is_told_of_once_and_so_is_its_return() {
        let away = || Err(CallError::Unreachable("connection refused".to_owned()));
        let there = || Ok(HeartbeatReply { cancel: false });
        let mut contact = Contact::default();
        let told: Vec<_> = [there(), away(), away(), there(), there()]
            .iter()
            .filter_map(|answer| contact.news(answer))
            .collect();
        let away = "the service cannot be reached (connection refused); the run continues";
        assert_eq!(told, [away, "connected again; the run continues"]);
    }
}
