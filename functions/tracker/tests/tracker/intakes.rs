//! Intakes: addresses at which monitoring and forms make items.

use axum::body::Body;
use http::{Method, Request, header};
use serde_json::{Value, json};
use svc_domain::ids::ItemKey;
use svc_storage::{Query, Range, keys};
use svc_testkit::{Reply, call, send};

use crate::world::World;

async fn as_chief(world: &World, method: Method, path: &str, body: Value) -> Reply {
    let path = format!("/orgs/demo/projects/PRJ{path}");
    let body = (!body.is_null()).then_some(body);
    call(&world.router, method, &path, Some(&world.chief.token), body).await
}

/// Makes an intake; answers it and the path of its address.
async fn made(world: &World, new: Value) -> (Value, String) {
    let made = as_chief(world, Method::POST, "/intakes", new).await;
    assert_eq!(made.status, 201, "{}", made.text);
    (made.json["intake"].clone(), path_of(&made))
}

fn path_of(made: &Reply) -> String {
    let url = made.json["url"].as_str().unwrap();
    let (_, address) = url.split_once("/api/v1").unwrap();
    assert!(address.starts_with("/intake/svx_"), "{url}");
    address.to_owned()
}

async fn report(world: &World, address: &str, body: Value) -> Reply {
    call(&world.router, Method::POST, address, None, Some(body)).await
}

/// What it made, counted and resolved.
fn counts(reply: &Reply) -> [u64; 3] {
    assert_eq!(reply.status, 200, "{}", reply.text);
    ["created", "repeated", "resolved"].map(|name| reply.json[name].as_u64().unwrap())
}

fn alerts(status: &str, fingerprints: &[&str]) -> Value {
    let alert = |fingerprint: &&str| {
        json!({
            "status": status, "fingerprint": fingerprint, "labels": {"alertname": "DiskFull"},
            "annotations": {"summary": "@ada look", "description": "97 %"},
        })
    };
    let alerts: Vec<Value> = fingerprints.iter().map(alert).collect();
    json!({"version": "4", "groupKey": "g", "status": status, "alerts": alerts})
}

