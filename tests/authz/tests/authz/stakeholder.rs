//! What a stakeholder finds of agents' work at every address that can be read: nothing (specification section
//! 2.9).
//!
//! A project full of agents' work is copied, and in the copy every row of that work is taken away. Each GET
//! of the OpenAPI document is then asked in both, under every name that the world has for its parameters: a
//! stakeholder and a Guest are answered the same to the byte, so that nothing shows, not even in a count. A
//! new endpoint is walked by itself; one with a new kind of parameter fails until the world has a name.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_authz::document::parameters;
use svc_authz::who::Caller;
use svc_authz::world::{Open, World, places};
use svc_domain::ids::OrgId;
use svc_domain::project::HistoryEntry;
use svc_storage::{Condition, Key, Op, Query, Range, Row, keys};
use svc_testkit::{Reply, call};

/// Is in every hidden text that the test writes, and in nothing else.
const WORD: &str = "quokka";

/// What a stakeholder must not find.
#[derive(Default)]
struct Hidden {
    /// Ids and texts.
    needles: Vec<String>,
    comments: Vec<String>,
    /// Rows that hold it, under the ids of this world.
    rows: Vec<Key>,
    /// Where the project's changes were before any of it.
    cursor: String,
}

/// Asks and writes in an open world.
struct Hands<'a> {
    world: &'a World,
    open: &'a Open,
}

