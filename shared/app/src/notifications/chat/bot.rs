//! What the bot does in a chat beside telling: it hears presses and replies, and says what came of them.
//!
//! What is said here is a kindness: where the platform does not take it, the answer counts all the same.

use serde_json::{Value, json};

use super::json;
use super::telegram::method;
use crate::App;
use crate::ports::{OutboundError, Post};

/// How long one read of what chats say may wait, in seconds: less than a request may take.
const WAIT: u32 = 5;
/// The kinds of updates that the bot hears.
pub(crate) const HEARD: [&str; 2] = ["message", "callback_query"];
/// Characters of what is said at a button at most; the platform takes 200.
const AT_BUTTON: usize = 190;

/// Something that the bot heard.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Update {
    /// Its number: they rise.
    pub(crate) id: i64,
    /// What it is; nothing where it is of no use.
    pub(crate) heard: Option<Heard>,
}

/// What the bot heard.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Heard {
    /// Somebody wrote in a chat.
    Said {
        /// The chat.
        chat: i64,
        /// Who wrote.
        from: i64,
        /// What.
        text: String,
        /// The message that it is a reply to.
        reply_to: Option<i64>,
    },
    /// Somebody pressed a button.
    Pressed(Press),
}

/// A press of a button.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Press {
    /// Its id, under which it is answered.
    pub(crate) id: String,
    /// The chat.
    pub(crate) chat: i64,
    /// Who pressed. In a private chat it is the chat's own id.
    pub(crate) from: i64,
    /// What the button is.
    pub(crate) data: String,
    /// The message with the button.
    pub(crate) message: Value,
}

impl Update {
    /// An update as the platform sends it; nothing where it has no number.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let id = value["update_id"].as_i64()?;
        Some(Self { id, heard: said(&value["message"]).or_else(|| pressed(&value["callback_query"])) })
    }
}

fn said(message: &Value) -> Option<Heard> {
    let chat = message["chat"]["id"].as_i64()?;
    Some(Heard::Said {
        chat,
        from: message["from"]["id"].as_i64().unwrap_or_default(),
        text: message["text"].as_str().unwrap_or_default().to_owned(),
        reply_to: message["reply_to_message"]["message_id"].as_i64(),
    })
}

fn pressed(query: &Value) -> Option<Heard> {
    let message = &query["message"];
    Some(Heard::Pressed(Press {
        id: query["id"].as_str()?.to_owned(),
        chat: message["chat"]["id"].as_i64()?,
        from: query["from"]["id"].as_i64()?,
        data: query["data"].as_str()?.to_owned(),
        message: message.clone(),
    }))
}

/// What chats said to the bot since this number; waits a little for something.
///
/// # Errors
/// Why the platform did not say it.
pub(crate) async fn updates(app: &App, from: i64) -> Result<Vec<Update>, String> {
    let body = json!({ "offset": from, "timeout": WAIT, "limit": 50, "allowed_updates": HEARD });
    let answer = ask(app, "getUpdates", &body).await?;
    Ok(answer.as_array().into_iter().flatten().filter_map(Update::read).collect())
}

/// Ends the waiting of a button, with what came of it.
pub(in super::super) async fn answer_press(app: &App, id: &str, sentence: Option<&str>) {
    let mut body = json!({ "callback_query_id": id });
    if let Some(sentence) = sentence {
        body["text"] = json!(super::shortened(sentence, AT_BUTTON));
    }
    kindly(app, "answerCallbackQuery", &body).await;
}

/// Says something in a chat.
pub(in super::super) async fn say(app: &App, chat: i64, text: &str) {
    kindly(app, "sendMessage", &json!({ "chat_id": chat, "text": text })).await;
}

/// Says something that waits for a reply; the number of the message.
pub(in super::super) async fn prompt(app: &App, chat: i64, text: &str) -> Option<i64> {
    let body = json!({ "chat_id": chat, "text": text, "reply_markup": { "force_reply": true } });
    kindly(app, "sendMessage", &body).await?["message_id"].as_i64()
}

/// Adds to a message how what it asked has ended, and leaves no button but those that open something.
pub(in super::super) async fn note_in_message(app: &App, chat: i64, message: &Value, sentence: &str) {
    // Of an old message the platform says no text: what is not known cannot be added to.
    let (Some(id), Some(text)) = (message["message_id"].as_i64(), message["text"].as_str()) else { return };
    let links = message["reply_markup"]["inline_keyboard"].as_array().into_iter().flatten();
    let links = links.filter_map(Value::as_array).flatten().filter(|button| button["url"].is_string());
    let mut body = json!({
        "chat_id": chat, "message_id": id, "text": format!("{text}\n\n{sentence}"),
        "link_preview_options": { "is_disabled": true },
        "reply_markup": { "inline_keyboard": [links.collect::<Vec<_>>()] },
    });
    // The text comes without its marks, which are these.
    if message["entities"].is_array() {
        body["entities"] = message["entities"].clone();
    }
    kindly(app, "editMessageText", &body).await;
}

/// Asks the platform; what it says is logged where it refuses.
async fn kindly(app: &App, name: &str, body: &Value) -> Option<Value> {
    ask(app, name, body).await.inspect_err(|why| tracing::warn!(why, name, "the bot was not heard")).ok()
}

/// Asks the platform for something.
pub(crate) async fn ask(app: &App, name: &str, body: &Value) -> Result<Value, String> {
    let post = Post { address: method(app, name), headers: Vec::new(), body: body.to_string().into() };
    let answer = app.outbound.post(&post).await.map_err(|error| match error {
        OutboundError::Refused(why) => why.to_string(),
        OutboundError::Unavailable(cause) => format!("no answer: {cause}"),
    })?;
    let body = json(&answer);
    if answer.status != 200 {
        return Err(format!("{}: {}", answer.status, body["description"].as_str().unwrap_or_default()));
    }
    Ok(body["result"].clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Heard, Press, Update};

    #[test]
    fn what_the_bot_hears_is_read() {
        let said = json!({
            "update_id": 7,
            "message": {
                "message_id": 3, "from": {"id": 5}, "chat": {"id": 5, "type": "private"}, "text": "hello",
                "reply_to_message": {"message_id": 2},
            },
        });
        let heard = Heard::Said { chat: 5, from: 5, text: "hello".into(), reply_to: Some(2) };
        assert_eq!(Update::read(&said), Some(Update { id: 7, heard: Some(heard) }));
        let message = json!({"message_id": 2, "chat": {"id": 5}, "text": "A question"});
        let press = json!({
            "update_id": 8,
            "callback_query": {"id": "99", "from": {"id": 5}, "data": "confirm:x", "message": message},
        });
        let heard = Press { id: "99".into(), chat: 5, from: 5, data: "confirm:x".into(), message };
        assert_eq!(Update::read(&press), Some(Update { id: 8, heard: Some(Heard::Pressed(heard)) }));
        let other = json!({"update_id": 9, "channel_post": {}});
        assert_eq!(Update::read(&other), Some(Update { id: 9, heard: None }));
        assert_eq!(Update::read(&json!({})), None);
    }
}
