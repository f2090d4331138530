//! What every operation answers to requests that are not what they should be (specification section 7).
//!
//! Each operation of the OpenAPI document is asked, as somebody who may, with bodies, names and query parameters
//! that are wrong in one way each. Every answer is a problem document that the contract names and that says what
//! was wrong; afterwards all that can be read is as it was. A new endpoint is walked by itself.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use axum::body::Body;
use http::{Method, Request, header};
use serde_json::{Map, Value, json};
use svc_authz::document::parameters;
use svc_authz::rows::{self, Row};
use svc_authz::who::{CALLERS, Caller, Cell};
use svc_authz::world::{Open, World, places};
use svc_testkit::{Reply, send};

const JSON: Option<&str> = Some("application/json");

/// More than any refusal has to say; what was sent may be a megabyte.
const LONGEST_REFUSAL: usize = 16 * 1024;

/// An operation and who asks it.
struct Operation {
    row: Row,
    token: String,
    /// As the document has it.
    documented: Value,
    /// Schema of the body that it takes.
    body: Value,
}

/// One request that is wrong in one way.
struct Wrong {
    what: String,
    path: String,
    media_type: Option<&'static str>,
    body: Vec<u8>,
    expected: Expected,
}

/// What answers it.
#[derive(Clone, Debug)]
enum Expected {
    /// One of these statuses, and something that names what is wrong where it is given.
    Problem(Vec<u16>, Option<String>),
    /// Anything but a failure of the service: the request can be understood.
    NoFailure,
    /// The same, in a copy of the world: what is too long may be cut or left aside.
    NoFailureInACopy,
}

impl Expected {
    fn problem(statuses: &[u16], naming: Option<&str>) -> Self {
        Self::Problem(statuses.to_vec(), naming.map(str::to_owned))
    }
}

fn operations(world: &World) -> Vec<Operation> {
    let document = serde_json::to_value(svc_local::areas().1).unwrap();
    let operation = |row: Row| {
        // What only the agent of a run may do is told to nobody else, whatever it sends.
        let place = row.who.cells.iter().position(|cell| *cell == Cell::Yes)?;
        let method = row.method.as_str().to_lowercase();
        let mut documented = document["paths"][format!("/api/v1{}", row.path)][method].clone();
        documented["parameters"] = parameters(&document, &documented).into();
        let body = documented["requestBody"]["content"]["application/json"]["schema"].clone();
        let named = body["$ref"].as_str().map(|name| document.pointer(&name[1..]).unwrap().clone());
        Some(Operation {
            token: world.token(CALLERS[place]).to_owned(),
            documented,
            row,
            body: named.unwrap_or(body),
        })
    };
    rows::all().into_iter().filter_map(operation).collect()
}

impl Operation {
    fn takes_json(&self) -> bool {
        // A delivery is judged by its signature or secret before its body.
        let signed =
            ["/code-host/deliveries/{address}", "/intake/{address}", "/notifications/chat-1/updates"];
        !self.body.is_null() && !signed.contains(&self.row.path)
    }

    /// Names of the fields of the body, and whether they are texts.
    fn fields(&self) -> Vec<(String, bool)> {
        let text = |schema: &Value| {
            let kind = &schema["type"];
            kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
        };
        let fields = self.body["properties"].as_object().into_iter().flatten();
        fields.map(|(name, schema)| (name.clone(), text(schema))).collect()
    }

    /// Names of the fields of the body that always have a value.
    fn never_null(&self) -> Vec<String> {
        let may_be_null = |schema: &Value| {
            let choices = schema["anyOf"].as_array().into_iter().flatten();
            schema["type"] == "null" || choices.into_iter().any(|choice| choice["type"] == "null")
        };
        let fields = self.body["properties"].as_object().into_iter().flatten();
        fields.filter(|(_, schema)| !may_be_null(schema)).map(|(name, _)| name.clone()).collect()
    }

    async fn send(&self, open: &Open, wrong: &Wrong) -> Reply {
        let mut request = Request::builder()
            .method(self.row.method.clone())
            .uri(format!("/api/v1{}", wrong.path))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        if let Some(media_type) = wrong.media_type {
            request = request.header(header::CONTENT_TYPE, media_type);
        }
        send(&open.router, request.body(Body::from(wrong.body.clone())).unwrap()).await
    }

