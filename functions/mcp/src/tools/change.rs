//! Changing items: creating, editing, moving, claiming, linking.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::patch::Patch;
use svc_api::tracker::{self as wire, ItemType, Priority};
use svc_app::tracker::{ItemDetails, claims, items, links};
use svc_app::{Error, Result};
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_http::ApiResult;
use svc_present::tracker::{read, view};

use super::items::changed;
use super::people::{patched, person};
use super::{day, named};
use crate::guest::Guest;
use crate::reply::Reply;
use crate::unseen::keep;

/// A new item.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Create {
    /// Project key
    project: String,
    #[serde(rename = "type")]
    #[schemars(with = "ItemType")]
    item_type: ItemType,
    title: String,
    /// Markdown
    body: Option<String>,
    /// Item key
    parent: Option<String>,
    priority: Option<Priority>,
    labels: Option<Vec<String>>,
    /// Name, id or @me
    assignee: Option<String>,
    estimate: Option<f64>,
    /// 2026-01-31, friday, +2w
    due: Option<String>,
    state: Option<String>,
    /// Name or id
    milestone: Option<String>,
    /// Name of a template
    template: Option<String>,
    /// The same key again makes no second one
    #[serde(rename = "idempotencyKey")]
    _key: Option<String>,
}

pub(crate) async fn create(guest: Guest, arguments: Create) -> ApiResult<Reply> {
    let project: ProjectKey = named("project", &arguments.project)?;
    let (app, caller) = (&guest.app, guest.caller());
    let Create {
        item_type,
        title,
        body,
        parent,
        priority,
        labels,
        assignee,
        estimate,
        due,
        state,
        milestone,
        template,
        ..
    } = arguments;
    let (body, labels) = (body.unwrap_or_default(), labels.unwrap_or_default());
    let due = due.map(|due| day("due", &due, app)).transpose()?;
    let assignee = match assignee {
        Some(said) => Some(person(&guest, "assignee", &said).await?),
        None => None,
    };
    let created = if item_type == ItemType::Subtask {
        let parent = parent.ok_or_else(|| {
            Refusal::invalid("parent", "A subtask needs a parent: name the item it is part of.")
        })?;
        let parent: ItemKey = named("parent", &parent)?;
        if parent.project != project {
            return Err(Refusal::invalid("parent", "The parent must be an item of the same project.").into());
        }
        let estimate =
            estimate.ok_or_else(|| Refusal::invalid("estimate", "A subtask needs an estimate."))?;
        let new = wire::NewSubtask { title, body, priority, labels, estimate, assignee };
        items::create_under(app, caller, &parent, &read::new_subtask(new)?).await?
    } else {
        let new = wire::NewItem {
            body,
            priority,
            labels,
            estimate,
            due,
            assignee,
            parent,
            state,
            milestone,
            template,
            ..wire::NewItem::new(item_type, title)
        };
        items::create(app, caller, &project, &read::new_item(new)?).await?
    };
    Ok(changed("Created", &view::item(created)))
}

/// A change.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Update {
    /// Item key
    key: String,
    /// The version you read
    version: u64,
    title: Option<String>,
    /// Markdown, whole
    body: Option<String>,
    #[serde(rename = "type")]
    item_type: Option<ItemType>,
    priority: Option<Priority>,
    add_labels: Option<Vec<String>>,
    remove_labels: Option<Vec<String>>,
    #[serde(default)]
    estimate: Patch<f64>,
    #[serde(default)]
    remaining: Patch<f64>,
    /// Name, id or @me
    #[serde(default)]
    assignee: Patch<String>,
    /// Item key
    #[serde(default)]
    parent: Patch<String>,
    blocked: Option<bool>,
    /// 2026-01-31, friday, +2w
    #[serde(default)]
    due: Patch<String>,
    /// Name or id
    #[serde(default)]
    milestone: Patch<String>,
}

pub(crate) async fn update(guest: Guest, arguments: Update) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let (body, unseen) = match arguments.body {
        Some(written) => {
            let kept = keep(written, &items::get(&guest.app, guest.caller(), &key).await?.item.body);
            (Some(kept.text), kept.told)
        }
        None => (None, None),
    };
    let due = match arguments.due {
        Patch::Set(due) => Patch::Set(day("due", &due, &guest.app)?),
        Patch::Clear => Patch::Clear,
        Patch::Keep => Patch::Keep,
    };
    let change = wire::UpdateItem {
        version: arguments.version,
        title: arguments.title,
        body,
        item_type: arguments.item_type,
        priority: arguments.priority,
        labels: None,
        add_labels: arguments.add_labels.unwrap_or_default(),
        remove_labels: arguments.remove_labels.unwrap_or_default(),
        estimate: arguments.estimate,
        remaining: arguments.remaining,
        assignee: patched(&guest, "assignee", arguments.assignee).await?,
        parent: arguments.parent,
        blocked: arguments.blocked,
        due,
        milestone: arguments.milestone,
    };
    let change = read::update_item(change)?;
    let item = items::update(&guest.app, guest.caller(), &key, &change).await?;
    let reply = changed("Changed", &view::item(item));
    Ok(unseen.into_iter().fold(reply, Reply::line))
}

/// A move.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Transition {
    /// Item key
    key: String,
    /// The version you read
    version: u64,
    /// Name of a state
    state: String,
}

pub(crate) async fn transition(guest: Guest, arguments: Transition) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let Transition { version, state, .. } = arguments;
    let item = claims::transition(&guest.app, guest.caller(), &key, version, &state).await?;
    Ok(changed("Moved", &view::item(item)))
}

/// A claim.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// Item key
    key: String,
    /// The version you read; the current one if absent
    version: Option<u64>,
}

pub(crate) async fn claim(guest: Guest, arguments: Claim) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let item = match claims::heartbeat(&guest.app, guest.caller(), &key).await {
        Err(Error::Refused(Refusal::NotClaimHolder)) => claimed(&guest, &key, arguments.version).await?,
        // Who holds a stale claim is told by claiming, which takes it over.
        Err(Error::Refused(Refusal::ItemClaimed { .. })) => claimed(&guest, &key, arguments.version).await?,
        kept => kept?,
    };
    Ok(changed("You hold", &view::item(item)))
}

async fn claimed(guest: &Guest, key: &ItemKey, version: Option<u64>) -> Result<ItemDetails> {
    let version = match version {
        Some(version) => version,
        None => items::get(&guest.app, guest.caller(), key).await?.item.revision,
    };
    claims::claim(&guest.app, guest.caller(), key, version).await
}

/// An item.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// Item key
    key: String,
}

pub(crate) async fn release(guest: Guest, arguments: Key) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let item = claims::release(&guest.app, guest.caller(), &key).await?;
    Ok(changed("Released", &view::item(item)))
}

/// A pull request.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    /// Item key
    key: String,
    url: String,
}

pub(crate) async fn link(guest: Guest, arguments: Link) -> ApiResult<Reply> {
    let key: ItemKey = named("key", &arguments.key)?;
    let item = links::add(&guest.app, guest.caller(), &key, &arguments.url).await?;
    Ok(changed("Linked the pull request to", &view::item(item)))
}
