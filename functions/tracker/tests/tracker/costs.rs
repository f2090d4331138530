//! What requests cost on DynamoDB, held to the budgets: round trips, of which none is spared by luck, and
//! units.

use std::fmt::Write as _;
use std::sync::Arc;

use http::Method;
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_testkit::{Cost, Metered, TestApp, call};

use crate::world::{World, patient};

/// What every request in a project reads to know who asks and what they may, each row of one unit: credential
/// and slug in one round trip, then organization, member, project and its member together with the data.
const ENTRY: Cost = Cost { round_trips: 1, read_units: 6, write_units: 0 };

/// A project with sixty items of which none changed lately, on a table that is metered.
async fn world() -> (World, Arc<Metered>) {
    let (kit, meter) = TestApp::with(patient()).metered();
    let world = World::on(kit).await;
    for number in 1..=60 {
        let new = json!({
            "type": "task", "title": format!("Part {number} of something"), "labels": ["bug", "frontend"],
            "body": "What happens, what should happen, and how to see it.\n".repeat(30),
        });
        world.post("/projects/PRJ/items", new).await;
    }
    for number in 1..=20 {
        world.post("/items/PRJ-1/comments", json!({"body": format!("Thought {number}. ").repeat(30)})).await;
    }
    world.kit.advance(SignedDuration::from_secs(60));
    // The first request of a minute takes its share of the budget of requests; the first list reads the feed.
    world.get("/projects/PRJ/items").await;
    tokio::task::yield_now().await;
    (world, meter)
}

/// What a request costs beyond its entry.
async fn cost(world: &World, meter: &Metered, method: Method, path: &str, body: Option<Value>) -> Cost {
    let before = meter.spent();
    let path = &format!("/orgs/demo{path}");
    let reply = call(&world.router, method, path, Some(&world.ada.token), body).await;
    assert!(reply.status.is_success(), "{path}: {}", reply.text);
    meter.spent() - before - ENTRY
}

#[tokio::test]
async fn requests_keep_to_their_budgets_of_round_trips_and_units() {
    let (world, meter) = world().await;
    let version = |version: u64| Some(json!({ "version": version }));
    let asked = [
        ("view an item", Method::GET, "/items/PRJ-1", None),
        ("its comments, 20", Method::GET, "/items/PRJ-1/comments", None),
        ("warm list", Method::GET, "/projects/PRJ/items?filter=label%3Abug&pageSize=50", None),
        ("warm list, sprint:current", Method::GET, "/projects/PRJ/items?filter=sprint%3Acurrent", None),
        ("claim", Method::POST, "/items/PRJ-2/claim", version(1)),
        ("heartbeat", Method::POST, "/items/PRJ-2/heartbeat", None),
        (
            "transition",
            Method::POST,
            "/items/PRJ-3/transition",
            Some(json!({"version": 1, "state": "In progress"})),
        ),
        ("comment", Method::POST, "/items/PRJ-1/comments", Some(json!({"body": "Looks good to me."}))),
        (
            "create",
            Method::POST,
            "/projects/PRJ/items",
            Some(json!({"type": "task", "title": "One more", "body": "As small as most."})),
        ),
    ];
    let mut over = Vec::new();
    let mut table = format!("entry: {ENTRY}\nbeyond it:\n");
    for (work, method, path, body) in asked {
        let cost = cost(&world, &meter, method, path, body).await;
        let _ = writeln!(table, "{work}: {cost}");
        let (trips, reads) = match work {
            "view an item" => (1, usize::MAX),
            "its comments, 20" | "create" => (3, usize::MAX),
            _ if work.starts_with("warm list") => (2, 4),
            _ => (2, usize::MAX),
        };
        if cost.round_trips > trips || cost.read_units > reads {
            over.push(work);
        }
    }
    assert!(over.is_empty(), "over their budgets: {over:?}\n{table}");
    assert_snapshot!(table);
}
