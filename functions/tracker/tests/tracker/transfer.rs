//! Moving items to another project.

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};
use svc_domain::identity::{OrgRole, ProjectRole};
use svc_domain::ids::RunId;
use svc_storage::keys;
use svc_testkit::{Reply, call};

use crate::world::{World, person};

/// The world with a project `WEB`, in which Ada and Bob work.
pub(crate) async fn world() -> World {
    let world = World::new().await;
    let web = world.kit.project(&world.org, "WEB").await;
    for person in [&world.ada, &world.bob] {
        world.kit.project_member(&world.org, &web, person.id, ProjectRole::Member).await;
    }
    world
}

pub(crate) async fn version(world: &World, key: &str) -> Value {
    world.get(&format!("/items/{key}")).await.json["version"].clone()
}

pub(crate) async fn transfer_as(world: &World, token: &str, key: &str, project: &str) -> Reply {
    let body = json!({"version": version(world, key).await, "project": project});
    world.post_as(token, &format!("/items/{key}/transfer"), body).await
}

pub(crate) async fn transfer(world: &World, key: &str, project: &str) -> Value {
    transfer_as(world, &world.ada.token, key, project).await.is(200).json
}

/// That nothing of the items contradicts anything else.
pub(crate) async fn consistent(world: &World) {
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    let of_items =
        |kind: &str| ["ITEM", "FEED", "FILE", "PULL", "WATCHING"].iter().any(|own| kind.starts_with(own));
    let found: Vec<_> = report.findings.iter().filter(|found| of_items(&found.kind)).collect();
    assert!(found.is_empty(), "{found:?}");
}

