//! Claiming, keeping and releasing items.

use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::world::World;

async fn claim(world: &World, token: &str, version: u64) -> svc_testkit::Reply {
    world.post_as(token, "/items/PRJ-1/claim", json!({"version": version})).await
}

#[tokio::test]
async fn a_claim_names_its_holder_and_is_refused_to_everyone_then() {
    let world = World::new().await;
    world.item("Item").await;
    let claimed = claim(&world, &world.ada.token, 1).await;
    assert_snapshot!(serde_json::to_string_pretty(&claimed.json["claim"]).unwrap());
    assert_eq!(claimed.json["version"], 2);
    assert_snapshot!(claim(&world, &world.bob.token, 2).await.snapshot());
    let own = claim(&world, &world.ada.token, 2).await;
    assert_eq!((own.problem(), &own.json["holder"]), ("item-claimed", &json!("ada")));
    assert_eq!(world.history("PRJ-1").await[1..], ["ada claimed - -→-"]);
}

#[tokio::test]
async fn a_claim_is_of_the_version_that_was_read() {
    let world = World::new().await;
    world.item("Item").await;
    world.patch("/items/PRJ-1", json!({"version": 1, "title": "Changed"})).await;
    let stale = claim(&world, &world.bob.token, 1).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));
    assert_eq!(claim(&world, &world.bob.token, 2).await.status, 200);
}

#[tokio::test]
async fn a_heartbeat_keeps_the_claim_and_nobody_notices_else() {
    let world = World::new().await;
    world.item("Item").await;
    let claimed = claim(&world, &world.ada.token, 1).await.json;
    for _ in 0..3 {
        world.kit.advance(SignedDuration::from_mins(4));
        world.post("/items/PRJ-1/heartbeat", Value::Null).await.is(200);
    }
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!(item["claim"]["stale"], false);
    assert_eq!(item["claim"]["heartbeatAt"], "2026-01-05T09:12:00Z");
    assert_eq!(item["claim"]["since"], claimed["claim"]["since"]);
    assert_eq!((&item["version"], &item["updatedAt"]), (&claimed["version"], &claimed["updatedAt"]));
    let listed = world.get("/projects/PRJ/items?filter=claimed:any").await.json["items"][0].clone();
    assert_eq!(listed["claim"], item["claim"], "lists learn of it");

    let edit = world.patch("/items/PRJ-1", json!({"version": 2, "title": "Edited meanwhile"})).await;
    assert_eq!(edit.status, 200, "an edit from before the heartbeats is not stale: {}", edit.text);
    assert_eq!(world.history("PRJ-1").await.len(), 3);
}

#[tokio::test]
async fn only_the_holder_keeps_a_claim() {
    let world = World::new().await;
    world.item("Item").await;
    assert_eq!(world.post("/items/PRJ-1/heartbeat", Value::Null).await.problem(), "not-claim-holder");
    claim(&world, &world.ada.token, 1).await;
    let refused = world.post_as(&world.bob.token, "/items/PRJ-1/heartbeat", Value::Null).await;
    assert_eq!((refused.problem(), &refused.json["holder"]), ("item-claimed", &json!("ada")));
}

#[tokio::test]
async fn a_stale_claim_is_shown_as_such_and_can_be_taken_over() {
    let world = World::new().await;
    world.item("Item").await;
    claim(&world, &world.ada.token, 1).await;
    world.kit.advance(SignedDuration::from_secs(301));
    assert_eq!(world.get("/items/PRJ-1").await.json["claim"]["stale"], true);
    let free = world.get("/projects/PRJ/items?filter=claimed:none").await.json;
    assert_eq!((&free["totalCount"], &free["items"][0]["claim"]["stale"]), (&json!(1), &json!(true)));
    let taken = claim(&world, &world.bob.token, 2).await;
    assert_eq!(taken.json["claim"]["holderName"], "bob");
    let late = world.post("/items/PRJ-1/heartbeat", Value::Null).await;
    assert_eq!(late.problem(), "item-claimed");
    assert_eq!(world.history("PRJ-1").await[2], "bob claimed - ada→-");
}

#[tokio::test]
async fn a_claim_is_released_by_its_holder_or_an_admin() {
    let world = World::new().await;
    world.item("Item").await;
    let release = |token: String| {
        let world = &world;
        async move { world.post_as(&token, "/items/PRJ-1/release", Value::Null).await }
    };
    assert_eq!(release(world.bob.token.clone()).await.json["version"], 1, "nothing to release");
    claim(&world, &world.ada.token, 1).await;
    let refused = release(world.bob.token.clone()).await;
    assert_eq!((refused.problem(), &refused.json["holder"]), ("item-claimed", &json!("ada")));
    let released = release(world.ada.token.clone()).await;
    assert_eq!((&released.json["claim"], &released.json["version"]), (&Value::Null, &json!(3)));
    claim(&world, &world.ada.token, 3).await;
    assert_eq!(release(world.chief.token.clone()).await.json["claim"], Value::Null);
    assert_eq!(world.history("PRJ-1").await[4], "chief released - ada→-");
}

#[tokio::test]
async fn while_a_run_is_live_only_its_agent_has_the_item() {
    let world = World::new().await;
    world.item("Item").await;
    let (_, run, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let (_, _, other_agent) = world.kit.agent_token(&world.org, &world.project).await;
    world.begin_run("PRJ-1", run).await;
    assert_snapshot!(claim(&world, &world.owner, 2).await.snapshot());
    assert_eq!(claim(&world, &other_agent, 2).await.problem(), "live-run-exists");

    let claimed = claim(&world, &agent, 2).await;
    assert_eq!(claimed.json["claim"]["agent"], true, "{}", claimed.text);
    assert_eq!(claim(&world, &world.bob.token, 3).await.problem(), "item-claimed");
    assert_eq!(claim(&world, &agent, 3).await.problem(), "item-claimed");
    for token in [&world.owner, &world.chief.token, &world.ada.token, &other_agent] {
        let refused = world.post_as(token, "/items/PRJ-1/release", Value::Null).await;
        assert_eq!(refused.problem(), "live-run-exists");
    }
    world.kit.advance(SignedDuration::from_mins(10));
    assert_eq!(claim(&world, &world.bob.token, 3).await.problem(), "live-run-exists", "stale or not");
    assert_eq!(world.post_as(&agent, "/items/PRJ-1/heartbeat", Value::Null).await.status, 200);
    assert_eq!(world.post_as(&agent, "/items/PRJ-1/release", Value::Null).await.status, 200);
}
