//! Moving pages with what is below them.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};
use svc_domain::wiki::moves::Tree;
use svc_storage::keys;
use svc_testkit::Reply;

use crate::world::World;

async fn moved(world: &World, token: &str, page: &str, body: Value) -> Reply {
    world.post(token, &format!("/move/{page}"), body).await
}

async fn to(world: &World, page: &str, version: u64, to: &str) -> Reply {
    moved(world, &world.ada, page, json!({"version": version, "to": to})).await
}

/// A page with this many below it.
async fn large(world: &World, page: &str, below: usize) {
    world.page(&world.ada, page).await;
    for n in 0..below {
        world.page(&world.ada, &format!("{page}/many/{n:03}")).await;
    }
}

/// Whether pages are on the move.
async fn on_the_move(world: &World) -> bool {
    let key = keys::wiki_tree(world.org.id, &world.project.key);
    let row = world.kit.app.table.get(&key).await.unwrap();
    row.is_some_and(|row| row.read::<Tree>().unwrap().moving.is_some())
}

#[tokio::test]
async fn a_page_moves_with_all_below_it_and_old_addresses_lead_on() {
    let world = World::new().await;
    for page in ["Guides", "Guides/Release", "Guides/Release/Notes", "Guidesx", "Team"] {
        world.page(&world.ada, page).await;
    }
    let reply = to(&world, "guides", 1, "Team/Manuals").await;
    assert_eq!((reply.status.as_u16(), &reply.json["version"]), (200, &json!(2)), "{}", reply.text);
    assert_eq!(
        (&reply.json["path"], &reply.json["body"]),
        (&json!("Team/Manuals"), &json!("Text of Guides"))
    );
    let paths = world.paths(&world.guest).await;
    let all = ["Guidesx", "Team", "Team/Manuals", "Team/Manuals/Release", "Team/Manuals/Release/Notes"];
    assert_eq!(paths, all);
    for (old, new) in [("Guides", "Team/Manuals"), ("guides/release/notes", "Team/Manuals/Release/Notes")] {
        let seen = world.get(&world.guest, &format!("/pages/{old}")).await.json;
        assert_eq!(seen["path"], new);
    }
    assert_eq!(world.get(&world.ada, "/pages/Guides/Absent").await.status, 404);
    let version = world.get(&world.ada, "/version/2/Team/Manuals").await.json;
    assert_eq!(version["change"], json!({"kind": "moved", "path": "Guides"}));
    assert_eq!(version["author"]["name"], "ada");
    // Who read a page before the move still writes its next version; who creates one means the old path.
    let next = world.put(&world.ada, "Guides/Release", json!({"version": 1, "body": "New"})).await.json;
    assert_eq!((&next["path"], &next["version"]), (&json!("Team/Manuals/Release"), &json!(2)));
    let fresh = world.put(&world.ada, "Guides", json!({"body": "Another"})).await.json;
    assert_eq!((&fresh["path"], &fresh["version"]), (&json!("Guides"), &json!(1)));
    assert_eq!(world.get(&world.ada, "/pages/Guides").await.json["body"], "Another");
    // There and back again is the way to where it is.
    assert_eq!(to(&world, "Team/Manuals", 2, "Elsewhere").await.status, 200);
    assert_eq!(to(&world, "Elsewhere", 3, "Team/Manuals").await.status, 200);
    assert_eq!(world.get(&world.ada, "/pages/Elsewhere/Release").await.json["path"], "Team/Manuals/Release");
}

#[tokio::test]
async fn what_cannot_be_a_move_is_refused_and_moves_nothing() {
    let world = World::new().await;
    for page in ["A", "A/x", "B", "C/x"] {
        world.page(&world.ada, page).await;
    }
    world.page(&world.owner, "Secret/x").await;
    world.set_access(&world.owner, "Secret/x", json!({"version": 1, "read": {"who": "admins"}})).await;
    for (token, body, status, problem) in [
        (&world.ada, json!({"version": 2, "to": "Z"}), 409, "stale-version"),
        (&world.ada, json!({"to": "Z"}), 422, "validation-failed"),
        (&world.ada, json!({"version": 1, "to": "A/y"}), 422, "validation-failed"),
        (&world.ada, json!({"version": 1, "to": "a//b"}), 422, "validation-failed"),
        (&world.ada, json!({"version": 1, "to": "B"}), 409, "already-exists"),
        (&world.ada, json!({"version": 1, "to": "C"}), 409, "already-exists"),
        (&world.ada, json!({"version": 1, "to": "Secret"}), 404, "not-found"),
        (&world.ada, json!({"version": 1, "to": (["b"; 10].join("/"))}), 422, "validation-failed"),
        (&world.ada, json!({"version": 1, "to": "Factory/A"}), 404, "not-found"),
        (&world.operator, json!({"version": 1, "to": "Factory/A"}), 403, "forbidden"),
        (&world.guest, json!({"version": 1, "to": "Z"}), 403, "forbidden"),
    ] {
        let refused = moved(&world, token, "A", body.clone()).await;
        assert_eq!(
            (refused.status.as_u16(), refused.problem()),
            (status, problem),
            "{body}: {}",
            refused.text
        );
    }
    assert_eq!(world.paths(&world.ada).await, ["A", "A/x", "B", "C/x"]);
    let admins = json!({"version": 1, "edit": {"who": "admins"}});
    assert_eq!(world.set_access(&world.owner, "B", admins).await.status, 200);
    assert_eq!(to(&world, "A", 1, "B/A").await.problem(), "forbidden", "who may not write there");
    assert_eq!(to(&world, "B", 2, "A/B").await.problem(), "forbidden", "who may not edit what moves");
}

