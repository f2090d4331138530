//! What people are told outside the service: each thing once, in order, of what they may see when it is sent.

use std::sync::Arc;

use http::{Method, StatusCode};
use jiff::SignedDuration;
use parking_lot::Mutex;
use serde_json::{Value, json};
use svc_app::notifications::{deliver, deliver_due};
use svc_app::ports::{Envelope, Mail, MailError};
use svc_domain::notification::channel::Platform as Chat;
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Query, Range, keys};
use svc_testkit::call;

use crate::platform::Platform;
use crate::world::{Person, World};

/// Keeps what is mailed.
#[derive(Default)]
pub(crate) struct Post {
    sent: Mutex<Vec<Envelope>>,
    fails: Mutex<Vec<MailError>>,
}

#[async_trait::async_trait]
impl Mail for Post {
    async fn send(&self, mail: &Envelope) -> Result<(), MailError> {
        if let Some(error) = self.fails.lock().pop() {
            return Err(error);
        }
        self.sent.lock().push(mail.clone());
        Ok(())
    }
}

impl Post {
    pub(crate) fn take(&self) -> Vec<Envelope> {
        std::mem::take(&mut self.sent.lock())
    }

    pub(crate) fn subjects(&self) -> Vec<String> {
        self.take().into_iter().map(|mail| mail.email.subject).collect()
    }
}

/// A world with mail and chats, in which Ada made an item.
pub(crate) struct Told {
    pub(crate) world: World,
    pub(crate) platform: Platform,
    pub(crate) post: Arc<Post>,
    pub(crate) item: String,
}

impl Told {
    pub(crate) async fn new() -> Self {
        let platform = Platform::start().await;
        let post = Arc::new(Post::default());
        let world = World::on(platform.kit().with_mail(post.clone())).await;
        let item = world.item(&world.ada, "Greet people").await;
        world.work().await;
        post.take();
        Self { world, platform, post, item }
    }

    /// Ada is told in Slack of comments and mentions at once, and by mail of neither.
    pub(crate) async fn in_slack(&self) -> Destination {
        let hook = json!({"type": "chat_2", "webhookUrl": self.platform.slack()});
        let made = self.ask(Method::POST, "/me/notification-channels", hook).await;
        assert!(made["channel"]["id"].is_string(), "{made}");
        let kind = |kind| json!({"kind": kind, "inApp": true, "email": "off", "chat_2": "immediate"});
        let kinds = json!([kind("commented"), kind("mentioned"), kind("assigned")]);
        self.ask(Method::PUT, "/me/notification-preferences", kinds).await;
        Destination::Person(self.world.ada.id, Place::Chat(Chat::Chat2))
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, body: Value) -> Value {
        let reply = self.world.call(&self.world.ada, method, path, Some(body)).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text);
        reply.json
    }

    /// Ben comments, and workers put it into inboxes and what waits; nobody sends yet.
    pub(crate) async fn says(&self, text: &str) {
        let path = format!("/orgs/demo/items/{}/comments", self.item);
        let said = self.world.call(&self.world.ben, Method::POST, &path, Some(json!({"body": text}))).await;
        assert!(said.status.is_success(), "{}", said.text);
        self.fan_out().await;
    }

    pub(crate) async fn fan_out(&self) {
        let app = &self.world.kit.app;
        let handle = async |told| match told {
            svc_app::messages::Message::Deliver(_) => {}
            told => svc_workers::handle(app, &told).await.unwrap(),
        };
        self.world.kit.drain(handle).await;
    }

    pub(crate) async fn send(&self, to: Destination) {
        deliver(&self.world.kit.app, to).await.unwrap();
    }

    pub(crate) async fn later(&self, seconds: i64) {
        self.world.kit.advance(SignedDuration::from_secs(seconds));
        deliver_due(&self.world.kit.app).await.unwrap();
        self.world.work_once().await;
    }

    pub(crate) fn by_mail(&self) -> Destination {
        Destination::Person(self.world.ada.id, Place::Mail)
    }

    /// What still waits for a person.
    pub(crate) async fn waiting(&self, to: Destination) -> usize {
        let query = Query::new(keys::sending_pk(to), Range::All, 100);
        let rows = self.world.kit.app.table.query_all(query).await.unwrap();
        rows.iter().filter(|row| row.key.sk != "HEAD").count()
    }
}

