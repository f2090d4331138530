//! What will be dropped says so in the contract and in its answers (specification section 9.5).

use aide::axum::routing::{get_with, put_with};
use http::Method;
use jiff::civil::date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_http::deprecation::{Deprecation, deprecated};
use svc_http::doc::operation;
use svc_http::{ApiRouter, Body, Json, Query};
use svc_testkit::{Areas, Reply, TestApp, call};

#[derive(Serialize, JsonSchema)]
struct Thing {
    name: String,
    /// Another word for `name`.
    #[schemars(extend("deprecated" = true, "x-sunset" = "2027-06-01"))]
    label: String,
}

#[derive(Deserialize, JsonSchema)]
struct ThingsQuery {
    #[serde(default)]
    name: String,
    /// Another word for `name`.
    #[serde(default)]
    #[schemars(extend("deprecated" = true, "x-sunset" = "2027-06-01", "x-migration" = "/docs#names"))]
    label: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutThings {
    /// Another word for `things`.
    #[serde(default)]
    #[schemars(extend("deprecated" = true, "x-sunset" = "2027-08-01"))]
    stuff: Option<String>,
    #[serde(default)]
    things: Vec<PutThing>,
}

#[derive(Deserialize, JsonSchema)]
struct PutThing {
    #[serde(default)]
    name: String,
    /// Another word for `name`.
    #[serde(default)]
    #[schemars(extend("deprecated" = true, "x-sunset" = "2027-06-01", "x-migration" = "/docs#names"))]
    label: String,
    #[serde(default)]
    within: Option<Box<PutThing>>,
}

async fn put(Body(body): Body<PutThings>) -> Json<Vec<String>> {
    let names = body.things.into_iter().map(|thing| {
        let within = thing.within.map(|within| within.name).unwrap_or_default();
        format!("{}{}{within}", thing.name, thing.label)
    });
    Json(names.chain(body.stuff).collect())
}

async fn thing() -> Json<Thing> {
    Json(Thing { name: "a".into(), label: "a".into() })
}

async fn things(Query(query): Query<ThingsQuery>) -> Json<Vec<String>> {
    Json(vec![query.name, query.label])
}

fn router() -> ApiRouter {
    let end = Deprecation { sunset: Some(date(2027, 5, 1)), migration: Some("/docs#things") };
    let no_end = Deprecation { sunset: None, migration: None };
    ApiRouter::new()
        .api_route("/thing", get_with(thing, |op| operation(op, "getThing", "Things", "One", "It.")))
        .api_route("/things", get_with(things, |op| operation(op, "listThings", "Things", "All", "They.")))
        .api_route("/all", put_with(put, |op| operation(op, "putThings", "Things", "All", "They.")))
        .api_route(
            "/stuff/{*path}",
            get_with(thing, move |op| deprecated(operation(op, "getStuff", "Things", "Old", "It."), end)),
        )
        .api_route(
            "/stuffs",
            get_with(things, move |op| {
                deprecated(operation(op, "listStuff", "Things", "Old", "It."), no_end)
            }),
        )
}

async fn get(path: &str) -> Reply {
    let kit = TestApp::new();
    call(&kit.router(&Areas::new([router()])), Method::GET, path, None, None).await
}

/// The headers `Deprecation`, `Sunset` and `Link`.
async fn told(path: &str) -> [Option<String>; 3] {
    said(&get(path).await)
}

fn said(reply: &Reply) -> [Option<String>; 3] {
    ["deprecation", "sunset", "link"]
        .map(|name| reply.headers.get(name).map(|value| value.to_str().unwrap().to_owned()))
}

#[tokio::test]
async fn answers_of_what_will_be_dropped_say_so() {
    let of = |sunset: &str, link: &str| {
        [Some("true".to_owned()), Some(sunset.to_owned()), Some(format!("<{link}>; rel=\"deprecation\""))]
    };
    let none = [None, None, None];
    assert_eq!(told("/stuff/a/b").await, of("Sat, 01 May 2027 00:00:00 GMT", "/docs#things"));
    assert_eq!(told("/stuffs?name=a").await, [Some("true".to_owned()), None, None]);
    // A parameter says so to who sends it, the earliest end where several things end.
    let names = of("Tue, 01 Jun 2027 00:00:00 GMT", "/docs#names");
    assert_eq!(told("/things?label=a").await, names);
    assert_eq!(told("/stuffs?label=a").await, names);
    for path in ["/thing", "/things", "/things?name=label", "/things?labels=1", "/nothing"] {
        assert_eq!(told(path).await, none, "{path}");
    }
}

#[tokio::test]
async fn who_sends_a_field_that_will_be_dropped_is_told_so() {
    let kit = TestApp::new();
    let router = kit.router(&Areas::new([router()]));
    let put = async |body: Value| call(&router, Method::PUT, "/all", None, Some(body)).await;
    let ends = |sunset: &str| [Some("true".to_owned()), Some(sunset.to_owned()), None];
    let stuff = put(json!({"stuff": "a"})).await;
    assert_eq!((said(&stuff), stuff.json), (ends("Sun, 01 Aug 2027 00:00:00 GMT"), json!(["a"])));
    // In each element of a list, the earliest end where several fields end.
    let both = json!({"stuff": "a", "things": [{"name": "b"}, {"label": "c"}]});
    let link = Some("</docs#names>; rel=\"deprecation\"".to_owned());
    let both = put(both).await;
    let [_, sunset, told] = said(&both);
    assert_eq!((sunset.as_deref(), told), (Some("Tue, 01 Jun 2027 00:00:00 GMT"), link));
    assert_eq!(both.json, json!(["b", "c", "a"]));
    let refused = put(json!({"stuff": 7})).await;
    assert_eq!((refused.status.as_u16(), said(&refused)[0].as_deref()), (422, Some("true")));
    for body in [json!({"things": [{"name": "stuff"}]}), json!(["stuff"]), json!({"unknown": {"stuff": 1}})] {
        assert_eq!(said(&put(body.clone()).await), [None, None, None], "{body}");
    }
    let large = put(json!({"stuff": "x".repeat(3_000_000)})).await;
    assert_eq!(large.status.as_u16(), 413, "{}", large.text);
}

#[test]
fn the_contract_marks_operations_parameters_and_fields() {
    let document = serde_json::to_value(TestApp::documented([router()]).1).unwrap();
    let operation = |path: &str| document["paths"][format!("/api/v1{path}")]["get"].clone();
    let old = operation("/stuff/{path}");
    assert_eq!(old["deprecated"], true);
    assert_eq!((&old["x-sunset"], &old["x-migration"]), (&json!("2027-05-01"), &json!("/docs#things")));
    let headers = old["responses"]["200"]["headers"].as_object().unwrap();
    assert_eq!(headers.keys().collect::<Vec<_>>(), ["Deprecation", "Link", "Sunset"]);
    let marked = |of: &Value| of["deprecated"] == true;
    assert!(!marked(&operation("/thing")) && !marked(&operation("/things")));
    let takes = &document["paths"]["/api/v1/all"]["put"];
    assert!(!marked(takes) && takes["responses"]["200"]["headers"]["Sunset"].is_object());
    let parameters = operation("/things")["parameters"].clone();
    // Parameters that operations share stand among the components.
    let resolved = |parameter: &Value| {
        let shared = parameter["$ref"].as_str().and_then(|place| place.strip_prefix('#'));
        shared.map_or_else(|| parameter.clone(), |place| document.pointer(place).unwrap().clone())
    };
    let named: Vec<Value> = parameters.as_array().unwrap().iter().map(resolved).collect();
    let parameter = |name: &str| named.iter().find(|p| p["name"] == name).cloned();
    assert!(marked(&parameter("label").unwrap()) && !marked(&parameter("name").unwrap()));
    let fields = &document["components"]["schemas"]["Thing"]["properties"];
    assert!(marked(&fields["label"]) && !marked(&fields["name"]));
}
