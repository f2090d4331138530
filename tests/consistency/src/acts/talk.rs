//! Comments, reactions, attachments and wiki pages.

use http::Method;
use serde_json::{Value, json};

use crate::caller::{Caller, PROJECT};

/// Where pages are moved between.
const PLACES: [&str; 6] = ["Guide", "guide/Release", "Notes", "Old", "Old/Guide", "Guide/Notes/Old"];
const EMOJI: [&str; 3] = ["👍", "🎉", "✅"];

pub(super) async fn anything(caller: &mut Caller) -> Option<Value> {
    match caller.below(20) {
        0..5 => comment(caller).await,
        5..7 => edit(caller).await,
        7 => delete(caller).await,
        8..11 => react(caller).await,
        11..15 => attach(caller).await,
        15 => detach(caller).await,
        16..18 => write_page(caller).await,
        18 => change_page(caller).await,
        _ => move_page(caller).await,
    }
}

async fn comment(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let agent = if caller.chance(20) { "@Agent0 " } else { "" };
    let mut new = json!({"body": format!("{agent}{}", caller.words())});
    if caller.chance(30)
        && let Some(answered) = caller.any("comment")
    {
        new["replyTo"] = answered["id"].clone();
    }
    let made = caller.ask(Method::POST, &format!("{item}/comments"), Some(new)).await?;
    caller.pool.put("comment", json!({"item": item, "id": made["id"]}));
    Some(made)
}

/// The address of a comment.
fn comment_path(caller: &mut Caller) -> Option<String> {
    let comment = caller.any("comment")?;
    Some(format!("{}/comments/{}", comment["item"].as_str()?, comment["id"].as_str()?))
}

async fn edit(caller: &mut Caller) -> Option<Value> {
    let path = comment_path(caller)?;
    let change = json!({"version": caller.version(&path).await?, "body": caller.words()});
    caller.ask(Method::PATCH, &path, Some(change)).await
}

async fn delete(caller: &mut Caller) -> Option<Value> {
    let path = comment_path(caller)?;
    caller.ask(Method::DELETE, &path, None).await
}

async fn react(caller: &mut Caller) -> Option<Value> {
    let path = comment_path(caller)?;
    let emoji = caller.one(&EMOJI);
    if caller.chance(75) {
        return caller.ask(Method::PUT, &format!("{path}/reactions"), Some(json!({"emoji": emoji}))).await;
    }
    let encoded: String = emoji.bytes().map(|byte| format!("%{byte:02X}")).collect();
    caller.ask(Method::DELETE, &format!("{path}/reactions/{encoded}"), None).await
}

/// Announces, uploads and commits a file, for an item or for a comment; any step may be left out.
async fn attach(caller: &mut Caller) -> Option<Value> {
    let item = caller.item()?;
    let for_comment = caller.chance(40);
    let bytes = caller.words().into_bytes();
    let new = json!({
        "name": "a.txt", "size": bytes.len(), "contentType": "text/plain", "forComment": for_comment,
    });
    let announced = caller.ask(Method::POST, &format!("{item}/attachments"), Some(new)).await?;
    let id = announced["attachment"]["id"].clone();
    let path = format!("/orgs/demo/attachments/{}", id.as_str()?);
    caller.pool.put("attachment", path.clone().into());
    if caller.chance(10) {
        return None;
    }
    let url = announced["upload"]["url"].as_str()?.to_owned();
    let wrong = caller.chance(5);
    caller.upload(&url, if wrong { vec![0; bytes.len()] } else { bytes }).await;
    if caller.chance(10) {
        return None;
    }
    let committed = caller.ask(Method::POST, &format!("{path}/commit"), Some(json!({}))).await?;
    if for_comment && caller.chance(80) {
        let new = json!({"body": caller.words(), "attachments": [id]});
        let made = caller.ask(Method::POST, &format!("{item}/comments"), Some(new)).await?;
        caller.pool.put("comment", json!({"item": item, "id": made["id"]}));
    }
    Some(committed)
}

async fn detach(caller: &mut Caller) -> Option<Value> {
    let path = caller.text("attachment")?;
    caller.ask(Method::DELETE, &path, None).await
}

async fn write_page(caller: &mut Caller) -> Option<Value> {
    let place = caller.one(&["Guide", "guide/Release", "Notes", "Notes/日本", "Factory/Implement"]);
    let path =
        format!("{PROJECT}/wiki/pages/{}", place.replace('日', "%E6%97%A5").replace('本', "%E6%9C%AC"));
    let mut page = json!({"body": caller.words()});
    if let Some(known) = caller.get(&path).await {
        page["version"] = known["version"].clone();
    }
    caller.ask(Method::PUT, &path, Some(page)).await
}

async fn change_page(caller: &mut Caller) -> Option<Value> {
    let place = caller.one(&["Guide", "Notes"]);
    let version = caller.version(&format!("{PROJECT}/wiki/pages/{place}")).await?;
    if caller.chance(50) {
        let restore = json!({"version": version, "restore": 1});
        return caller.ask(Method::POST, &format!("{PROJECT}/wiki/restore/{place}"), Some(restore)).await;
    }
    let access = json!({"version": version, "read": null, "edit": null});
    caller.ask(Method::PUT, &format!("{PROJECT}/wiki/access/{place}"), Some(access)).await
}

/// Moves a page to another place, takes it away, or brings one back.
async fn move_page(caller: &mut Caller) -> Option<Value> {
    let (from, to) = (caller.one(&PLACES), caller.one(&PLACES));
    match caller.below(10) {
        0..6 => {
            let version = caller.version(&format!("{PROJECT}/wiki/pages/{from}")).await?;
            let moved = json!({"version": version, "to": to});
            caller.ask(Method::POST, &format!("{PROJECT}/wiki/move/{from}"), Some(moved)).await
        }
        6..8 => caller.ask(Method::DELETE, &format!("{PROJECT}/wiki/pages/{from}"), None).await,
        _ => {
            let deleted = caller.get(&format!("{PROJECT}/wiki/deleted")).await?;
            let id = deleted[0]["id"].as_str()?;
            caller.ask(Method::POST, &format!("{PROJECT}/wiki/deleted/{id}/restore"), None).await
        }
    }
}
