//! Exports of other trackers that are sent whole: what would come, and that it comes once, part by part.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

use crate::world::World;

/// A request that carries a file.
fn export(source: &str, name: &str, text: &str) -> Value {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let gzip = STANDARD.encode(packed.finish().unwrap());
    json!({"source": source, "files": [{"name": name, "gzip": gzip}], "timeZone": "UTC"})
}

const JIRA: &str = "\u{feff}Summary,Issue key,Issue Type,Status,Assignee,Created,Labels,Labels,Comment,Parent\r\n\
    \"Cut, off\",SHOP-2,Bug,In Review,ada@example.com,03/Jan/26 9:00 AM,ui,api,03/Jan/26 10:00 AM;ada@example.com;Me too,SHOP-1\r\n\
    Names,SHOP-1,Story,To Do,Former user,02/Jan/26 9:00 AM,,,,,too wide\r\n";

#[tokio::test]
async fn an_export_is_previewed_mapped_and_comes_once() {
    let world = World::with_team().await;
    let (preview, files) = ("/projects/PRJ/import/preview", "/projects/PRJ/import/files");
    let mut wanted = export("jira", "jira.csv", JIRA);
    let would = world.post_as(&world.owner, preview, wanted.clone()).await;
    assert_eq!(would.status, 200, "{}", would.text);
    assert_eq!((&would.json["source"], &would.json["found"]["items"]), (&json!("jira:SHOP"), &json!(2)));
    let states: Vec<_> =
        would.json["states"].as_array().unwrap().iter().map(|word| &word["source"]).collect();
    assert_eq!(states, ["In Review", "To Do"]);
    assert_eq!(would.json["sample"][0]["title"], "Names", "parents come first");
    assert!(would.text.contains("the row is wider than the header"), "{}", would.text);
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 0, "a preview writes nothing");

    wanted["mapping"] = json!({"states": {"In Review": "Closed"}, "types": {"Bug": "task"}});
    let came = world.post_as(&world.owner, files, wanted.clone()).await;
    assert_eq!(came.status, 200, "{}", came.text);
    assert_eq!((&came.json["done"], came.json.get("next")), (&came.json["records"], None), "{}", came.text);
    let key = |id: &str| {
        let items = came.json["items"].as_array().unwrap();
        items.iter().find(|item| item["id"] == id).unwrap()["key"].as_str().unwrap().to_owned()
    };
    let item = world.get(&format!("/items/{}", key("SHOP-2"))).await.json;
    assert_eq!(
        (&item["title"], &item["state"], &item["type"]),
        (&json!("Cut, off"), &json!("Closed"), &json!("task"))
    );
    assert_eq!(
        (&item["createdAt"], &item["parent"]),
        (&json!("2026-01-03T09:00:00Z"), &json!(key("SHOP-1")))
    );
    assert_eq!(item["assignee"]["id"], world.ada.id.to_string());
    let again = world.post_as(&world.owner, files, wanted.clone()).await.json;
    assert_eq!((&again["created"], &again["changed"]), (&json!(0), &json!(0)), "{again:#}");
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 2);
    wanted["from"] = came.json["records"].clone();
    let nothing = world.post_as(&world.owner, files, wanted).await.json;
    assert_eq!((nothing.get("next"), &nothing["unchanged"]), (None, &json!(0)));
}

#[tokio::test]
async fn a_long_import_goes_on_where_the_request_before_stopped() {
    let world = World::with_team().await;
    let rows: String = (0..4_100).map(|row| format!("{row},Item {row}\n")).collect();
    let mut wanted = export("csv", "work.csv", &format!("Id,Title\n{rows}"));
    let (mut requests, mut created) = (0, 0);
    loop {
        let came = world.post_as(&world.owner, "/projects/PRJ/import/files", wanted.clone()).await.json;
        (requests, created) = (requests + 1, created + came["created"].as_u64().unwrap());
        match came.get("next").cloned() {
            Some(next) => wanted["from"] = next,
            None => break,
        }
    }
    assert!(requests > 1);
    assert_eq!(created, 4_100);
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 4_100);
}

#[tokio::test]
async fn what_cannot_be_read_is_said_by_the_field_that_is_wrong() {
    let world = World::with_team().await;
    let wrong = async |wanted: Value| {
        let reply = world.post_as(&world.owner, "/projects/PRJ/import/preview", wanted).await;
        assert_eq!(reply.status, 422, "{}", reply.text);
        let errors = reply.json["errors"].as_object().unwrap().clone();
        assert_eq!(errors.len(), 1, "{}", reply.text);
        let (field, why) = errors.into_iter().next().unwrap();
        (field, why[0].as_str().unwrap().to_owned())
    };
    let (field, why) = wrong(export("csv", "x.csv", "Title,Due\nA,3/4/2026\n")).await;
    assert_eq!((field.as_str(), why.contains("two ways")), ("dates", true), "{why}");
    assert!(!why.contains("--"), "options of the command line are not told: {why}");
    assert_eq!(wrong(export("linear", "x.csv", "Title\nA\n")).await.0, "files");
    assert_eq!(wrong(export("csv", "x.csv", &"x".repeat(33 * 1024 * 1024))).await.0, "files");
    let mut other = export("csv", "x.csv", "Title\nA\n");
    other["timeZone"] = json!("Mars");
    assert_eq!(wrong(other.clone()).await.0, "timeZone");
    other["timeZone"] = json!("UTC");
    other["mapping"] = json!({"states": {"(none)": "Nowhere"}});
    assert_eq!(wrong(other.clone()).await.0, "mapping");
    other["files"] = json!([]);
    assert_eq!(wrong(other).await.0, "files");
    let large = json!({"source": "csv", "files": [{"name": "x", "gzip": "A".repeat(6 * 1024 * 1024)}]});
    let reply = world.post_as(&world.owner, "/projects/PRJ/import/preview", large).await;
    assert_eq!(reply.status, 413, "{}", reply.text);
}

#[tokio::test]
async fn only_admins_of_the_project_have_exports_read() {
    let world = World::with_team().await;
    for route in ["preview", "files"] {
        let path = format!("/projects/PRJ/import/{route}");
        for (token, status) in [(&world.ada.token, 403), (&world.outsider.token, 404)] {
            let reply = world.post_as(token, &path, export("jira", "jira.csv", "no export at all")).await;
            assert_eq!(reply.status, status, "nothing of the file is told: {}", reply.text);
        }
        let reply = world.post_as(&world.chief.token, &path, export("jira", "jira.csv", JIRA)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
}
