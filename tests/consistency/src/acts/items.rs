//! Items: created, changed, moved, claimed, linked, watched.

use http::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, PROJECT};

const STATES: [&str; 6] = ["Backlog", "In progress", "In review", "Resolved", "Closed", "Testing"];
const LABELS: [&str; 5] = ["bug", "Frontend", "ops", "straße", "later"];

pub(super) async fn anything(caller: &mut Caller) -> Option<Value> {
    match caller.below(22) {
        0..4 => create(caller).await,
        4..7 => update(caller).await,
        7 => link(caller).await,
        8..11 => transition(caller).await,
        11..15 => move_somewhere(caller).await,
        15 => subtask(caller).await,
        16 => claim(caller).await,
        17 => link(caller).await,
        18 if caller.chance(50) => watch(caller).await,
        18 => bulk(caller).await,
        19 => tick(caller).await,
        20 if caller.chance(30) => transfer(caller).await,
        20 => delete_or_restore(caller).await,
        _ => release(caller).await,
    }
}

async fn create(caller: &mut Caller) -> Option<Value> {
    let mut new = json!({
        "type": caller.one(&["task", "bug", "story", "epic"]), "title": caller.words(), "body": caller.words(),
        "labels": [caller.one(&LABELS)], "state": caller.one(&STATES),
    });
    if caller.chance(20) {
        new["parent"] = caller.text("item").into();
    }
    if caller.chance(20) {
        new["assignee"] = "@me".into();
    }
    if caller.chance(30) {
        new["milestone"] = any_milestone(caller).await.into();
    }
    let made = caller.ask(Method::POST, &format!("{PROJECT}/items"), Some(new)).await?;
    caller.pool.put("item", made["key"].clone());
    Some(made)
}

/// Id of a milestone, open or closed; none where there is none.
async fn any_milestone(caller: &mut Caller) -> Option<String> {
    let known = caller.get(&format!("{PROJECT}/milestones")).await?;
    Some(known[0]["id"].as_str()?.to_owned())
}

async fn update(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let mut change = json!({"version": caller.version(&item).await?});
    match caller.below(9) {
        7 => change["milestone"] = any_milestone(caller).await.into(),
        0 => change["title"] = caller.words().into(),
        1 => change["body"] = caller.words().into(),
        2 => change["addLabels"] = json!([caller.one(&LABELS)]),
        3 => change["removeLabels"] = json!([caller.one(&LABELS)]),
        4 => change["estimate"] = caller.below(9).into(),
        5 => change["remaining"] = caller.below(9).into(),
        6 => change["parent"] = caller.text("item").filter(|_| true).into(),
        _ => change["type"] = caller.one(&["task", "bug", "story", "epic", "subtask"]).into(),
    }
    caller.ask(Method::PATCH, &item, Some(change)).await
}

/// Writes a task into a description, or ticks the one that is there.
async fn tick(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let version = caller.version(&item).await?;
    if caller.chance(50) {
        let body = format!("- [ ] {}", caller.words());
        return caller.ask(Method::PATCH, &item, Some(json!({"version": version, "body": body}))).await;
    }
    let set = json!({"version": version, "done": caller.chance(70)});
    caller.ask(Method::POST, &format!("{item}/tasks/0"), Some(set)).await
}

/// Deletes an item, or brings one back that may have been deleted.
async fn delete_or_restore(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    if caller.chance(40) {
        return caller.ask(Method::DELETE, &item, None).await;
    }
    caller.ask(Method::POST, &format!("{item}/restore"), None).await
}

/// Moves an item to the other project, or back. Its old key stays known, and leads to it.
async fn transfer(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let mut to =
        json!({"version": caller.version(&item).await?, "project": caller.one(&["PRJ", "WEB", "WEB"])});
    if caller.chance(30) {
        to["withChildren"] = false.into();
    }
    let moved = caller.ask(Method::POST, &format!("{item}/transfer"), Some(to)).await?;
    caller.pool.put("item", moved["key"].clone());
    Some(moved)
}

async fn transition(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let change = json!({"version": caller.version(&item).await?, "state": caller.one(&STATES)});
    caller.ask(Method::POST, &format!("{item}/transition"), Some(change)).await
}

async fn move_somewhere(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let mut change = json!({"version": caller.version(&item).await?});
    if caller.chance(75) {
        change["sprint"] = if caller.chance(80) { caller.text("sprint").into() } else { Value::Null };
    }
    if caller.chance(30) {
        change["after"] = caller.text("item").into();
    }
    caller.ask(Method::POST, &format!("{item}/move"), Some(change)).await
}

async fn subtask(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let new = json!({"title": caller.words(), "estimate": caller.below(5)});
    let made = caller.ask(Method::POST, &format!("{item}/subtasks"), Some(new)).await?;
    caller.pool.put("item", made["key"].clone());
    Some(made)
}

async fn claim(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let version = json!({"version": caller.version(&item).await?});
    caller.ask(Method::POST, &format!("{item}/claim"), Some(version)).await?;
    caller.ask(Method::POST, &format!("{item}/heartbeat"), Some(json!({}))).await
}

async fn release(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    caller.ask(Method::POST, &format!("{item}/release"), Some(json!({}))).await
}

async fn link(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    if caller.chance(60) {
        return link_items(caller, &item).await;
    }
    let url = format!("https://code.example/team/project/pull/{}", caller.below(4));
    if caller.chance(70) {
        return caller.ask(Method::POST, &format!("{item}/links"), Some(json!({"url": url}))).await;
    }
    caller.ask(Method::DELETE, &format!("{item}/links?url={url}"), None).await
}

async fn link_items(caller: &mut Caller, item: &str) -> Option<Value> {
    let kind = caller.one(&["blocks", "blockedBy", "blocks", "relates", "duplicates"]);
    let other = caller.text("item")?;
    if caller.chance(75) {
        let new = json!({"type": kind, "item": other});
        return caller.ask(Method::POST, &format!("{item}/links"), Some(new)).await;
    }
    caller.ask(Method::DELETE, &format!("{item}/links?type={kind}&item={other}"), None).await
}

async fn bulk(caller: &mut Caller) -> Option<Value> {
    let mut items = Vec::new();
    for _ in 0..4 {
        let path = caller.item()?;
        items.push(json!({"key": path.rsplit('/').next()?, "version": caller.version(&path).await?}));
    }
    let mut body = json!({"items": items});
    if caller.chance(50) {
        body["state"] = caller.one(&STATES).into();
    } else {
        body["change"] = json!({"addLabels": [caller.one(&LABELS)], "priority": "high"});
    }
    caller.ask(Method::POST, &format!("{PROJECT}/items/bulk"), Some(body)).await
}

async fn watch(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let method = if caller.chance(70) { Method::PUT } else { Method::DELETE };
    caller.ask(method, &format!("{item}/watch"), None).await
}