impl Hands<'_> {
    async fn send(&self, who: Caller, method: Method, path: &str, body: Value) -> Value {
        let token = self.world.token(who);
        let reply = call(&self.open.router, method, path, Some(token), Some(body)).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text);
        reply.json
    }

    async fn comment(&self, who: Caller, body: &str, reply_to: &Value) -> Value {
        let body = json!({"body": body, "replyTo": reply_to});
        self.send(who, Method::POST, "/orgs/demo/items/PRJ-1/comments", body).await["id"].clone()
    }

    async fn page(&self, path: &str, text: &str) -> Value {
        let path = format!("/orgs/demo/projects/PRJ/wiki/pages/{path}");
        self.send(Caller::Owner, Method::PUT, &path, json!({"body": text})).await["id"].clone()
    }

    async fn org(&self) -> OrgId {
        let row = self.open.kit.app.table.get(&keys::slug(&"demo".parse().unwrap())).await.unwrap();
        row.unwrap().read().unwrap()
    }

    async fn rows(&self, pk: String, prefix: &str) -> Vec<Row> {
        let query = Query::new(pk, Range::Prefix(prefix.to_owned()), 1_000);
        self.open.kit.app.table.query_all(query).await.unwrap()
    }

    /// Comments of agents, threads that an agent began, the end of a run, and pages of playbooks.
    async fn fill(&self) -> Hidden {
        let begun = ask(self.world, self.open, Caller::Owner, "/orgs/demo/projects/PRJ/changes").await.json;
        let mut hidden = Hidden { cursor: text(&begun["cursor"]), ..Hidden::default() };
        let none = Value::Null;
        // The agent works on the second item, and so on what belongs to that.
        let below = json!({"version": 1, "parent": "PRJ-2"});
        self.send(Caller::Owner, Method::PATCH, "/orgs/demo/items/PRJ-1", below).await;
        let question = self.comment(Caller::Stakeholder, "A question", &none).await;
        let root = self.comment(Caller::Agent, &format!("{WORD} began"), &none).await;
        let inside = self.comment(Caller::Owner, &format!("{WORD} of a person, inside"), &root).await;
        let answer = self.comment(Caller::Agent, &format!("{WORD} answers"), &question).await;
        self.comment(Caller::Operator, "Seen by all", &answer).await;
        hidden.comments.extend([root, inside, answer].iter().map(text));
        for id in &hidden.comments {
            let path = format!("/orgs/demo/items/PRJ-1/comments/{id}/reactions");
            self.send(Caller::Owner, Method::PUT, &path, json!({"emoji": "🎉"})).await;
        }
        let change = json!({"version": 2, "priority": "high"});
        self.send(Caller::Agent, Method::PATCH, "/orgs/demo/items/PRJ-1", change).await;
        for path in ["Factory/Notes", "Prompts/Old"] {
            hidden.needles.push(text(&self.page(path, &format!("{WORD} of {path}")).await));
        }
        self.keep_a_playbook_outside(&hidden.needles[1]).await;
        self.finish_the_run().await;
        self.drain().await;
        self.find_rows(hidden).await
    }

    /// As playbooks were before there was the Factory section.
    async fn keep_a_playbook_outside(&self, page: &str) {
        let id = "00000000-0000-7000-8000-00000000000f";
        let row = json!({
            "id": id, "name": "Old", "page": page, "pagePath": "Prompts/Old", "harness": "harness_1",
            "timeLimitMinutes": 1, "successState": null, "failureState": null,
            "deliveryMode": "branchAndPullRequest", "createdAt": "2026-01-01T12:00:00Z",
        });
        let key = keys::playbook(self.org().await, &"PRJ".parse().unwrap(), id.parse().unwrap());
        svc_testkit::write(&self.open.kit.app, vec![Op::create(key, &row)]).await.unwrap();
    }

    async fn finish_the_run(&self) {
        let take = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "first"});
        let taken = self.send(Caller::Runner, Method::POST, "/runner/take", take).await;
        let path = format!("/runner/runs/{}", taken["runId"].as_str().unwrap());
        let fence = &taken["fence"];
        self.send(Caller::Runner, Method::POST, &format!("{path}/start"), json!({"fence": fence})).await;
        let end = json!({"fence": fence, "result": "succeeded", "outcome": "Done as asked."});
        self.send(Caller::Runner, Method::POST, &format!("{path}/finish"), end).await;
    }

    /// Lets workers do what waits for them, as search rows do.
    async fn drain(&self) {
        let app = &self.open.kit.app;
        while svc_app::search::index_waiting(app).await.unwrap() > 0 {}
        self.open.kit.drain(async |told| svc_workers::handle(app, &told).await.unwrap()).await;
    }

    /// Ids, texts and rows of what is hidden.
    async fn find_rows(&self, mut hidden: Hidden) -> Hidden {
        let org = self.org().await;
        for number in 1..=20 {
            let item = format!("PRJ-{number}").parse().unwrap();
            let pk = || keys::item_pk(org, &item);
            for row in self.rows(pk(), keys::COMMENT_PREFIX).await {
                let comment: Value = row.read().unwrap();
                let id = text(&comment["id"]);
                if !comment["outcomeOf"].is_null() {
                    hidden.needles.push(json_text(&comment["body"]));
                    hidden.comments.push(id.clone());
                }
                if hidden.comments.contains(&id) {
                    hidden.rows.push(row.key);
                }
            }
            for row in self.rows(pk(), "REACTION#").await {
                let of = keys::reacted_comment(&row.key.sk).unwrap().to_string();
                hidden.rows.extend(hidden.comments.contains(&of).then_some(row.key));
            }
            for row in self.rows(pk(), keys::HISTORY_PREFIX).await {
                let entry: HistoryEntry = row.read().unwrap();
                let of_run = entry.run.is_some() || entry.actor.id.is_agent();
                hidden.rows.extend(of_run.then_some(row.key));
            }
        }
        for row in self.rows(keys::wiki_pk(org, &"PRJ".parse().unwrap()), keys::PAGE_PREFIX).await {
            let page: Value = row.read().unwrap();
            if page["path"] != "Guide" {
                hidden.needles.push(text(&page["id"]));
                hidden.rows.push(row.key);
            }
        }
        hidden.needles.extend(hidden.comments.iter().cloned());
        hidden.needles.extend([WORD.to_owned(), "Write the code.".to_owned()]);
        hidden
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// A text as it is inside JSON.
fn json_text(value: &Value) -> String {
    value.to_string().trim_matches('"').to_owned()
}

/// Every address that can be read, under every name.
fn addresses(world: &World, hidden: &Hidden) -> Vec<String> {
    let document = serde_json::to_value(svc_local::areas().1).unwrap();
    let mut found = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let (Some(path), Some(get)) = (path.strip_prefix("/api/v1"), operations.get("get")) else { continue };
        let mut filled = vec![String::new()];
        for (place, segment) in places(path) {
            let names = if segment.starts_with('{') {
                names(world, hidden, &place)
            } else {
                vec![segment.to_owned()]
            };
            filled = filled
                .iter()
                .flat_map(|before| names.iter().map(move |name| format!("{before}/{name}")))
                .collect();
        }
        let queries = queries(&parameters(&document, get), &hidden.cursor);
        found
            .extend(filled.iter().flat_map(|path| queries.iter().map(move |query| format!("{path}{query}"))));
    }
    found
}

