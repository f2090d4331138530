//! What a run's directory says of its run: when nothing is there yet, and when it is over.

use jiff::Timestamp;
use svc_api::runner::Assignment;

use crate::clock;
use crate::workspace::access::CREDENTIAL;
use crate::workspace::{Manifest, RunDirectory};

/// The manifest of a run of which nothing is there yet.
pub(super) fn first_manifest(directory: &RunDirectory, assignment: &Assignment, url: &str) -> Manifest {
    Manifest {
        run_id: assignment.run_id.clone(),
        organization: assignment.organization.clone(),
        url: url.to_owned(),
        fence: assignment.fence,
        item: assignment.item.key.clone(),
        agent: assignment.agent.email.clone(),
        repo: directory.repo(),
        home: assignment.run_id.clone(),
        begun_at: clock::now(),
        ..Manifest::default()
    }
}

/// Writes down that the run ended, and removes what only a live run needs.
pub(super) fn close(directory: &RunDirectory, end: impl FnOnce(&mut Manifest), now: Timestamp) {
    if let Some(mut ended) = Manifest::read(directory.path()) {
        end(&mut ended);
        ended.ended_at = Some(now);
        if let Err(error) = directory.describe(&ended) {
            tracing::warn!(%error, "the end of the workspace cannot be written down");
        }
    }
    let _ = std::fs::remove_file(directory.log());
    // Gone already, but for a renewal in the very moment of the end.
    let _ = std::fs::remove_file(directory.path().join(CREDENTIAL));
}
