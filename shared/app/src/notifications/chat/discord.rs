//! Discord (chat_3): webhooks. Texts are Markdown, in which every mark is escaped; nothing in them mentions anybody.

use serde_json::{Value, json};
use svc_domain::notification::channel::Platform;
use svc_domain::notification::delivery::Outcome;

use super::{Note, Part, json, other, shortened, wait};
use crate::ports::Answer;

/// Longest message, in characters; the platform takes 2,000.
const LONGEST: usize = 1_900;
/// Shows no preview of links.
const NO_PREVIEW: u32 = 4;

/// The body of a message.
pub(super) fn message(note: &Note) -> Value {
    let mut text = String::new();
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
    }
    if let Some(end) = &note.end {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&escaped(end));
    }
    json!({ "content": text, "allowed_mentions": { "parse": [] }, "flags": NO_PREVIEW })
}

fn block(part: &Part) -> String {
    let title = escaped(&shortened(&part.title, 150));
    let mut block = if part.link.is_empty() {
        format!("**{title}**")
    } else {
        format!("**[{title}](<{}>)**", part.link.replace('>', "%3E"))
    };
    if !part.summary.is_empty() {
        block.push_str(&format!("\n{}", escaped(&shortened(&part.summary, 200))));
    }
    for quote in part.quotes.iter().take(3) {
        let (by, text) = (escaped(&shortened(&quote.by, 60)), escaped(&shortened(&quote.text, 150)));
        block.push_str(&format!("\n> {by}: {text}"));
    }
    block
}

/// Every mark of Markdown is escaped. A colon behind a scheme is kept apart from what follows, so that no address in a
/// text becomes a link.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation()
            && !matches!(c, ',' | '.' | '\'' | '"' | '/' | '?' | ';' | '%' | '=' | '$' | '^')
        {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped.replace("\\://", "\\:\u{200b}//")
}

/// What the platform's answer means.
pub(super) fn judge(answer: &Answer) -> Outcome {
    let body = json(answer);
    let said = body["message"].as_str().unwrap_or_default();
    match (answer.status, body["code"].as_i64()) {
        (200 | 204, _) => Outcome::Sent,
        (429, _) => Outcome::Later(wait(answer, &body["retry_after"])),
        (404, Some(10_015)) | (401, Some(50_027)) => Outcome::Gone(shortened(said, 200)),
        _ => other(Platform::Chat3, answer, said),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use serde_json::{Value, json};
    use svc_domain::notification::delivery::Outcome;

    use super::super::tests::hostile;
    use super::super::{Note, Part};
    use super::{judge, message};
    use crate::ports::Answer;

    fn answer(status: u16, body: &Value) -> Outcome {
        judge(&Answer { status, retry_after: None, body: body.to_string().into() })
    }

    #[test]
    fn hostile_text_is_text() {
        let body = message(&hostile());
        let text = body["content"].as_str().unwrap();
        assert!(text.contains("\\@everyone \\[x\\]\\(https\\:\u{200b}//evil.example\\)"), "{text}");
        assert!(text.contains("\\|\\|spoiler\\|\\| \\~\\~x\\~\\~ \\# big"), "{text}");
        assert_eq!(body["allowed_mentions"], json!({"parse": []}));
    }

    #[test]
    fn a_long_message_stays_within_the_platforms_limit() {
        let part = Part { title: "*".repeat(600), summary: "_".repeat(900), ..Part::default() };
        let body = message(&Note { parts: vec![part; 100], end: None });
        assert!(body["content"].as_str().unwrap().chars().count() <= 2_000);
    }

    #[test]
    fn answers_mean_what_the_platform_documents() {
        assert_eq!(answer(200, &json!({"id": "1"})), Outcome::Sent);
        assert!(matches!(
            answer(404, &json!({"code": 10_015, "message": "Unknown Webhook"})),
            Outcome::Gone(_)
        ));
        assert!(matches!(
            answer(401, &json!({"code": 50_027, "message": "Invalid Token"})),
            Outcome::Gone(_)
        ));
        assert!(matches!(answer(404, &json!({"message": "404"})), Outcome::Refused(_)), "not the webhook's");
        assert!(matches!(
            answer(400, &json!({"code": 50_035, "message": "Invalid Form"})),
            Outcome::Refused(_)
        ));
        let slow = answer(429, &json!({"retry_after": 0.5}));
        assert_eq!(slow, Outcome::Later(SignedDuration::from_millis(500)));
        assert!(matches!(answer(503, &json!({})), Outcome::Away(_)));
    }
}
