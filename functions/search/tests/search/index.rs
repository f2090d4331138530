//! The index follows the texts: soon, exactly, and whatever happens in between.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_app::search;
use svc_domain::ids::OrgId;
use svc_domain::search::{Source, TextId};
use svc_storage::{Condition, Op, Query, Range, keys};
use tokio::sync::watch;

use crate::world::{AREAS, World};

/// Longer than workers take on a busy machine.
const SOON: Duration = Duration::from_secs(60);

/// Every posting of a term in the project and in the organization.
async fn postings(world: &World, term: &str) -> usize {
    let mut count = 0;
    for project in [Some(&world.project.key), None] {
        let range = Range::Prefix(format!("{term} "));
        let query = Query::new(keys::term_pk(world.org.id, project, term), range, 1_000);
        count += world.kit.app.table.query_all(query).await.unwrap().len();
    }
    count
}

#[tokio::test]
async fn new_text_is_found_by_itself_while_workers_run() {
    let world = World::new().await;
    let (stop, stopping) = watch::channel(false);
    let workers = tokio::spawn(svc_workers::run(Arc::clone(&world.kit.app), stopping.clone()));
    let item = world.item("PRJ", "A title", "with a pelican").await;
    world.comment(&item, &world.ada, "a comment with a pelican", None).await;
    world.page("Birds", None, "a page with a pelican").await;
    let deadline = tokio::time::Instant::now() + SOON;
    while world.find("items,comments,pages", "pelican").await.len() < 3 {
        assert!(tokio::time::Instant::now() < deadline, "it was not found in time");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // What another process writes rings no bell here.
    let elsewhere = world.kit.beside();
    let router = elsewhere.router(&AREAS);
    let new = json!({"body": "from another process"});
    let path = format!("/orgs/demo/items/{item}/comments");
    let reply = svc_testkit::call(&router, Method::POST, &path, Some(&world.ada), Some(new)).await;
    assert_eq!(reply.status, 201);
    let deadline = tokio::time::Instant::now() + SOON;
    while world.find("comments", "another process").await.is_empty() {
        assert!(tokio::time::Instant::now() < deadline, "it was not found in time");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.send_replace(true);
    tokio::time::timeout(SOON, workers).await.unwrap().unwrap();
}

#[tokio::test]
async fn edited_and_deleted_texts_leave_no_posting() {
    let world = World::new().await;
    let item = world.item("PRJ", "Old title", "some body").await;
    let version = world.page("Page", None, "old words of a page").await;
    world.settle().await;
    assert_eq!((postings(&world, "old").await, postings(&world, "body").await), (4, 2));
    let edit = json!({"version": 1, "title": "New title", "body": ""});
    world.write(Method::PATCH, &format!("/items/{item}"), &world.ada, edit).await;
    world.page("Page", Some(version), "new words of a page").await;
    // Before the index knows, the old words find nothing any more of an item.
    assert_eq!(world.find("items", "body").await, [""; 0]);
    world.settle().await;
    assert_eq!((postings(&world, "old").await, postings(&world, "body").await), (0, 0));
    assert_eq!(postings(&world, "new").await, 4);
    assert_eq!(world.find("items,pages", "old").await, [""; 0]);
    assert_eq!(world.find("items,pages", "new").await.len(), 2);

    // A text that is gone.
    let key = keys::item(world.org.id, &item.parse().unwrap());
    let ops = vec![
        Op::delete(key, Condition::Present),
        search::changed(world.org.id, &Source::Item(item.parse().unwrap())),
    ];
    svc_testkit::write(&world.kit.app, ops).await.unwrap();
    world.settle().await;
    assert_eq!(postings(&world, "new").await, 2);
    assert!(entry(&world, "PRJ/i1").await.is_none());
}

async fn entry(world: &World, id: &str) -> Option<String> {
    let id: TextId = id.parse().unwrap();
    world.kit.app.table.get(&keys::text(world.org.id, &id)).await.unwrap().map(|row| row.doc.to_string())
}

#[tokio::test]
async fn claims_and_transitions_are_no_new_text() {
    let world = World::new().await;
    let item = world.item("PRJ", "A title", "").await;
    world.settle().await;
    world.write(Method::POST, &format!("/items/{item}/claim"), &world.ada, json!({"version": 1})).await;
    assert_eq!(search::index_waiting(&world.kit.app).await.unwrap(), 0);
}

#[tokio::test]
async fn a_long_text_is_indexed_in_many_commits_and_mended_after_a_crash() {
    let world = World::new().await;
    let words = |from: u32| (from..from + 700).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let version = world.page("Long", None, &words(0)).await;
    world.settle().await;
    assert_eq!(world.find("pages", "word699").await, ["Long"]);
    // As a crash in the middle leaves it: marked, with postings missing.
    let page = world.get("/projects/PRJ/wiki/pages/Long").await.json["id"].as_str().unwrap().replace('-', "");
    let id: TextId = format!("PRJ/p{page}").parse().unwrap();
    let row = world.kit.app.table.get(&keys::text(world.org.id, &id)).await.unwrap().unwrap();
    let mut doc: serde_json::Value = row.read().unwrap();
    doc["unsettled"] = true.into();
    doc["leftover"] = json!([["ghost", false]]);
    let mut ops = vec![Op::replace(row.key, row.version, &doc), changed_page(world.org.id, &id)];
    for project in [Some(&world.project.key), None] {
        let pk = keys::term_pk(world.org.id, project, "word5");
        let rows = Query::new(pk, Range::Prefix("word5 ".to_owned()), 10);
        for row in world.kit.app.table.query_all(rows).await.unwrap() {
            let ghost = row.key.sk.replace("word5", "ghost");
            ops.push(Op::create(
                svc_storage::Key::new(keys::term_pk(world.org.id, project, "ghost"), ghost),
                &0,
            ));
            ops.push(Op::delete(row.key, Condition::Present));
        }
    }
    svc_testkit::write(&world.kit.app, ops).await.unwrap();
    world.settle().await;
    assert_eq!((postings(&world, "word5").await, postings(&world, "ghost").await), (2, 0));

    world.page("Long", Some(version), &words(350)).await;
    world.settle().await;
    assert_eq!((postings(&world, "word5").await, postings(&world, "word1000").await), (0, 2));
    assert_eq!(world.find("pages", "word349").await, [""; 0]);
    assert_eq!(world.find("pages", "word350 word1049").await, ["Long"]);
}

fn changed_page(org: OrgId, id: &TextId) -> Op {
    let svc_domain::search::Target::Page(page) = id.target else { panic!("a page") };
    let project = id.project.clone();
    search::changed(org, &Source::Page { project, id: page, path: "Long".parse().unwrap() })
}

#[tokio::test]
async fn two_indexers_and_many_writers_end_with_the_last_text() {
    let world = World::new().await;
    let item = world.item("PRJ", "Start", "").await;
    let elsewhere = world.kit.beside();
    for version in 1..=12_u64 {
        let edit =
            json!({"version": version, "title": format!("Title{version}"), "body": format!("text{version}")});
        world.write(Method::PATCH, &format!("/items/{item}"), &world.ada, edit).await;
        // Both at once, each message twice.
        let (one, other) =
            tokio::join!(search::index_waiting(&world.kit.app), search::index_waiting(&elsewhere.app));
        one.unwrap();
        other.unwrap();
    }
    world.settle().await;
    for version in 1..12 {
        assert_eq!(postings(&world, &format!("text{version}")).await, 0, "text{version}");
    }
    assert_eq!((postings(&world, "text12").await, postings(&world, "title12").await), (2, 2));
}

#[tokio::test]
async fn an_old_store_is_indexed_by_a_command() {
    let world = World::new().await;
    let item = world.item("PRJ", "Old item", "").await;
    world.comment(&item, &world.ada, "old comment", None).await;
    world.page("Old", None, "old page").await;
    // A store of before there was an index has nothing that waits.
    for shard in 0..keys::TO_INDEX_SHARDS {
        for row in
            world.kit.app.table.query_all(Query::new(keys::to_index_pk(shard), Range::All, 10)).await.unwrap()
        {
            svc_testkit::write(&world.kit.app, vec![Op::delete(row.key, Condition::None)]).await.unwrap();
        }
    }
    world.settle().await;
    assert_eq!(world.find("comments,pages", "old").await, [""; 0]);
    let texts = search::reindex(&world.kit.app, world.org.id, &world.project.key).await.unwrap();
    assert_eq!(texts, 3);
    world.settle().await;
    assert_eq!(world.find("items,comments,pages", "old").await.len(), 3);
}

#[tokio::test]
async fn a_page_that_moved_is_found_where_it_is_and_a_deleted_one_nowhere() {
    let world = World::new().await;
    world.page("Guides", None, "about pelicans").await;
    for n in 0..40 {
        world.page(&format!("Guides/Bird-{n:02}"), None, "a heron").await;
    }
    world.settle().await;
    assert_eq!(world.find("pages", "pelicans").await, ["Guides"]);
    let to = json!({"version": 1, "to": "Team/Guides"});
    world.write(Method::POST, "/projects/PRJ/wiki/move/Guides", &world.ada, to).await;
    // Before the index knows, what it remembers is not believed.
    assert_eq!(world.find("pages", "heron").await, [""; 0]);
    world.settle().await;
    assert_eq!(world.find("pages", "pelicans").await, ["Team/Guides"]);
    for n in [0, 7, 39] {
        assert_eq!(world.find("pages", &format!("Bird-{n:02}")).await, [format!("Team/Guides/Bird-{n:02}")]);
    }

    world.write(Method::DELETE, "/projects/PRJ/wiki/pages/Team/Guides/Bird-07", &world.ada, json!({})).await;
    assert_eq!(world.find("pages", "Bird-07").await, [""; 0]);
    world.settle().await;
    assert_eq!(postings(&world, "07").await, 0);
    let id = world.get("/projects/PRJ/wiki/deleted").await.json[0]["id"].as_str().unwrap().to_owned();
    let back = format!("/projects/PRJ/wiki/deleted/{id}/restore");
    world.write(Method::POST, &back, &world.ada, json!({})).await;
    world.settle().await;
    assert_eq!(world.find("pages", "Bird-07").await.len(), 1);
}

#[tokio::test]
async fn nothing_of_a_deleted_item_is_found_until_it_comes_back() {
    let world = World::new().await;
    let item = world.item("PRJ", "A title", "with a pelican").await;
    world.comment(&item, &world.ada, "a comment with a pelican", None).await;
    world.settle().await;
    let found = async || {
        let here = world.find("items,comments", "pelican").await;
        (here.len(), world.find_anywhere(&world.ada, "pelican").await.len())
    };
    assert_eq!(found().await, (2, 2));
    let path = format!("/orgs/demo/items/{item}");
    let deleted = svc_testkit::call(&world.router, Method::DELETE, &path, Some(&world.ada), None).await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    assert_eq!(found().await, (0, 0), "before the index knows of it");
    world.settle().await;
    assert_eq!(found().await, (0, 0));
    assert_eq!(world.find("items", &item).await, Vec::<String>::new(), "nor by its key");
    let path = format!("{path}/restore");
    let back = svc_testkit::call(&world.router, Method::POST, &path, Some(&world.ada), None).await;
    assert_eq!(back.status, 200, "{}", back.text);
    world.settle().await;
    assert_eq!(found().await, (2, 2));
}
