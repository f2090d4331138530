//! What the wire shows of the tracker's records.

mod activity;
mod attachments;
mod history;
mod in_short;
mod journal;
mod milestones;
mod sprints;
mod stats;
mod workflow;

pub use crate::actor::actor;
use crate::actor::deletion;
pub use activity::activity;
pub use attachments::{announced, attachment};
pub use history::{comment_edit, history, text_diff};
use in_short::{last_run, listed_links};
pub use journal::org_changes;
pub use milestones::milestone;
pub use sprints::{burndown, completed_sprint, sprint, taskboard, team};
pub use stats::{overview, stats};
pub use workflow::{state, workflow};

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::value::to_raw_value;
use svc_api::Problem;
use svc_api::tracker as wire;
use svc_app::tracker::ItemDetails;
use svc_app::tracker::board::{Board, Can};
use svc_app::tracker::changes::Changes;
use svc_app::tracker::comments::{Outcome, Reach, SeenComment};
use svc_app::tracker::item_links::{SeenLink, SeenLinks};
use svc_app::tracker::labels::SeenLabel;
use svc_app::tracker::list::{ListedItem, Rendered};
use svc_app::tracker::org_list::Counts;
use svc_app::tracker::projects::SeenProject;
use svc_app::tracker::views::SeenView;
use svc_domain::claim::Claim;
use svc_domain::deleted_item::DeletedItem;
use svc_domain::feed::Group;
use svc_domain::ids::ProjectKey;
use svc_domain::item::Item;
use svc_domain::pull_request::{FollowUpRequest, PullRequest, RequestState};
use svc_domain::rank::Rank;
use svc_domain::reaction::{Reactor, Tally};
use svc_domain::template::Template;

use crate::words::Word;

/// A project as the caller sees it.
pub fn project(seen: SeenProject) -> wire::Project {
    wire::Project {
        key: seen.project.key.into(),
        name: seen.project.name,
        description: seen.project.description,
        archived: seen.project.archived,
        role: seen.role.map(Word::sent),
        version: seen.version,
        deletion: seen.deletion.as_ref().map(deletion),
    }
}

/// An item with its description.
pub fn item(details: ItemDetails) -> wire::Item {
    let ItemDetails { mut item, state_group: group, claim_is_stale } = details;
    let links = linked_pull_requests(&mut item);
    wire::Item {
        branch: Some(svc_domain::branch::of_item(&item.key, &item.title)),
        blocked: item.is_blocked(),
        key: item.key.to_string(),
        version: item.revision,
        item_type: item.item_type.sent(),
        title: item.title,
        body: item.body,
        state: item.state,
        state_group: group.sent(),
        priority: item.priority.sent(),
        labels: item.labels.into_iter().collect(),
        estimate: item.estimate,
        remaining: item.remaining,
        assignee: item.assignee.as_ref().map(actor),
        parent: item.parent.map(String::from),
        sprint: item.sprint,
        milestone: item.milestone.map(|id| id.to_string()),
        rank: item.rank.unwrap_or_else(|| Rank::initial(item.key.number)).as_str().to_owned(),
        due: item.due,
        resolved_at: item.resolved_at,
        started_at: item.started_at,
        claim: item.claim.as_ref().map(|held| claim(held, claim_is_stale)),
        live_run: item.live_run.map(|run| run.to_string()),
        last_run: item.last_run.as_deref().map(last_run),
        can: None,
        subtask_count: None,
        comment_count: item.counts.map(|counts| counts.comments),
        attachment_count: item.counts.map(|counts| counts.attachments),
        links,
        created_by: actor(&item.created_by),
        created_at: item.created_at,
        updated_at: item.updated_at,
    }
}

/// The pull requests that an item links, taken out of it.
fn linked_pull_requests(item: &mut Item) -> Vec<wire::Link> {
    let (links, known) = (std::mem::take(&mut item.links), std::mem::take(&mut item.pull_requests));
    let link = |url: String| {
        let pull_request = known.iter().find(|known| known.url == url).map(pull_request);
        wire::Link { url, pull_request }
    };
    links.into_iter().map(link).collect()
}

/// What the code host told of a linked pull request.
fn pull_request(known: &PullRequest) -> wire::PullRequest {
    wire::PullRequest {
        state: known.state.sent(),
        head: known.head.clone(),
        checks: known.checks().map(Word::sent),
        review: known.review().map(Word::sent),
        follow_ups: known.follow_ups.iter().map(follow_up).collect(),
    }
}