async fn listed(world: &World, project: &str) -> Vec<String> {
    let items = world.get(&format!("/projects/{project}/items?sort=key")).await.json;
    items["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_item_goes_with_all_that_hangs_on_it_and_its_old_key_leads_to_it() {
    let world = world().await;
    let new = json!({"type": "bug", "title": "Broken", "body": "Why", "labels": ["ui"], "assignee": "@me"});
    world.post("/projects/PRJ/items", new).await;
    world.item("Other").await;
    let first = world.post("/items/PRJ-1/comments", json!({"body": "Hello"})).await.json;
    let id = first["id"].as_str().unwrap();
    world.post("/items/PRJ-1/comments", json!({"body": "Yes", "replyTo": id})).await;
    let path = format!("/items/PRJ-1/comments/{id}");
    world.patch(&path, json!({"version": 1, "body": "Hello, edited"})).await;
    let heart = json!({"emoji": "✅"});
    world.change_as(&world.bob.token, Method::PUT, &format!("{path}/reactions"), heart).await.is(200);
    world.change_as(&world.bob.token, Method::PUT, "/items/PRJ-1/watch", Value::Null).await;
    world.post("/items/PRJ-1/links", json!({"type": "blockedBy", "item": "PRJ-2"})).await.is(200);
    world
        .post("/items/PRJ-1/attachments", json!({"name": "a.txt", "size": 3, "contentType": "text/plain"}))
        .await
        .is(201);
    let before = world.get("/items/PRJ-1").await.json;

    let moved = transfer(&world, "PRJ-1", "WEB").await;
    assert_eq!(moved["key"], "WEB-1");
    for field in ["title", "body", "labels", "state", "createdAt", "assignee", "type", "blocked"] {
        assert_eq!(moved[field], before[field], "{field}");
    }
    assert!(moved["version"].as_u64() > before["version"].as_u64());
    assert_eq!(
        (listed(&world, "PRJ").await, listed(&world, "WEB").await),
        (vec!["PRJ-2".into()], vec!["WEB-1".into()])
    );

    let comments = world.get("/items/WEB-1/comments").await.json;
    let texts: Vec<_> =
        comments["items"].as_array().unwrap().iter().map(|comment| &comment["body"]).collect();
    assert_eq!(texts, ["Hello, edited", "Yes"]);
    assert_eq!(comments["items"][0]["version"], 2, "what somebody is editing goes on under its version");
    assert_eq!(comments["items"][0]["reactions"].as_array().unwrap().len(), 1);
    let watchers = world.get("/items/WEB-1/watchers").await.json;
    assert!(watchers.to_string().contains("bob"), "{watchers}");
    let history = world.history("WEB-1").await;
    assert!(history.iter().any(|line| line.contains("created")), "{history:?}");
    assert!(history.last().unwrap().contains("transferred - PRJ-1→WEB-1"), "{history:?}");
    let links = world.get("/items/PRJ-2/links").await.json;
    assert_eq!(links["items"][0]["item"], "WEB-1", "{links}");

    for path in
        ["", "/comments?page=1", "/history", "/page", "/subtasks", "/watchers", "/links", "/attachments"]
    {
        let led = world.get(&format!("/items/PRJ-1{path}")).await;
        assert_eq!((led.status.as_u16(), led.problem()), (308, "item-transferred"), "{path}: {}", led.text);
        assert!(
            led.header("location").ends_with(&format!("/orgs/demo/items/WEB-1{path}")),
            "{}",
            led.header("location")
        );
    }
    let change = json!({"version": moved["version"], "title": "New"});
    world.patch("/items/PRJ-1", change).await.is(308);
    assert_eq!(world.item("Next").await["key"], "PRJ-3", "a number is used once");
    world.kit.advance(jiff::SignedDuration::from_mins(2));
    world.work().await;
    consistent(&world).await;
}

#[tokio::test]
async fn who_may_not_work_in_both_projects_moves_nothing() {
    let world = world().await;
    world.item("One").await;
    world.kit.project(&world.org, "SECRET").await;
    for (token, project, status) in [
        (&world.ada.token, "SECRET", 404),
        (&world.ada.token, "NONE", 404),
        (&world.chief.token, "WEB", 404),
        (&world.guest.token, "WEB", 403),
        (&world.outsider.token, "WEB", 404),
        (&world.ada.token, "no key", 422),
    ] {
        let refused = transfer_as(&world, token, "PRJ-1", project).await;
        assert_eq!(refused.status, status, "{project}: {}", refused.text);
    }
    let stale = json!({"version": 7, "project": "WEB"});
    assert_eq!(world.post("/items/PRJ-1/transfer", stale).await.problem(), "stale-version");
    assert_eq!(world.item("Two").await["key"], "PRJ-2");
    let there = transfer(&world, "PRJ-1", "PRJ").await;
    assert_eq!((&there["key"], &there["version"]), (&json!("PRJ-1"), &json!(1)), "it is there already");
    transfer(&world, "PRJ-1", "WEB").await;
    // Who sees the old project only learns nothing of the new key.
    let hidden = world.get_as(&world.chief.token, "/items/PRJ-1").await;
    let none = world.get_as(&world.chief.token, "/items/PRJ-99").await;
    assert_eq!((hidden.status, hidden.problem()), (none.status, none.problem()));
}

#[tokio::test]
async fn what_is_worked_on_or_belongs_together_stays() {
    let world = world().await;
    world.item("Claimed").await;
    world.post_as(&world.bob.token, "/items/PRJ-1/claim", json!({"version": 1})).await;
    assert_eq!(transfer_as(&world, &world.ada.token, "PRJ-1", "WEB").await.problem(), "item-claimed");
    let own = transfer_as(&world, &world.bob.token, "PRJ-1", "WEB").await;
    assert_eq!(own.json["claim"]["holderName"], "bob", "{}", own.text);
    world.item("Running").await;
    world.begin_run("PRJ-2", RunId(world.kit.app.uuid())).await;
    assert_eq!(transfer_as(&world, &world.ada.token, "PRJ-2", "WEB").await.problem(), "live-run-exists");
    world.post("/projects/PRJ/items", json!({"type": "epic", "title": "Whole"})).await;
    world.post("/projects/PRJ/items", json!({"type": "story", "title": "Part", "parent": "PRJ-3"})).await;
    world.post("/items/PRJ-4/subtasks", json!({"title": "Piece", "estimate": 1})).await.is(201);
    assert_eq!(transfer_as(&world, &world.ada.token, "PRJ-5", "WEB").await.problem(), "conflict");
    let part = transfer(&world, "PRJ-4", "WEB").await;
    assert_eq!(part["parent"], Value::Null, "its parent stays");
    assert_eq!(transfer(&world, "PRJ-3", "WEB").await["key"], "WEB-4");
}

#[tokio::test]
async fn an_old_key_leads_on_after_further_moves_and_to_a_deleted_item() {
    let world = world().await;
    world.item("Wanderer").await;
    transfer(&world, "PRJ-1", "WEB").await;
    let back = transfer(&world, "WEB-1", "PRJ").await;
    assert_eq!(back["key"], "PRJ-2");
    for key in ["PRJ-1", "WEB-1"] {
        let led = world.get(&format!("/items/{key}")).await;
        assert!(led.header("location").ends_with("/items/PRJ-2"), "{key}: {}", led.header("location"));
    }
    world.change_as(&world.ada.token, Method::DELETE, "/items/PRJ-2", Value::Null).await;
    assert_eq!(world.get("/items/PRJ-1").await.status, 308);
    assert_eq!(world.get("/items/PRJ-2").await.problem(), "item-deleted");
    world.kit.advance(jiff::SignedDuration::from_mins(2));
    world.work().await;
    consistent(&world).await;
}

#[tokio::test]
async fn a_long_discussion_follows_also_when_the_request_ends_early() {
    let world = world().await;
    world.item("Long").await;
    // More than the request itself brings along.
    for n in 0..410 {
        world.kit.advance(jiff::SignedDuration::from_millis(3));
        world.post("/items/PRJ-1/comments", json!({"body": format!("Comment {n}")})).await.is(201);
    }
    transfer(&world, "PRJ-1", "WEB").await;
    world.post("/items/WEB-1/comments", json!({"body": "Last"})).await.is(201);
    // All are there at once, though not all have followed.
    let comments = world.get("/items/WEB-1/comments?pageSize=100&page=5").await.json;
    let bodies: Vec<&str> =
        comments["items"].as_array().unwrap().iter().filter_map(|one| one["body"].as_str()).collect();
    assert_eq!((&comments["totalCount"], bodies.len()), (&json!(411), 11), "{comments}");
    assert_eq!((bodies[0], bodies[9], bodies[10]), ("Comment 400", "Comment 409", "Last"));
    assert_eq!(world.get("/items/WEB-1/page").await.json["comments"]["totalCount"], 411);
    world.kit.advance(jiff::SignedDuration::from_mins(2));
    world.work().await;
    let comments = world.get("/items/WEB-1/comments?pageSize=100&page=5").await.json;
    assert_eq!(comments["totalCount"], 411);
    assert_eq!(comments["items"].as_array().unwrap().last().unwrap()["body"], "Last");
    consistent(&world).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_moves_and_changes_at_the_same_moment_none_is_lost_and_none_happens_twice() {
    let world = world().await;
    world.kit.project(&world.org, "OPS").await;
    for round in 1..=12 {
        world.item("Wanted").await;
        let path = format!("/orgs/demo/items/PRJ-{round}");
        let ask = |router, rest: &str, method: Method, body: Value| {
            let path = format!("{path}{rest}");
            let token = world.ada.token.clone();
            async move { call(router, method, &path, Some(&token), Some(body)).await }
        };
        let to_web = json!({"version": 1, "project": "WEB"});
        let comment = json!({"body": "Meanwhile"});
        let edit = json!({"version": 1, "title": "Changed"});
        let replies = join_all([
            ask(&world.router, "/transfer", Method::POST, to_web.clone()),
            ask(&world.elsewhere, "/transfer", Method::POST, to_web),
            ask(&world.router, "", Method::PATCH, edit),
            ask(&world.elsewhere, "/comments", Method::POST, comment),
        ])
        .await;
        let moved = replies[..2].iter().filter(|reply| reply.status == 200).count();
        let edited = usize::from(replies[2].status == 200);
        let told: Vec<_> = replies.iter().map(|reply| (reply.status, reply.problem())).collect();
        assert_eq!(moved + edited, 1, "round {round}: {told:?}");
        if replies[3].status == 201 {
            world.kit.advance(jiff::SignedDuration::from_mins(2));
            world.work().await;
            let at = world.get(&format!("/items/PRJ-{round}/comments")).await;
            let at = match at.status.as_u16() {
                308 => world.get(at.header("location").split("/orgs/demo").nth(1).unwrap()).await,
                _ => at,
            };
            assert_eq!(at.json["totalCount"], 1, "round {round}: {}", at.text);
        }
    }
    world.work().await;
    consistent(&world).await;
}

/// That nothing of the items waits for a worker either, nor contradicts anything.
async fn settled(world: &World) {
    consistent(world).await;
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    let found: Vec<_> = report.waiting.iter().filter(|found| found.kind.starts_with("ITEM")).collect();
    assert!(found.is_empty(), "{found:?}");
}

/// The key that an item has now.
async fn key_now(world: &World, key: &str) -> String {
    let mut key = key.to_owned();
    loop {
        let reply = world.get(&format!("/items/{key}")).await;
        if reply.status != 308 {
            return reply.json["key"].as_str().unwrap().to_owned();
        }
        key = reply.header("location").rsplit('/').next().unwrap().to_owned();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn linked_items_that_move_at_the_same_moment_stay_linked() {
    let world = world().await;
    let ops = world.kit.project(&world.org, "OPS").await;
    world.kit.project_member(&world.org, &ops, world.ada.id, ProjectRole::Member).await;
    for round in 0..24 {
        let (blocker, blocked) = (format!("PRJ-{}", 2 * round + 1), format!("PRJ-{}", 2 * round + 2));
        world.item("Blocker").await;
        world.item("Blocked").await;
        let link = json!({"type": "blocks", "item": blocked});
        assert_eq!(world.post(&format!("/items/{blocker}/links"), link).await.status, 200);
        let moves = [(&world.router, &blocker, "WEB"), (&world.elsewhere, &blocked, "OPS")];
        let mut asked = Vec::new();
        for (router, key, project) in moves {
            let body = json!({"version": version(&world, key).await, "project": project});
            let (router, token) = (router.clone(), world.ada.token.clone());
            let path = format!("/orgs/demo/items/{key}/transfer");
            asked.push(tokio::spawn(async move {
                call(&router, Method::POST, &path, Some(&token), Some(body)).await
            }));
        }
        for reply in join_all(asked).await {
            let reply = reply.unwrap();
            assert_eq!(reply.status, 200, "round {round}: {}", reply.text);
        }
        world.kit.advance(jiff::SignedDuration::from_mins(2));
        world.work().await;
        let (blocker, blocked) = (key_now(&world, &blocker).await, key_now(&world, &blocked).await);
        for (key, other, kind) in [(&blocker, &blocked, "blocks"), (&blocked, &blocker, "blockedBy")] {
            let links = world.get(&format!("/items/{key}/links")).await.json;
            let link = &links["items"][0];
            assert_eq!((&link["item"], &link["type"]), (&json!(other), &json!(kind)), "{key}: {links}");
        }
        let waits = async || world.get(&format!("/items/{blocked}")).await.json["blocked"].clone();
        assert_eq!(waits().await, true, "round {round}");
        world.change_as(&world.ada.token, Method::DELETE, &format!("/items/{blocker}"), Value::Null).await;
        world.work().await;
        assert_eq!(waits().await, false, "round {round}");
    }
    settled(&world).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_item_that_goes_while_another_comes_to_belong_to_it_leaves_no_orphan() {
    let world = world().await;
    for round in 0..30 {
        let new = json!({"type": "story", "title": "Whole"});
        let whole = world.post("/projects/PRJ/items", new).await.json["key"].as_str().unwrap().to_owned();
        let moves = round % 3 != 2;
        let (method, rest) = if moves { (Method::POST, "/transfer") } else { (Method::DELETE, "") };
        let body = if moves { json!({"version": 1, "project": "WEB"}) } else { Value::Null };
        let asked = [
            (&world.elsewhere, Method::POST, "/subtasks", json!({"title": "Piece", "estimate": 1})),
            (&world.router, method, rest, body),
        ];
        let asked = asked.map(|(router, method, rest, body)| {
            let (router, token) = (router.clone(), world.ada.token.clone());
            let path = format!("/orgs/demo/items/{whole}{rest}");
            tokio::spawn(async move { call(&router, method, &path, Some(&token), Some(body)).await })
        });
        let replies: Vec<Reply> = join_all(asked).await.into_iter().map(Result::unwrap).collect();
        let done = replies.iter().filter(|reply| reply.status.is_success()).count();
        let told: Vec<_> = replies.iter().map(|reply| (reply.status, &reply.text)).collect();
        // A subtask that was there first goes along.
        assert!(done == 1 || (moves && done == 2), "round {round}: {told:?}");
    }
    world.kit.advance(jiff::SignedDuration::from_mins(2));
    world.work().await;
    settled(&world).await;
}

#[tokio::test]
async fn an_old_key_leads_on_however_it_is_written_and_whatever_is_asked() {
    let world = world().await;
    world.item("Wanderer").await;
    transfer(&world, "PRJ-1", "WEB").await;
    for written in ["prj-1", "PRJ%2D1"] {
        let led = world.get(&format!("/items/{written}/history")).await;
        assert_eq!(led.status, 308, "{written}: {}", led.text);
        assert!(led.header("location").ends_with("/items/WEB-1/history"), "{written}");
    }
    world.change_as(&world.ada.token, Method::DELETE, "/items/WEB-1", Value::Null).await;
    let led = world.post("/items/PRJ-1/restore", Value::Null).await;
    assert_eq!((led.status.as_u16(), led.problem()), (308, "item-transferred"), "{}", led.text);
    assert!(led.header("location").ends_with("/items/WEB-1/restore"), "{}", led.header("location"));
    let back = world.post("/items/WEB-1/restore", Value::Null).await;
    assert_eq!((back.status.as_u16(), &back.json["key"]), (200, &json!("WEB-1")), "{}", back.text);
}

#[tokio::test]
async fn what_stays_in_the_old_project_is_in_the_history() {
    let world = world().await;
    world.team("web").await;
    let sprint = world.plan("web", "Sprint 1").await;
    let milestone =
        world.post_as(&world.chief.token, "/projects/PRJ/milestones", json!({"name": "Beta"})).await.is(201);
    let new = json!({"type": "bug", "title": "Broken", "milestone": milestone.json["id"], "sprint": sprint});
    world.post("/projects/PRJ/items", new).await.is(201);
    let moved = transfer(&world, "PRJ-1", "WEB").await;
    assert_eq!((&moved["sprint"], &moved["milestone"]), (&Value::Null, &Value::Null), "{moved}");
    let history = world.history("WEB-1").await;
    for line in ["ada changed sprint Sprint 1→-", "ada changed milestone Beta→-"] {
        assert!(history.iter().any(|known| known == line), "{line}: {history:?}");
    }
    let cleo = person(&world.kit, &world.org, "cleo@example.com", OrgRole::Member).await;
    let web = world.kit.app.table.get(&keys::project(world.org.id, &"WEB".parse().unwrap())).await.unwrap();
    world.kit.project_member(&world.org, &web.unwrap().read().unwrap(), cleo.id, ProjectRole::Member).await;
    let told = world.get_as(&cleo.token, "/items/WEB-1/history").await.is(200);
    for name in ["Sprint 1", "Beta", "PRJ-1"] {
        assert!(!told.text.contains(name), "she does not see the old project: {}", told.text);
    }
    let again = world.post("/projects/WEB/milestones", json!({"name": "Gamma"})).await.is(201);
    let body = json!({"version": moved["version"], "milestone": again.json["id"]});
    assert_eq!(world.patch("/items/WEB-1", body).await.status, 200);
    let told = world.get_as(&cleo.token, "/items/WEB-1/history").await;
    assert!(told.text.contains("Gamma"), "what happened since: {}", told.text);
    world.work().await;
    consistent(&world).await;
}
