//! What happens when many do the same thing at once.

use std::collections::BTreeSet;

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};
use svc_testkit::{Reply, call};

use crate::world::World;

/// Calls the same operation with each body, all at once, half of them in another process.
async fn at_once(world: &World, method: Method, path: &str, bodies: Vec<Value>) -> Vec<Reply> {
    let routers = [&world.router, &world.elsewhere];
    let calls = bodies.into_iter().enumerate().map(|(n, body)| {
        let (router, token) = (routers[n % 2].clone(), world.ada.token.clone());
        let (method, path) = (method.clone(), format!("/orgs/demo{path}"));
        tokio::spawn(async move { call(&router, method, &path, Some(&token), Some(body)).await })
    });
    join_all(calls).await.into_iter().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_twenty_claims_one_wins_and_the_others_learn_who() {
    let world = World::new().await;
    world.item("Item").await;
    let replies = at_once(&world, Method::POST, "/items/PRJ-1/claim", vec![json!({"version": 1}); 20]).await;
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 19));
    for reply in lost {
        assert_eq!((reply.status.as_u16(), reply.problem()), (409, "item-claimed"), "{}", reply.text);
        assert_eq!(reply.json["holder"], "ada");
    }
    assert_eq!(world.history("PRJ-1").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_edits_each_is_applied_or_refused_and_told() {
    let world = World::new().await;
    world.item("Item").await;
    let mut applied = BTreeSet::new();
    for round in 0..4 {
        let version = world.get("/items/PRJ-1").await.json["version"].as_u64().unwrap();
        let title = |n: usize| format!("Round {round} edit {n}");
        let bodies = (0..32).map(|n| json!({"version": version, "title": title(n)})).collect();
        let replies = at_once(&world, Method::PATCH, "/items/PRJ-1", bodies).await;
        for (n, reply) in replies.iter().enumerate() {
            match reply.status.as_u16() {
                200 => assert!(applied.insert(title(n))),
                _ => assert_eq!(reply.problem(), "stale-version", "{}", reply.text),
            }
        }
        assert_eq!(applied.len(), round + 1, "one of a round");
    }
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!(item["version"], 5);
    let history = world.history("PRJ-1").await;
    let told: BTreeSet<String> =
        history.iter().filter_map(|line| line.split_once('→')).map(|(_, to)| to.to_owned()).collect();
    assert_eq!(history.len(), 5);
    assert!(applied.is_subset(&told), "{history:?}");
    let list = world.get("/projects/PRJ/items").await.json;
    assert_eq!((&list["totalCount"], &list["items"][0]["title"]), (&json!(1), &item["title"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn items_created_at_once_have_numbers_of_their_own_and_lists_have_them_all() {
    let world = World::new().await;
    let bodies = (0..32).map(|n| json!({"type": "task", "title": format!("Item {n}")})).collect();
    let replies = at_once(&world, Method::POST, "/projects/PRJ/items", bodies).await;
    let keys: BTreeSet<_> = replies.iter().map(|reply| reply.json["key"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), 32);
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 32);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_moves_that_would_close_a_circle_together_do_not() {
    let world = World::new().await;
    for round in 0..8 {
        let (one, two) = (world.item("One").await, world.item("Two").await);
        let (one, two) = (one["key"].as_str().unwrap(), two["key"].as_str().unwrap());
        let (path_one, path_two) = (format!("/items/{one}"), format!("/items/{two}"));
        let (first, second) = futures::join!(
            at_once(&world, Method::PATCH, &path_one, vec![json!({"version": 1, "parent": two})]),
            at_once(&world, Method::PATCH, &path_two, vec![json!({"version": 1, "parent": one})]),
        );
        let ok = [&first[0], &second[0]].iter().filter(|reply| reply.status == 200).count();
        assert_eq!(ok, 1, "round {round}: {} {}", first[0].text, second[0].text);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn lists_asked_for_while_items_are_made_never_miss_what_was_made_before() {
    let world = World::new().await;
    let writer = async {
        for n in 1..=40_u64 {
            world.item(&format!("Item {n}")).await;
            let seen = world.get("/projects/PRJ/items?pageSize=1").await.json["totalCount"].clone();
            assert!(seen.as_u64().unwrap() >= n, "{seen} of {n}");
        }
    };
    let readers = (0..4).map(|_| async {
        let mut last = 0;
        while last < 40 {
            let seen = world.get("/projects/PRJ/items?pageSize=1").await.json["totalCount"].as_u64().unwrap();
            assert!(seen >= last, "a list went back from {last} to {seen}");
            last = seen;
        }
    });
    futures::join!(writer, join_all(readers));
}

/// Adds a label as a client does that is told when somebody else saved first; its attempts.
async fn add_label(router: axum::Router, token: String, label: String) -> usize {
    let mut version = 1;
    for attempt in 1..=1_000 {
        let body = json!({"version": version, "addLabels": [label]});
        let reply = call(&router, Method::PATCH, "/orgs/demo/items/PRJ-1", Some(&token), Some(body)).await;
        if reply.status == 200 {
            return attempt;
        }
        assert_eq!((reply.status.as_u16(), reply.problem()), (409, "stale-version"), "{}", reply.text);
        let current = reply.json["currentVersion"].as_u64().unwrap();
        assert!(current > version, "told of {current} after {version}");
        version = current;
    }
    panic!("{label} never got in");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_clients_that_read_again_lose_nothing() {
    let world = World::new().await;
    world.item("Item").await;
    let routers = [&world.router, &world.elsewhere];
    let clients = (0..32).map(|n| {
        let (router, token) = (routers[n % 2].clone(), world.ada.token.clone());
        tokio::spawn(add_label(router, token, format!("l{n:02}")))
    });
    let attempts: Vec<usize> = join_all(clients).await.into_iter().map(Result::unwrap).collect();
    let expected: Vec<String> = (0..32).map(|n| format!("l{n:02}")).collect();
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!((&item["labels"], &item["version"]), (&json!(expected), &json!(33)), "after {attempts:?}");
    // Each entry of the history goes on where the one before it ended.
    let history = world.history("PRJ-1").await;
    assert_eq!(history.len(), 33);
    let changes: Vec<(&str, &str)> = history[1..]
        .iter()
        .map(|line| line.strip_prefix("ada changed labels ").unwrap().split_once('→').unwrap())
        .collect();
    assert_eq!((changes[0].0, changes[31].1), ("-", expected.join(", ").as_str()));
    for pair in changes.windows(2) {
        assert_eq!(pair[0].1, pair[1].0);
    }
    assert_eq!(world.get("/projects/PRJ/items").await.json["items"][0]["labels"], item["labels"]);
}