fn follow_up(request: &FollowUpRequest) -> wire::PullRequestFollowUp {
    let (run, reason) = match &request.state {
        RequestState::Waiting { .. } => (None, None),
        RequestState::Started { run } => (Some(run.to_string()), None),
        RequestState::Dropped { reason } => (None, Some(reason.clone())),
    };
    wire::PullRequestFollowUp {
        cause: request.cause.sent(),
        head: request.head.clone(),
        at: request.at,
        run,
        reason,
    }
}

/// What an item is linked with.
pub fn links((mut details, seen): (ItemDetails, SeenLinks)) -> wire::Links {
    let pull_requests = linked_pull_requests(&mut details.item);
    wire::Links { items: seen.links.into_iter().map(item_link).collect(), hidden: seen.hidden, pull_requests }
}

/// A link with another item.
pub fn item_link(link: SeenLink) -> wire::ItemLink {
    wire::ItemLink {
        kind: link.kind.sent(),
        item: link.item.to_string(),
        item_type: link.item_type.sent(),
        title: link.title,
        state: link.state,
        state_group: link.state_group.sent(),
    }
}

/// What became of one item of many.
pub fn outcome(key: String, outcome: Result<ItemDetails, Problem>) -> wire::BulkOutcome {
    match outcome {
        Ok(details) => wire::BulkOutcome { key, item: Some(item(details)), problem: None },
        Err(problem) => wire::BulkOutcome { key, item: None, problem: Some(problem) },
    }
}

/// An item that was deleted; `None` for one that can be brought back no more.
pub fn deleted_item(deleted: DeletedItem) -> Option<wire::DeletedItem> {
    let restorable_until = deleted.until();
    let item = deleted.item?;
    Some(wire::DeletedItem {
        key: deleted.key.into(),
        item_type: item.item_type.sent(),
        title: item.title,
        deleted_by: actor(&deleted.by),
        deleted_at: deleted.at,
        restorable_until,
    })
}

