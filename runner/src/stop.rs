//! The one switch that stops a run.

use std::sync::Arc;

use tokio::sync::watch;

/// Why a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A person cancelled it in the instance.
    Cancelled,
    /// A person stopped the runner and would not wait.
    RunnerStopped,
    /// It ran past its time limit.
    TimeLimit,
    /// The assignment is over; nothing about the run is ours to say any more.
    AssignmentEnded,
    /// The runner secret is refused; nothing about the run can be said any more.
    SecretRefused,
}

impl Stop {
    /// Whether the instance would still listen.
    pub const fn may_report(self) -> bool {
        matches!(self, Self::Cancelled | Self::RunnerStopped | Self::TimeLimit)
    }
}

/// A switch that can be pulled once. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct StopSwitch {
    sender: Arc<watch::Sender<Option<Stop>>>,
}

impl Default for StopSwitch {
    fn default() -> Self {
        Self { sender: Arc::new(watch::Sender::new(None)) }
    }
}

impl StopSwitch {
    /// Stops the run. The first reason stands, unless the instance stopped listening.
    pub fn pull(&self, reason: Stop) {
        self.sender.send_if_modified(|current| {
            let stronger = current.is_none_or(|known| known.may_report() && !reason.may_report());
            if stronger {
                *current = Some(reason);
            }
            stronger
        });
    }

    /// Why the run is stopped, if it is.
    pub fn reason(&self) -> Option<Stop> {
        *self.sender.borrow()
    }

    /// Waits until the switch is pulled.
    pub async fn pulled(&self) -> Stop {
        let mut receiver = self.sender.subscribe();
        loop {
            if let Some(reason) = *receiver.borrow_and_update() {
                return reason;
            }
            if receiver.changed().await.is_err() {
                // The sender lives in `self`.
                std::future::pending::<()>().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stop, StopSwitch};

    #[test]
    fn the_first_reason_stands_unless_the_instance_stopped_listening() {
        let switch = StopSwitch::default();
        switch.pull(Stop::TimeLimit);
        switch.pull(Stop::Cancelled);
        assert_eq!(switch.reason(), Some(Stop::TimeLimit));
        switch.pull(Stop::AssignmentEnded);
        switch.pull(Stop::SecretRefused);
        assert_eq!(switch.reason(), Some(Stop::AssignmentEnded));
    }
}
