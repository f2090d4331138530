//! A list as a table for spreadsheets.

use serde_json::json;

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
