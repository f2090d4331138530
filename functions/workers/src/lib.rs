//! What works behind requests: the consumer of the queue, the indexer of texts, the minute tick
//! and the sweep.
//!
//! Owns when, and nothing else: what happens is a use case of `svc_app`, which looks at the rows again and
//! decides, so that a message that comes twice, or late, is harmless.

mod consume;
mod periodic;
mod texts;

use std::sync::Arc;

use svc_app::App;
use tokio::sync::watch;

/// Works until `stopping` says so; what is at work then is finished first.
pub async fn run(app: Arc<App>, stopping: watch::Receiver<bool>) {
    tokio::join!(
        consume::run(&app, stopping.clone()),
        texts::run(&app, stopping.clone()),
        periodic::tick(&app, stopping.clone()),
        periodic::sweep(&app, stopping),
    );
}