#[tokio::test]
async fn a_page_moves_onto_a_free_path_that_has_pages_below() {
    let world = World::new().await;
    for page in ["A", "A/x", "C/y", "D/d", "D/d/d/e"] {
        world.page(&world.ada, page).await;
    }
    let reply = to(&world, "A", 1, "C").await;
    assert_eq!((reply.status.as_u16(), &reply.json["path"]), (200, &json!("C")), "{}", reply.text);
    assert_eq!(world.paths(&world.ada).await, ["C", "C/x", "C/y", "D/d", "D/d/d/e"]);
    assert_eq!(world.get(&world.ada, "/pages/A/x").await.json["path"], "C/x");
    // Up, onto the path that it is below; but not where a page of its own would come to where it was.
    let refused = to(&world, "D/d", 1, "D").await;
    assert!(refused.json["errors"]["to"].is_array(), "{}", refused.text);
    assert_eq!(to(&world, "D/d/d/e", 1, "D/d/e").await.status, 200);
    assert_eq!(to(&world, "D/d", 1, "D").await.status, 200);
    assert_eq!(world.paths(&world.ada).await, ["C", "C/x", "C/y", "D", "D/e"]);
}

#[tokio::test]
async fn many_pages_move_onto_a_free_path_that_has_pages_below() {
    let world = World::new().await;
    large(&world, "A", 40).await;
    world.page(&world.ada, "B/own").await;
    assert_eq!(to(&world, "A", 1, "B").await.status, 200);
    assert!(!on_the_move(&world).await);
    let paths = world.paths(&world.ada).await;
    assert_eq!((paths.len(), paths[0].as_str()), (42, "B"));
    assert!(paths.iter().all(|path| path.starts_with('B')) && paths.contains(&"B/own".to_owned()));
}

#[tokio::test]
async fn case_and_place_among_siblings_change_too() {
    let world = World::new().await;
    large(&world, "a", 40).await;
    world.page(&world.ada, "0").await;
    assert_eq!(to(&world, "a", 1, "Ä a").await.status, 200);
    assert_eq!(to(&world, "%C3%A4%20a", 2, "Ä A").await.status, 200);
    let paths = world.paths(&world.ada).await;
    assert!(paths[0] == "0" && paths[1..].iter().all(|path| path.starts_with("Ä A")), "{paths:?}");
    let first = moved(&world, &world.ada, "%C3%84%20a", json!({"version": 3, "position": -1})).await.json;
    assert_eq!(world.paths(&world.ada).await[..2], ["Ä A", "Ä A/many/000"]);
    assert_eq!(
        moved(&world, &world.ada, "%C3%84%20A", json!({"version": 4, "position": -1})).await.json,
        first
    );
}

