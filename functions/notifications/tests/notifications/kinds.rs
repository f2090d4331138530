//! Each kind of notification: who is told, and of what (specification sections 2.7 and 6).

use http::Method;
use jiff::SignedDuration;
use serde_json::json;

use crate::delivery::Told;
use crate::world::{Person, World};

/// The kinds of all news that somebody was told of an item, the oldest first.
async fn kinds(world: &World, who: &Person) -> Vec<String> {
    let mut kinds = Vec::new();
    for entry in world.entries(who, "").await {
        let news = entry["news"].as_array().unwrap().clone();
        kinds.extend(news.iter().rev().map(|news| news["kind"].as_str().unwrap().to_owned()));
    }
    kinds
}

#[tokio::test]
async fn of_one_commit_each_is_told_once_by_what_concerns_them_most() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    let asked = world.comment(&world.ada, &item, "who?", None).await;
    world.comment(&world.ben, &item, "@ada me", Some(&asked)).await;
    assert_eq!(kinds(&world, &world.ada).await, ["mentioned"], "not replied and commented as well");
    world.comment(&world.ben, &item, "me again", Some(&asked)).await;
    world.comment(&world.ben, &item, "by the way", None).await;
    assert_eq!(kinds(&world, &world.ada).await, ["mentioned", "replied", "commented"]);
    assert_eq!(kinds(&world, &world.ben).await, [""; 0]);
    assert_eq!(kinds(&world, &world.stakeholder).await, [""; 0], "who has nothing to do with it");
}

#[tokio::test]
async fn an_edit_tells_only_whom_it_mentions_anew() {
    let world = World::new().await;
    let item = world.item(&world.stakeholder, "Greet people").await;
    let comment = world.comment(&world.stakeholder, &item, "@ada look", None).await;
    world.kit.clock.advance(SignedDuration::from_mins(1));
    let path = format!("/items/{item}/comments/{comment}");
    let edit = json!({"version": 1, "body": "@ada @ben look"});
    world.act(&world.stakeholder, Method::PATCH, &path, edit).await;
    assert_eq!(kinds(&world, &world.ada).await, ["mentioned"]);
    assert_eq!(kinds(&world, &world.ben).await, ["mentioned"]);
}

/// Each further edit within five seconds told the mention again.
#[tokio::test]
async fn an_edit_soon_after_another_tells_no_mention_again() {
    let world = World::new().await;
    let item = world.item(&world.stakeholder, "Greet people").await;
    let comment = world.comment(&world.stakeholder, &item, "look", None).await;
    let path = format!("/items/{item}/comments/{comment}");
    for (version, body) in [(1, "@ben look"), (2, "@ben look here"), (3, "@ben @ada look here")] {
        world.kit.clock.advance(SignedDuration::from_secs(1));
        let edit = json!({"version": version, "body": body});
        world.act(&world.stakeholder, Method::PATCH, &path, edit).await;
    }
    assert_eq!(kinds(&world, &world.ben).await, ["mentioned"]);
    assert_eq!(kinds(&world, &world.ada).await, ["mentioned"]);
}

#[tokio::test]
async fn an_assignee_is_told_whoever_assigned_it_but_themselves() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    world.assign(&world.ada, &item, &world.ben).await;
    assert_eq!(world.inbox(&world.ben).await, [format!("{item}: ada assigned it to you")]);
    let created = json!({"type": "task", "title": "More", "assignee": world.ben.id.to_string()});
    world.act(&world.ada, Method::POST, "/projects/PRJ/items", created).await;
    assert_eq!(kinds(&world, &world.ben).await, ["assigned", "assigned"]);
    let own = world.item(&world.ada, "Mine").await;
    world.assign(&world.ada, &own, &world.ada).await;
    assert_eq!(kinds(&world, &world.ada).await, [""; 0]);
}

#[tokio::test]
async fn watchers_are_told_of_moves_and_claims() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    let version = async || {
        let path = format!("/orgs/demo/items/{item}");
        world.call(&world.ben, Method::GET, &path, None).await.json["version"].clone()
    };
    let claim = json!({"version": version().await});
    world.act(&world.ben, Method::POST, &format!("/items/{item}/claim"), claim).await;
    let to = json!({"version": version().await, "state": "In progress"});
    world.act(&world.ben, Method::POST, &format!("/items/{item}/transition"), to).await;
    assert_eq!(kinds(&world, &world.ada).await, ["claimed", "transitioned"]);
    let entry = world.entries(&world.ada, "").await.remove(0);
    assert_eq!(entry["summary"], "Moved to In progress, ben began to work on it");
    assert_eq!(entry["news"][0]["state"], "In progress");
}

#[tokio::test]
async fn the_first_reaction_of_each_emoji_is_told_once() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    let comment = world.comment(&world.ada, &item, "hello", None).await;
    let path = format!("/items/{item}/comments/{comment}/reactions");
    let react = async |who: &Person| {
        world.act(who, Method::PUT, &path, json!({"emoji": "👍"})).await;
        let gone = format!("/orgs/demo{path}/%F0%9F%91%8D");
        assert!(world.call(who, Method::DELETE, &gone, None).await.status.is_success());
        world.act(who, Method::PUT, &path, json!({"emoji": "👍"})).await;
    };
    react(&world.ben).await;
    assert_eq!(world.inbox(&world.ada).await, [format!("{item}: ben reacted 👍")]);
    react(&world.ada).await;
    assert_eq!(kinds(&world, &world.ada).await, ["reacted"], "self-reactions never notify");
}

