//! What agents ask, answered in the chat in which its person was told: once, by that person alone, with the rights that they
//! have then.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::notifications::{deliver_due, read_bot};
use svc_testkit::call;
use uuid::Uuid;

use crate::platform::Platform;
use crate::world::World;

/// Ada's private chat with the bot.
const ADA: i64 = 987_654;
const READER: Uuid = Uuid::from_u128(1);

/// A world in which an agent refines an item of Ada's, who is told in Telegram.
struct Asked {
    world: World,
    platform: Platform,
    item: String,
    runner: String,
}

impl Asked {
    async fn new() -> Self {
        let platform = Platform::start().await;
        let world = World::on(platform.kit()).await;
        world.act(&world.owner, Method::POST, "/agents", json!({"name": "Builder"})).await;
        let playbook = json!({
            "name": "Implement", "instructions": "Write the code.", "harness": "harness_1",
            "successState": "In review", "failureState": "Backlog", "projectDefault": true,
        });
        world.act(&world.ada, Method::POST, "/projects/PRJ/playbooks", playbook).await;
        let runner = world.act(&world.owner, Method::POST, "/runners", json!({"name": "box"})).await;
        let runner = runner["secret"].as_str().unwrap().to_owned();
        let item = world.item(&world.ada, "Login").await;
        let asked = Self { world, platform, item, runner };
        asked.connect().await;
        asked.post(&asked.refinement(), json!({})).await;
        asked
    }

    async fn connect(&self) {
        let new = json!({"type": "chat_1"});
        let made =
            self.world.call(&self.world.ada, Method::POST, "/me/notification-channels", Some(new)).await;
        self.platform.says(ADA, &format!("/start {}", made.json["connectCode"].as_str().unwrap()));
        self.read().await;
        self.platform.messages();
    }

    fn refinement(&self) -> String {
        format!("/orgs/demo/items/{}/refinement", self.item)
    }

    async fn post(&self, path: &str, body: Value) {
        let done = self.world.call(&self.world.ada, Method::POST, path, Some(body)).await;
        assert!(done.status.is_success(), "{path}: {}", done.text);
        self.world.work().await;
    }

    async fn read(&self) {
        read_bot(&self.world.kit.app, READER).await.unwrap();
    }

    /// The round's run hands this in, and Ada is told: the message with the buttons.
    async fn round(&self, request: &str, submission: Value) -> Value {
        let ask = async |method: Method, path: String, token: &str, body: Value| {
            let said = call(&self.world.router, method, &path, Some(token), Some(body)).await;
            assert!(said.status.is_success(), "{path}: {}", said.text);
            said.json
        };
        let wanted = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": request});
        let taken = ask(Method::POST, "/runner/take".into(), &self.runner, wanted).await;
        let token = taken["token"].as_str().unwrap();
        ask(Method::PUT, format!("{}/submission", self.refinement()), token, submission).await;
        let run = format!("/runner/runs/{}", taken["runId"].as_str().unwrap());
        let fence = &taken["fence"];
        ask(Method::POST, format!("{run}/start"), &self.runner, json!({"fence": fence})).await;
        let end = json!({"fence": fence, "result": "succeeded", "exitCode": 0, "harnessSession": "s-1"});
        ask(Method::POST, format!("{run}/finish"), &self.runner, end).await;
        self.world.work().await;
        self.world.kit.advance(SignedDuration::from_secs(2));
        deliver_due(&self.world.kit.app).await.unwrap();
        self.world.work_once().await;
        let mut messages = self.platform.messages();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0).1
    }

    async fn view(&self) -> Value {
        self.world.call(&self.world.ada, Method::GET, &self.refinement(), None).await.json
    }

    /// What the bot did since: its methods and what it said.
    async fn did(&self) -> Vec<(String, Value)> {
        self.read().await;
        let name = |(path, body): (String, Value)| (path.rsplit('/').next().unwrap().to_owned(), body);
        self.platform.messages().into_iter().map(name).collect()
    }

    async fn said_at_button(&self) -> String {
        let did = self.did().await;
        let answered = did.iter().find(|(name, _)| name == "answerCallbackQuery");
        answered.unwrap_or_else(|| panic!("{did:?}")).1["text"].as_str().unwrap_or_default().to_owned()
    }
}

/// What the button of this word says when it is pressed.
fn button(message: &Value, word: &str) -> String {
    let rows = message["reply_markup"]["inline_keyboard"].as_array().unwrap();
    let mut buttons = rows.iter().flat_map(|row| row.as_array().unwrap());
    let found = buttons.find(|button| button["text"] == word).unwrap_or_else(|| panic!("{message}"));
    found["callback_data"].as_str().unwrap().to_owned()
}

fn proposal() -> Value {
    json!({"proposal": {"title": "Log in with a password", "description": "As a user …"}})
}

