//! Outbound webhooks against a real receiver: what is sent, who may see it, and what happens when it is not taken.

use std::process::Command;
use std::sync::Arc;

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_boot::{GuardedHttp, OutboundSettings};
use svc_domain::identity::OrgRole;
use svc_domain::webhook::{DISABLED_AFTER, FORMER_COUNTS, RETRIES};
use svc_testkit::{TestApp, scopes};

use crate::receiver::{Delivered, Receiver};
use crate::world::{Person, World};

/// A world whose operator opens loopback.
pub(crate) async fn world() -> World {
    World::on(TestApp::new().with_outbound(outbound("127.0.0.1"))).await
}

fn outbound(private_networks: &str) -> Arc<GuardedHttp> {
    let settings = OutboundSettings { private_networks: private_networks.into() };
    Arc::new(GuardedHttp::of(&settings).unwrap())
}

/// A webhook of the owner: its address after `/orgs/demo`, and its secret.
pub(crate) async fn webhook(world: &World, who: &Person, to: &Receiver, more: Value) -> (String, String) {
    let mut new =
        json!({"name": "n8n", "url": to.url, "events": ["item.created", "item.moved", "comment.created"]});
    new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = world.act(who, Method::POST, "/webhooks", new).await;
    let id = made["webhook"]["id"].as_str().unwrap();
    (format!("/webhooks/{id}"), made["secret"].as_str().unwrap().to_owned())
}

pub(crate) async fn deliveries(world: &World, webhook: &str) -> Vec<Value> {
    let path = format!("/orgs/demo{webhook}/deliveries");
    world.call(&world.owner, Method::GET, &path, None).await.json.as_array().unwrap().clone()
}

pub(crate) async fn view(world: &World, webhook: &str) -> Value {
    world.call(&world.owner, Method::GET, &format!("/orgs/demo{webhook}"), None).await.json
}

/// Lets time pass, and workers do what is due then.
pub(crate) async fn pass(world: &World, time: SignedDuration) {
    world.kit.clock.advance(time);
    world.work().await;
}

fn kinds(delivered: &[Delivered]) -> Vec<String> {
    delivered.iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_happens_is_sent_once_signed_and_as_the_api_shows_it() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let before = world.item(&world.ada, "Before").await;
    let (hook, secret) = webhook(&world, &world.owner, &receiver, json!({})).await;
    world.assign(&world.ada, &before, &world.ben).await;
    assert_eq!(kinds(&receiver.delivered()), [""; 0], "it was not chosen");
    let item = world.item(&world.ada, "Greet people").await;
    let delivered = receiver.delivered();
    assert_eq!(kinds(&delivered), ["item.created"], "messages come twice, and deliveries once");
    let [created] = &delivered[..] else { panic!("one") };
    let sent = created.json();
    let path = format!("/orgs/demo/items/{item}");
    let mut shown = world.call(&world.owner, Method::GET, &path, None).await.json;
    shown.as_object_mut().unwrap().remove("can").expect("what its reader may do");
    assert_eq!(sent["data"]["item"], shown);
    assert_eq!(
        (&sent["data"]["by"]["name"], &sent["data"]["organization"], &sent["data"]["project"]),
        (&json!("ada"), &json!("demo"), &json!("PRJ"))
    );
    assert!(created.is_signed_with(&secret));
    assert_eq!(created.header("content-type"), "application/json");
    world.kit.clock.advance(SignedDuration::from_secs(1));
    world.comment(&world.ben, &item, "<b>hello</b>", None).await;
    let commented = receiver.delivered();
    assert_eq!(commented[0].json()["data"]["comment"]["body"], "<b>hello</b>");
    let forged = Delivered { body: created.body.clone(), ..commented[0].clone() };
    assert!(!forged.is_signed_with(&secret), "another body");
    let log = deliveries(&world, &hook).await;
    assert_eq!(log.len(), 2);
    assert_eq!((&log[1]["id"], &log[1]["state"]), (&json!(created.header("webhook-id")), &json!("sent")));
    let older = format!("/orgs/demo{hook}/deliveries?before={}", log[0]["id"].as_str().unwrap());
    assert_eq!(world.call(&world.owner, Method::GET, &older, None).await.json, json!([log[1]]));
    consistent(&world).await;
}