#[tokio::test]
async fn readers_and_editors_go_along_and_those_of_the_new_place_come_in_addition() {
    let world = World::new().await;
    for page in ["Open", "Team", "Team/Plans", "Team/Plans/2026"] {
        world.page(&world.ada, page).await;
    }
    let admins = || json!({"version": 1, "read": {"who": "admins"}});
    world.set_access(&world.owner, "Team/Plans/2026", admins()).await;
    // Who may move a page moves those below that they do not see.
    assert_eq!(to(&world, "Team/Plans", 1, "Open/Plans").await.status, 200);
    assert_eq!(world.paths(&world.ada).await, ["Open", "Open/Plans", "Team"]);
    assert_eq!(world.paths(&world.owner).await, ["Open", "Open/Plans", "Open/Plans/2026", "Team"]);
    world.set_access(&world.owner, "Team", admins()).await;
    let reply = moved(&world, &world.owner, "Open", json!({"version": 1, "to": "Team/Open"})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(world.paths(&world.ada).await, [""; 0]);
    let absent = world.get(&world.ada, "/pages/Absent").await.snapshot();
    for old in ["Open", "Open/Plans", "Team/Plans", "Team/Open/Plans"] {
        assert_eq!(world.get(&world.ada, &format!("/pages/{old}")).await.snapshot(), absent, "{old}");
    }
}

/// The paths that somebody sees at once are those before the move or those after it.
#[tokio::test]
async fn nobody_sees_half_of_a_large_move() {
    let world = World::new().await;
    large(&world, "A", 120).await;
    let done = std::cell::Cell::new(false);
    let mover = async {
        assert_eq!(to(&world, "A", 1, "B/A").await.status, 200);
        done.set(true);
    };
    let reader = async {
        let (mut seen, mut last) = (BTreeSet::new(), false);
        while !last {
            last = done.get();
            let paths = world.paths(&world.guest).await;
            let kinds: BTreeSet<char> = paths.iter().filter_map(|path| path.chars().next()).collect();
            assert_eq!((paths.len(), kinds.len()), (121, 1), "{paths:?}");
            seen.extend(kinds);
            let page = world.get(&world.guest, "/pages/A/many/119").await;
            assert_eq!(page.status, 200, "by its old address or the new one");
        }
        seen
    };
    let (seen, ()) = futures::join!(reader, mover);
    assert!(seen.contains(&'B'));
}

#[tokio::test]
async fn a_move_that_was_cut_off_is_finished_by_whoever_comes_next() {
    for next in ["a reader", "a writer", "another move", "a worker"] {
        let world = World::new().await;
        large(&world, "A", 120).await;
        let mut moving = Box::pin(to(&world, "A", 1, "B"));
        let bound = tokio::time::timeout(Duration::from_secs(30), async {
            while !on_the_move(&world).await {
                assert!(futures::poll!(&mut moving).is_pending(), "a large move takes several commits");
            }
        });
        bound.await.unwrap();
        drop(moving);
        assert!(on_the_move(&world).await, "it was cut off");
        match next {
            "a reader" => assert_eq!(world.get(&world.ada, "/pages/B/many/119").await.status, 200),
            "a writer" => {
                let put = world.put(&world.ada, "A/many/119", json!({"version": 1, "body": "New"})).await;
                assert_eq!(put.json["path"], "B/many/119", "{}", put.text);
            }
            "another move" => assert_eq!(to(&world, "B/many/119", 1, "C").await.status, 200),
            _ => {
                world.kit.advance(jiff::SignedDuration::from_secs(120));
                svc_app::outbox::sweep(&world.kit.app).await.unwrap();
                let messages = world.kit.app.queue.receive(10, Duration::ZERO).await.unwrap();
                for message in messages {
                    let message = serde_json::from_str(&message.body).unwrap();
                    svc_workers::handle(&world.kit.app, &message).await.unwrap();
                }
            }
        }
        assert!(!on_the_move(&world).await, "{next} finishes it");
        let paths = world.paths(&world.ada).await;
        assert!(paths.len() == 121 && paths.iter().all(|path| !path.starts_with('A')), "{next}: {paths:?}");
    }
}

/// Pages that are moved into each other, written and created at once: none is lost, none is in two places.
#[tokio::test]
async fn raced_moves_lose_no_page_and_close_no_circle() {
    let world = World::new().await;
    for page in ["A", "B", "C"] {
        large(&world, page, 35).await;
    }
    let moves = [("A", "B/A"), ("B", "C/B"), ("C", "A/C"), ("A", "C/A")];
    let moving = join_all(moves.map(|(page, target)| to(&world, page, 1, target)));
    let writing = join_all((0..10).map(|n| {
        let world = &world;
        async move {
            let body = json!({"version": 1, "body": "Written meanwhile"});
            world.put(&world.ada, &format!("A/many/{n:03}"), body).await
        }
    }));
    let creating = join_all((0..10).map(|n| {
        let world = &world;
        async move { world.put(&world.ada, &format!("B/many/new-{n}"), json!({"body": "New"})).await }
    }));
    let (moved, written, created) = futures::join!(moving, writing, creating);
    assert!(moved.iter().any(|reply| reply.status == 200));
    assert!(moved.iter().all(|reply| matches!(reply.status.as_u16(), 200 | 409 | 422)));
    let created = created.iter().filter(|reply| reply.status == 200).count();
    let tree = world.get(&world.ada, "").await.json;
    let ids: BTreeSet<&str> =
        tree.as_array().unwrap().iter().map(|page| page["id"].as_str().unwrap()).collect();
    assert_eq!((ids.len(), tree.as_array().unwrap().len()), (108 + created, 108 + created));
    for reply in written.iter().filter(|reply| reply.status == 200) {
        let id = &reply.json["id"];
        let path = tree.as_array().unwrap().iter().find(|page| &page["id"] == id).unwrap()["path"].clone();
        let page = world.get(&world.ada, &format!("/pages/{}", path.as_str().unwrap())).await.json;
        assert_eq!(page["body"], "Written meanwhile");
    }
}