async fn comments(world: &World, item: &str) -> Vec<Value> {
    world.get(&format!("/items/{item}/comments")).await.json["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_alert_makes_one_item_while_that_is_open() {
    let world = World::new().await;
    let (intake, address) =
        made(&world, json!({"name": "Alerts", "template": "bug report", "closesResolved": true})).await;
    assert_eq!(intake["commentsResolved"], true);
    assert_eq!(counts(&report(&world, &address, alerts("firing", &["a", "b"])).await), [2, 0, 0]);
    assert_eq!(counts(&report(&world, &address, alerts("firing", &["a", "b"])).await), [0, 2, 0]);
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!((&item["title"], &item["type"]), (&json!("DiskFull: @ada look"), &json!("bug")));
    assert!(item["body"].as_str().unwrap().starts_with("## What happens"), "{item}");
    assert_eq!(item["createdBy"]["name"], "Alerts (intake)");
    assert_eq!(comments(&world, "PRJ-1").await.len(), 0, "repeats are only counted");

    assert_eq!(counts(&report(&world, &address, alerts("resolved", &["a"])).await), [0, 0, 1]);
    assert_eq!(counts(&report(&world, &address, alerts("resolved", &["a", "unknown"])).await), [0, 0, 0]);
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!(item["stateGroup"], "backlog", "the workflow does not permit that move from there");
    let told = comments(&world, "PRJ-1").await;
    assert_eq!(told.len(), 1);
    assert!(told[0]["body"].as_str().unwrap().starts_with("Reported as resolved."), "{told:?}");
    let history = world.get("/items/PRJ-1/history").await.json;
    assert!(
        history["items"].as_array().unwrap().iter().all(|line| line["actor"]["name"] == "Alerts (intake)"),
        "{history}"
    );

    let again = report(&world, &address, alerts("firing", &["a"])).await;
    assert_eq!(counts(&again), [0, 1, 0], "its item is open");
}

#[tokio::test]
async fn a_repeat_is_a_comment_where_the_intake_says_so_and_its_admin_may_write() {
    let world = World::new().await;
    world.kit.project(&world.org, "OPS").await;
    let as_owner = |method: Method, path: &'static str, body: Option<Value>| {
        let (router, token) = (&world.router, &world.owner);
        async move { call(router, method, path, Some(token), body).await }
    };
    let (intake, address) = made(&world, json!({"name": "Form", "commentsRepeats": true})).await;
    let body = json!({"title": "Down", "text": "@bob help", "id": 7});
    assert_eq!(counts(&report(&world, &address, body.clone()).await), [1, 0, 0]);
    assert_eq!(counts(&report(&world, &address, body.clone()).await), [0, 1, 0]);
    let told = comments(&world, "PRJ-1").await;
    assert_eq!(told[0]["body"], "Reported again (report 2).\n\n@bob help");

    let to = Some(json!({"version": 1, "project": "OPS"}));
    let moved = as_owner(Method::POST, "/orgs/demo/items/PRJ-1/transfer", to).await;
    assert_eq!(moved.status, 200, "{}", moved.text);
    assert_eq!(counts(&report(&world, &address, body.clone()).await), [0, 1, 0]);
    let there = as_owner(Method::GET, "/orgs/demo/items/OPS-1/comments", None).await.json["items"].clone();
    assert_eq!(there.as_array().unwrap().len(), 1, "the chief is no member of OPS");
    let at = format!("/orgs/demo/projects/PRJ/intakes/{}", intake["id"].as_str().unwrap());
    let change = Some(json!({"version": 1, "name": "Owner's"}));
    let saved = call(&world.router, Method::PATCH, &at, Some(&world.owner), change).await;
    assert_eq!(saved.status, 200, "{}", saved.text);
    assert_eq!(counts(&report(&world, &address, body).await), [0, 1, 0]);
    let there = as_owner(Method::GET, "/orgs/demo/items/OPS-1/comments", None).await.json["items"].clone();
    assert_eq!(there[1]["body"], "Reported again (report 4).\n\n@bob help", "the owner is");
    // The words are a stranger's: nobody is mentioned, and nobody watches but who moved it.
    let pk = keys::item_pk(world.org.id, &"OPS-1".parse::<ItemKey>().unwrap());
    let rows = world.kit.app.table.query_all(Query::new(pk, Range::All, 100)).await.unwrap();
    assert!(rows.iter().all(|row| !row.key.sk.starts_with("WATCH#") && !row.doc.contains("\"mentions\"")));
}

