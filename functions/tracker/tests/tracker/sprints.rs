//! Sprints: planning, the one active sprint of a team, and what completing one moves.

use std::time::Duration;

use futures::future::join_all;
use http::Method;
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::tracker::ItemChange;
use svc_domain::ids::ItemKey;
use svc_storage::{Query, Range, keys};
use svc_testkit::{Reply, call};

use crate::world::World;

const SPRINTS: &str = "/projects/PRJ/sprints";

impl World {
    /// A project with the team `web`.
    pub(crate) async fn with_team() -> Self {
        let world = Self::new().await;
        world.team("web").await;
        world
    }

    pub(crate) async fn team(&self, key: &str) {
        let body = json!({"key": key, "name": format!("Team {key}")});
        self.post_as(&self.chief.token, "/projects/PRJ/teams", body).await.is(201);
    }

    /// Plans a sprint; its id.
    pub(crate) async fn plan(&self, team: &str, name: &str) -> String {
        let planned = self.post(SPRINTS, json!({"team": team, "name": name})).await.is(201);
        planned.json["id"].as_str().unwrap().to_owned()
    }

    /// Starts a sprint that nobody changed.
    pub(crate) async fn start(&self, id: &str) {
        let started = self.post(&format!("/sprints/{id}/start"), json!({"version": 1})).await;
        assert_eq!(started.json["state"], "active", "{}", started.text);
    }

    /// Moves an item into a sprint, in the version that it has.
    pub(crate) async fn put_in(&self, key: &str, sprint: impl Into<Value>) {
        let version = self.get(&format!("/items/{key}")).await.json["version"].clone();
        let body = json!({"version": version, "sprint": sprint.into()});
        self.post(&format!("/items/{key}/move"), body).await.is(200);
    }

    /// Keys of the items that a filter matches, in the order given by hand.
    pub(crate) async fn keys(&self, filter: &str) -> Vec<String> {
        let list = self.get(&format!("/projects/PRJ/items?sort=rank&pageSize=100&filter={filter}")).await;
        let items = list.json["items"].as_array().unwrap_or_else(|| panic!("{}", list.text));
        items.iter().map(|item| item["key"].as_str().unwrap().to_owned()).collect()
    }

    /// Moves an item along the workflow.
    pub(crate) async fn advance(&self, key: &str, states: &[&str]) {
        for state in states {
            let version = self.get(&format!("/items/{key}")).await.json["version"].clone();
            let body = json!({"version": version, "state": state});
            self.post(&format!("/items/{key}/transition"), body).await.is(200);
        }
    }

    async fn complete(&self, id: &str, body: Value) -> Reply {
        self.post(&format!("/sprints/{id}/complete"), body).await
    }
}

const TO_RESOLVED: [&str; 3] = ["In progress", "In review", "Resolved"];