    /// What is wrong with an answer.
    fn judge(&self, wrong: &Wrong, reply: &Reply) -> Option<String> {
        let status = reply.status.as_u16();
        if status >= 500 {
            return Some("the service failed".to_owned());
        }
        if let Expected::Problem(statuses, naming) = &wrong.expected {
            if !statuses.contains(&status) {
                return Some(format!("expected one of {statuses:?}"));
            }
            if let Some(name) = naming
                && !names(reply, name)
            {
                return Some(format!("does not name {name:?}"));
            }
        }
        if reply.status.is_success() {
            return None;
        }
        if reply.text.len() > LONGEST_REFUSAL {
            return Some(format!("says what was sent, in {} bytes", reply.text.len()));
        }
        if reply.header("content-type") != "application/problem+json" {
            return Some("is no problem document".to_owned());
        }
        let trace = reply.json["traceId"].as_str().unwrap_or_default();
        if trace.is_empty() || trace != reply.header("x-trace-id") {
            return Some("has no trace id, or not that of its header".to_owned());
        }
        let responses = &self.documented["responses"];
        let documented = responses.get(status.to_string()).or_else(|| responses.get("default"));
        documented.is_none().then(|| "is not documented".to_owned())
    }
}

/// Whether a problem names a field or parameter.
fn names(reply: &Reply, name: &str) -> bool {
    let field = |key: &String| {
        key == name || key.starts_with(&format!("{name}.")) || key.starts_with(&format!("{name}["))
    };
    reply.json["errors"].as_object().is_some_and(|errors| errors.keys().any(field))
}

/// Bodies that are wrong, for an operation that takes one.
fn bodies(world: &World, operation: &Operation) -> Vec<Wrong> {
    let path = world.path(&operation.row);
    let wrong = |what: &str, media_type, body: Vec<u8>, expected| Wrong {
        what: what.to_owned(),
        path: path.clone(),
        media_type,
        body,
        expected,
    };
    let good = world.body(&operation.row).unwrap_or_else(|| json!({}));
    let raw = |text: &str| text.as_bytes().to_vec();
    let malformed = || Expected::problem(&[400], None);
    let Some(fields) = good.as_object().cloned() else {
        let no_list = |text: &str| wrong(text, JSON, raw(text), Expected::problem(&[422], None));
        let half = wrong("half a body", JSON, raw("["), malformed());
        return vec![half, no_list("{}"), no_list("7"), no_list("null"), no_list("[7]")];
    };
    let no_object = || Expected::problem(&[422], Some("body"));
    let other_media = || Expected::problem(&[415], None);
    let mut all = vec![
        wrong("no body", None, Vec::new(), other_media()),
        wrong("an empty body", JSON, Vec::new(), malformed()),
        wrong("half a body", JSON, raw("{"), malformed()),
        wrong("two bodies", JSON, raw("{} {}"), Expected::problem(&[400, 422], None)),
        wrong("words", JSON, raw("title=x"), malformed()),
        wrong("invalid UTF-8", JSON, b"{\"\xff\": 1}".to_vec(), Expected::problem(&[400, 422], None)),
        wrong("deep lists", JSON, "[".repeat(100_000).into_bytes(), Expected::problem(&[400, 422], None)),
        wrong(
            "deep objects",
            JSON,
            "{\"a\":".repeat(100_000).into_bytes(),
            Expected::problem(&[400, 422], None),
        ),
        wrong("a list", JSON, raw("[]"), no_object()),
        wrong("a text", JSON, raw("\"text\""), no_object()),
        wrong("a number", JSON, raw("7"), no_object()),
        wrong("true", JSON, raw("true"), no_object()),
        wrong("null", JSON, raw("null"), no_object()),
        wrong("plain text", Some("text/plain"), good.to_string().into_bytes(), other_media()),
        wrong("a form", Some("application/x-www-form-urlencoded"), raw("a=b"), other_media()),
        wrong("no media type", None, good.to_string().into_bytes(), other_media()),
    ];
    let huge = format!("{{\"a\": \"{}\"}}", "x".repeat(9 * 1024 * 1024));
    all.push(wrong("more than is taken", JSON, huge.into_bytes(), Expected::problem(&[413], None)));
    let with = |name: &str, value: Value| {
        let mut changed: Map<String, Value> = fields.clone();
        changed.insert(name.to_owned(), value);
        Value::Object(changed).to_string().into_bytes()
    };
    let unknown = Expected::problem(&[422], Some("noSuchField"));
    // What a code host delivers has many more fields than matter here.
    if operation.body["additionalProperties"] == false {
        all.push(wrong("an unknown field", JSON, with("noSuchField", json!(1)), unknown));
    }
    for (name, is_text) in operation.fields() {
        let field = Expected::problem(&[422], Some(&name));
        all.push(wrong(&format!("{name} of another type"), JSON, with(&name, json!([[1]])), field));
        if is_text {
            let long = with(&name, json!("x".repeat(600_000)));
            all.push(wrong(&format!("{name} overlong"), JSON, long, Expected::NoFailureInACopy));
        }
        let long = with(&name, json!(["x".repeat(600_000)]));
        all.push(wrong(
            &format!("{name} a list of an overlong text"),
            JSON,
            long,
            Expected::NoFailureInACopy,
        ));
        let bytes = with(&name, json!("@@"));
        let at = bytes.windows(2).position(|pair| pair == b"@@").unwrap();
        let broken = [&bytes[..at], b"\xff\xff", &bytes[at + 2..]].concat();
        let unreadable = Expected::problem(&[400, 422], None);
        all.push(wrong(&format!("{name} in invalid UTF-8"), JSON, broken, unreadable));
    }
    // Null clears a field; who means to clear one that always has a value is told so.
    for name in operation.never_null() {
        let told = Expected::problem(&[422], Some(&name));
        all.push(wrong(&format!("{name} null"), JSON, with(&name, Value::Null), told));
    }
    for (name, value) in &fields {
        let twice = format!("{{\"{name}\": {value}, \"{name}\": {value}}}");
        let told = Expected::problem(&[422], Some(name));
        all.push(wrong(&format!("{name} twice"), JSON, twice.into_bytes(), told));
    }
    all
}

