//! The index follows the texts: soon, exactly, and whatever happens in between.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_app::search;
use svc_domain::search::segment::{Block, Segments};
use svc_domain::search::{Source, TextId};
use svc_storage::{Condition, Op, Query, Range, keys};
use tokio::sync::watch;

use crate::world::{AREAS, World};

/// Longer than workers take on a busy machine.
const SOON: Duration = Duration::from_secs(60);

/// The texts of the project that have a term in a segment of the index.
async fn postings(world: &World, term: &str) -> usize {
    let pk = keys::index_pk(world.org.id, &world.project.key);
    let rows = world.kit.app.table.query_all(Query::new(pk, Range::Prefix("SEGMENT#".into()), 1_000)).await;
    let blocks = rows.unwrap().into_iter().filter(|row| row.key.sk.contains("#WORDS#"));
    let postings = blocks.flat_map(|row| row.read::<Block>().unwrap().postings);
    postings.filter(|postings| postings.0 == term).map(|postings| postings.2.len()).sum()
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
    assert_eq!((postings(&world, "old").await, postings(&world, "body").await), (2, 1));
    let edit = json!({"version": 1, "title": "New title", "body": ""});
    world.write(Method::PATCH, &format!("/items/{item}"), &world.ada, edit).await;
    world.page("Page", Some(version), "new words of a page").await;
    // Before the index knows, the old words find nothing any more of an item.
    assert_eq!(world.find("items", "body").await, [""; 0]);
    world.settle().await;
    assert_eq!((postings(&world, "old").await, postings(&world, "body").await), (0, 0));
    assert_eq!(postings(&world, "new").await, 2);
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
    assert_eq!(postings(&world, "new").await, 1);
    assert!(entry(&world, "PRJ/i1").await.is_none());
}