#[tokio::test]
async fn questions_are_answered_one_after_the_other() {
    let asked = Asked::new().await;
    let message = asked.round("first", json!({"questions": ["Which <browsers>?", "A password?"]})).await;
    let text = message["text"].as_str().unwrap();
    assert!(text.contains("Which &lt;browsers&gt;?") && text.contains("A password?"), "{text}");
    let press = button(&message, "Answer here");
    assert!(press.len() <= 64, "{press}");
    asked.platform.presses(ADA, ADA, 10, &press);
    let did = asked.did().await;
    let names: Vec<&str> = did.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["sendMessage", "answerCallbackQuery"], "{did:?}");
    assert!(did[0].1["text"].as_str().unwrap().starts_with("Question 1 of 2\nWhich <browsers>?"), "{did:?}");
    assert_eq!(did[0].1["reply_markup"], json!({"force_reply": true}));
    asked.platform.replies(ADA, ADA, 1, "Firefox");
    let did = asked.did().await;
    assert!(did[0].1["text"].as_str().unwrap().starts_with("Question 2 of 2\nA password?"), "{did:?}");
    assert_eq!(asked.view().await["status"], "questions", "handed in together");
    asked.platform.replies(ADA, ADA, 2, "Yes & no");
    let did = asked.did().await;
    let view = asked.view().await;
    assert_eq!(view["status"], "running", "{did:?}");
    let answers = view["rounds"][1]["answers"].clone();
    assert_eq!(
        (&answers[0]["answer"], &answers[1]["answer"]),
        (&json!("Firefox"), &json!("Yes & no")),
        "{view}"
    );
    let (name, edit) = did.last().unwrap();
    assert_eq!(name, "editMessageText");
    assert!(edit["text"].as_str().unwrap().ends_with("\n\nAnswered. The agent goes on."), "{edit}");
    let left = edit["reply_markup"]["inline_keyboard"].to_string();
    assert!(left.contains("\"url\"") && !left.contains("callback_data"), "{left}");
    // A second press, and a reply that comes again.
    asked.platform.presses(ADA, ADA, 10, &press);
    assert_eq!(asked.said_at_button().await, "Answered. The agent goes on.");
    asked.platform.replies(ADA, ADA, 2, "Once more");
    assert_eq!(asked.did().await, [], "nothing asked for it any more");
    asked.world.consistent().await;
}

#[tokio::test]
async fn a_proposal_is_confirmed_by_one_press() {
    let asked = Asked::new().await;
    let message = asked.round("first", proposal()).await;
    assert!(message["text"].as_str().unwrap().contains("Log in with a password: As a user …"), "{message}");
    let press = button(&message, "Confirm");
    // Another chat, and somebody else in a group to which the chat's id was given.
    asked.platform.presses(5, 5, 10, &press);
    assert_eq!(asked.said_at_button().await, "You may not answer this now.");
    asked.platform.presses(ADA, 5, 10, &press);
    assert_eq!(asked.said_at_button().await, "Only the person who was asked can answer, in their own chat.");
    assert_eq!(asked.view().await["status"], "proposed");
    asked.platform.presses(ADA, ADA, 10, &press);
    assert_eq!(asked.said_at_button().await, "Confirmed.");
    let view = asked.view().await;
    assert_eq!(view["status"], "confirmed", "{view}");
    let path = format!("/orgs/demo/items/{}", asked.item);
    let item = asked.world.call(&asked.world.ada, Method::GET, &path, None).await.json;
    assert_eq!(item["title"], "Log in with a password");
    asked.platform.presses(ADA, ADA, 10, "confirm:0123456789abcdef0123456789abcdef");
    assert_eq!(asked.said_at_button().await, "This question is over.");
    asked.platform.presses(ADA, ADA, 10, "nonsense");
    assert_eq!(asked.said_at_button().await, "");
    asked.world.consistent().await;
}

#[tokio::test]
async fn what_should_change_is_said_in_a_reply() {
    let asked = Asked::new().await;
    let message = asked.round("first", proposal()).await;
    asked.platform.presses(ADA, ADA, 10, &button(&message, "Ask for changes"));
    asked.did().await;
    asked.platform.replies(ADA, ADA, 1, "  ");
    assert_eq!(asked.did().await[0].1["text"], "Reply with a text, please.");
    asked.platform.replies(ADA, ADA, 1, "Name the browsers");
    asked.did().await;
    let view = asked.view().await;
    assert_eq!(
        (&view["status"], &view["rounds"][1]["note"]),
        (&json!("running"), &json!("Name the browsers"))
    );
}

#[tokio::test]
async fn who_may_no_longer_answer_is_told_so_and_an_old_question_is_over() {
    let asked = Asked::new().await;
    let message = asked.round("first", json!({"questions": ["Why?"]})).await;
    let press = button(&message, "Answer here");
    asked.platform.presses(ADA, ADA, 10, &press);
    asked.did().await;
    // Somebody answers in the web app meanwhile; the reply in the chat comes too late.
    let version = asked.view().await["version"].clone();
    let answers = json!({"version": version, "answers": [{"question": 1, "answer": "Because."}]});
    asked.post(&format!("{}/answers", asked.refinement()), answers).await;
    asked.platform.replies(ADA, ADA, 1, "Too late");
    let late = "It was answered meanwhile, or has changed. Open it to see.";
    assert_eq!(asked.did().await[0].1["text"], late);
    asked.platform.presses(ADA, ADA, 10, &press);
    assert_eq!(asked.said_at_button().await, late);
    let message = asked.round("second", json!({"questions": ["And why?"]})).await;
    let member = format!("/orgs/demo/members/{}", asked.world.ada.id);
    let edit = json!({"version": 1, "canStartAiWork": false});
    let changed = asked.world.call(&asked.world.owner, Method::PATCH, &member, Some(edit)).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.text);
    asked.platform.presses(ADA, ADA, 10, &button(&message, "Answer here"));
    assert_eq!(asked.said_at_button().await, "You may not answer this now.");
}