/// Names that nothing can have, in the place of each parameter of the path.
fn addresses(world: &World, operation: &Operation) -> Vec<Wrong> {
    let long = "x".repeat(5_000);
    let names = [
        ("overlong", long.as_str()),
        ("of spaces", "%20%20"),
        ("with a NUL", "a%00b"),
        ("of invalid UTF-8", "%FF"),
        ("with a slash", "a%2Fb"),
        ("that climbs", "..%2F..%2Fetc"),
        ("negative", "-1"),
        ("of emoji", "%F0%9F%92%A9"),
        ("with half an escape", "%F"),
    ];
    let row = &operation.row;
    let body = world.body(row).map(|body| body.to_string().into_bytes()).unwrap_or_default();
    let mut all = Vec::new();
    let parameters = places(row.path).filter(|(_, segment)| segment.starts_with('{'));
    for (parameter, _) in parameters {
        // Paths of pages are what people type: some of these name a page that may yet be written.
        let free = parameter.ends_with("/{path}") && operation.row.method == Method::PUT;
        for (what, name) in names {
            if free && ["with a slash", "negative", "of emoji", "with half an escape"].contains(&what) {
                continue;
            }
            let expected = Expected::problem(&[400, 404, 422], None);
            all.push(Wrong {
                what: format!("{parameter} {what}"),
                path: with_name(world, row, &parameter, name),
                media_type: JSON,
                body: body.clone(),
                expected,
            });
        }
    }
    all
}

fn with_name(world: &World, row: &Row, parameter: &str, name: &str) -> String {
    let mut path = String::new();
    for (place, segment) in places(row.path) {
        let known = if segment.starts_with('{') { world.name_of(&place).unwrap() } else { segment };
        path = path + "/" + if place == parameter { name } else { known };
    }
    path
}