async fn remove_from_project(world: &World, who: &Person) {
    let path = format!("/orgs/demo/projects/PRJ/members/{}", who.id);
    let gone = world.call(&world.owner, Method::DELETE, &path, None).await;
    assert!(gone.status.is_success(), "{}", gone.text);
}

#[tokio::test]
async fn a_mention_is_mailed_at_once_with_a_link_a_thread_and_a_way_to_stop_it() {
    let told = Told::new().await;
    told.says("hello @ada & <everybody>").await;
    told.later(0).await;
    let mails = told.post.take();
    let [mail] = mails.as_slice() else { panic!("{mails:?}") };
    assert_eq!((mail.to.as_str(), mail.email.subject.as_str()), ("ada@example.com", "[PRJ-1] Greet people"));
    assert!(
        mail.email.text.contains("ben mentioned you\n> ben: hello @ada & <everybody>\n"),
        "{}",
        mail.email.text
    );
    assert!(mail.email.text.contains("https://work.example.com/o/demo/p/PRJ/items/PRJ-1"));
    assert!(mail.email.html.as_ref().unwrap().contains("hello @ada &amp; &lt;everybody&gt;"));
    let list = mail.list.as_ref().unwrap();
    assert!(list.thread.is_some());
    let link = list.unsubscribe.clone().unwrap();
    let path = link.strip_prefix("https://work.example.com/api/v1").unwrap();
    let looked = call(&told.world.router, Method::GET, path, None, None).await;
    assert_eq!(looked.status, StatusCode::SEE_OTHER, "a GET stops nothing");
    told.says("again @ada").await;
    told.later(0).await;
    assert_eq!(told.post.take().len(), 1);
    let stopped = call(&told.world.router, Method::POST, path, None, None).await;
    assert_eq!(stopped.status, StatusCode::NO_CONTENT, "{}", stopped.text);
    told.says("once more @ada").await;
    told.later(200).await;
    assert_eq!(told.post.subjects(), [""; 0]);
    let forged = format!("{}x", &path[..path.len() - 1]);
    let refused = call(&told.world.router, Method::POST, &forged, None, None).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn ten_comments_are_one_mail_after_a_while_and_none_once_they_were_read() {
    let told = Told::new().await;
    let kinds = json!([{"kind": "commented", "inApp": true, "email": "immediate"}]);
    told.ask(Method::PUT, "/me/notification-preferences", kinds).await;
    for n in 0..10 {
        told.says(&format!("comment {n}")).await;
    }
    told.later(30).await;
    assert_eq!(told.post.subjects(), [""; 0], "they are gathered");
    told.later(70).await;
    let mails = told.post.take();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].email.text.contains("10 new comments"), "{}", mails[0].email.text);
    told.says("one more").await;
    told.ask(Method::POST, "/me/notifications/read", json!({})).await;
    told.later(100).await;
    assert_eq!(told.post.subjects(), [""; 0]);
    assert_eq!(told.waiting(told.by_mail()).await, 0);
}

#[tokio::test]
async fn a_digest_comes_once_a_day_at_ones_own_hour() {
    let told = Told::new().await;
    told.ask(Method::PATCH, "/me/notification-settings", json!({"digestHour": 12, "timeZone": "UTC"})).await;
    told.says("first").await;
    told.later(3_600).await;
    told.says("second").await;
    assert_eq!(told.post.subjects(), [""; 0]);
    // It was nine when the clock began.
    told.later(2 * 3_600).await;
    assert_eq!(told.post.subjects(), ["Daily digest: 1 thing"]);
    told.later(24 * 3_600).await;
    assert_eq!(told.post.subjects(), [""; 0], "nothing when nothing is new");
    told.world.consistent().await;
}

