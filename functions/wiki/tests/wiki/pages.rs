//! Pages, their tree and their versions.

use futures::future::join_all;
use http::Method;
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::Scope;
use svc_storage::{Commit, Condition, Op, keys};
use svc_testkit::call;

use crate::world::World;

#[tokio::test]
async fn a_page_is_written_in_versions() {
    let world = World::new().await;
    let created = world.put(&world.ada, "Guides/How%20to%20release", json!({"body": "One"})).await;
    assert_snapshot!(created.snapshot());
    world.kit.advance(SignedDuration::from_secs(60));
    let next = json!({"version": 1, "body": "Two"});
    let written = world.put(&world.operator, "guides/how%20to%20RELEASE", next).await.json;
    assert_eq!((&written["version"], &written["id"]), (&json!(2), &created.json["id"]));
    assert_eq!(written["path"], "Guides/How to release", "a page keeps the case it was created in");
    let mut seen = world.get(&world.guest, "/pages/Guides/How%20to%20release").await.json;
    assert_eq!(seen["canEdit"], false, "a Guest reads");
    seen["canEdit"] = json!(true);
    assert_eq!(seen, written);
    assert_snapshot!(world.get(&world.ada, "/versions/guides/how%20to%20release").await.snapshot());
}

#[tokio::test]
async fn the_tree_has_every_page_without_its_text() {
    let world = World::new().await;
    assert_eq!(world.get(&world.ada, "").await.json, json!([]));
    for page in ["Home", "guides/Release", "Guides", "Zoo"] {
        world.page(&world.ada, page).await;
    }
    assert_eq!(world.paths(&world.guest).await, ["Guides", "guides/Release", "Home", "Zoo"]);
    let entry = serde_json::to_string_pretty(&world.get(&world.ada, "").await.json[1]).unwrap();
    assert_snapshot!(entry);
}

#[tokio::test]
async fn a_version_that_is_not_the_current_one_is_refused() {
    let world = World::new().await;
    let home = world.page(&world.ada, "Home").await;
    for version in [json!(null), json!(0), json!(2)] {
        let stale = world.put(&world.ada, "home", json!({"version": version, "body": "Other"})).await;
        assert_eq!((stale.status.as_u16(), stale.problem()), (409, "stale-version"), "{version}");
        assert_eq!(stale.json["currentVersion"], 1);
    }
    let absent = world.put(&world.ada, "Other", json!({"version": 1, "body": "Text"})).await;
    assert_eq!((absent.status.as_u16(), absent.problem()), (404, "not-found"));
    let same = json!({"version": 1, "body": "Text of Home"});
    assert_eq!(world.put(&world.operator, "Home", same).await.json, home, "no change, no version");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_those_who_write_at_once_one_wins() {
    let world = World::new().await;
    for round in 0..3_u64 {
        let version = if round == 0 { Value::Null } else { json!(round) };
        let writers = (0..10).map(|n| {
            let (router, token) = (world.router.clone(), world.ada.clone());
            let body = json!({"version": version, "body": format!("Round {round} by {n}")});
            let path = "/orgs/demo/projects/PRJ/wiki/pages/Home";
            tokio::spawn(async move { call(&router, Method::PUT, path, Some(&token), Some(body)).await })
        });
        let replies: Vec<_> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
        let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
        assert_eq!(won.len(), 1);
        assert_eq!(won[0].json["version"], round + 1);
        assert!(lost.iter().all(|reply| reply.problem() == "stale-version"));
    }
    let versions = world.get(&world.ada, "/versions/Home").await.json;
    assert_eq!(versions.as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn what_is_no_path_or_no_text_is_refused() {
    let world = World::new().await;
    let long = "a".repeat(81);
    let deep = ["a"; 11].join("/");
    for path in ["a//b", "a/", "%20a", "a%0Ab", "a/%2E%2E/b", &long, &deep] {
        let refused = world.put(&world.ada, path, json!({"body": "Text"})).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (422, "validation-failed"), "{path}");
        assert!(refused.json["errors"]["path"].is_array(), "{}", refused.text);
        assert_eq!(world.get(&world.ada, &format!("/pages/{path}")).await.status, 404, "{path}");
    }
    let wide = world.put(&world.ada, "Home", json!({"body": "語".repeat(199_999)})).await;
    assert_eq!(wide.status, 422, "a version is one row");
    assert!(wide.json["errors"]["body"][0].as_str().unwrap().ends_with("Split it into several pages."));
    for body in [
        json!({}),
        json!({"body": 1}),
        json!({"body": "x", "title": "y"}),
        json!({"body": "x".repeat(200_001)}),
    ] {
        let refused = world.put(&world.ada, "Home", body).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (422, "validation-failed"));
    }
    assert_eq!(world.paths(&world.ada).await, [""; 0]);
    let longest = world.put(&world.ada, "Home", json!({"body": "x".repeat(200_000)})).await;
    assert_eq!(longest.status, 200, "{}", longest.text);
}

#[tokio::test]
async fn who_sees_the_project_reads_and_who_works_in_it_writes() {
    let world = World::new().await;
    world.page(&world.ada, "Home").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let reader = world
        .kit
        .token(
            world.kit.user(&world.org, "r@example.com", svc_domain::identity::OrgRole::Owner, false).await,
            &[Scope::Read],
            None,
        )
        .await;
    for token in [&world.guest, &world.owner, &agent, &reader] {
        for path in ["", "/pages/Home", "/versions/Home"] {
            assert_eq!(world.get(token, path).await.status, 200, "{path}");
        }
    }
    for (token, problem) in [(&world.guest, "forbidden"), (&agent, "forbidden"), (&reader, "missing-scope")] {
        let refused = world.put(token, "Home", json!({"version": 1, "body": "Other"})).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (403, problem));
    }
    let written = world.put(&world.ada, "Home", json!({"version": 1, "body": "By Ada"})).await;
    assert_eq!(written.json["updatedBy"]["agent"], false, "{}", written.text);
    let absent = world.get(&world.ada, "/pages/Absent").await;
    for path in ["", "/pages/Home", "/versions/Home", "/pages/Absent"] {
        let refused = world.get(&world.outsider, path).await;
        assert_eq!(refused.snapshot(), absent.snapshot(), "{path}");
    }
    let hidden = world.put(&world.outsider, "Home", json!({"version": 2, "body": "X"})).await;
    assert_eq!(hidden.snapshot(), absent.snapshot());
    assert_eq!(world.get("nonsense", "").await.status, 401);
}