/// Query parameters that are wrong.
fn queries(world: &World, operation: &Operation) -> Vec<Wrong> {
    let parameters = operation.documented["parameters"].as_array().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
        let name = parameter["name"].as_str().unwrap();
        let number = parameter["schema"]["type"] == "integer";
        let word = parameter["schema"]["type"] == "boolean"
            || ["after", "filter", "render", "sort", "state", "status", "types"].contains(&name);
        for value in [
            "",
            "abc",
            "-1",
            "1e9",
            "1.5",
            "99999999999999999999999",
            "%00",
            "%FF",
            "a%F",
            &"x".repeat(5_000),
        ] {
            // A text may be anything, an absent word is none, a list of words may be empty, and pages are
            // clamped to those that there are.
            let clamped = ["page", "pageSize"].contains(&name) && value.parse::<i128>().is_ok();
            let wrong = (number && !clamped) || (word && !value.is_empty());
            // Where nobody can succeed in the world, that is said first.
            let expected = match operation.row.answers {
                Some((status, _)) => Expected::problem(&[400, status], None),
                None if wrong => Expected::problem(&[400, 422], Some(name)),
                None => Expected::NoFailure,
            };
            all.push(asking(world, operation, &format!("{name}={value}"), expected));
        }
        if number {
            let expected = Expected::NoFailure;
            all.push(asking(world, operation, &format!("{name}=4294967295"), expected.clone()));
            all.push(asking(world, operation, &format!("{name}=0"), expected));
            let twice = Expected::problem(&[400], Some(name));
            all.push(asking(world, operation, &format!("{name}=1&{name}=2"), twice));
        }
    }
    all
}

fn asking(world: &World, operation: &Operation, query: &str, expected: Expected) -> Wrong {
    let row = &operation.row;
    let path = Row { query: "", ..row.clone() };
    // What the operation cannot do without is asked along, but for the parameter that is wrong.
    let name = query.split('=').next().unwrap();
    let others = row.query.split('&').filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(name));
    let query = std::iter::once(query).chain(others).collect::<Vec<_>>().join("&");
    let what: String = query.chars().take(60).collect();
    let path = format!("{}?{query}", world.path(&path));
    Wrong { what, path, media_type: None, body: Vec::new(), expected }
}

/// A query parameter that the operation does not have, beside those that it cannot do without.
fn unknown_queries(world: &World, operation: &Operation) -> Vec<Wrong> {
    // Others send browsers here, with parameters of theirs.
    let any = ["/auth/oidc/callback", "/code-host/callback"].contains(&operation.row.path);
    let expected = |name: &str| {
        if any { Expected::NoFailure } else { Expected::problem(&[400], Some(name)) }
    };
    ["noSuchParameter", "Page", "filtre"]
        .into_iter()
        .map(|name| asking(world, operation, &format!("{name}=1"), expected(name)))
        .collect()
}

/// All that the Owner can read.
async fn readable(world: &World, open: &Open) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for row in rows::all().into_iter().filter(|row| row.method == Method::GET) {
        let reply = world.ask(open, &row, Some(world.token(Caller::Owner))).await;
        all.insert(row.name(), reply.snapshot());
    }
    all
}

/// Sends what is wrong in one respect to every operation, and expects that it is told so and nothing stored.
async fn walk(at_least: usize, wrongs: impl Fn(&World, &Operation) -> Vec<Wrong>) {
    let world = World::new().await;
    let open = world.open();
    let before = readable(&world, &open).await;
    let (mut findings, mut asked) = (String::new(), 0);
    for operation in operations(&world) {
        for wrong in wrongs(&world, &operation) {
            asked += 1;
            let copy = matches!(wrong.expected, Expected::NoFailureInACopy).then(|| world.open());
            let reply = operation.send(copy.as_ref().unwrap_or(&open), &wrong).await;
            if let Some(why) = operation.judge(&wrong, &reply) {
                let (name, text) = (operation.row.name(), reply.text.chars().take(300).collect::<String>());
                let _ = writeln!(findings, "{name} with {}: {why}\n    {} {text}", wrong.what, reply.status);
            }
        }
    }
    assert!(findings.is_empty(), "{findings}");
    assert!(asked >= at_least, "only {asked} requests were made");
    assert_eq!(before, readable(&world, &open).await, "something was stored");
}

#[tokio::test]
async fn every_body_that_is_wrong_is_told_why_and_stores_nothing() {
    walk(
        1_000,
        |world, operation| if operation.takes_json() { bodies(world, operation) } else { Vec::new() },
    )
    .await;
}

#[tokio::test]
async fn every_name_that_is_none_is_told_so_and_stores_nothing() {
    walk(1_000, addresses).await;
}

#[tokio::test]
async fn every_query_that_is_wrong_is_told_why_and_stores_nothing() {
    // A query that takes something away is a change like any other.
    let reads = |operation: &Operation| operation.row.method == Method::GET;
    walk(300, |world, operation| if reads(operation) { queries(world, operation) } else { Vec::new() }).await;
}

#[tokio::test]
async fn every_query_parameter_that_is_unknown_is_refused_and_stores_nothing() {
    walk(300, unknown_queries).await;
}
