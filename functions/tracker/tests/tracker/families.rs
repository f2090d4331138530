//! Moving an item to another project together with all that belongs to it, or without.

use http::Method;
use serde_json::{Value, json};
use svc_app::tracker::transfer;
use svc_domain::identity::ProjectRole;
use svc_domain::ids::{ItemKey, RunId};

use crate::transfer::{consistent, transfer as move_to, transfer_as, version, world};
use crate::world::World;

/// Creates an item below another one; answers its key.
async fn below(world: &World, parent: &str, kind: &str, title: &str) -> String {
    let reply = if kind == "subtask" {
        world.post(&format!("/items/{parent}/subtasks"), json!({"title": title, "estimate": 1})).await
    } else {
        world.post("/projects/PRJ/items", json!({"type": kind, "title": title, "parent": parent})).await
    };
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json["key"].as_str().unwrap().to_owned()
}

/// An epic `PRJ-1` with two stories, `PRJ-2` and `PRJ-3`, and a piece of the first, `PRJ-4`.
async fn epic(world: &World) {
    world.post("/projects/PRJ/items", json!({"type": "epic", "title": "Whole"})).await;
    for (parent, kind, title) in
        [("PRJ-1", "story", "First"), ("PRJ-1", "story", "Second"), ("PRJ-2", "subtask", "Piece")]
    {
        below(world, parent, kind, title).await;
    }
}

/// The items of a project as `title below title of the parent`, sorted.
async fn tree(world: &World, project: &str) -> Vec<String> {
    let mut items = Vec::new();
    for page in 1.. {
        let path = format!("/projects/{project}/items?pageSize=100&page={page}");
        let found = world.get(&path).await.json["items"].as_array().unwrap().clone();
        if found.is_empty() {
            break;
        }
        items.extend(found);
    }
    let title = |item: &Value| item["title"].as_str().unwrap().to_owned();
    let above = |item: &Value| {
        let parent = items.iter().find(|other| other["key"] == item["parent"]);
        item["parent"].as_str().map(|key| parent.map_or_else(|| key.to_owned(), title))
    };
    let line = |item: &Value| match above(item) {
        Some(parent) => format!("{} below {parent}", title(item)),
        None => title(item),
    };
    let mut lines: Vec<String> = items.iter().map(line).collect();
    lines.sort();
    lines
}

/// Lets the workers end what the move left to them.
async fn settle(world: &World) {
    world.kit.advance(jiff::SignedDuration::from_mins(2));
    world.work().await;
    consistent(world).await;
}

#[tokio::test]
async fn an_epic_takes_along_all_that_is_below_it() {
    let world = world().await;
    epic(&world).await;
    let first = json!({"body": "Hello"});
    assert_eq!(world.post("/items/PRJ-4/comments", first).await.status, 201);
    assert_eq!(move_to(&world, "PRJ-1", "WEB").await["key"], "WEB-1");
    let whole = ["First below Whole", "Piece below First", "Second below Whole", "Whole"];
    assert_eq!(tree(&world, "WEB").await, whole, "at once");
    assert_eq!(tree(&world, "PRJ").await, [""; 0]);
    let piece = world.get("/items/PRJ-4").await;
    assert_eq!((piece.status.as_u16(), piece.problem()), (308, "item-transferred"));
    let to = piece.header("location").rsplit('/').next().unwrap().to_owned();
    let comments = world.get(&format!("/items/{to}/comments")).await.json;
    assert_eq!(comments["totalCount"], 1, "{comments}");
    settle(&world).await;
    // What was moved with something else moves on, by itself or with it.
    move_to(&world, "WEB-1", "PRJ").await;
    assert_eq!(tree(&world, "PRJ").await, whole);
    settle(&world).await;
}

#[tokio::test]
async fn without_its_children_an_item_takes_only_its_subtasks() {
    let world = world().await;
    epic(&world).await;
    let to = json!({"version": version(&world, "PRJ-1").await, "project": "WEB", "withChildren": false});
    let moved = world.post("/items/PRJ-1/transfer", to).await;
    assert_eq!((moved.status.as_u16(), &moved.json["key"]), (200, &json!("WEB-1")), "{}", moved.text);
    assert_eq!(tree(&world, "WEB").await, ["Whole"]);
    assert_eq!(tree(&world, "PRJ").await, ["First", "Piece below First", "Second"]);
    let history = world.history("PRJ-2").await;
    assert_eq!(history.last().unwrap(), "ada changed parent PRJ-1→-", "{history:?}");
    settle(&world).await;
    let to = json!({"version": version(&world, "PRJ-2").await, "project": "WEB", "withChildren": false});
    world.post("/items/PRJ-2/transfer", to).await.is(200);
    assert_eq!(tree(&world, "WEB").await, ["First", "Piece below First", "Whole"]);
    settle(&world).await;
}

