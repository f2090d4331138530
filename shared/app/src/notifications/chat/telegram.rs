//! Telegram (chat_1): a bot that people write to. Texts are in its HTML, where `&`, `<` and `>` are escaped.

use serde_json::{Value, json};
use svc_domain::notification::channel::Platform;
use svc_domain::notification::delivery::Outcome;

use super::{Note, Part, Told, json, other, shortened, wait};
use crate::App;
use crate::ports::Answer;

/// Longest text of a message, in characters; the platform takes 4,096.
const LONGEST: usize = 3_800;

/// The address of a method of the bot's.
pub(super) fn method(app: &App, method: &str) -> String {
    let settings = &app.settings.notifications;
    let api = settings.chat_1_api_url.trim_end_matches('/');
    format!("{api}/bot{}/{method}", settings.chat_1_bot_token.0)
}

/// The body of a message to a chat.
pub(super) fn message(chat: &str, note: &Note) -> Value {
    let mut text = String::new();
    let mut buttons = Vec::new();
    for (told, part) in note.parts.iter().enumerate() {
        let block = block(part);
        if text.chars().count() + block.chars().count() > LONGEST {
            text.push_str(&format!("\n\nand {} more", note.parts.len() - told));
            break;
        }
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&block);
        if note.parts.len() == 1 {
            buttons.extend(
                part.buttons.iter().map(|(word, press)| json!({ "text": word, "callback_data": press })),
            );
            buttons.extend(part.actions.iter().map(|(word, url)| json!({ "text": word, "url": url })));
        }
    }
    if let Some(end) = &note.end {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&escaped(end));
    }
    let mut body = json!({
        "chat_id": chat, "text": text, "parse_mode": "HTML", "link_preview_options": { "is_disabled": true },
    });
    if !buttons.is_empty() {
        body["reply_markup"] = json!({ "inline_keyboard": [buttons] });
    }
    body
}

fn block(part: &Part) -> String {
    let title = escaped(&shortened(&part.title, 300));
    let mut block = if part.link.is_empty() {
        format!("<b>{title}</b>")
    } else {
        format!("<b><a href=\"{}\">{title}</a></b>", escaped(&part.link))
    };
    if !part.summary.is_empty() {
        block.push_str(&format!("\n{}", escaped(&shortened(&part.summary, 500))));
    }
    for quote in &part.quotes {
        let (by, text) = (escaped(&shortened(&quote.by, 80)), escaped(&shortened(&quote.text, 500)));
        block.push_str(&format!("\n<blockquote>{by}: {text}</blockquote>"));
    }
    block
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What the platform's answer means.
pub(super) fn judge(answer: &Answer) -> Told {
    let body = json(answer);
    let said = body["description"].as_str().unwrap_or_default();
    if let Some(to) = body["parameters"]["migrate_to_chat_id"].as_i64() {
        return Told::Moved(to.to_string());
    }
    let gone = answer.status == 403 || (answer.status == 400 && said.contains("chat not found"));
    Told::Outcome(match answer.status {
        200 if body["ok"] == true => Outcome::Sent,
        429 => Outcome::Later(wait(answer, &body["parameters"]["retry_after"])),
        _ if gone => Outcome::Gone(shortened(said, 200)),
        // The operator's token is wrong: no channel's fault.
        401 | 404 => Outcome::Away("Telegram does not know the bot".to_owned()),
        _ => other(Platform::Chat1, answer, said),
    })
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use serde_json::{Value, json};
    use svc_domain::notification::delivery::Outcome;

    use super::super::tests::hostile;
    use super::super::{Note, Part, Told};
    use super::{judge, message};
    use crate::ports::Answer;

    fn answer(status: u16, body: &Value) -> Told {
        judge(&Answer { status, retry_after: None, body: body.to_string().into() })
    }

    #[test]
    fn hostile_text_is_text() {
        let body = message("7", &hostile());
        let text = body["text"].as_str().unwrap();
        assert_eq!(text.matches('<').count(), 6, "the marks of this file alone: {text}");
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;!channel&gt;"), "{text}");
        assert_eq!(body["link_preview_options"], json!({"is_disabled": true}));
    }

    #[test]
    fn a_long_message_stays_within_the_platforms_limit() {
        let part = Part { title: "<".repeat(600), summary: "&".repeat(900), ..Part::default() };
        let body = message("7", &Note { parts: vec![part; 100], end: None });
        let text = body["text"].as_str().unwrap();
        assert!(text.chars().count() <= 4_096);
        let told = text.matches("<b>").count();
        assert!(text.ends_with(&format!("\n\nand {} more", 100 - told)), "{text}");
    }

    #[test]
    fn a_message_that_is_one_sentence_begins_with_it() {
        let body = message("7", &Note { parts: Vec::new(), end: Some("Hello".into()) });
        assert_eq!(body["text"], "Hello");
    }

    #[test]
    fn answers_mean_what_the_platform_documents() {
        let sent = |told| matches!(told, Told::Outcome(Outcome::Sent));
        let gone = |told| matches!(told, Told::Outcome(Outcome::Gone(_)));
        assert!(sent(answer(200, &json!({"ok": true}))));
        assert!(gone(answer(
            403,
            &json!({"ok": false, "description": "Forbidden: bot was blocked by the user"})
        )));
        assert!(gone(answer(400, &json!({"ok": false, "description": "Bad Request: chat not found"}))));
        let wrong = answer(400, &json!({"ok": false, "description": "Bad Request: can't parse entities"}));
        assert!(matches!(wrong, Told::Outcome(Outcome::Refused(_))));
        let slow = json!({"ok": false, "parameters": {"retry_after": 31}});
        assert_eq!(answer(429, &slow), Told::Outcome(Outcome::Later(SignedDuration::from_secs(31))));
        let moved = json!({"ok": false, "parameters": {"migrate_to_chat_id": -1_001_234}});
        assert_eq!(answer(400, &moved), Told::Moved("-1001234".into()));
        assert!(matches!(answer(502, &json!("<html>")), Told::Outcome(Outcome::Away(_))));
        assert!(matches!(answer(401, &json!({})), Told::Outcome(Outcome::Away(_))), "the operator's token");
    }
}