#[tokio::test]
async fn who_lost_access_between_event_and_digest_gets_nothing_of_it() {
    let told = Told::new().await;
    told.says("a secret").await;
    assert_eq!(told.waiting(told.by_mail()).await, 1);
    remove_from_project(&told.world, &told.world.ada).await;
    told.later(24 * 3_600).await;
    assert_eq!(told.post.subjects(), [""; 0]);
    assert_eq!(told.waiting(told.by_mail()).await, 0);
}

#[tokio::test]
async fn a_comment_that_was_deleted_is_quoted_nowhere() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    let path = format!("/orgs/demo/items/{}/comments", told.item);
    let body = json!({"body": "a slip, @ada"});
    let said = told.world.call(&told.world.ben, Method::POST, &path, Some(body)).await.json;
    told.fan_out().await;
    let comment = format!("{path}/{}", said["id"].as_str().unwrap());
    let gone = told.world.call(&told.world.ben, Method::DELETE, &comment, None).await;
    assert!(gone.status.is_success(), "{}", gone.text);
    told.send(slack).await;
    assert!(told.platform.texts().iter().all(|text| !text.contains("slip")));
}

#[tokio::test]
async fn a_stakeholder_is_sent_nothing_of_what_agents_say() {
    let told = Told::new().await;
    let (world, who) = (&told.world, &told.world.stakeholder);
    let hook = json!({"type": "chat_2", "webhookUrl": told.platform.slack()});
    world.call(who, Method::POST, "/me/notification-channels", Some(hook)).await;
    let kinds = json!([{"kind": "commented", "inApp": true, "email": "off", "chat_2": "immediate"}]);
    world.call(who, Method::PUT, "/me/notification-preferences", Some(kinds)).await;
    world.act(who, Method::PUT, &format!("/items/{}/watch", told.item), Value::Null).await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let path = format!("/orgs/demo/items/{}/comments", told.item);
    call(&world.router, Method::POST, &path, Some(&agent), Some(json!({"body": "I began"}))).await;
    told.fan_out().await;
    told.later(1).await;
    assert_eq!(told.platform.texts(), [""; 0]);
    told.says("a person says").await;
    told.later(1).await;
    assert!(told.platform.texts().iter().any(|text| text.contains("a person says")));
}

#[tokio::test]
async fn messages_keep_their_order_and_wait_as_the_platform_asks() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    told.platform.answers(429, Some(30), "rate_limited");
    told.says("first @ada").await;
    told.send(slack).await;
    assert_eq!(told.platform.messages().len(), 1);
    let second = told.world.item(&told.world.ben, "Another").await;
    told.world.assign(&told.world.ben, &second, &told.world.ada).await;
    told.fan_out().await;
    told.later(10).await;
    assert_eq!(told.platform.messages().len(), 0, "the channel is held");
    told.later(25).await;
    told.later(2).await;
    let texts = told.platform.texts();
    assert!(texts.len() == 2 && texts[0].contains("first") && texts[1].contains("Another"), "{texts:?}");
}

#[tokio::test]
async fn a_worker_that_dies_between_sending_and_writing_repeats_once_and_loses_nothing() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    told.says("hello @ada").await;
    // The platform takes the message, and its answer never comes: the worker is gone.
    {
        let app = Arc::clone(&told.world.kit.app);
        let mut sending = Box::pin(async move { deliver(&app, slack).await });
        let heard = || told.platform.messages().len();
        let mut seen = 0;
        while seen == 0 {
            let polled = futures::poll!(&mut sending);
            seen = heard();
            assert!(polled.is_pending() || seen > 0);
            tokio::task::yield_now().await;
        }
    }
    told.send(slack).await;
    assert_eq!(told.platform.messages().len(), 0, "another worker leaves it alone while it may be at work");
    told.later(130).await;
    assert_eq!(told.platform.messages().len(), 1, "it is sent once more");
    told.later(130).await;
    assert_eq!(told.platform.messages().len(), 0);
    assert_eq!(told.waiting(slack).await, 0);
}

