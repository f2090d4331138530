//! What lists tell of linked pull requests: a few words each.

use serde::{Deserialize, Serialize};

use super::{Checks, PullRequest, PullRequestState, Review};
use crate::item::Item;

/// What lists tell of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// What happened to it.
    pub state: PullRequestState,
    /// What its checks say, once one is over.
    #[serde(default)]
    pub checks: Option<Checks>,
    /// What its reviews say, if they decide anything.
    #[serde(default)]
    pub review: Option<Review>,
}

impl Standing {
    fn of(known: &PullRequest) -> Self {
        Self { state: known.state, checks: known.checks(), review: known.review() }
    }
}

/// What is known of each pull request that an item links, in their order; nothing where nothing is known of any.
pub(crate) fn of_links(item: &Item) -> Vec<Option<Standing>> {
    if item.pull_requests.is_empty() {
        return Vec::new();
    }
    let known = |url: &String| item.pull_requests.iter().find(|known| known.url == *url);
    item.links.iter().map(|url| known(url).map(Standing::of)).collect()
}