/// The example of the documentation.
#[tokio::test]
async fn the_documented_example_verifies_signatures() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, secret) = webhook(&world, &world.owner, &receiver, json!({})).await;
    let test = world.act(&world.owner, Method::POST, &format!("{hook}/test"), json!({})).await;
    assert_eq!((&test["state"], &test["attempts"][0]["status"]), (&json!("sent"), &json!(204)));
    let sent = &receiver.delivered()[0];
    let docs = include_str!("../../../../docs/webhooks.md");
    let example = docs.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let headers: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!(sent.header(name)))).collect();
    for (body, verified) in [(sent.body.to_vec(), true), (b"{}".to_vec(), false)] {
        let body = String::from_utf8(body).unwrap();
        // The clock of the tests is at another time than the machine's.
        let call = format!(
            "time.time = lambda: {}\nverify({}, {}, {}.encode())",
            sent.header("webhook-timestamp"),
            json!(secret),
            Value::Object(headers.clone()),
            json!(body),
        );
        let Ok(ran) = Command::new("python3").args(["-c", &format!("{example}\n{call}")]).output() else {
            println!("python3 is not installed");
            return;
        };
        assert_eq!(ran.status.success(), verified, "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[tokio::test]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, first) = webhook(&world, &world.owner, &receiver, json!({})).await;
    let rotated = world.act(&world.owner, Method::POST, &format!("{hook}/rotate"), json!({})).await;
    let second = rotated["secret"].as_str().unwrap();
    assert_ne!(second, first);
    world.item(&world.ada, "One").await;
    let sent = receiver.delivered();
    assert!(sent[0].is_signed_with(&first) && sent[0].is_signed_with(second));
    world.kit.clock.advance(FORMER_COUNTS);
    world.item(&world.ada, "Two").await;
    let sent = receiver.delivered();
    assert!(!sent[0].is_signed_with(&first) && sent[0].is_signed_with(second));
    let shown = world.call(&world.owner, Method::GET, "/orgs/demo/webhooks", None).await.text;
    assert!(!shown.contains("whsec_") && !shown.contains(second.trim_start_matches("whsec_")), "{shown}");
}

#[tokio::test]
async fn a_delivery_that_fails_is_retried_and_can_be_replayed() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    receiver.answers([500, 302]);
    world.item(&world.ada, "One").await;
    pass(&world, RETRIES[0] - SignedDuration::from_secs(1)).await;
    assert_eq!(receiver.delivered().len(), 1, "not before it is due");
    pass(&world, SignedDuration::from_secs(1)).await;
    let failing = view(&world, &hook).await;
    assert!(failing["failingSince"].is_string(), "{failing}");
    pass(&world, RETRIES[1]).await;
    let again = receiver.delivered();
    assert_eq!(again.len(), 2);
    assert_eq!(again[0].header("webhook-id"), again[1].header("webhook-id"));
    let log = deliveries(&world, &hook).await;
    let statuses: Vec<&Value> =
        log[0]["attempts"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!((statuses, &log[0]["state"]), (vec![&json!(500), &json!(302), &json!(204)], &json!("sent")));
    assert!(view(&world, &hook).await["failingSince"].is_null());
    let replay = format!("{hook}/deliveries/{}/replay", log[0]["id"].as_str().unwrap());
    world.act(&world.owner, Method::POST, &replay, json!({})).await;
    let replayed = receiver.delivered();
    assert_eq!(replayed.len(), 1);
    assert_eq!(replayed[0].header("webhook-id"), again[0].header("webhook-id"));
    consistent(&world).await;
}

/// Of a webhook that fails for days its Admins are told once.
#[tokio::test]
async fn a_webhook_that_fails_for_days_is_disabled_and_its_admins_are_told_once() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    receiver.answers([500; 100]);
    world.item(&world.ada, "One").await;
    for retry in RETRIES {
        pass(&world, retry).await;
    }
    assert_eq!(deliveries(&world, &hook).await[0]["state"], "failed");
    assert_eq!(view(&world, &hook).await["disabled"], false);
    world.kit.clock.advance(DISABLED_AFTER);
    world.item(&world.ada, "Two").await;
    world.item(&world.ada, "Three").await;
    let disabled = view(&world, &hook).await;
    assert_eq!(disabled["disabledReason"], "Its deliveries failed for three days.");
    assert_eq!(world.inbox(&world.owner).await, ["n8n: Disabled, because its deliveries failed"]);
    assert_eq!(world.inbox(&world.ada).await, [""; 0], "who does not administer the organization");
    receiver.delivered();
    receiver.answers([]);
    let enable = json!({"version": disabled["version"], "disabled": false});
    world.act(&world.owner, Method::PATCH, &hook, enable).await;
    world.item(&world.ada, "Four").await;
    assert_eq!(kinds(&receiver.delivered()), ["item.created"], "what happened meanwhile is not sent");
    receiver.answers([410]);
    world.item(&world.ada, "Five").await;
    assert_eq!(view(&world, &hook).await["disabledReason"], "Its address answered 410 Gone.");
    let entries = world.entries(&world.owner, "").await;
    assert_eq!((entries.len(), &entries[0]["unreadCount"]), (1, &json!(2)), "each time once");
    consistent(&world).await;
}