#[tokio::test]
async fn a_form_is_taken_and_a_mapping_says_what_its_fields_are() {
    let world = World::new().await;
    let label =
        as_chief(&world, Method::POST, "/labels", json!({"name": "Website", "color": "#0e8a16"})).await;
    assert_eq!(label.status, 201, "{}", label.text);
    let mapping = json!({"title": "what", "body": "more", "labels": "where"});
    let (_, address) = made(&world, json!({"name": "Form", "mapping": mapping})).await;
    let form = Request::post(format!("/api/v1{address}"))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("what=It+broke%0d%0a%3Cb%3E&more=%2A%2Abold%2A%2A&where=website&where=made-up&id=3"))
        .unwrap();
    assert_eq!(counts(&send(&world.router, form).await), [1, 0, 0]);
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!((&item["title"], &item["body"]), (&json!("It broke <b>"), &json!("**bold**")));
    assert_eq!(item["labels"], json!(["Website"]), "a stranger makes no labels");
    let nothing = report(&world, &address, json!({})).await;
    assert_eq!(counts(&nothing), [1, 0, 0]);
    assert_eq!(world.get("/items/PRJ-2").await.json["title"], "Report at Form");
    for (body, problem) in [("[1]", "malformed-request"), ("{", "malformed-request")] {
        let wrong = Request::post(format!("/api/v1{address}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .unwrap();
        let wrong = send(&world.router, wrong).await;
        assert!((400..=422).contains(&wrong.status.as_u16()), "{problem}: {}", wrong.text);
    }
}

#[tokio::test]
async fn an_address_works_for_as_long_as_it_should() {
    let world = World::new().await;
    let (intake, first) = made(&world, json!({"name": "Form"})).await;
    let at = format!("/intakes/{}", intake["id"].as_str().unwrap());
    let title = json!({"title": "x"});
    let rotated = as_chief(&world, Method::POST, &format!("{at}/rotate"), Value::Null).await;
    let second = path_of(&rotated);
    assert_eq!(report(&world, &first, title.clone()).await.problem(), "not-found");
    assert_eq!(counts(&report(&world, &second, title.clone()).await), [1, 0, 0]);
    let change = |body: Value| as_chief(&world, Method::PATCH, &at, body);
    assert_eq!(change(json!({"version": 1, "disabled": true})).await.problem(), "stale-version");
    assert_eq!(change(json!({"version": 2, "disabled": true})).await.json["disabled"], true);
    assert_eq!(report(&world, &second, title.clone()).await.problem(), "not-found");
    assert_eq!(change(json!({"version": 3, "disabled": false})).await.json["version"], 4);
    assert_eq!(counts(&report(&world, &second, title.clone()).await), [1, 0, 0]);

    let listed = as_chief(&world, Method::GET, "/intakes", Value::Null).await;
    assert!(!listed.text.contains("svx_") && listed.json[0]["name"] == "Form", "{}", listed.text);
    assert_eq!(world.get("/projects/PRJ/intakes").await.problem(), "forbidden", "Ada is no Admin");
    let twice = as_chief(&world, Method::POST, "/intakes", json!({"name": "form"})).await;
    assert_eq!(twice.problem(), "already-exists");

    // Whoever saved it is no Admin of the project any more.
    let removed = call(
        &world.router,
        Method::PATCH,
        "/orgs/demo/projects/PRJ",
        Some(&world.owner),
        Some(json!({"version": 1, "archived": true})),
    )
    .await;
    assert_eq!(removed.status, 200, "{}", removed.text);
    assert_eq!(report(&world, &second, title.clone()).await.problem(), "project-archived");
    let back = json!({"version": 2, "archived": false});
    call(&world.router, Method::PATCH, "/orgs/demo/projects/PRJ", Some(&world.owner), Some(back)).await;

    assert_eq!(as_chief(&world, Method::DELETE, &at, Value::Null).await.status, 204);
    assert_eq!(report(&world, &second, title).await.problem(), "not-found");
    let rows = world.kit.app.table.scan(1_000, None).await.unwrap().rows;
    assert!(rows.iter().all(|row| !row.key.pk.starts_with("INTAKE#")));
}

#[tokio::test]
async fn reports_are_bounded() {
    let world = World::new().await;
    let (_, address) = made(&world, json!({"name": "Form"})).await;
    let many: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for _ in 0..3 {
        assert_eq!(report(&world, &address, alerts("firing", &many)).await.status, 200);
    }
    assert_eq!(report(&world, &address, json!({"title": "x"})).await.problem(), "rate-limited");
    let more = "x".repeat(3_000_000);
    assert_eq!(report(&world, &address, json!({"title": more})).await.status, 413);
}

#[tokio::test]
async fn of_many_reports_of_one_thing_at_once_one_makes_the_item() {
    let world = World::new().await;
    let (_, address) = made(&world, json!({"name": "Form"})).await;
    let all = (0..6).map(|_| report(&world, &address, json!({"title": "x", "key": "same"})));
    let all = futures::future::join_all(all).await;
    let sum = all.iter().map(counts).fold([0, 0], |sum, [made, again, _]| [sum[0] + made, sum[1] + again]);
    assert_eq!(sum, [1, 5]);
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    // The tokens of this world have no records.
    let wrong: Vec<_> = report.findings.iter().filter(|found| !found.row.starts_with("SECRET#")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