#[tokio::test]
async fn a_reaction_is_mailed_as_its_reader_wants_and_nothing_of_it_without_the_inbox() {
    let told = Told::new().await;
    let world = &told.world;
    for (in_app, email, listed, mailed) in
        [(true, "immediate", 1, 1), (true, "off", 1, 0), (false, "immediate", 0, 0), (true, "digest", 1, 0)]
    {
        let wish = json!([{"kind": "reacted", "inApp": in_app, "email": email}]);
        told.ask(Method::PUT, "/me/notification-preferences", wish).await;
        let item = world.item(&world.ada, "Greet people").await;
        let comment = world.comment(&world.ada, &item, "hello", None).await;
        let path = format!("/items/{item}/comments/{comment}/reactions");
        world.act(&world.ben, Method::PUT, &path, json!({"emoji": "🎉"})).await;
        told.later(100).await;
        let news = world.inbox(&world.ada).await.iter().filter(|line| line.starts_with(&item)).count();
        assert_eq!((news, told.post.take().len()), (listed, mailed), "{in_app} {email}");
    }
    told.later(24 * 3_600).await;
    assert_eq!(told.post.subjects(), ["Daily digest: 1 thing"]);
}

#[tokio::test]
async fn a_page_tells_whom_it_mentions_that_did_not_before() {
    let world = World::new().await;
    let put = async |version: Option<u64>, body: &str| {
        let path = "/projects/PRJ/wiki/pages/Guide";
        let page = json!({"version": version, "body": body});
        world.act(&world.ada, Method::PUT, path, page).await["version"].as_u64().unwrap()
    };
    let version = put(None, "Ask @ben.").await;
    assert_eq!(world.inbox(&world.ben).await, ["Guide: ada mentioned you on a page"]);
    put(Some(version), "Ask @ben or @stakeholder.").await;
    assert_eq!(kinds(&world, &world.ben).await, ["wikiMentioned"]);
    let entry = world.entries(&world.stakeholder, "").await.remove(0);
    assert_eq!((&entry["page"], &entry["project"]), (&json!("Guide"), &json!("PRJ")));
    world
        .act(
            &world.ada,
            Method::PUT,
            "/projects/PRJ/wiki/pages/Factory/Hidden",
            json!({"body": "@stakeholder"}),
        )
        .await;
    assert_eq!(world.entries(&world.stakeholder, "").await.len(), 1, "not of the Factory section");
}

/// The worker comes after several saves, and finds the last.
#[tokio::test]
async fn a_mention_that_is_saved_again_soon_is_told_once() {
    let world = World::new().await;
    let path = "/orgs/demo/projects/PRJ/wiki/pages/Guide";
    for (version, body) in
        [(None, "Nobody."), (Some(1), "Ask @ben."), (Some(2), "Ask @ben!"), (Some(3), "Or @ben.")]
    {
        let page = json!({"version": version, "body": body});
        let saved = world.call(&world.ada, Method::PUT, path, Some(page)).await;
        assert!(saved.status.is_success(), "{}", saved.text);
    }
    world.work().await;
    assert_eq!(world.inbox(&world.ben).await, ["Guide: ada mentioned you on a page"]);
    assert_eq!(world.entries(&world.ben, "").await[0]["unreadCount"], 1);
}

#[tokio::test]
async fn a_page_that_moved_keeps_its_entry_and_tells_on() {
    let world = World::new().await;
    let pages = "/projects/PRJ/wiki/pages";
    let page = json!({"body": "Ask @ben."});
    world.act(&world.ada, Method::PUT, &format!("{pages}/Guide"), page).await;
    let to = json!({"version": 1, "to": "Team/Guide"});
    world.act(&world.ada, Method::POST, "/projects/PRJ/wiki/move/Guide", to).await;
    assert_eq!(world.entries(&world.ben, "").await[0]["page"], "Team/Guide");
    for (version, body) in [(2, "Nobody."), (3, "Ask @ben again.")] {
        let page = json!({"version": version, "body": body});
        world.act(&world.ada, Method::PUT, &format!("{pages}/Team/Guide"), page).await;
    }
    assert_eq!(kinds(&world, &world.ben).await, ["wikiMentioned"; 2]);
}

#[tokio::test]
async fn a_sprint_is_told_to_everyone_in_the_project() {
    let world = World::new().await;
    let team = json!({"key": "WEB", "name": "Web"});
    world.act(&world.ada, Method::POST, "/projects/PRJ/teams", team).await;
    let plan = json!({"team": "WEB", "name": "Sprint 1"});
    let sprint = world.act(&world.ada, Method::POST, "/projects/PRJ/sprints", plan).await;
    let path = format!("/sprints/{}", sprint["id"].as_str().unwrap());
    world.act(&world.ada, Method::POST, &format!("{path}/start"), json!({"version": 1})).await;
    assert_eq!(world.inbox(&world.ben).await, ["Sprint 1: ada started the sprint"]);
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    world.act(&world.ada, Method::POST, &format!("{path}/complete"), json!({"version": 2})).await;
    assert_eq!(kinds(&world, &world.ben).await, ["sprintStarted", "sprintCompleted"]);
}

#[tokio::test]
async fn who_invited_is_told_who_joined() {
    let world = World::new().await;
    let body = json!({"email": "new@example.com", "preset": "member"});
    let made = world.act(&world.owner, Method::POST, "/invitations", body).await;
    let link = made["link"].as_str().unwrap_or_else(|| panic!("{made}"));
    let secret = link.split_once('#').unwrap().1;
    let join = json!({"secret": secret, "displayName": "Newcomer", "password": "long enough"});
    let reply =
        svc_testkit::call(&world.router, Method::POST, "/auth/invitations/accept", None, Some(join)).await;
    assert!(reply.status.is_success(), "{}", reply.text);
    world.work().await;
    assert_eq!(world.inbox(&world.owner).await, ["new@example.com: Newcomer joined"]);
}
