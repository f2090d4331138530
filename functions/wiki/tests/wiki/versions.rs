//! The versions of a page: each is kept, any two compare, an old one comes back.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::world::World;

/// A page of three versions.
async fn written(world: &World) {
    world.put(&world.ada, "Home", json!({"body": "# Home\n\nOne\n"})).await;
    world.put(&world.ada, "Home", json!({"version": 1, "body": "# Home\n\nTwo\n"})).await;
    world.put(&world.operator, "Home", json!({"version": 2, "body": "# House\n\nTwo\nand a half"})).await;
}

#[tokio::test]
async fn every_version_is_there_to_be_read() {
    let world = World::new().await;
    written(&world).await;
    let first = world.get(&world.guest, "/version/1/home").await;
    assert_snapshot!(first.snapshot());
    assert_eq!(world.get(&world.ada, "/version/3/Home").await.json["author"]["name"], "operator");
    let absent = world.get(&world.ada, "/pages/Absent").await.snapshot();
    for path in ["/version/0/Home", "/version/4/Home", "/version/x/Home", "/version/1/Absent"] {
        assert_eq!(world.get(&world.ada, path).await.snapshot(), absent, "{path}");
    }
    let numbers = async |query: &str| -> Vec<Value> {
        let versions = world.get(&world.ada, &format!("/versions/Home{query}")).await.json;
        versions.as_array().unwrap().iter().map(|version| version["version"].clone()).collect()
    };
    assert_eq!(numbers("").await, [3, 2, 1]);
    assert_eq!(numbers("?before=3").await, [2, 1]);
    assert_eq!(numbers("?before=1").await, [0; 0]);
    assert_eq!(numbers("?before=99").await, [3, 2, 1]);
}

#[tokio::test]
async fn any_two_versions_compare_line_by_line() {
    let world = World::new().await;
    written(&world).await;
    assert_snapshot!(world.get(&world.guest, "/diff/Home").await.snapshot());
    let unified = async |query: &str| {
        let diff = world.get(&world.ada, &format!("/diff/Home?{query}")).await.json;
        (diff["from"].clone(), diff["to"].clone(), diff["unified"].as_str().unwrap().to_owned())
    };
    assert_eq!(
        unified("to=2").await,
        (json!(1), json!(2), "@@ -1,3 +1,3 @@\n # Home\n \n-One\n+Two\n".into())
    );
    assert_eq!(
        unified("from=2&to=1").await,
        (json!(2), json!(1), "@@ -1,3 +1,3 @@\n # Home\n \n-Two\n+One\n".into())
    );
    assert_eq!(unified("from=0&to=1").await.2, "@@ -0,0 +1,3 @@\n+# Home\n+\n+One\n");
    assert_eq!(unified("from=2&to=2").await.2, "");
    for query in ["from=9", "to=9", "to=0"] {
        assert_eq!(world.get(&world.ada, &format!("/diff/Home?{query}")).await.status, 404, "{query}");
    }
    let refused = world.get(&world.ada, "/diff/Home?from=x").await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (400, "invalid-query"));
}

#[tokio::test]
async fn an_old_version_comes_back_as_the_next_one() {
    let world = World::new().await;
    written(&world).await;
    let restore = async |token: &str, body: Value| world.post(token, "/restore/home", body).await;
    let stale = restore(&world.ada, json!({"version": 2, "restore": 1})).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(3)));
    let absent = restore(&world.ada, json!({"version": 3, "restore": 7})).await;
    assert_eq!(absent.json["errors"]["restore"], json!(["The page has no version 7."]));
    assert_eq!(restore(&world.guest, json!({"version": 3, "restore": 1})).await.problem(), "forbidden");
    let back = restore(&world.ada, json!({"version": 3, "restore": 1})).await.json;
    assert_eq!((&back["version"], &back["body"]), (&json!(4), &json!("# Home\n\nOne\n")));
    let newest = &world.get(&world.ada, "/version/4/Home").await.json;
    assert_eq!(newest["change"], json!({"kind": "restored", "version": 1}));
    // Bringing back what is there changes nothing, so that a repeated call is harmless.
    let again = restore(&world.ada, json!({"version": 4, "restore": 1})).await.json;
    assert_eq!(again, back);
}
