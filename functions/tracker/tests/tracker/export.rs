//! A list as a table for spreadsheets.

use std::pin::pin;

use axum::body::{Body, to_bytes};
use futures::future::{Either, select};
use http::Request;
use serde_json::json;
use tower::ServiceExt as _;

use crate::world::World;

#[tokio::test]
async fn what_matches_is_exported_and_spreadsheets_run_nothing_of_it() {
    let world = World::with_team().await;
    let sprint = world.plan("web", "Sprint, one").await;
    world.post("/projects/PRJ/items", json!({"type": "bug", "title": "=1+1", "sprint": sprint})).await;
    world.post("/projects/PRJ/items", json!({"type": "task", "title": "Other", "due": "2026-01-31"})).await;
    let table = world.get("/projects/PRJ/items.csv?sort=key").await;
    assert_eq!((table.status.as_u16(), table.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert_eq!(table.header("content-disposition"), "attachment; filename=\"PRJ-items.csv\"");
    let lines: Vec<&str> = table.text.lines().collect();
    assert_eq!(lines.len(), 3, "{}", table.text);
    assert!(lines[1].starts_with("PRJ-1,bug,'=1+1,Backlog,medium,,,\"Sprint, one\","), "{}", lines[1]);
    assert!(lines[2].contains(",2026-01-31,"), "{}", lines[2]);
    let bugs = world.get("/projects/PRJ/items.csv?filter=type:bug").await;
    assert_eq!(bugs.text.lines().count(), 2, "{}", bugs.text);
    assert_eq!(world.get("/projects/PRJ/items.csv?filter=nonsense").await.status, 422);
    assert_eq!(world.get_as(&world.outsider.token, "/projects/PRJ/items.csv").await.status, 404);
}

/// 240 tables of one account took 3.5 GiB.
#[tokio::test]
async fn an_account_has_one_table_at_a_time_until_it_is_sent() {
    let world = World::new().await;
    world.item("One").await;
    let ask = |token: &str| {
        let address = "/api/v1/orgs/demo/projects/PRJ/items.csv";
        let asked = Request::get(address).header("authorization", format!("Bearer {token}"));
        world.router.clone().oneshot(asked.body(Body::empty()).unwrap())
    };
    let first = ask(&world.ada.token).await.unwrap();
    let second = pin!(ask(&world.ada.token));
    let Either::Right((other, second)) = select(second, pin!(ask(&world.bob.token))).await else {
        panic!("the first table was not sent yet")
    };
    assert_eq!(other.unwrap().status(), 200, "others have their own");
    let sent = to_bytes(first.into_body(), usize::MAX).await.unwrap();
    assert!(sent.starts_with(b"\xef\xbb\xbfkey,"), "{sent:?}");
    assert_eq!(second.await.unwrap().status(), 200);
}
