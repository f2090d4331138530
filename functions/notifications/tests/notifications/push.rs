//! Browsers in which people are told: each thing once, of what they may see, and nothing after their session.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::notifications::deliver_due;
use svc_storage::{Query, Range, keys};
use svc_testkit::{Reply, call};

use crate::platform::Platform;
use crate::push_service::PushService;
use crate::world::{Person, World};

const BROWSERS: &str = "/me/push-subscriptions";

/// A world in which Ada is told in a browser.
struct Told {
    world: World,
    service: PushService,
    /// The secret of Ada's session.
    session: String,
    item: String,
}

impl Told {
    async fn new() -> Self {
        let platform = Platform::start().await;
        let world = World::on(platform.kit()).await;
        let service = PushService::start().await;
        let session = world.kit.session(world.ada.id).await;
        let item = world.item(&world.ada, "Greet people").await;
        let told = Self { world, service, session, item };
        let made = told.turn_on().await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        told
    }

    /// Ada asks in her browser.
    async fn asks(&self, method: Method, path: &str, body: Option<Value>) -> Reply {
        call(&self.world.router, method, path, Some(&self.session), body).await
    }

    async fn turn_on(&self) -> Reply {
        let key = self.asks(Method::GET, BROWSERS, None).await.json["publicKey"].clone();
        self.asks(Method::POST, BROWSERS, Some(self.service.subscribe(key.as_str().unwrap()))).await
    }

    async fn browsers(&self) -> Value {
        self.asks(Method::GET, BROWSERS, None).await.json["subscriptions"].clone()
    }

    async fn later(&self, seconds: i64) {
        self.world.kit.advance(SignedDuration::from_secs(seconds));
        deliver_due(&self.world.kit.app).await.unwrap();
        self.world.work_once().await;
    }

    async fn says(&self, who: &Person, text: &str) {
        self.world.comment(who, &self.item, text, None).await;
    }

    /// The same, and nobody sends yet.
    async fn writes(&self, who: &Person, text: &str) {
        let path = format!("/orgs/demo/items/{}/comments", self.item);
        let said = self.world.call(who, Method::POST, &path, Some(json!({"body": text}))).await;
        assert!(said.status.is_success(), "{}", said.text);
        let handle = async |told| match told {
            svc_app::messages::Message::Deliver(_) => {}
            told => svc_workers::handle(&self.world.kit.app, &told).await.unwrap(),
        };
        self.world.kit.drain(handle).await;
    }
}

#[tokio::test]
async fn a_mention_is_shown_once_and_leads_to_its_item() {
    let told = Told::new().await;
    told.says(&told.world.ben, "hello @ada, <b>look</b>").await;
    told.later(0).await;
    told.later(60).await;
    let shown = told.service.shown();
    let [one] = shown.as_slice() else { panic!("{shown:?}") };
    assert_eq!(one.message["web_push"], 8030);
    assert_eq!(one.title(), "[PRJ-1] Greet people");
    assert_eq!(one.body(), "ben mentioned you\nben: hello @ada, <b>look</b>");
    assert_eq!(one.leads_to(), "https://work.example.com/o/demo/p/PRJ/items/PRJ-1");
    assert_eq!((one.ttl, one.urgency.as_str()), (86_400, "high"));
    told.world.consistent().await;
}

