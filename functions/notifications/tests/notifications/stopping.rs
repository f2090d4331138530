//! Chats that are connected to the bot by the right kind of code, are told so in words, and end it with `/stop`.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::platform::Platform;
use crate::world::World;

const MINE: &str = "/me/notification-channels";
const OURS: &str = "/orgs/demo/notification-channels";
/// A private chat has the id of its person; ids of groups are below zero.
const PRIVATE: i64 = 987_654;
const GROUP: i64 = -100_123;

struct Chats {
    world: World,
    platform: Platform,
}

impl Chats {
    async fn new() -> Self {
        let platform = Platform::start().await;
        Self { world: World::on(platform.kit()).await, platform }
    }

    /// A code of Ada's, or of the organization.
    async fn code(&self, of_org: bool) -> String {
        let (who, path, new) = if of_org {
            (&self.world.owner, OURS, json!({"type": "chat_1", "name": "Group"}))
        } else {
            (&self.world.ada, MINE, json!({"type": "chat_1"}))
        };
        let made = self.world.call(who, Method::POST, path, Some(new)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json["connectCode"].as_str().unwrap().to_owned()
    }

    /// What the bot answers to this.
    async fn answer(&self, chat: i64, text: &str) -> Vec<String> {
        self.platform.texts();
        self.platform.says(chat, text);
        svc_app::notifications::read_bot(&self.world.kit.app, Uuid::from_u128(1)).await.unwrap();
        self.platform.texts()
    }

    async fn mine(&self) -> Value {
        self.world.call(&self.world.ada, Method::GET, MINE, None).await.json["channels"].clone()
    }

    async fn ours(&self) -> Value {
        self.world.call(&self.world.owner, Method::GET, OURS, None).await.json["channels"].clone()
    }
}

#[tokio::test]
async fn a_chat_is_told_what_it_is_connected_to_and_ends_it_with_stop() {
    let chats = Chats::new().await;
    let code = chats.code(false).await;
    let told = chats.answer(PRIVATE, &format!("/start {code}")).await;
    assert_eq!(
        told,
        [
            "This chat is connected to https://work.example.com: it tells you what you choose there. /stop ends it."
        ]
    );
    assert_eq!(chats.answer(PRIVATE, "stop bothering me").await, [""; 0], "no command");
    assert_eq!(chats.answer(PRIVATE, "/stop").await, ["This chat is told nothing more."]);
    assert_eq!(chats.mine().await, json!([]));
    assert_eq!(chats.answer(PRIVATE, "/stop@work_bot").await, ["This chat is not connected."]);
    let code = chats.code(false).await;
    chats.answer(PRIVATE, &code).await;
    assert_eq!(chats.mine().await[0]["status"], "active", "connected again");
    chats.world.consistent().await;
}

/// What an earlier chat of the person's was connected to is not ended from there.
#[tokio::test]
async fn a_chat_stops_only_what_is_connected_to_it_now() {
    let chats = Chats::new().await;
    for chat in [PRIVATE, 5] {
        let code = chats.code(false).await;
        chats.answer(chat, &code).await;
    }
    assert_eq!(chats.answer(PRIVATE, "/stop").await, ["This chat is not connected."]);
    assert_eq!(chats.mine().await[0]["status"], "active");
    let path = format!("{MINE}/{}", chats.mine().await[0]["id"].as_str().unwrap());
    chats.world.call(&chats.world.ada, Method::DELETE, &path, None).await;
    assert_eq!(chats.answer(5, "/stop").await, ["This chat is not connected."]);
    chats.world.consistent().await;
}

#[tokio::test]
async fn a_code_of_the_wrong_kind_is_refused_in_words_and_counts_on() {
    let chats = Chats::new().await;
    let (mine, ours) = (chats.code(false).await, chats.code(true).await);
    let refused = chats.answer(PRIVATE, &format!("/start {ours}")).await;
    assert!(refused[0].contains("add the bot to a group"), "{refused:?}");
    assert_eq!(chats.ours().await[0]["status"], "pending");
    let refused = chats.answer(GROUP, &format!("/start {mine}")).await;
    assert!(refused[0].contains("only you"), "{refused:?}");
    assert_eq!(chats.mine().await[0]["status"], "pending");
    let told = chats.answer(GROUP, &format!("/start@work_bot {ours}")).await;
    assert_eq!(
        told,
        ["This group is connected to https://work.example.com: it is told what demo chooses there."]
    );
    assert_eq!(chats.ours().await[0]["status"], "active");
    let stays = chats.answer(GROUP, "/stop").await;
    assert!(stays[0].contains("Admins"), "{stays:?}");
    assert_eq!(
        chats.ours().await[0]["status"],
        "active",
        "a member of a group does not speak for its organization"
    );
    let over = chats.answer(PRIVATE, &format!("/start {ours}")).await;
    assert!(over[0].contains("counts no more"), "{over:?}");
    chats.world.consistent().await;
}
