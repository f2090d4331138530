//! Deleting pages, and bringing them back.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn delete(world: &World, token: &str, page: &str) -> Reply {
    let path = format!("/orgs/demo/projects/PRJ/wiki/pages/{page}");
    call(&world.router, Method::DELETE, &path, Some(token), None).await
}

async fn undelete(world: &World, token: &str, id: &Value) -> Reply {
    world.post(token, &format!("/deleted/{}/restore", id.as_str().unwrap()), json!({})).await
}

async fn deleted(world: &World, token: &str) -> Vec<String> {
    let list = world.get(token, "/deleted").await.json;
    list.as_array().unwrap().iter().map(|page| page["path"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_deleted_page_is_gone_and_comes_back_with_its_versions() {
    let world = World::new().await;
    let page = world.page(&world.ada, "Guides/Release").await;
    world.put(&world.ada, "Guides/Release", json!({"version": 1, "body": "Second"})).await;
    assert_eq!(delete(&world, &world.guest, "Guides/Release").await.problem(), "forbidden");
    assert_eq!(delete(&world, &world.ada, "guides/release").await.status, 204);
    let absent = world.get(&world.ada, "/pages/Absent").await.snapshot();
    for path in ["/pages/Guides/Release", "/versions/Guides/Release", "/diff/Guides/Release"] {
        assert_eq!(world.get(&world.ada, path).await.snapshot(), absent, "{path}");
    }
    assert_eq!(delete(&world, &world.ada, "Guides/Release").await.problem(), "not-found");
    assert_eq!(
        (world.paths(&world.ada).await.len(), deleted(&world, &world.guest).await),
        (0, vec!["Guides/Release".to_owned()])
    );
    let listed = world.get(&world.ada, "/deleted").await.json[0].clone();
    assert_eq!((&listed["id"], &listed["deletedBy"]["name"]), (&page["id"], &json!("ada")));

    assert_eq!(undelete(&world, &world.guest, &page["id"]).await.problem(), "forbidden");
    let back = undelete(&world, &world.ada, &page["id"]).await;
    assert_eq!(
        (back.status.as_u16(), &back.json["version"], &back.json["body"]),
        (200, &json!(4), &json!("Second"))
    );
    let kinds: Vec<Value> = world
        .get(&world.ada, "/versions/Guides/Release")
        .await
        .json
        .as_array()
        .unwrap()
        .iter()
        .map(|version| version["change"]["kind"].clone())
        .collect();
    assert_eq!(kinds, ["restored", "deleted", "written", "written"]);
    assert_eq!(undelete(&world, &world.ada, &page["id"]).await.problem(), "not-found");
    assert!(deleted(&world, &world.ada).await.is_empty());
}

#[tokio::test]
async fn what_has_pages_below_it_stays_and_nothing_comes_below_what_goes() {
    let world = World::new().await;
    world.page(&world.ada, "A").await;
    world.page(&world.ada, "A/x").await;
    let refused = delete(&world, &world.ada, "A").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"));
    assert_eq!(delete(&world, &world.ada, "A/x").await.status, 204);
    let create = world.put(&world.ada, "A/y", json!({"body": "New"}));
    let (gone, created) = futures::join!(delete(&world, &world.ada, "A"), create);
    let paths = world.paths(&world.ada).await;
    match gone.status.as_u16() {
        204 => {
            assert_eq!((created.status.as_u16(), paths), (200, vec!["A/y".to_owned()]), "it was gone before")
        }
        _ => assert_eq!((gone.problem(), paths.len()), ("conflict", 2)),
    }
}

#[tokio::test]
async fn a_path_that_is_taken_and_a_page_that_is_hidden_do_not_come_back() {
    let world = World::new().await;
    let old = world.page(&world.ada, "Home").await;
    assert_eq!(delete(&world, &world.ada, "Home").await.status, 204);
    world.page(&world.ada, "home").await;
    let taken = undelete(&world, &world.ada, &old["id"]).await;
    let possible = "Another page has taken its path. Rename or delete that one, then restore this one.";
    assert_eq!((taken.problem(), taken.json["detail"].as_str()), ("already-exists", Some(possible)));
    let secret = world.page(&world.owner, "Secret").await;
    world.set_access(&world.owner, "Secret", json!({"version": 1, "read": {"who": "admins"}})).await;
    let prompt = world.page(&world.chief, "Factory/Notes").await;
    assert_eq!(delete(&world, &world.owner, "Secret").await.status, 204);
    assert_eq!(delete(&world, &world.operator, "Factory/Notes").await.problem(), "forbidden");
    assert_eq!(delete(&world, &world.chief, "Factory/Notes").await.status, 204);
    assert_eq!(deleted(&world, &world.ada).await, ["Home"]);
    let nothing = json!("00000000-0000-7000-8000-000000000000");
    let absent = undelete(&world, &world.ada, &nothing).await.snapshot();
    for page in [&secret, &prompt] {
        assert_eq!(undelete(&world, &world.ada, &page["id"]).await.snapshot(), absent);
    }
    assert_eq!(undelete(&world, &world.chief, &prompt["id"]).await.status, 200);
}
