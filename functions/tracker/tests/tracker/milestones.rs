//! Milestones: who plans them, which items belong to them, and how far those are.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::Reply;

use crate::world::World;

const MILESTONES: &str = "/projects/PRJ/milestones";

impl World {
    /// Makes a milestone; its address.
    async fn milestone(&self, name: &str) -> (String, String) {
        let made = self.post(MILESTONES, json!({"name": name})).await.is(201);
        let id = made.json["id"].as_str().unwrap().to_owned();
        (format!("{MILESTONES}/{id}"), id)
    }

    async fn item_in(&self, title: &str, milestone: &str) -> Reply {
        self.post("/projects/PRJ/items", json!({"type": "task", "title": title, "milestone": milestone}))
            .await
    }

    async fn keys_that(&self, filter: &str) -> Vec<String> {
        let filter = filter.replace(' ', "%20").replace('"', "%22");
        let list = self.get(&format!("/projects/PRJ/items?sort=key&filter={filter}")).await.is(200);
        list.json["items"].as_array().unwrap().iter().map(|i| i["key"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_milestone_is_made_changed_closed_and_opened_again_under_its_version() {
    let world = World::new().await;
    let new = json!({"name": " First beta ", "description": "Early customers.", "due": "2027-03-31"});
    let made = world.post(MILESTONES, new).await;
    assert_eq!((made.status.as_u16(), &made.json["name"]), (201, &json!("First beta")), "{}", made.text);
    let path = format!("{MILESTONES}/{}", made.json["id"].as_str().unwrap());
    assert_eq!(world.get(&path).await.json, made.json);
    let taken = world.post(MILESTONES, json!({"name": "FIRST beta"})).await;
    assert_eq!(taken.problem(), "already-exists");
    let closed = world.patch(&path, json!({"version": 1, "state": "closed", "due": null})).await.json;
    assert_eq!(
        (&closed["state"], &closed["version"], &closed["due"]),
        (&json!("closed"), &json!(2), &Value::Null)
    );
    assert!(closed["closedAt"].is_string(), "{closed}");
    let stale = world.patch(&path, json!({"version": 1, "name": "Beta"})).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));
    let again = world.patch(&path, json!({"version": 2, "state": "closed"})).await.json;
    assert_eq!(again, closed, "closed already");
    let open = world.patch(&path, json!({"version": 2, "state": "open"})).await.json;
    assert_eq!((&open["state"], &open["closedAt"]), (&json!("open"), &Value::Null));
    for wrong in [json!({"name": ""}), json!({"name": "B", "due": "3000-01-01"}), json!({"name": "a\nb"})] {
        assert_eq!(world.post(MILESTONES, wrong.clone()).await.problem(), "validation-failed", "{wrong}");
    }
}

#[tokio::test]
async fn open_milestones_come_first_by_their_day_and_closed_ones_last() {
    let world = World::new().await;
    for (name, due) in [("Later", Some("2027-06-30")), ("Someday", None), ("Soon", Some("2027-01-31"))] {
        assert_eq!(world.post(MILESTONES, json!({"name": name, "due": due})).await.status, 201);
    }
    let (old, _) = world.milestone("Old").await;
    world.patch(&old, json!({"version": 1, "state": "closed"})).await;
    let list = world.get_as(&world.guest.token, MILESTONES).await.json;
    let names: Vec<_> = list.as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Soon", "Later", "Someday", "Old"]);
}

#[tokio::test]
async fn items_get_a_milestone_by_name_or_id_and_its_progress_follows_them() {
    let world = World::new().await;
    let (path, id) = world.milestone("First beta").await;
    let one = world.item_in("One", "first BETA").await.json;
    assert_eq!(one["milestone"], json!(id));
    let two = world.item("Two").await;
    let set = json!({"version": two["version"], "milestone": id, "estimate": 5, "remaining": 2});
    let two = world.patch("/items/PRJ-2", set).await.json;
    assert_eq!(two["milestone"], json!(id));
    world.item("Three").await;
    let state = json!({"version": one["version"], "state": "In progress"});
    assert_eq!(world.post("/items/PRJ-1/transition", state).await.status, 200);
    let progress = world.get(&path).await.json["progress"].clone();
    let expected = json!({
        "items": 2, "backlog": 1, "active": 1, "resolved": 0, "closed": 0, "estimate": 5.0, "remaining": 2.0,
    });
    assert_eq!(progress, expected);
    assert_eq!(world.keys_that("milestone:\"first beta\"").await, ["PRJ-1", "PRJ-2"]);
    assert_eq!(world.keys_that(&format!("milestone:{id}")).await, ["PRJ-1", "PRJ-2"]);
    assert_eq!(world.keys_that("milestone:none").await, ["PRJ-3"]);
    assert_eq!(world.keys_that("has:milestone state:active").await, ["PRJ-1"]);
    assert_eq!(world.keys_that("milestone:nothing").await, Vec::<String>::new());
    let counts = world.get("/projects/PRJ/items/counts?by=milestone").await.json;
    assert_eq!(counts["groups"][0], json!({"value": id, "name": "First beta", "count": 2}));
    let board = world.get("/projects/PRJ/board").await.json;
    assert_eq!(board["items"][0]["milestone"], json!(id));
    let table = world.get("/projects/PRJ/items.csv?sort=key").await.text;
    assert!(table.lines().nth(1).unwrap().ends_with(",First beta"), "{table}");
    let history = world.history("PRJ-2").await.join("\n");
    assert!(history.contains("milestone") && history.contains("First beta"), "{history}");
    let cleared =
        world.patch("/items/PRJ-2", json!({"version": two["version"], "milestone": null})).await.json;
    assert_eq!(cleared["milestone"], Value::Null);
    assert_eq!(world.get(&path).await.json["progress"]["items"], 1);
}

#[tokio::test]
async fn a_closed_milestone_keeps_its_items_and_takes_no_more() {
    let world = World::new().await;
    let (path, id) = world.milestone("Alpha").await;
    let item = world.item_in("One", "Alpha").await.json;
    world.patch(&path, json!({"version": 1, "state": "closed"})).await;
    let refused = world.item_in("Two", "alpha").await;
    assert_eq!(refused.json["errors"]["milestone"][0], "The milestone \"Alpha\" is closed. Reopen it first.");
    let unknown = world.item_in("Two", "Beta").await;
    let why = "There is no milestone \"Beta\". The project has no open milestone.";
    assert_eq!(unknown.json["errors"]["milestone"][0], why);
    let same = json!({"version": item["version"], "milestone": id, "title": "Still"});
    assert_eq!(world.patch("/items/PRJ-1", same).await.json["milestone"], json!(id));
}

#[tokio::test]
async fn a_deleted_milestone_leaves_its_items_without_one_and_says_so() {
    let world = World::new().await;
    let (path, id) = world.milestone("Alpha").await;
    for title in ["One", "Two"] {
        world.item_in(title, "Alpha").await;
    }
    world.change_as(&world.chief.token, Method::DELETE, "/items/PRJ-2", Value::Null).await;
    assert_eq!(world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null).await.status, 204);
    assert_eq!(world.get(&path).await.problem(), "not-found");
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!(item["milestone"], Value::Null);
    let history = world.history("PRJ-1").await.join("\n");
    assert!(history.contains("Alpha"), "{history}");
    assert_eq!(world.keys_that(&format!("milestone:{id}")).await, Vec::<String>::new());
    let back = world.post_as(&world.chief.token, "/items/PRJ-2/restore", json!({})).await;
    assert_eq!((back.status.as_u16(), &back.json["milestone"]), (200, &Value::Null), "{}", back.text);
}