/// An item in a list, as JSON.
#[derive(Serialize)]
#[serde(transparent)]
pub struct ListEntry(#[serde(serialize_with = "as_it_is")] pub Rendered);

fn as_it_is<S: Serializer>(json: &Rendered, serializer: S) -> Result<S::Ok, S::Error> {
    (**json).serialize(serializer)
}

impl JsonSchema for ListEntry {
    fn inline_schema() -> bool {
        wire::Item::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        wire::Item::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        wire::Item::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        wire::Item::json_schema(generator)
    }
}

/// An entry of a list: the item without its description, which the feed does not keep.
pub fn listed(project: &ProjectKey, listed: ListedItem<'_>) -> Rendered {
    let json = to_raw_value(&listed_item(project, listed)).expect("an item is plain data with text keys");
    Rendered::from(json)
}

/// The same, not yet written.
pub fn listed_item(project: &ProjectKey, listed: ListedItem<'_>) -> wire::Item {
    let ListedItem { entry, state_group: group, claim_is_stale, children } = listed;
    wire::Item {
        key: entry.key(project).to_string(),
        version: entry.version,
        item_type: entry.item_type.sent(),
        title: entry.title.clone(),
        body: String::new(),
        state: entry.state.clone(),
        state_group: group.sent(),
        priority: entry.priority.sent(),
        labels: entry.labels.clone(),
        estimate: entry.estimate,
        remaining: entry.remaining,
        assignee: entry.assignee.as_ref().map(actor),
        parent: entry.parent.as_ref().map(ToString::to_string),
        sprint: entry.sprint.clone(),
        milestone: entry.milestone.map(|id| id.to_string()),
        rank: entry.rank().as_str().to_owned(),
        blocked: entry.blocked,
        due: entry.due,
        resolved_at: entry.resolved_at,
        started_at: entry.started_at,
        claim: entry.claim.as_ref().map(|held| claim(held, claim_is_stale)),
        live_run: entry.live_run.map(|run| run.to_string()),
        last_run: entry.last_run.as_deref().map(last_run),
        can: None,
        branch: None,
        subtask_count: children,
        comment_count: entry.counts.map(|counts| counts.comments),
        attachment_count: entry.counts.map(|counts| counts.attachments),
        links: listed_links(entry),
        created_by: actor(&entry.created_by),
        created_at: entry.created_at,
        updated_at: entry.updated_at,
    }
}

/// How many items match a filter.
pub fn counts(counts: Counts) -> wire::ItemCounts {
    let group = |Group { value, name, count }| wire::ItemGroup { value, name, count };
    wire::ItemCounts {
        total: counts.total,
        groups: counts.groups.into_iter().map(group).collect(),
        time_zone: counts.time_zone,
    }
}

/// A label.
pub fn label(seen: SeenLabel) -> wire::Label {
    let label = seen.label;
    wire::Label {
        name: label.name,
        color: label.color,
        description: label.description,
        items: seen.items,
        version: seen.version,
    }
}

/// A saved view.
pub fn saved_view(seen: SeenView) -> wire::SavedView {
    let SeenView { view, shared, can_edit } = seen;
    wire::SavedView {
        id: view.id.to_string(),
        version: view.version,
        name: view.name,
        shared,
        filter: view.filter,
        q: view.q,
        sort: view.sort,
        group: view.group,
        layout: view.layout.map(Word::sent),
        created_by: actor(&view.created_by),
        can_edit,
    }
}

/// A ticket template.
pub fn template(template: Template) -> wire::Template {
    wire::Template {
        id: template.id.to_string(),
        version: template.version,
        name: template.name,
        item_type: template.item_type.sent(),
        body: template.body,
        priority: template.priority.map(Word::sent),
        labels: template.labels.into_iter().collect(),
    }
}

/// What a caller may do.
pub const fn can(can: Can) -> wire::Can {
    let Can { edit, comment, start, transition, delete, configure } = can;
    wire::Can { edit, comment, start, transition, delete, configure }
}

/// The board of a project.
pub fn board(board: Board) -> wire::Board<ListEntry> {
    wire::Board {
        cursor: board.cursor,
        workflow: workflow(board.workflow),
        item_count: board.item_count,
        can: can(board.can),
        items: board.cards.into_iter().map(ListEntry).collect(),
        runs: board.runs.into_iter().map(crate::factory::view::run).collect(),
    }
}

/// What changed in a project.
pub fn changes(changes: Changes) -> wire::Changes<ListEntry> {
    wire::Changes {
        cursor: changes.cursor,
        reload: changes.reload,
        items: changes.items.into_iter().map(ListEntry).collect(),
        removed: changes.removed.into_iter().map(String::from).collect(),
    }
}

/// A comment with its reactions.
pub fn comment(seen: SeenComment) -> wire::Comment {
    let comment = seen.comment;
    let failure = comment.failure.map(|failure| {
        let sentence = failure.detail.unwrap_or_else(|| failure.reason.sentence().to_owned());
        (failure.reason.as_str().to_owned(), sentence)
    });
    let (failure_reason, failure_detail) = failure.unzip();
    wire::Comment {
        id: comment.id.to_string(),
        body: comment.body,
        author: actor(&comment.author),
        reply_to: comment.reply_to.map(|id| id.to_string()),
        reactions: seen.reactions.into_iter().map(reaction).collect(),
        can_react: seen.can_react,
        can_edit: seen.can_edit,
        can_delete: seen.can_delete,
        mentions: comment.mentions.iter().map(|mention| actor(&mention.who)).collect(),
        run_id: comment.run.or(comment.outcome_of).map(|run| run.to_string()),
        outcome_of: comment.outcome_of.map(|run| run.to_string()),
        failure_reason,
        failure_detail,
        deleted: comment.deleted,
        created_at: comment.created_at,
        edited_at: comment.edited_at,
        reach: seen.reach.into_iter().map(reach).collect(),
        version: seen.version,
    }
}

fn reach(Reach { name, who, outcome }: Reach) -> wire::MentionReach {
    let (outcome, reason) = match outcome {
        Outcome::Told => (wire::MentionOutcome::Told, None),
        Outcome::Asked => (wire::MentionOutcome::Asked, None),
        Outcome::Nobody(why) => (wire::MentionOutcome::Nobody, Some(why)),
    };
    wire::MentionReach { name, who: who.as_ref().map(actor), outcome, reason }
}

fn reaction(tally: Tally) -> wire::Reaction {
    let reactor = |Reactor { actor, avatar }| wire::Reactor {
        id: actor.id.to_string(),
        display_name: actor.name,
        avatar_key: avatar.map(|avatar| avatar.to_string()),
        agent: actor.id.is_agent(),
    };
    wire::Reaction {
        emoji: tally.emoji.to_string(),
        count: tally.count,
        reacted_by_me: tally.by_me,
        users: tally.reactors.into_iter().map(reactor).collect(),
    }
}

fn claim(claim: &Claim, stale: bool) -> wire::Claim {
    wire::Claim {
        holder: claim.holder.id.to_string(),
        holder_name: claim.holder.name.clone(),
        agent: claim.holder.id.is_agent(),
        since: claim.since,
        heartbeat_at: claim.heartbeat_at,
        stale,
    }
}
