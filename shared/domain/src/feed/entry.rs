//! The row kept of an item in the project feed.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::claim::Claim;
use crate::ids::{Actor, ItemKey, MilestoneId, ProjectKey, RunId};
use crate::item::{Commenters, Counts, Item, ItemType, Priority};
use crate::pull_request::standing::{self, Standing};
use crate::rank::Rank;
use crate::run::LastRun;

/// What the feed keeps of an item: a few hundred bytes, without its description.
///
/// A stored row. Fields may be added if they have a default; readers ignore those they do not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FeedEntry {
    /// Number in the project; with the project's key, the item's key.
    pub number: u64,
    /// Version of the item that this tells of: a heartbeat keeps it, every other change raises it.
    pub version: u64,
    /// Kind of work.
    pub item_type: ItemType,
    /// Title.
    pub title: String,
    /// Name of the workflow state.
    pub state: String,
    /// Priority.
    pub priority: Priority,
    /// Labels, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Estimated effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Effort left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<f64>,
    /// Who it is assigned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Actor>,
    /// The item that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ItemKey>,
    /// Id of the sprint that it is planned in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprint: Option<String>,
    /// The milestone that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<MilestoneId>,
    /// Its place in the order given by hand; `None`, as in rows from before there were ranks, is that of its
    /// number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Rank>,
    /// Whether something else must happen first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub blocked: bool,
    /// The day by which it should be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// When it was resolved or closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// When work on it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// Who works on it now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// Its queued, assigned or running run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live_run: Option<RunId>,
    /// Its last run that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<Box<LastRun>>,
    /// Pull requests by URL, in the order they were linked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link_urls: Vec<String>,
    /// What the code host told of those, in the same order; empty where it told nothing, as in rows from before this was
    /// kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standings: Vec<Option<Standing>>,
    /// Whether it is linked with other items; not of rows from before this was kept.
    #[serde(default, skip_serializing_if = "is_false")]
    pub linked_items: bool,
    /// Who commented; nobody likewise.
    #[serde(default, skip_serializing_if = "Commenters::is_empty")]
    pub commenters: Commenters,
    /// Its comments and attachments. Absent where they were never counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// Who created it.
    pub created_by: Actor,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The item is gone; this row stays until every reader has seen it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deleted: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}

impl FeedEntry {
    /// What the feed keeps of an item at a version, the one that the API shows.
    pub fn of(item: &Item, version: u64) -> Self {
        Self {
            number: item.key.number,
            version,
            item_type: item.item_type,
            title: item.title.clone(),
            state: item.state.clone(),
            priority: item.priority,
            labels: item.labels.iter().cloned().collect(),
            estimate: item.estimate,
            remaining: item.remaining,
            assignee: item.assignee.clone(),
            parent: item.parent.clone(),
            sprint: item.sprint.clone(),
            milestone: item.milestone,
            rank: item.rank.clone(),
            blocked: item.is_blocked(),
            due: item.due,
            resolved_at: item.resolved_at,
            started_at: item.started_at,
            claim: item.claim.clone(),
            live_run: item.live_run,
            last_run: item.last_run.clone(),
            link_urls: item.links.clone(),
            standings: standing::of_links(item),
            linked_items: !item.item_links.is_empty(),
            commenters: item.commenters.clone(),
            counts: item.counts,
            created_by: item.created_by.clone(),
            created_at: item.created_at,
            updated_at: item.updated_at,
            deleted: false,
        }
    }

    /// Key of the item, which is one of this project's.
    pub fn key(&self, project: &ProjectKey) -> ItemKey {
        ItemKey { project: project.clone(), number: self.number }
    }

    /// Its place in the order given by hand.
    pub fn rank(&self) -> Rank {
        self.rank.clone().unwrap_or_else(|| Rank::initial(self.number))
    }

    /// Compares as the rows of one item came to be: by version, then by heartbeat and by what was counted.
    pub(super) fn age(&self) -> (u64, Option<Timestamp>, Option<u32>) {
        let heartbeat_at = self.claim.as_ref().map(|claim| claim.heartbeat_at);
        (self.version, heartbeat_at, self.counts.map(|counts| counts.changes))
    }

    /// Whether a row of the same item tells something that this one does not. Rows may come more than once and
    /// in any order: what is older, by version or by heartbeat, tells nothing, and after an item's end only a
    /// later version does.
    pub(super) fn is_superseded_by(&self, row: &Self) -> bool {
        if self.deleted { row.version > self.version } else { self.age() <= row.age() && self != row }
    }

    /// The same in as little memory: a feed holds many entries for long.
    pub(super) fn without_slack(mut self) -> Self {
        self.title.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.link_urls.shrink_to_fit();
        self.standings.shrink_to_fit();
        self.commenters.0.shrink_to_fit();
        self
    }
}
