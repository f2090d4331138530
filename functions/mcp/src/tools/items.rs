//! `list_items` and `get_item`: reading items.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_api::tracker::{Attachment, Comment, HistoryEntry, Item, ItemLink, LinkKind};
use svc_app::tracker::list::{self, ListItems, ListedItem};
use svc_app::tracker::{attachments, comments, history, item_links};
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_domain::untrusted::quoted;
use svc_http::{ApiResult, Paging};
use svc_present::tracker::view;

use super::named;
use crate::authors::Authors;
use crate::guest::Guest;
use crate::lines::{self, Field, word};
use crate::reply::{Cursor, Reply, clean};
use crate::unseen::tell_unseen;

/// Which items.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct List {
    /// Project key
    project: String,
    /// Terms that must all match: state:active type:bug priority:>=high assignee:@me label:a,b -label:c
    /// sprint:current parent:KEY blocked:true claimed:@agent estimate:>4 due:<today
    /// updated:<7d title:words commented:@me has:link; days are your account's
    filter: Option<String>,
    /// Words in key, title or labels
    q: Option<String>,
    /// -updated (default), key, title, priority, estimate, created, rank; - reverses
    sort: Option<String>,
    /// What lines say besides
    #[serde(default)]
    fields: Vec<Field>,
    /// Default 25, at most 100
    limit: Option<u32>,
    cursor: Option<String>,
}

/// Lines of a list where no number is asked for.
pub(crate) const LINES: u32 = 25;

pub(crate) async fn list(guest: Guest, arguments: List) -> ApiResult<Reply> {
    let key: ProjectKey = named("project", &arguments.project)?;
    let cursor = Cursor::of(arguments.cursor.as_deref())?;
    let paging = Paging::clamp(Some(cursor.page), Some(arguments.limit.unwrap_or(LINES)));
    let wanted = ListItems {
        filter: arguments.filter,
        q: arguments.q,
        sort: arguments.sort,
        time_zone: None,
        page: paging.page,
        page_size: paging.page_size,
    };
    let show = |listed: ListedItem<'_>| view::listed(&key, listed);
    let found = list::items(&guest.app, guest.caller(), &key, &wanted, show).await?.list;
    let items = found.items.iter().filter_map(|item| serde_json::from_str::<Item>(item.get()).ok());
    let lines: Vec<String> = items.map(|item| lines::item(&item, &arguments.fields)).collect();
    Ok(listed("item", "titles by people of the project", lines, found.total, paging))
}

/// A page of a list: how many there are, its lines, and where it goes on.
pub(crate) fn listed(noun: &str, what: &str, lines: Vec<String>, total: u64, paging: Paging) -> Reply {
    let (first, count) = (paging.offset() as u64 + 1, lines.len() as u64);
    if lines.is_empty() {
        return Reply::default().line(format!("No {noun}s here; {total} match."));
    }
    let last = first + count - 1;
    let head = if count == total {
        format!("{total} {noun}s")
    } else {
        format!("{noun}s {first}-{last} of {total}")
    };
    let more = (last < total).then_some(paging.page + 1);
    Reply::default().line(head).theirs(what, lines.join("\n")).then(more)
}

/// Which item.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Get {
    /// Item key, such as WEB-12
    key: String,
    #[serde(default)]
    include: Vec<Include>,
    /// Of the last reply; pages through comments
    cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Include {
    Comments,
    Subtasks,
    History,
    Attachments,
}

/// Comments of a reply.
const COMMENTS: u32 = 20;
/// Subtasks of a reply; more are listed with `list_items`.
const SUBTASKS: u32 = 50;
/// Entries of the history of a reply, the newest.
const CHANGES: usize = 50;

pub(crate) async fn get(guest: Guest, arguments: Get) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let page = Cursor::of(arguments.cursor.as_deref())?.page;
    let includes = |include| arguments.include.contains(&include);
    let mut reply = Reply::default();
    if page == 1 {
        let found = item_links::list(&guest.app, guest.caller(), &key).await?;
        let links = view::links(found.clone()).items;
        let item = view::item(found.0);
        let authors = Authors::of(&guest, std::iter::once(&item.created_by)).await?;
        reply = linked(described(reply, &item, &authors), &links);
        if includes(Include::Subtasks) {
            reply = subtasks(reply, &guest, &key).await?;
        }
        if includes(Include::Attachments) {
            reply = files(reply, &guest, &key).await?;
        }
        if includes(Include::History) {
            reply = changes(reply, &guest, &key).await?;
        }
    }
    if includes(Include::Comments) { discussion(reply, &guest, &key, page).await } else { Ok(reply) }
}

