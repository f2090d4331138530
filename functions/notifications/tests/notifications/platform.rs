//! Chat platforms on loopback, which answer as the real ones document it, unless a test says otherwise.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use serde_json::{Value, json};
use svc_app::Settings;
use svc_app::settings::BotToken;
use svc_boot::{GuardedHttp, OutboundSettings};
use svc_testkit::TestApp;
use tokio::net::TcpListener;

/// The token of the bot.
const BOT: &str = "123456:secret-of-the-bot";

/// An answer that a test asks for: status, `Retry-After`, and body.
type Scripted = (u16, Option<u32>, String);

#[derive(Default)]
struct Heard {
    messages: Vec<(String, Value)>,
    answers: VecDeque<Scripted>,
    updates: Vec<Value>,
    /// Messages of the bot that wait for a reply.
    prompts: i64,
}

/// All platforms in one server.
#[derive(Clone)]
pub(crate) struct Platform {
    pub(crate) address: String,
    heard: Arc<Mutex<Heard>>,
}

impl Platform {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Heard::default()));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&heard));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, heard }
    }

    /// Settings under which these are the platforms.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.service.base_url = "https://work.example.com".into();
        let notifications = &mut settings.notifications;
        notifications.chat_1_bot_token = BotToken(BOT.into());
        notifications.chat_1_bot_username = "work_bot".into();
        notifications.chat_1_api_url.clone_from(&self.address);
        notifications.chat_2_prefix = format!("{}/services/", self.address);
        notifications.chat_3_prefix = format!("{}/api/webhooks/", self.address);
        notifications.chat_4_hosts.clone_from(&self.address);
        settings
    }

    /// An application that reaches them.
    pub(crate) fn kit(&self) -> TestApp {
        TestApp::with(self.settings()).with_outbound(reaching_loopback())
    }

    pub(crate) fn slack(&self) -> String {
        format!("{}/services/T0000/B0000/abcd1234", self.address)
    }

    pub(crate) fn discord(&self) -> String {
        format!("{}/api/webhooks/123456/abc-DEF_456", self.address)
    }

    pub(crate) fn teams(&self) -> String {
        let query = "api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abcDEF-_0123456789abcd";
        format!("{}/workflows/0123456789abcdef/triggers/manual/paths/invoke?{query}", self.address)
    }

    /// The next message is answered like this.
    pub(crate) fn answers(&self, status: u16, retry_after: Option<u32>, body: impl Into<String>) {
        self.heard.lock().answers.push_back((status, retry_after, body.into()));
    }

    /// A chat says something to the bot.
    pub(crate) fn says(&self, chat: i64, text: &str) {
        let mut heard = self.heard.lock();
        let id = heard.updates.len() + 1;
        heard.updates.push(json!({
            "update_id": id, "message": {"chat": {"id": chat}, "from": {"id": chat}, "text": text},
        }));
    }

    /// Somebody replies to a message of the bot's in a chat.
    pub(crate) fn replies(&self, chat: i64, from: i64, to: i64, text: &str) {
        let mut heard = self.heard.lock();
        let id = heard.updates.len() + 1;
        let message = json!({
            "chat": {"id": chat}, "from": {"id": from}, "text": text, "reply_to_message": {"message_id": to},
        });
        heard.updates.push(json!({"update_id": id, "message": message}));
    }

    /// Somebody presses a button of a message in a chat.
    pub(crate) fn presses(&self, chat: i64, from: i64, message: i64, data: &str) {
        let mut heard = self.heard.lock();
        let id = heard.updates.len() + 1;
        let open = json!({"text": "Open", "url": "https://work.example.com"});
        let message = json!({
            "message_id": message, "chat": {"id": chat}, "text": "A question",
            "entities": [{"type": "bold", "offset": 0, "length": 1}],
            "reply_markup": {"inline_keyboard": [[{"text": "Answer here", "callback_data": data}, open]]},
        });
        let query = json!({"id": id.to_string(), "from": {"id": from}, "data": data, "message": message});
        heard.updates.push(json!({"update_id": id, "callback_query": query}));
    }

    /// The bodies of the messages since the last call, each with its path.
    pub(crate) fn messages(&self) -> Vec<(String, Value)> {
        std::mem::take(&mut self.heard.lock().messages)
    }

    /// The texts of those, whatever the platform.
    pub(crate) fn texts(&self) -> Vec<String> {
        let text = |(_, body): (String, Value)| {
            let slack = &body["blocks"][0]["text"]["text"];
            let text = body["text"].as_str().filter(|_| slack.is_null());
            text.or(slack.as_str()).or(body["content"].as_str()).unwrap_or_default().to_owned()
        };
        self.messages().into_iter().map(text).collect()
    }
}

/// Requests to addresses that users give, which may be of this machine.
pub(crate) fn reaching_loopback() -> Arc<GuardedHttp> {
    let settings = OutboundSettings { private_networks: "127.0.0.1".into() };
    Arc::new(GuardedHttp::of(&settings).unwrap())
}

async fn answer(
    State(heard): State<Arc<Mutex<Heard>>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    assert_eq!(headers[header::CONTENT_TYPE], "application/json");
    let body: Value = serde_json::from_slice(&body).unwrap();
    let mut heard = heard.lock();
    if uri.path() == format!("/bot{BOT}/getUpdates") {
        let from = body["offset"].as_i64().unwrap();
        let new = heard.updates.iter().filter(|update| update["update_id"].as_i64().unwrap() >= from);
        return axum::Json(json!({"ok": true, "result": new.collect::<Vec<_>>()})).into_response();
    }
    let prompts = body["reply_markup"]["force_reply"] == true;
    heard.messages.push((uri.to_string(), body));
    if let Some((status, retry_after, body)) = heard.answers.pop_front() {
        let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        return response;
    }
    match uri.path() {
        path if path == format!("/bot{BOT}/sendMessage") => {
            heard.prompts += i64::from(prompts);
            let message = json!({"message_id": heard.prompts});
            axum::Json(json!({"ok": true, "result": message})).into_response()
        }
        path if path == format!("/bot{BOT}/answerCallbackQuery")
            || path == format!("/bot{BOT}/editMessageText")
            || path == format!("/bot{BOT}/setWebhook")
            || path == format!("/bot{BOT}/deleteWebhook") =>
        {
            axum::Json(json!({"ok": true, "result": true})).into_response()
        }
        path if path.starts_with("/services/") => "ok".into_response(),
        path if path.starts_with("/workflows/") => StatusCode::ACCEPTED.into_response(),
        path if path.starts_with("/api/webhooks/") => axum::Json(json!({"id": "1"})).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
