//! Reads what chats say to the bot, one read after the other, until told to stop. Other processes do the same: one of them
//! reads at a time.

use std::time::Duration;

use svc_app::{App, notifications};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::attempt::guarded;

/// How long to rest when there is nothing to read from, or somebody else reads.
const REST: Duration = Duration::from_secs(20);
/// Between two reads.
const PAUSE: Duration = Duration::from_secs(1);

pub(crate) async fn run(app: &App, mut stopping: watch::Receiver<bool>) {
    let notifications = &app.settings.notifications;
    if notifications.bot().is_none() || notifications.chat_1_webhook {
        return;
    }
    let reader = app.uuid();
    loop {
        let read = guarded(notifications::read_bot(app, reader)).await;
        let pause = match read {
            Ok(true) => PAUSE,
            Ok(false) => REST,
            Err(why) => {
                tracing::warn!(why, "what chats say to the bot was not read");
                REST
            }
        };
        // An error means that the sender is gone, which is a reason to stop too.
        if timeout(pause, stopping.wait_for(|stop| *stop)).await.is_ok() {
            return;
        }
    }
}