#[tokio::test]
async fn a_browser_is_listed_masked_tested_and_turned_off() {
    let told = Told::new().await;
    let browsers = told.browsers().await;
    let browser = &browsers[0];
    assert_eq!((&browser["name"], &browser["current"]), (&json!("Firefox · Linux"), &json!(true)));
    assert_eq!(browser["target"], "127.0.0.1 …wser");
    // Neither the address nor a key is shown or stored in clear text.
    let rows =
        told.world.kit.app.table.query_all(Query::new(keys::user_pk(told.world.ada.id), Range::All, 100));
    let rows = rows.await.unwrap();
    assert!(rows.iter().all(|row| !row.doc.contains("secret-of-the-browser")));
    assert!(!browsers.to_string().contains("secret-of") && !browsers.to_string().contains("auth"));
    let by_token = told.world.call(&told.world.ada, Method::GET, BROWSERS, None).await.json;
    assert_eq!(by_token["subscriptions"][0]["current"], false);
    // Only a browser is told in; a token has none.
    let key = by_token["publicKey"].as_str().unwrap();
    let body = told.service.subscribe(key);
    let refused = told.world.call(&told.world.ada, Method::POST, BROWSERS, Some(body)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    let path = format!("{BROWSERS}/{}", browser["id"].as_str().unwrap());
    assert_eq!(told.asks(Method::POST, &format!("{path}/test"), None).await.json, json!({"ok": true}));
    assert_eq!(told.service.shown()[0].title(), "It works");
    // Turned on again, it is the same browser.
    told.turn_on().await;
    assert_eq!(told.browsers().await.as_array().unwrap().len(), 1);
    let of_others = told.world.call(&told.world.ben, Method::DELETE, &path, None).await;
    assert_eq!(of_others.status, StatusCode::NOT_FOUND);
    assert_eq!(told.asks(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(told.browsers().await, json!([]));
    told.says(&told.world.ben, "hello @ada").await;
    told.later(60).await;
    assert!(told.service.shown().is_empty());
    told.world.consistent().await;
}

#[tokio::test]
async fn wrong_addresses_and_keys_are_refused_and_named() {
    let told = Told::new().await;
    let right = told.service.subscribe("x");
    for (field, pointer, wrong) in [
        ("endpoint", "/endpoint", json!("https://10.0.0.1/push")),
        ("endpoint", "/endpoint", json!("javascript:alert(1)")),
        ("endpoint", "/endpoint", json!("http://8.8.8.8/push")),
        ("endpoint", "/endpoint", json!(format!("https://push.example.net/{}", "x".repeat(2_000)))),
        ("keys", "/keys/p256dh", json!("BAAA")),
        ("keys", "/keys/auth", json!("not base64!")),
    ] {
        let mut body = right.clone();
        *body.pointer_mut(pointer).unwrap() = wrong;
        let refused = told.asks(Method::POST, BROWSERS, Some(body)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        assert!(refused.json["errors"][field].is_array(), "{}", refused.text);
    }
}

#[tokio::test]
async fn one_that_is_gone_is_forgotten_and_a_busy_service_waited_for() {
    let told = Told::new().await;
    told.service.answers(429, Some(30));
    told.says(&told.world.ben, "hello @ada").await;
    told.later(0).await;
    told.later(29).await;
    assert!(told.service.shown().is_empty(), "it asked to wait");
    told.later(2).await;
    assert_eq!(told.service.shown().len(), 1);
    told.service.answers(503, None);
    told.says(&told.world.ben, "again @ada").await;
    told.later(0).await;
    assert!(told.service.shown().is_empty());
    told.later(10).await;
    assert_eq!(told.service.shown().len(), 1, "tried again");
    told.service.answers(410, None);
    told.says(&told.world.ben, "once more @ada").await;
    told.later(0).await;
    assert_eq!(told.browsers().await, json!([]));
    told.says(&told.world.ben, "and more @ada").await;
    told.later(60).await;
    assert!(told.service.shown().is_empty());
    told.world.consistent().await;
}

#[tokio::test]
async fn a_browser_is_told_nothing_once_its_session_ended() {
    let told = Told::new().await;
    told.writes(&told.world.ben, "hello @ada").await;
    // All sessions end before it is sent, from somewhere else.
    let ended = told.world.call(&told.world.ada, Method::DELETE, "/me/sessions", None).await;
    assert!(ended.status.is_success(), "{}", ended.text);
    told.later(0).await;
    told.says(&told.world.ben, "and @ada again").await;
    told.later(60).await;
    assert!(told.service.shown().is_empty());
    let left = told.world.call(&told.world.ada, Method::GET, BROWSERS, None).await;
    assert_eq!(left.json["subscriptions"], json!([]));
    told.world.consistent().await;
}

#[tokio::test]
async fn who_lost_access_is_shown_nothing_of_it() {
    let told = Told::new().await;
    told.writes(&told.world.ben, "hello @ada").await;
    let path = format!("/orgs/demo/projects/PRJ/members/{}", told.world.ada.id);
    let gone = told.world.call(&told.world.owner, Method::DELETE, &path, None).await;
    assert!(gone.status.is_success(), "{}", gone.text);
    told.later(0).await;
    assert!(told.service.shown().is_empty());
}

#[tokio::test]
async fn browsers_follow_mail_unless_a_person_says_otherwise() {
    let told = Told::new().await;
    told.says(&told.world.ben, "no mention").await;
    told.later(60).await;
    assert!(told.service.shown().is_empty(), "comments are in the digest");
    let kinds = json!([{"kind": "commented", "inApp": true, "email": "off", "push": "immediate"}]);
    let path = "/me/notification-preferences";
    let kept = told.asks(Method::PUT, path, Some(kinds)).await;
    let kept = kept.json.as_array().unwrap().iter().find(|one| one["kind"] == "commented").unwrap().clone();
    assert_eq!(kept["push"], "immediate");
    told.says(&told.world.ben, "still none").await;
    told.later(0).await;
    assert_eq!(told.service.shown()[0].body(), "ben commented\nben: still none");
    // Every field is written: what is left out follows mail again.
    let kinds = json!([{"kind": "commented", "inApp": true, "email": "off"}]);
    told.asks(Method::PUT, path, Some(kinds)).await;
    told.says(&told.world.ben, "and now").await;
    told.later(0).await;
    assert!(told.service.shown().is_empty());
}

#[tokio::test]
async fn many_things_are_one_message() {
    let mut told = Told::new().await;
    for at in 0..12 {
        let item = told.world.item(&told.world.ben, &format!("Item {at}")).await;
        let there = Told { item, ..told };
        there.writes(&there.world.ben, "@ada").await;
        told = there;
    }
    told.later(0).await;
    let shown = told.service.shown();
    let [one] = shown.as_slice() else { panic!("{shown:?}") };
    assert_eq!((one.title(), one.leads_to()), ("12 things are new", "https://work.example.com/inbox"));
    assert!(one.body().ends_with("\nand 7 more") && !one.topic.is_empty(), "{}", one.body());
}
