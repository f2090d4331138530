//! Taskboards and burndowns.

use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::world::World;

impl World {
    /// A sprint of the team with a story of two subtasks, a bug, and a task that is out of it.
    async fn filled_sprint(&self) -> String {
        let sprint = self.plan("web", "Sprint 1").await;
        let make = async |body: Value| {
            self.post("/projects/PRJ/items", body).await.is(201);
        };
        make(json!({"type": "story", "title": "Search", "estimate": 13})).await;
        for estimate in [3, 5] {
            let title = format!("Part of {estimate}");
            make(json!({"type": "subtask", "title": title, "parent": "PRJ-1", "estimate": estimate})).await;
        }
        make(json!({"type": "bug", "title": "Crash", "estimate": 2})).await;
        make(json!({"type": "task", "title": "Later", "estimate": 8})).await;
        for key in ["PRJ-1", "PRJ-4"] {
            self.put_in(key, sprint.as_str()).await;
        }
        sprint
    }

    async fn effort(&self, key: &str, change: Value) {
        let mut change = change;
        change["version"] = self.get(&format!("/items/{key}")).await.json["version"].clone();
        self.patch(&format!("/items/{key}"), change).await.is(200);
    }
}

fn work(work: &Value) -> String {
    let number = |field: &str| work[field].as_f64().unwrap();
    let (items, unfinished) = (number("items"), number("unfinished"));
    format!("{unfinished} of {items} open, {} of {} left", number("remaining"), number("estimate"))
}

#[tokio::test]
async fn a_taskboard_has_a_column_for_each_state_with_sums() {
    let world = World::with_team().await;
    let sprint = world.filled_sprint().await;
    world.advance("PRJ-1", &["In progress"]).await;
    world.advance("PRJ-2", &["In progress", "In review", "Resolved"]).await;
    world.effort("PRJ-3", json!({"remaining": 1.5})).await;
    let board = world.get(&format!("/sprints/{sprint}/taskboard")).await.json;
    let mut shown = format!("{}: {}\n", board["sprint"]["name"], work(&board["sprint"]["work"]));
    for column in board["columns"].as_array().unwrap() {
        shown += &format!("{} ({}): {}\n", column["state"], column["stateGroup"], work(&column["work"]));
        for card in column["cards"].as_array().unwrap() {
            let subtasks: Vec<String> = card["subtasks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|s| format!("{} {}", s["key"], s["state"]))
                .collect();
            shown += &format!("  {} {} {subtasks:?}\n", card["item"]["key"], card["item"]["title"]);
        }
    }
    assert_snapshot!(shown);
    let hidden = world.get_as(&world.outsider.token, &format!("/sprints/{sprint}/taskboard")).await;
    assert_eq!(hidden.problem(), "not-found");
    assert_eq!(world.get_as(&world.guest.token, &format!("/sprints/{sprint}/taskboard")).await.status, 200);
}

#[tokio::test]
async fn a_burndown_tells_of_each_day_and_of_what_came_and_went() {
    let world = World::with_team().await;
    let sprint = world.filled_sprint().await;
    let path = format!("/sprints/{sprint}/burndown");
    assert_eq!(world.get(&path).await.json["points"], json!([]), "it has not begun");
    let day = SignedDuration::from_hours(24);
    world.kit.advance(day);
    world.start(&sprint).await;
    world.effort("PRJ-2", json!({"remaining": 1})).await;
    world.kit.advance(day);
    world.put_in("PRJ-5", sprint.as_str()).await;
    world.advance("PRJ-4", &["In progress", "In review", "Resolved"]).await;
    world.kit.advance(day);
    world.put_in("PRJ-4", json!(null)).await;
    world.effort("PRJ-3", json!({"estimate": 6})).await;
    world.kit.advance(day);
    let done = world.post(&format!("/sprints/{sprint}/complete"), json!({"version": 2})).await;
    assert_eq!(done.json["moved"], 4, "{}", done.text);
    world.kit.advance(day);
    world.put_in("PRJ-1", json!(null)).await;
    let burndown = world.get(&path).await.json;
    let points = burndown["points"].as_array().unwrap().iter();
    let lines: Vec<String> = points
        .map(|p| format!("{} {}: {} +{} -{}", p["day"], p["at"], work(&p["work"]), p["added"], p["removed"]))
        .collect();
    assert_snapshot!(lines.join("\n"));
}