/// What is sent is judged when it is sent.
#[tokio::test]
async fn nothing_is_sent_of_what_is_gone_or_for_who_may_not_see_it() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let id = world.kit.user(&world.org, "admin@example.com", OrgRole::Admin, true).await;
    let admin = Person { id, token: world.kit.token(id, scopes(), None).await };
    let (hook, _) = webhook(&world, &admin, &receiver, json!({})).await;
    receiver.answers([500]);
    let item = world.item(&world.ada, "Secret plans").await;
    receiver.delivered();
    let path = format!("/orgs/demo/items/{item}");
    let gone = world.call(&world.ada, Method::DELETE, &path, None).await;
    assert!(gone.status.is_success(), "{}", gone.text);
    pass(&world, RETRIES[0]).await;
    assert_eq!(kinds(&receiver.delivered()), [""; 0], "the item is gone");
    assert_eq!(deliveries(&world, &hook).await[0]["state"], "skipped");
    let member = format!("/orgs/demo/members/{id}");
    let removed = world.call(&world.owner, Method::DELETE, &member, None).await;
    assert!(removed.status.is_success(), "{}", removed.text);
    world.item(&world.ada, "More plans").await;
    assert_eq!(kinds(&receiver.delivered()), [""; 0], "who answers for it is no Admin any more");
    let adopt = json!({"version": 1, "name": "Adopted"});
    world.act(&world.owner, Method::PATCH, &hook, adopt).await;
    world.item(&world.ada, "Even more").await;
    assert_eq!(kinds(&receiver.delivered()), ["item.created"]);
}

#[tokio::test]
async fn only_chosen_projects_are_told_of() {
    let (world, receiver) = (world().await, Receiver::new().await);
    world.kit.project(&world.org, "OTH").await;
    webhook(&world, &world.owner, &receiver, json!({"projects": ["oth"]})).await;
    world.item(&world.ada, "Elsewhere").await;
    assert_eq!(kinds(&receiver.delivered()), [""; 0]);
    let new = json!({"type": "task", "title": "There"});
    world.act(&world.owner, Method::POST, "/projects/OTH/items", new).await;
    assert_eq!(kinds(&receiver.delivered()), ["item.created"]);
}

#[tokio::test]
async fn private_addresses_and_wrong_webhooks_are_refused() {
    let world = World::on(TestApp::new().with_outbound(outbound(""))).await;
    let new = |more: Value| {
        let mut new = json!({"name": "n8n", "url": "https://example.com/hook", "events": ["item.created"]});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        new
    };
    for (more, field) in [
        (json!({"url": "https://127.0.0.1/hook"}), "url"),
        (json!({"url": "https://[::1]/hook"}), "url"),
        (json!({"url": "https://169.254.169.254/latest"}), "url"),
        (json!({"url": "http://example.com/hook"}), "url"),
        (json!({"url": "https://user:hush@example.com/"}), "url"),
        (json!({"url": "nowhere"}), "url"),
        (json!({"events": []}), "events"),
        (json!({"events": ["ping"]}), "events"),
        (json!({"events": ["item.sold"]}), "events"),
        (json!({"projects": ["NOPE"]}), "projects"),
        (json!({"name": " "}), "name"),
    ] {
        let reply =
            world.call(&world.owner, Method::POST, "/orgs/demo/webhooks", Some(new(more.clone()))).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{more}: {}", reply.text);
        assert!(reply.json["errors"][field].is_array(), "{more}: {}", reply.text);
    }
    // A name that leads inside is found out when it is sent to.
    let made =
        world.act(&world.owner, Method::POST, "/webhooks", new(json!({"url": "https://localhost/"}))).await;
    let path = format!("/webhooks/{}/test", made["webhook"]["id"].as_str().unwrap());
    let sent = world.act(&world.owner, Method::POST, &path, json!({})).await;
    assert_eq!(sent["state"], "failed");
    assert!(sent["attempts"][0]["error"].as_str().unwrap().contains("private network"), "{sent}");
    for n in 1..20 {
        world.act(&world.owner, Method::POST, "/webhooks", new(json!({"name": format!("n8n {n}")}))).await;
    }
    let one_more = new(json!({"name": "One more"}));
    let many = world.call(&world.owner, Method::POST, "/orgs/demo/webhooks", Some(one_more)).await;
    assert_eq!(many.status, StatusCode::CONFLICT, "{}", many.text);
}

async fn consistent(world: &World) {
    world.consistent().await;
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    let ours = |kind: &str| ["SENT", "ORG#<org> WEBHOOKS"].iter().any(|name| kind.starts_with(name));
    let found: Vec<_> = report.findings.iter().filter(|found| ours(&found.kind)).collect();
    assert!(found.is_empty(), "{found:?}");
}