/// The item itself.
pub(crate) fn described(reply: Reply, item: &Item, authors: &Authors) -> Reply {
    let mut facts = vec![format!(
        "{} version {}: {}, {}, priority {}",
        item.key,
        item.version,
        word(&item.item_type),
        clean(&item.state),
        word(&item.priority)
    )];
    let mut fact =
        |name: &str, value: Option<String>| facts.extend(value.map(|value| format!("{name}: {value}")));
    fact("Assignee", item.assignee.as_ref().map(|assignee| quoted(&assignee.name)));
    fact("Estimate", item.estimate.map(|estimate| estimate.to_string()));
    fact("Remaining", item.remaining.map(|remaining| remaining.to_string()));
    fact("Parent", item.parent.clone());
    fact("Sprint", item.sprint.clone());
    fact("Blocked", item.blocked.then(|| "yes".to_owned()));
    fact(
        "Claim",
        item.claim.as_ref().map(|claim| {
            let stale = if claim.stale { ", stale: anyone may claim it" } else { "" };
            format!("{} since {}{stale}", quoted(&claim.holder_name), claim.since)
        }),
    );
    fact("Live run", item.live_run.clone());
    for link in &item.links {
        fact("Pull request", Some(clean(&link.url)));
    }
    fact("Created", Some(format!("{} by {}", item.created_at, authors.byline(&item.created_by))));
    fact("Updated", Some(item.updated_at.to_string()));
    let labels = if item.labels.is_empty() {
        String::new()
    } else {
        format!("Labels: {}\n\n", clean(&item.labels.join(", ")))
    };
    let text = format!("# {}\n\n{labels}{}", clean(&item.title), item.body);
    tell_unseen(reply.line(facts.join("\n")), &item.body, "update_item")
        .theirs("title, labels and description by people of the project", text)
}

/// The other items that it is linked with, a line for each kind.
fn linked(reply: Reply, links: &[ItemLink]) -> Reply {
    let mut lines: Vec<(LinkKind, String)> = Vec::new();
    for link in links {
        let item = format!("{} ({})", link.item, clean(&link.state));
        match lines.last_mut().filter(|(kind, _)| *kind == link.kind) {
            Some((_, line)) => line.extend([", ", &item]),
            None => lines.push((link.kind, item)),
        }
    }
    lines.into_iter().fold(reply, |reply, (kind, line)| reply.line(format!("{}: {line}", word(&kind))))
}

async fn subtasks(reply: Reply, guest: &Guest, key: &ItemKey) -> ApiResult<Reply> {
    let show = |listed: ListedItem<'_>| view::listed(&key.project, listed);
    let found = list::children(&guest.app, guest.caller(), key, (1, SUBTASKS), show).await?;
    let items = found.items.iter().filter_map(|item| serde_json::from_str::<Item>(item.get()).ok());
    let lines: Vec<String> = items.map(|item| lines::item(&item, &[])).collect();
    Ok(reply
        .line(format!("{} subtasks", found.total))
        .theirs("subtasks, titles by people of the project", lines.join("\n")))
}

async fn files(reply: Reply, guest: &Guest, key: &ItemKey) -> ApiResult<Reply> {
    let found = attachments::list(&guest.app, guest.caller(), key).await?;
    let line = |file: Attachment| format!("{} {} ({} bytes)", file.id, clean(&file.name), file.size);
    let lines: Vec<String> = found.into_iter().map(|file| line(view::attachment(&guest.org, file))).collect();
    Ok(reply.line(format!("{} attachments", lines.len())).theirs("names of attachments", lines.join("\n")))
}

async fn changes(reply: Reply, guest: &Guest, key: &ItemKey) -> ApiResult<Reply> {
    let (found, all) = history::list(&guest.app, guest.caller(), key, (0, CHANGES)).await?;
    let line = |entry: HistoryEntry| {
        let mut line = format!("{} {} {}", entry.at, quoted(&entry.actor.name), entry.action);
        line.extend(entry.field.map(|field| format!(" {field}")));
        line.extend(entry.from.map(|from| format!(" from {:?}", clean(&from))));
        line.extend(entry.to.map(|to| format!(" to {:?}", clean(&to))));
        line
    };
    let lines: Vec<String> = found.into_iter().map(view::history).map(line).collect();
    Ok(reply.line(format!("Last {} of {all} changes", lines.len())).theirs("history", lines.join("\n")))
}

async fn discussion(reply: Reply, guest: &Guest, key: &ItemKey, page: u32) -> ApiResult<Reply> {
    let paging = Paging::clamp(Some(page), Some(COMMENTS));
    let slice = (paging.offset(), COMMENTS as usize);
    let (found, total) = comments::list(&guest.app, guest.caller(), key, slice).await?;
    let shown: Vec<Comment> = found.into_iter().map(view::comment).collect();
    let authors = Authors::of(guest, shown.iter().map(|comment| &comment.author)).await?;
    let last = paging.offset() as u64 + shown.len() as u64;
    let mut reply = reply.line(format!("{total} comments, oldest first"));
    for comment in shown.into_iter().filter(|comment| !comment.deleted) {
        let thread = comment.reply_to.map(|id| format!(" in the thread of {id}")).unwrap_or_default();
        let what = format!(
            "comment {}{thread} by {} at {}",
            comment.id,
            authors.byline(&comment.author),
            comment.created_at
        );
        reply = reply.theirs(what, comment.body);
    }
    Ok(reply.then((last < total).then_some(page + 1)))
}

/// What became of an item.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemState {
    key: String,
    /// Send it with the next change
    version: u64,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed_by: Option<String>,
}

/// What a change of an item answers.
pub(crate) fn changed(done: &str, item: &Item) -> Reply {
    let state = ItemState {
        key: item.key.clone(),
        version: item.version,
        state: clean(&item.state),
        assignee: item.assignee.as_ref().map(|assignee| clean(&assignee.name)),
        claimed_by: item.claim.as_ref().map(|claim| clean(&claim.holder_name)),
    };
    let mut line = format!("{done} {}: version {}, {}", state.key, state.version, state.state);
    line.extend(state.assignee.as_ref().map(|name| format!(", assigned to {}", quoted(name))));
    line.extend(state.claimed_by.as_ref().map(|name| format!(", claimed by {}", quoted(name))));
    Reply::default().line(line).structured(json!(state))
}
