//! Reaps the orphans that are left to this process, as soon as they end.
//!
//! ```text
//! 1. This process is a subreaper: a descendant that outlives its parent becomes its child. One that has ended keeps its
//!    place in the machine's table of processes until this process waits for it, and no other can.
//! 2. At each SIGCHLD every orphan is waited for, without blocking, whether or not anybody looks after a run.
//!    The same happens now and then: signals merge, and the system's list may leave out a child whose neighbour ends.
//! 3. Children that this crate started are left to the code that awaits them. They are registered under
//!    the lock that is held here, before anyone can take them for orphans.
//! ```

use std::time::Duration;

use rustix::process::{Pid, WaitOptions, waitpid};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

use super::{children, table};

/// How long an orphan waits at most whose signal was lost.
const AGAIN: Duration = Duration::from_secs(2);

/// Reaps orphans for ever.
pub(super) async fn reap_orphans() {
    let mut ended = signal(SignalKind::child()).ok();
    loop {
        reap();
        tokio::select! {
            () = heard(&mut ended) => {}
            () = sleep(AGAIN) => {}
        }
    }
}

async fn heard(ended: &mut Option<Signal>) {
    let heard = match ended {
        Some(ended) => ended.recv().await.is_some(),
        None => false,
    };
    if !heard {
        std::future::pending::<()>().await;
    }
}

fn reap() {
    let own = children::own();
    for pid in table::children().into_iter().filter(|pid| !own.contains(pid)).filter_map(Pid::from_raw) {
        // Says nothing of those that live.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}
