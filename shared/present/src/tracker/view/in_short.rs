//! What lists tell in short of the work on an item: its last run, and its pull requests.

use svc_api::tracker as wire;
use svc_domain::feed::FeedEntry;
use svc_domain::pull_request::standing::Standing;
use svc_domain::run::LastRun;

use crate::actor::actor;
use crate::words::Word;

/// A run that ended.
pub(super) fn last_run(run: &LastRun) -> wire::LastRun {
    wire::LastRun {
        id: run.id.to_string(),
        status: run.status.sent(),
        agent: actor(&run.agent),
        started_at: run.started_at,
        finished_at: run.ended_at,
        pull_request: run.pull_request.clone(),
    }
}

/// The pull requests that an item in a list links.
pub(super) fn listed_links(entry: &FeedEntry) -> Vec<wire::Link> {
    let told = |standing: &Standing| wire::PullRequest {
        state: standing.state.sent(),
        head: None,
        checks: standing.checks.map(Word::sent),
        review: standing.review.map(Word::sent),
        follow_ups: Vec::new(),
    };
    let link = |(place, url): (usize, &String)| {
        let standing = entry.standings.get(place).and_then(Option::as_ref);
        wire::Link { url: url.clone(), pull_request: standing.map(told) }
    };
    entry.link_urls.iter().enumerate().map(link).collect()
}
