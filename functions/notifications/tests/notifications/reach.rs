//! Whom the mentions of a comment reach, as its writer is told (specification sections 5 and 6.4).

use http::Method;
use serde_json::{Value, json};
use svc_domain::identity::OrgRole;

use crate::world::{Person, World};

/// Each entry in short.
fn reach(comment: &Value) -> Vec<String> {
    let text = |one: &Value| one.as_str().unwrap_or("-").to_owned();
    let line = |one: &Value| {
        let whose = if one["who"].is_null() { "nobody" } else { "somebody" };
        format!("{} ({whose}): {} {}", text(&one["name"]), text(&one["outcome"]), text(&one["reason"]))
    };
    comment["reach"].as_array().into_iter().flatten().map(line).collect()
}

async fn write(world: &World, who: &Person, path: &str, body: &str) -> Value {
    world.act(who, Method::POST, path, json!({"body": body})).await
}

/// Nothing said that a mention reached nobody.
#[tokio::test]
async fn a_writer_is_told_whom_mentions_reach_and_why_others_do_not() {
    let world = World::new().await;
    let outside = world.kit.user(&world.org, "outside@example.com", OrgRole::Member, false).await;
    let path = format!("/items/{}/comments", world.item(&world.ada, "Greet people").await);
    let body = "@ben and @robyn: see @ada and @outside, `@code`";
    let by_ada = write(&world, &world.ada, &path, body).await;
    // An Admin of the organization lists everybody; a Member only those whom they work with.
    let unknown = [
        "ada (somebody): nobody You are not told of your own comments.",
        "robyn (nobody): nobody Nobody in PRJ is called robyn.",
        "outside (nobody): nobody Nobody in PRJ is called outside.",
    ];
    assert_eq!(reach(&by_ada), [&["ben (somebody): told -"], &unknown[..]].concat());
    let by_owner = write(&world, &world.owner, &path, "@outside, @owner-not").await;
    let known = [
        "outside (somebody): nobody outside is not in PRJ and is not told.",
        "owner-not (nobody): nobody Nobody in PRJ is called owner-not.",
    ];
    assert_eq!(reach(&by_owner), known);
    assert_eq!(by_owner["reach"][0]["who"]["id"], outside.to_string());
    assert!(write(&world, &world.ada, &path, "nothing of it").await.get("reach").is_none());

    let one = format!("{path}/{}", by_ada["id"].as_str().unwrap());
    let edit = json!({"version": 1, "body": "@ben and @stakeholder"});
    let edited = world.act(&world.ada, Method::PATCH, &one, edit).await;
    assert_eq!(reach(&edited), ["stakeholder (somebody): told -"], "who was told before is not again");
    let read = world.call(&world.ada, Method::GET, &format!("/orgs/demo{one}"), None).await.json;
    assert!(read.get("reach").is_none(), "it is for the moment of writing");
}

#[tokio::test]
async fn mentions_of_agents_ask_or_say_why_they_do_nothing() {
    let world = World::new().await;
    let name = "Builder";
    world.act(&world.owner, Method::POST, "/agents", json!({"name": name})).await;
    let (_, _, token) = world.kit.agent_token(&world.org, &world.project).await;
    let item = world.item(&world.ada, "Greet people").await;
    let path = format!("/items/{item}/comments");
    let asked = write(&world, &world.ada, &path, &format!("@{name} go")).await;
    assert_eq!(reach(&asked), [format!("{name} (somebody): asked -")]);
    let only = write(&world, &world.stakeholder, &path, &format!("@{name} go")).await;
    let why = format!("{name} (somebody): nobody You may not start AI work in PRJ: {name} does nothing.");
    assert_eq!(reach(&only), [why]);
    let by_agent = Person { id: world.ada.id, token };
    let said = write(&world, &by_agent, &path, "@stakeholder @ada done").await;
    let told = [
        "stakeholder (somebody): nobody stakeholder does not see agents' threads and is not told.",
        "ada (somebody): told -",
    ];
    assert_eq!(reach(&said), told);
}