#[tokio::test]
async fn nothing_moves_while_something_below_is_worked_on() {
    let world = world().await;
    epic(&world).await;
    let claim = json!({"version": version(&world, "PRJ-4").await});
    assert_eq!(world.post_as(&world.bob.token, "/items/PRJ-4/claim", claim).await.status, 200);
    let refused = transfer_as(&world, &world.ada.token, "PRJ-1", "WEB").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);
    assert!(refused.text.contains("wait until it is free"), "{}", refused.text);
    assert_eq!(tree(&world, "WEB").await, [""; 0]);
    // What stays may be worked on.
    let to = json!({"version": version(&world, "PRJ-1").await, "project": "WEB", "withChildren": false});
    assert_eq!(world.post("/items/PRJ-1/transfer", to).await.status, 200);
    settle(&world).await;
}

#[tokio::test]
async fn a_move_of_many_that_is_cut_off_goes_on_wherever_it_was() {
    let world = world().await;
    world.item("Whole").await;
    for number in 0..130 {
        below(&world, "PRJ-1", "subtask", &format!("Piece {number}")).await;
    }
    move_to(&world, "PRJ-1", "WEB").await;
    let (org, from) = (world.org.id, "PRJ-1".parse::<ItemKey>().unwrap());
    let mut steps = 0;
    loop {
        let (there, left) = (tree(&world, "WEB").await, tree(&world, "PRJ").await);
        let mut titles: Vec<&str> =
            there.iter().chain(&left).map(|line| line.split(" below ").next().unwrap()).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!((titles.len(), there.len() + left.len()), (131, 131), "each is in one of the projects");
        if left.is_empty() {
            break;
        }
        steps += 1;
        // Ends after one commit, as a process that is killed; two do it at the same time.
        let one = || transfer::finish(&world.kit.app, org, vec![from.clone()], Some(1));
        futures::try_join!(one(), one()).unwrap();
    }
    assert!((2..30).contains(&steps), "{steps} bounded commits after those of the request");
    let subtasks = world.get("/items/WEB-1/subtasks").await.json;
    assert_eq!(subtasks["totalCount"], 130, "{subtasks}");
    assert_eq!(world.get("/items/PRJ-131").await.status, 308);
    settle(&world).await;
}

#[tokio::test]
async fn what_somebody_begins_to_work_on_while_the_rest_moves_follows_when_it_is_free() {
    let world = world().await;
    world.item("Whole").await;
    for number in 0..110 {
        below(&world, "PRJ-1", "subtask", &format!("Piece {number}")).await;
    }
    move_to(&world, "PRJ-1", "WEB").await;
    let left = world.get("/projects/PRJ/items").await.json;
    let late = left["items"][0]["key"].as_str().expect("some are left to the worker").to_owned();
    world.begin_run(&late, RunId(world.kit.app.uuid())).await;
    world.kit.advance(jiff::SignedDuration::from_secs(61));
    world.work().await;
    assert_eq!(tree(&world, "PRJ").await.len(), 1, "all but the one with the run");
    // Until then the item can neither go on nor be deleted.
    let refused = transfer_as(&world, &world.ada.token, "WEB-1", "PRJ").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);
    let path = "/items/WEB-1";
    let refused = world.change_as(&world.ada.token, Method::DELETE, path, Value::Null).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);
    world.end_run(&late).await;
    settle(&world).await;
    assert_eq!(tree(&world, "PRJ").await, [""; 0]);
    assert_eq!(world.get("/items/WEB-1/subtasks").await.json["totalCount"], 110);
}

#[tokio::test]
async fn a_person_who_does_not_see_the_other_project_moves_no_part() {
    let world = world().await;
    epic(&world).await;
    let ops = world.kit.project(&world.org, "OPS").await;
    transfer_as(&world, &world.ada.token, "PRJ-1", "OPS").await.is(404);
    world.kit.project_member(&world.org, &ops, world.ada.id, ProjectRole::Member).await;
    assert_eq!(move_to(&world, "PRJ-1", "OPS").await["key"], "OPS-1");
    settle(&world).await;
}