/// What the checker finds in the index. (Credentials of these tests are of nobody's tokens.)
async fn findings(world: &World) -> Vec<String> {
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    let of_index = report.findings.into_iter().filter(|found| !found.kind.starts_with("SECRET"));
    of_index.map(|found| format!("{}: {}", found.kind, found.problem)).collect()
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
async fn a_long_text_is_found_by_every_word_and_an_index_that_lost_rows_is_mended() {
    let world = World::new().await;
    let words = |from: u32| (from..from + 1_900).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let version = world.page("Long", None, &words(0)).await;
    world.settle().await;
    for word in ["word0", "word5", "word777", "word1899"] {
        assert_eq!(world.find("pages", word).await, ["Long"], "{word}");
    }
    let pk = keys::index_pk(world.org.id, &world.project.key);
    let rows = Query::new(pk, Range::Prefix("SEGMENT#".into()), 100);
    let rows = world.kit.app.table.query_all(rows).await.unwrap();
    assert!(rows.len() > 5, "{} rows", rows.len());
    let lost = rows.into_iter().rev().take(3).map(|row| Op::delete(row.key, Condition::None)).collect();
    svc_testkit::write(&world.kit.app, lost).await.unwrap();
    assert_eq!(world.find("pages", "word999").await, [""; 0]);
    let found = findings(&world).await;
    assert!(found.iter().any(|found| found.contains("svc-server reindex")), "{found:?}");
    search::reindex(&world.kit.app, world.org.id, &world.project.key).await.unwrap();
    world.settle().await;
    assert_eq!(world.find("pages", "word999").await, ["Long"]);
    assert_eq!(findings(&world).await, [""; 0]);

    world.page("Long", Some(version), &words(950)).await;
    world.settle().await;
    assert_eq!((postings(&world, "word5").await, postings(&world, "word2000").await), (0, 1));
    assert_eq!(world.find("pages", "word949").await, [""; 0]);
    assert_eq!(world.find("pages", "word950 word2849").await, ["Long"]);
}

/// An index of an earlier server has a row for each word of a text, in its project and in its organization.
#[tokio::test]
async fn an_index_of_an_earlier_server_is_replaced_by_a_command() {
    let world = World::new().await;
    world.item("PRJ", "Old title", "").await;
    world.settle().await;
    let id: TextId = "PRJ/i1".parse().unwrap();
    let row = world.kit.app.table.get(&keys::text(world.org.id, &id)).await.unwrap().unwrap();
    let mut earlier: serde_json::Value = row.read().unwrap();
    earlier.as_object_mut().unwrap().remove("inSegment");
    let created = world.kit.now().as_millisecond();
    let mut ops = vec![Op::replace(row.key, row.version, &earlier)];
    for term in ["old", "title"] {
        let sk = keys::earlier_posting_sk(term, true, created, &id);
        for project in [Some(&world.project.key), None] {
            let pk = keys::earlier_posting_pk(world.org.id, project, term);
            ops.push(Op::create(svc_storage::Key::new(pk, sk.clone()), &0));
        }
    }
    let pk = keys::index_pk(world.org.id, &world.project.key);
    let rows = world.kit.app.table.query_all(Query::new(pk, Range::All, 100)).await.unwrap();
    ops.extend(rows.into_iter().map(|row| Op::delete(row.key, Condition::None)));
    svc_testkit::write(&world.kit.app, ops).await.unwrap();
    let found = findings(&world).await;
    assert_eq!(found.iter().filter(|found| found.contains("svc-server reindex")).count(), 5, "{found:#?}");
    search::reindex(&world.kit.app, world.org.id, &world.project.key).await.unwrap();
    world.settle().await;
    assert_eq!(world.find("items", "old").await, ["PRJ-1"]);
    assert_eq!(findings(&world).await, [""; 0]);
}

/// Many texts, changed and taken away while they are searched, are found as they are, in few segments.
#[tokio::test]
async fn segments_are_merged_while_they_are_searched() {
    let world = World::new().await;
    let mut keys_of = Vec::new();
    for round in 0..12 {
        for number in 0..5 {
            keys_of.push(world.item("PRJ", &format!("Title {round}"), &format!("heron body{number}")).await);
        }
        let found = async {
            let mut least = usize::MAX;
            for _ in 0..10 {
                least = least.min(world.find("items,comments", "heron").await.len());
            }
            least
        };
        let before = round * 5;
        let (indexed, found) = tokio::join!(search::index_waiting(&world.kit.app), found);
        assert_eq!(indexed.unwrap(), 5);
        assert!(found >= before.min(20), "{found} of {before}");
    }
    for key in &keys_of[..30] {
        let edit = json!({"version": 1, "body": "a stork"});
        world.write(Method::PATCH, &format!("/items/{key}"), &world.ada, edit).await;
    }
    world.settle().await;
    assert_eq!((postings(&world, "stork").await, postings(&world, "heron").await), (30, 30));
    let name = keys::index(world.org.id, &world.project.key);
    let segments: Segments = world.kit.app.table.get(&name).await.unwrap().unwrap().read().unwrap();
    assert!(segments.list.len() < 5, "{segments:?}");
    assert_eq!(findings(&world).await, [""; 0]);
}

/// The merging worker died in the middle: nothing that it wrote stays, and the next one merges.
#[tokio::test]
async fn a_merge_that_was_cut_off_is_made_good() {
    let world = World::new().await;
    let name = keys::index_merge(world.org.id, &world.project.key);
    let left = json!({"unlisted": ["dead"], "since": world.kit.now()});
    let pk = keys::index_pk(world.org.id, &world.project.key);
    let row = svc_storage::Key::new(pk.clone(), keys::segment_words_sk("dead", "heron t00000000"));
    let ops = vec![
        Op::create(name.clone(), &left),
        Op::create(row.clone(), &json!({"postings": [["heron", "t", [0]]]})),
    ];
    svc_testkit::write(&world.kit.app, ops).await.unwrap();
    let segments = async || {
        let row = world.kit.app.table.get(&keys::index(world.org.id, &world.project.key)).await.unwrap();
        row.unwrap().read::<Segments>().unwrap().list.len()
    };
    for number in 0..5 {
        world.item("PRJ", &format!("Heron {number}"), "").await;
        world.settle().await;
    }
    assert_eq!(segments().await, 5, "somebody is merging");
    world.kit.advance(jiff::SignedDuration::from_mins(1));
    world.item("PRJ", "Heron 5", "").await;
    world.settle().await;
    assert_eq!(segments().await, 1);
    assert_eq!(postings(&world, "heron").await, 6);
    for gone in [row, name] {
        assert_eq!(world.kit.app.table.get(&gone).await.unwrap(), None);
    }
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
    assert_eq!((postings(&world, "text12").await, postings(&world, "title12").await), (1, 1));
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
