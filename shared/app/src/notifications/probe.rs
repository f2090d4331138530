//! A test message to a channel, and what its answer says about the channel (specification sections 3.4 and 6).

use jiff::Timestamp;
use svc_domain::notification::channel::Channel;
use svc_domain::notification::delivery::Outcome;
use svc_domain::refusal::Refusal;

use super::chat::{self, Note};
use crate::App;
use crate::error::Result;

/// What came of a test message.
pub(super) struct Probed {
    outcome: Outcome,
    moved: Option<String>,
}

/// Sends a test message.
pub(super) async fn send(app: &App, channel: &Channel) -> Probed {
    if channel.address.is_none() {
        let outcome = Outcome::Refused("it is not connected yet: send its code first".to_owned());
        return Probed { outcome, moved: None };
    }
    let base = &app.settings.service.base_url;
    let text = format!("This channel works: it is connected to {base}. You asked for this test.");
    let (outcome, moved) = chat::send(app, channel, &Note { parts: Vec::new(), end: Some(text) }).await;
    Probed { outcome, moved }
}

impl Probed {
    /// Whether it arrived.
    pub(super) fn arrived(&self) -> bool {
        self.outcome == Outcome::Sent
    }

    /// Notes in the channel what came of it. Whether that changes anything.
    pub(super) fn note(&self, channel: &mut Channel, now: Timestamp) -> bool {
        let before = channel.clone();
        if let Some(address) = &self.moved {
            channel.address = Some(address.clone());
        }
        match &self.outcome {
            Outcome::Sent => drop(channel.arrived()),
            Outcome::Gone(why) => drop(channel.break_off(why, now)),
            Outcome::Away(why) => channel.failed(why, now),
            Outcome::Refused(why) if channel.address.is_some() => channel.last_error = Some(why.clone()),
            Outcome::Refused(_) | Outcome::Later(_) => {}
        }
        *channel != before
    }

    /// What whoever asked is told.
    pub(super) fn into_result(self) -> Result<()> {
        let failed = |why| Err(Refusal::ChannelTestFailed(why).into());
        match self.outcome {
            Outcome::Sent => Ok(()),
            Outcome::Away(why) | Outcome::Refused(why) | Outcome::Gone(why) => failed(why),
            Outcome::Later(after) => {
                failed(format!("the platform asks to wait {} seconds", after.as_secs().max(1)))
            }
        }
    }
}
