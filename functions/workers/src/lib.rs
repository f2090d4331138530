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
        periodic::tick(&app, stopping.clone()),
        periodic::sweep(&app, stopping),
    );
}