#[tokio::test]
async fn the_document_names_the_parameters_of_each_address() {
    let (_, document) = svc_testkit::TestApp::documented([svc_wiki::router()]);
    let paths = document.paths.unwrap().paths;
    let addresses: Vec<_> = paths.keys().map(String::as_str).collect();
    assert_snapshot!(addresses.join("\n"));
}

#[tokio::test]
async fn who_asks_for_html_gets_it_safe_beside_the_text() {
    let world = World::new().await;
    let body = "# Notes\n\nSee PRJ-12, not NOPE-1 nor UTF-8. <script>alert(1)</script> [a](javascript:x)";
    world.put(&world.ada, "Home", json!({"body": body})).await;
    let shown = world.get(&world.guest, "/pages/Home?render=html").await.json;
    assert_eq!(shown["body"], body);
    assert_snapshot!(shown["html"].as_str().unwrap());
    let version = world.get(&world.guest, "/version/1/Home?render=html").await.json;
    assert_eq!(version["html"], shown["html"]);
    assert!(world.get(&world.guest, "/pages/Home").await.json["html"].is_null(), "who asks for it");
    let refused = world.get(&world.guest, "/pages/Home?render=pdf").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (400, "invalid-query"));
    assert_eq!(world.get(&world.outsider, "/pages/Home?render=html").await.status, 404);
}

#[tokio::test]
async fn a_path_is_one_however_its_letters_are_composed() {
    let world = World::new().await;
    let parts = "Ka%CC%88se/Ru%CC%88hren";
    let created = world.put(&world.ada, parts, json!({"body": "One"})).await;
    assert_eq!((created.status.as_u16(), &created.json["path"]), (200, &json!("Käse/Rühren")));
    let twin = world.put(&world.ada, "K%C3%A4se/R%C3%BChren", json!({"body": "Two"})).await;
    assert_eq!(twin.problem(), "stale-version", "{}", twin.text);
    for path in [parts, "k%C3%A4se/r%C3%9Chren"] {
        let seen = world.get(&world.ada, &format!("/pages/{path}")).await;
        assert_eq!(seen.json["body"], "One", "{}", seen.text);
    }
    assert_eq!(world.paths(&world.ada).await, ["Käse/Rühren"]);
}

#[tokio::test]
async fn a_page_that_an_earlier_server_stored_with_its_letters_in_parts_is_found_and_moves() {
    let world = World::new().await;
    world.page(&world.ada, "K%C3%A4se").await;
    // An earlier server would have stored it so.
    let key = |path: &str| keys::wiki_page(world.org.id, &world.project.key, path);
    let table = &world.kit.app.table;
    let row = table.get(&key("Käse")).await.unwrap().unwrap();
    let mut page: Value = row.read().unwrap();
    page["path"] = "Ka\u{308}se".into();
    let ops = vec![Op::delete(row.key, Condition::None), Op::create(key("Ka\u{308}se"), &page)];
    table.commit(&Commit { ops, token: None }).await.unwrap();
    let twin = world.put(&world.ada, "K%C3%A4se", json!({"body": "Two"})).await;
    assert_eq!(twin.problem(), "stale-version", "{}", twin.text);
    let edited = world.put(&world.ada, "K%C3%A4se", json!({"version": 1, "body": "Two"})).await;
    assert_eq!(edited.json["version"], 2, "{}", edited.text);
    let moved = world.post(&world.ada, "/move/K%C3%A4se", json!({"version": 2, "to": "Käse"})).await;
    assert_eq!((moved.status.as_u16(), &moved.json["path"]), (200, &json!("Käse")), "{}", moved.text);
    assert_eq!(world.get(&world.ada, "/pages/K%C3%A4se").await.json["body"], "Two");
}

/// Two of them looked the same in the tree, and one could turn the text around it.
#[tokio::test]
async fn a_path_has_no_character_that_nobody_sees() {
    let world = World::new().await;
    for path in ["Ho%E2%80%8Bme", "Ho%E2%80%AEme", "Ho%E2%80%A8me"] {
        let refused = world.put(&world.ada, path, json!({"body": "One"})).await;
        assert_eq!(refused.problem(), "validation-failed", "{path}: {}", refused.text);
        assert!(refused.json["errors"]["path"].is_array(), "{}", refused.text);
    }
    world.page(&world.ada, "Home").await;
    let moved = json!({"version": 1, "to": "Ho\u{200b}me"});
    let refused = world.post(&world.ada, "/move/Home", moved).await;
    assert_eq!(refused.problem(), "validation-failed", "{}", refused.text);
}
