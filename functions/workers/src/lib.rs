//! What works behind requests: a handler for each kind of message, and jobs that run every so often.
//!
//! Owns when, and nothing else: what happens is a use case of `svc_app`, which looks at the rows again and
//! decides, so that a message that comes twice, or late, is harmless.

mod attempt;
mod bot;
mod consume;
mod jobs;
mod lanes;
mod messages;
mod on_demand;
mod retries;
mod shares;
mod texts;

use std::sync::Arc;

use svc_app::App;
use tokio::sync::watch;

pub use consume::handle_received;
pub use jobs::run_jobs;
pub use messages::handle;
pub use on_demand::run_minute;

/// Which kinds of messages a worker looks at, of those that it can read.
pub type Knows = fn(&str) -> bool;

/// Works until `stopping` says so; what is at work then is finished first.
pub async fn run(app: Arc<App>, stopping: watch::Receiver<bool>) {
    run_knowing(app, stopping, |_| true).await;
}

/// The same, of a worker that knows these kinds of messages only, as an older one does.
pub async fn run_knowing(app: Arc<App>, stopping: watch::Receiver<bool>, knows: Knows) {
    tokio::join!(
        consume::run(&app, stopping.clone(), knows),
        texts::run(&app, stopping.clone()),
        bot::run(&app, stopping.clone()),
        jobs::run(&app, stopping),
    );
}