fn names(world: &World, hidden: &Hidden, place: &str) -> Vec<String> {
    let more: Vec<&str> = match place {
        "items/{key}" => vec!["PRJ-2", "PRJ-3"],
        "comments/{commentId}" => hidden.comments.iter().map(String::as_str).collect(),
        path if path.ends_with("/{path}") => {
            vec![
                "Factory/Notes",
                "factory/notes",
                "Factory/Implement",
                "Factory",
                "Prompts/Old",
                "prompts/old",
            ]
        }
        _ => vec![],
    };
    let known = world.name_of(place).unwrap_or_else(|| {
        panic!("nothing in the world is called {place}: make one in `Furnish::everything`")
    });
    std::iter::once(known).chain(more).map(str::to_owned).collect()
}

/// As it is, with everything on one page, from where changes were before anything was hidden, and where words
/// can be looked for, with the words of what is hidden.
fn queries(parameters: &[Value], cursor: &str) -> Vec<String> {
    let takes = |name: &str| parameters.iter().any(|p| p["in"] == "query" && p["name"] == name);
    let mut queries = vec![String::new()];
    if takes("pageSize") {
        queries.push("?pageSize=100".to_owned());
    }
    if takes("after") {
        queries.push(format!("?after={cursor}"));
    }
    if takes("render") {
        queries.push("?render=html&pageSize=100".to_owned());
    }
    if takes("q") {
        for word in [WORD, "Implement", "Notes", "Done", "question"] {
            queries.push(format!("?q={word}&types=items,comments,pages&limit=100&pageSize=100"));
        }
    }
    queries
}

async fn ask(world: &World, open: &Open, who: Caller, address: &str) -> Reply {
    call(&open.router, Method::GET, address, Some(world.token(who)), None).await
}

#[tokio::test]
async fn a_stakeholder_finds_nothing_of_agents_work_at_any_address() {
    let world = World::new().await;
    let full = world.open();
    let hidden = Hands { world: &world, open: &full }.fill().await;
    // An instance draws its key for browsers when it is asked for the first time: both have the same.
    ask(&world, &full, Caller::Owner, "/me/push-subscriptions").await;
    let template = full.kit.close().await;
    let (full, bare) = (world.open_of(&template), world.open_of(&template));
    for row in &hidden.rows {
        svc_testkit::write(&bare.kit.app, vec![Op::delete(row.clone(), Condition::Present)]).await.unwrap();
    }
    let addresses = addresses(&world, &hidden);
    let mut unseen: BTreeSet<&str> = hidden.needles.iter().map(String::as_str).collect();
    let (mut wrong, mut answered) = (Vec::new(), 0);
    for address in &addresses {
        // What is hidden is there: operators find it.
        let found = ask(&world, &full, Caller::Owner, address).await.text;
        unseen.retain(|needle| !found.contains(needle));
        for who in [Caller::Stakeholder, Caller::Guest] {
            let seen = ask(&world, &full, who, address).await;
            let without = ask(&world, &bare, who, address).await;
            answered += usize::from(seen.status == StatusCode::OK);
            if seen.snapshot() != without.snapshot() {
                wrong.push(format!("{who:?} {address}\n  {}\n  without: {}", seen.text, without.text));
            }
            let told = hidden.needles.iter().filter(|needle| seen.text.contains(needle.as_str()));
            wrong.extend(told.map(|needle| format!("{who:?} {address} tells {needle:?}: {}", seen.text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unseen.is_empty(), "even the Owner finds nowhere: {unseen:?}");
    assert!(answered > 20, "only {answered} of {} addresses answered", addresses.len());
}