#[tokio::test]
async fn two_workers_send_each_thing_once() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    let other = told.world.kit.beside();
    let other = other.with_outbound(crate::platform::reaching_loopback());
    for n in 0..5 {
        told.says(&format!("comment {n} @ada")).await;
        let (one, two) = tokio::join!(deliver(&told.world.kit.app, slack), deliver(&other.app, slack));
        one.unwrap();
        two.unwrap();
        told.later(2).await;
    }
    let texts = told.platform.texts();
    for n in 0..5 {
        let said = format!("comment {n}");
        assert_eq!(texts.iter().filter(|text| text.contains(&said)).count(), 1, "{texts:?}");
    }
}

#[tokio::test]
async fn a_platform_that_is_away_for_an_hour_gets_everything_in_the_end() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    for _ in 0..4 {
        told.platform.answers(503, None, "");
    }
    told.says("hello @ada").await;
    told.send(slack).await;
    for _ in 0..12 {
        told.later(300).await;
    }
    assert_eq!(told.platform.messages().len(), 5, "four failures, then it arrives once");
    assert_eq!(told.waiting(slack).await, 0);
}

/// They were in the message that was tried again, and in the next one.
#[tokio::test]
async fn news_that_come_while_a_message_is_tried_again_are_told_once() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    told.platform.answers(503, None, "");
    told.says("first @ada").await;
    told.send(slack).await;
    assert_eq!(told.platform.messages().len(), 1);
    told.says("second @ada").await;
    for _ in 0..3 {
        told.later(60).await;
    }
    let texts = told.platform.texts();
    let count = |word: &str| texts.iter().filter(|text| text.contains(word)).count();
    assert_eq!((count("first"), count("second")), (1, 1), "{texts:?}");
}

#[tokio::test]
async fn many_things_at_once_are_one_message() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    let mut items = Vec::new();
    for n in 0..12 {
        items.push(told.world.item(&told.world.ben, &format!("Thing {n}")).await);
    }
    for item in items {
        let path = format!("/orgs/demo/items/{item}/comments");
        told.world.call(&told.world.ben, Method::POST, &path, Some(json!({"body": "@ada look"}))).await;
    }
    told.fan_out().await;
    told.send(slack).await;
    let texts = told.platform.messages();
    assert_eq!(texts.len(), 1);
    assert_eq!(texts[0].1["blocks"].as_array().unwrap().len(), 12);
    assert_eq!(told.waiting(slack).await, 0);
}

#[tokio::test]
async fn a_channel_of_the_organization_is_told_what_every_member_may_see() {
    let told = Told::new().await;
    let world = &told.world;
    let new = json!({"type": "chat_3", "name": "Ops", "webhookUrl": told.platform.discord()});
    let path = "/orgs/demo/notification-channels";
    let made = world.call(&world.owner, Method::POST, path, Some(new)).await.json;
    let one = format!("{path}/{}", made["channel"]["id"].as_str().unwrap());
    let modes = json!({"modes": {"transitioned": "immediate", "runNeedsInput": "immediate"}});
    world.call(&world.owner, Method::PATCH, &one, Some(modes)).await;
    told.says("not for everybody").await;
    let path = format!("/items/{}", told.item);
    let now = world.call(&world.ben, Method::GET, &format!("/orgs/demo{path}"), None).await.json;
    let moved = json!({"version": now["version"], "state": "In progress"});
    let reply =
        world.call(&world.ben, Method::POST, &format!("/orgs/demo{path}/transition"), Some(moved)).await;
    assert!(reply.status.is_success(), "{}", reply.text);
    told.fan_out().await;
    told.later(1).await;
    let texts = told.platform.texts();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("Moved to In progress") && !texts[0].contains("everybody"), "{texts:?}");
}
