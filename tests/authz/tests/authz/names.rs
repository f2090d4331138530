//! Who is renamed is called by their new name wherever they are named: no read answers an old one.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_authz::rows::{self, Row};
use svc_authz::who::Caller;
use svc_authz::world::{Open, World};
use svc_testkit::call;

/// What the world's Owner and agent are called while it is made.
const OLD: [&str; 2] = ["owner", "Builder"];

/// Fields whose words are no names, or that say what a field of an item said at the time.
const WORDS: [&str; 5] = ["role", "orgRole", "preset", "from", "to"];

/// A read that never ends. What it tells are changes, of which each has its own read.
const ENDLESS: &str = "GET /orgs/{slug}/projects/{key}/changes/stream";

/// What people were called when they did something.
const OF_THEN: &str = "GET /orgs/{slug}/audit";

#[tokio::test]
async fn no_read_answers_the_old_name_of_a_person_or_an_agent() {
    let world = World::new().await;
    let open = world.open();
    more_things(&world, &open).await;
    let before = old_names(&world, &open).await;
    assert!(before.len() >= 20, "few reads name anybody: {before:#?}");

    let me = ask(&world, &open, Method::GET, "/me", Value::Null).await;
    let rename = json!({"version": me["version"], "displayName": "Countess"});
    ask(&world, &open, Method::PATCH, "/me", rename).await;
    let agent = &ask(&world, &open, Method::GET, "/orgs/demo/agents", Value::Null).await[0];
    let path = format!("/orgs/demo/agents/{}", agent["id"].as_str().expect("an id"));
    ask(&world, &open, Method::PATCH, &path, json!({"version": agent["version"], "name": "Mason"})).await;
    work(&open).await;

    let after = old_names(&world, &open).await;
    assert!(after.is_empty(), "answered with an old name: {after:#?}");
}

/// Things that name people, beside those of the world.
async fn more_things(world: &World, open: &Open) {
    let work = "/orgs/demo/items/PRJ-1";
    ask(world, open, Method::PUT, &format!("{work}/watch"), Value::Null).await;
    ask(world, open, Method::POST, &format!("{work}/comments"), json!({"body": "Who but @owner?"})).await;
    let item = ask(world, open, Method::GET, work, Value::Null).await;
    let assigned = json!({"version": item["version"], "assignee": "@me"});
    let item = ask(world, open, Method::PATCH, work, assigned).await;
    ask(world, open, Method::POST, &format!("{work}/claim"), json!({"version": item["version"]})).await;
    let sprints = "/orgs/demo/projects/PRJ/sprints";
    let sprint = &ask(world, open, Method::GET, sprints, Value::Null).await["items"][0];
    let path = format!("/orgs/demo/sprints/{}", sprint["id"].as_str().expect("an id"));
    let begun =
        ask(world, open, Method::POST, &format!("{path}/start"), json!({"version": sprint["version"]})).await;
    ask(world, open, Method::POST, &format!("{path}/complete"), json!({"version": begun["version"]})).await;
}

async fn ask(world: &World, open: &Open, method: Method, path: &str, body: Value) -> Value {
    let body = (!body.is_null()).then_some(body);
    let reply = call(&open.router, method, path, Some(world.token(Caller::Owner)), body).await;
    assert!(reply.status.is_success(), "{path}: {}", reply.text);
    reply.json
}

/// Does what workers do.
async fn work(open: &Open) {
    let handle = async |told| {
        svc_workers::handle(&open.kit.app, &told).await.expect("a message that can be handled");
    };
    open.kit.drain(handle).await;
}

/// Where an old name is in what the reads of the API answer.
async fn old_names(world: &World, open: &Open) -> Vec<String> {
    let mut found = Vec::new();
    let reads = |row: &Row| row.method == Method::GET && ![ENDLESS, OF_THEN].contains(&row.name().as_str());
    for row in rows::all().iter().filter(|row| reads(row)) {
        let reply = world.ask(open, row, Some(world.token(Caller::Owner))).await;
        if reply.status == StatusCode::OK {
            old_in(&reply.json, &row.name(), "", &mut found);
        }
    }
    found
}

fn old_in(value: &Value, place: &str, field: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if OLD.contains(&text.as_str()) && !WORDS.contains(&field) => {
            found.push(format!("{place}: {text}"));
        }
        Value::Array(values) => {
            for (n, value) in values.iter().enumerate() {
                old_in(value, &format!("{place}/{n}"), field, found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                old_in(value, &format!("{place}/{name}"), name, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