#[tokio::test]
async fn a_sprint_is_planned_changed_started_and_listed() {
    let world = World::with_team().await;
    let body = json!({
        "team": "WEB", "name": " Sprint 1 ", "goal": "Search is usable.", "start": "2026-01-05",
        "end": "2026-01-16", "capacity": 20,
    });
    let planned = world.post(SPRINTS, body).await;
    let id = planned.json["id"].as_str().unwrap();
    let team = planned.json["team"]["id"].as_str().unwrap();
    assert_snapshot!(planned.snapshot().replace(id, "[sprint]").replace(team, "[team]"));
    let path = format!("/sprints/{id}");
    assert_eq!(world.get(&path).await.json, planned.json);

    let body = json!({"version": 1, "name": "Sprint one", "end": null});
    let changed = world.patch(&path, body.clone()).await.json;
    let told = (&changed["name"], &changed["end"], &changed["start"], &changed["version"]);
    assert_eq!(told, (&json!("Sprint one"), &json!(null), &json!("2026-01-05"), &json!(2)));
    let stale = world.patch(&path, body).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));

    let stale = world.post(&format!("{path}/start"), json!({"version": 1})).await;
    assert_eq!(stale.problem(), "stale-version");
    let started = world.post(&format!("{path}/start"), json!({"version": 2})).await.json;
    assert_eq!(
        (&started["state"], &started["startedAt"]),
        (&json!("active"), &json!("2026-01-05T09:00:00Z"))
    );
    let again = world.post(&format!("{path}/start"), json!({"version": 3})).await;
    assert_eq!((again.status.as_u16(), again.problem()), (409, "conflict"), "{}", again.text);

    let (later, sooner) = (world.plan("web", "Later").await, world.plan("web", "Sooner").await);
    world.patch(&format!("/sprints/{sooner}"), json!({"version": 1, "start": "2026-02-01"})).await;
    world.team("app").await;
    let other = world.plan("app", "Other").await;
    let list = async |query: &str| -> Vec<String> {
        let list = world.get(&format!("{SPRINTS}{query}")).await.json;
        list["items"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(list("").await, [id, &sooner, &later, &other]);
    assert_eq!(list("?team=web").await, [id, &sooner, &later]);
    assert_eq!(list("?team=app&state=planned,active").await, [other.as_str()]);
    assert_eq!(list("?state=active").await, [id]);
    assert_eq!(list("?page=2&pageSize=3").await, [other.as_str()]);
}

#[tokio::test]
async fn what_is_no_sprint_is_refused_with_every_field() {
    let world = World::with_team().await;
    let body = json!({"team": "app", "name": "x"});
    assert_snapshot!(world.post(SPRINTS, body).await.snapshot());
    let body = json!({"team": "web", "name": "", "start": "2026-01-16", "end": "2026-01-05", "capacity": -1});
    assert_snapshot!(world.post(SPRINTS, body).await.snapshot());
    world.post(SPRINTS, json!({"team": "web", "name": "x", "start": "tomorrow"})).await.is(422);
    assert_eq!(world.get(&format!("{SPRINTS}?team=app")).await.status, 422);
    assert_eq!(world.get(&format!("{SPRINTS}?state=done")).await.status, 422);
    for path in ["/sprints/00000000-0000-7000-8000-000000000000", "/sprints/12"] {
        assert_eq!(world.get(path).await.problem(), "not-found");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_sprints_of_a_team_that_are_started_at_once_one_is() {
    let world = World::with_team().await;
    let mut sprints = Vec::new();
    for n in 0..6 {
        sprints.push(world.plan("web", &format!("Sprint {n}")).await);
    }
    let routers = [&world.router, &world.elsewhere];
    let calls = sprints.iter().enumerate().map(|(n, id)| {
        let (router, token) = (routers[n % 2].clone(), world.ada.token.clone());
        let path = format!("/orgs/demo/sprints/{id}/start");
        tokio::spawn(async move {
            call(&router, Method::POST, &path, Some(&token), Some(json!({"version": 1}))).await
        })
    });
    let replies: Vec<Reply> = join_all(calls).await.into_iter().map(Result::unwrap).collect();
    let (started, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((started.len(), refused.len()), (1, 5));
    for reply in refused {
        assert_eq!((reply.status.as_u16(), reply.problem()), (409, "conflict"), "{}", reply.text);
        assert!(reply.json["detail"].as_str().unwrap().contains("active sprint"), "{}", reply.text);
    }
    assert_eq!(world.get(&format!("{SPRINTS}?state=active")).await.json["totalCount"], 1);
}

#[tokio::test]
async fn current_means_the_active_sprints_of_all_teams() {
    let world = World::with_team().await;
    world.team("app").await;
    for title in ["One", "Two", "Three", "Four"] {
        world.item(title).await;
    }
    let (web, app, later) =
        (world.plan("web", "W1").await, world.plan("app", "A1").await, world.plan("web", "W2").await);
    for (key, sprint) in [("PRJ-1", &web), ("PRJ-2", &app), ("PRJ-3", &later)] {
        world.put_in(key, sprint.as_str()).await;
    }
    assert_eq!(world.keys("sprint:current").await, [] as [&str; 0]);
    world.start(&web).await;
    assert_eq!(world.keys("sprint:current").await, ["PRJ-1"]);
    world.start(&app).await;
    assert_eq!(world.keys("sprint:current").await, ["PRJ-1", "PRJ-2"]);
    assert_eq!(world.keys("-sprint:current").await, ["PRJ-3", "PRJ-4"]);
    assert_eq!(world.keys(&format!("sprint:{later}")).await, ["PRJ-3"]);
    assert_eq!(world.keys("sprint:none").await, ["PRJ-4"]);
    let done = world.complete(&web, json!({"version": 2})).await;
    assert_eq!(done.json["sprint"]["state"], "completed", "{}", done.text);
    assert_eq!(world.keys("sprint:current").await, ["PRJ-2"]);
}

#[tokio::test]
async fn completing_a_sprint_moves_what_is_unfinished_and_tells_what_it_did() {
    let world = World::with_team().await;
    for title in ["Done", "Half done", "Not begun"] {
        world.item(title).await;
    }
    let (now, next) = (world.plan("web", "Now").await, world.plan("web", "Next").await);
    for key in ["PRJ-1", "PRJ-2", "PRJ-3"] {
        world.put_in(key, now.as_str()).await;
    }
    let early = world.complete(&now, json!({"version": 1})).await;
    assert_eq!((early.status.as_u16(), early.problem()), (409, "conflict"), "{}", early.text);
    world.start(&now).await;
    world.advance("PRJ-1", &TO_RESOLVED).await;
    world.advance("PRJ-2", &["In progress"]).await;

    let nowhere = world.complete(&now, json!({"version": 2, "unfinishedTo": now})).await;
    assert_snapshot!(nowhere.snapshot());
    let done = world.complete(&now, json!({"version": 2, "unfinishedTo": "next"})).await;
    let json = &done.json;
    assert_eq!((&json["moved"], &json["left"]), (&json!(2), &json!(0)), "{}", done.text);
    assert_eq!(json["sprint"]["completion"]["unfinishedTo"], json!(next));
    assert_eq!(
        (&json["sprint"]["work"]["items"], &json["sprint"]["work"]["unfinished"]),
        (&json!(3), &json!(2))
    );
    assert_eq!(world.keys(&format!("sprint:{now}")).await, ["PRJ-1"]);
    assert_eq!(world.keys(&format!("sprint:{next}")).await, ["PRJ-2", "PRJ-3"]);
    assert_eq!(world.history("PRJ-3").await.last().unwrap(), "ada changed sprint Now→Next");
    let sprint = world.get(&format!("/sprints/{now}")).await.json;
    assert_eq!(sprint["work"]["items"], 3, "what was in it at its end stays told");

    let again = world.complete(&now, json!({"version": 3})).await;
    assert_eq!((again.status.as_u16(), again.problem()), (409, "conflict"), "{}", again.text);
    let edit = world.patch(&format!("/sprints/{now}"), json!({"version": 3, "name": "x"})).await;
    assert_eq!(edit.problem(), "conflict");
    let late = world.post("/items/PRJ-2/move", json!({"version": 4, "sprint": now})).await;
    assert_eq!((late.status.as_u16(), late.problem()), (409, "conflict"), "{}", late.text);
    let none = world.complete(&next, json!({"version": 1, "unfinishedTo": "next"})).await;
    assert_eq!(none.problem(), "conflict", "it is not active");
    world.start(&next).await;
    let none = world.complete(&next, json!({"version": 2, "unfinishedTo": "next"})).await;
    assert!(
        none.json["errors"]["unfinishedTo"][0].as_str().unwrap().contains("no planned sprint"),
        "{}",
        none.text
    );
}

#[tokio::test]
async fn a_large_sprint_is_emptied_to_the_backlog_beyond_one_commit() {
    let world = World::with_team().await;
    let sprint = world.plan("web", "Large").await;
    for n in 1..=40 {
        world.item(&format!("Item {n}")).await;
        world.put_in(&format!("PRJ-{n}"), sprint.as_str()).await;
    }
    world.start(&sprint).await;
    let done = world.complete(&sprint, json!({"version": 2})).await.json;
    assert_eq!((&done["moved"], &done["left"]), (&json!(40), &json!(0)));
    assert_eq!(world.keys("sprint:none").await.len(), 40);
}

/// Puts items back into a sprint that is over, as if they had never left it.
async fn put_back(world: &World, sprint: &str, numbers: std::ops::RangeInclusive<u64>) {
    for number in numbers {
        let key = ItemKey { project: world.project.key.clone(), number };
        let row = world.kit.app.table.get(&keys::item(world.org.id, &key)).await.unwrap().unwrap();
        let mut change = ItemChange::update(world.org.id, row.read().unwrap(), row.version);
        change.item.sprint = Some(sprint.to_owned());
        svc_testkit::save(&world.kit.app, change).await.unwrap();
    }
}

/// Handles the messages that are due; answers how many, not counting what people are told.
async fn work_off(world: &World) -> usize {
    let app = &world.kit.app;
    let messages = app.queue.receive(10, Duration::ZERO).await.unwrap();
    let mut worked_off = 0;
    for message in &messages {
        let told = serde_json::from_str(&message.body).unwrap();
        svc_workers::handle(app, &told).await.unwrap();
        app.queue.ack(&message.receipt).await.unwrap();
        worked_off += usize::from(!matches!(told, svc_app::messages::Message::Notify(_)));
    }
    worked_off
}

#[tokio::test]
async fn what_a_crash_left_in_a_completed_sprint_is_moved_later() {
    let world = World::with_team().await;
    let (now, next) = (world.plan("web", "Now").await, world.plan("web", "Next").await);
    for n in 1..=20 {
        world.item(&format!("Item {n}")).await;
        world.put_in(&format!("PRJ-{n}"), now.as_str()).await;
    }
    world.start(&now).await;
    world.complete(&now, json!({"version": 2, "unfinishedTo": next})).await;
    // As if the service had died after the commit that completed the sprint.
    put_back(&world, &now, 1..=20).await;
    assert_eq!(work_off(&world).await, 0, "it is not yet time");
    // Meanwhile the sprint that they should move to came to its end: the items go on to where that says.
    world.start(&next).await;
    world.complete(&next, json!({"version": 2})).await;
    world.kit.advance(SignedDuration::from_mins(2));
    assert_eq!(work_off(&world).await, 2);
    assert_eq!(world.keys("sprint:none").await.len(), 20);
    world.kit.advance(SignedDuration::from_mins(60));
    assert_eq!(work_off(&world).await, 0);
}

#[tokio::test]
async fn what_a_crash_left_in_a_deleted_sprint_goes_to_the_backlog() {
    let world = World::with_team().await;
    world.item("One").await;
    let sprint = world.plan("web", "Short-lived").await;
    world.put_in("PRJ-1", sprint.as_str()).await;
    let path = format!("/orgs/demo/sprints/{sprint}");
    call(&world.router, Method::DELETE, &path, Some(&world.ada.token), None).await;
    put_back(&world, &sprint, 1..=1).await;
    world.kit.advance(SignedDuration::from_mins(2));
    assert_eq!(work_off(&world).await, 1);
    assert_eq!(world.keys("sprint:none").await, ["PRJ-1"]);
    let facts = Query::new(keys::facts_pk(world.org.id, &sprint), Range::All, 10);
    assert_eq!(world.kit.app.table.query_all(facts).await.unwrap(), [], "nothing of it is left");
}

#[tokio::test]
async fn a_deleted_sprint_leaves_its_items_in_the_backlog() {
    let world = World::with_team().await;
    world.item("One").await;
    let sprint = world.plan("web", "Short-lived").await;
    world.put_in("PRJ-1", sprint.as_str()).await;
    let path = format!("/orgs/demo/sprints/{sprint}");
    let delete = async || call(&world.router, Method::DELETE, &path, Some(&world.ada.token), None).await;
    assert_eq!(delete().await.status, 204);
    assert_eq!(delete().await.problem(), "not-found");
    assert_eq!(world.keys("sprint:none").await, ["PRJ-1"]);
    assert_eq!(world.get("/items/PRJ-1").await.json["sprint"], json!(null));
    assert_eq!(world.history("PRJ-1").await.last().unwrap(), "ada changed sprint Short-lived→-");
    let started = world.plan("web", "Started").await;
    world.start(&started).await;
    let path = format!("/orgs/demo/sprints/{started}");
    let refused = call(&world.router, Method::DELETE, &path, Some(&world.ada.token), None).await;
    assert_eq!(refused.problem(), "conflict");
}

#[tokio::test]
async fn agents_plan_no_sprints_and_strangers_see_none() {
    let world = World::with_team().await;
    let sprint = world.plan("web", "One").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let path = format!("/sprints/{sprint}");
    assert_eq!(world.get_as(&agent, &path).await.status, 200);
    let start = async |token: &str| {
        world.post_as(token, &format!("/sprints/{sprint}/start"), json!({"version": 1})).await
    };
    assert_eq!(start(&agent).await.problem(), "forbidden");
    assert_eq!(start(&world.guest.token).await.problem(), "forbidden");
    let hidden = start(&world.outsider.token).await;
    let absent = world
        .post_as(
            &world.outsider.token,
            "/sprints/00000000-0000-7000-8000-000000000000/start",
            json!({"version": 1}),
        )
        .await;
    assert_eq!((hidden.status.as_u16(), hidden.snapshot()), (404, absent.snapshot()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_project_has_one_sprint_of_a_name() {
    let world = World::with_team().await;
    world.team("ops").await;
    let first = world.plan("web", "Sprint 1").await;
    let other = world.plan("web", "Sprint 2").await;
    for (team, name) in [("web", "Sprint 1"), ("ops", " sprint 1 ")] {
        let twin = world.post(SPRINTS, json!({"team": team, "name": name})).await;
        assert_eq!((twin.status.as_u16(), twin.problem()), (409, "already-exists"), "{}", twin.text);
    }
    let renamed = world.patch(&format!("/sprints/{other}"), json!({"version": 1, "name": "SPRINT 1"})).await;
    assert_eq!(renamed.problem(), "already-exists", "{}", renamed.text);
    let kept = world.patch(&format!("/sprints/{first}"), json!({"version": 1, "name": "SPRINT 1"})).await;
    assert_eq!(kept.status, 200, "its own name in another case: {}", kept.text);

    let same = || world.post(SPRINTS, json!({"team": "web", "name": "Sprint 3"}));
    let answers = join_all([same(), same(), same(), same()]).await;
    assert_eq!(answers.iter().filter(|reply| reply.status == 201).count(), 1);
    let refused = |reply: &&Reply| reply.status == 409;
    assert_eq!(answers.iter().filter(refused).count(), 3);
}

#[tokio::test]
async fn twins_of_older_servers_stay_and_are_changed() {
    let world = World::with_team().await;
    world.plan("web", "Sprint 1").await;
    let twin = world.plan("web", "Sprint 2").await;
    let key = keys::sprint(world.org.id, &"PRJ".parse().unwrap(), twin.parse().unwrap());
    let row = world.kit.app.table.get(&key).await.unwrap().unwrap();
    let mut doc: Value = row.read().unwrap();
    doc["name"] = json!("Sprint 1");
    let op = svc_storage::Op::replace(key, row.version, &doc);
    let commit = svc_storage::Commit { ops: vec![op], token: None };
    world.kit.app.table.commit(&commit).await.unwrap();
    let change = json!({"version": 2, "name": "Sprint 1", "goal": "Search"});
    let changed = world.patch(&format!("/sprints/{twin}"), change).await;
    assert_eq!((changed.status.as_u16(), &changed.json["goal"]), (200, &json!("Search")), "{}", changed.text);
    world.patch(&format!("/sprints/{twin}"), json!({"version": 3, "name": "Sprint 9"})).await.is(200);
}
