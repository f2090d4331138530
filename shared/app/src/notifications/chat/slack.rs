//! Slack (chat_2): incoming webhooks. Texts are in its `mrkdwn`, where `&`, `<` and `>` are escaped; what marks words up
//! is kept apart by a character of no width.

use serde_json::{Value, json};
use svc_domain::notification::channel::Platform;
use svc_domain::notification::delivery::Outcome;

use super::{Note, Part, other, shortened, wait};
use crate::ports::Answer;

/// Longest text of a section, in characters.
const LONGEST: usize = 2_900;
/// Most things in a message; the platform takes 50 blocks.
const MOST: usize = 20;
/// Answers that say that the webhook is gone.
const GONE: [&str; 11] = [
    "no_service",
    "no_service_id",
    "no_active_hooks",
    "no_team",
    "team_disabled",
    "invalid_token",
    "action_prohibited",
    "channel_not_found",
    "channel_is_archived",
    "posting_to_general_channel_denied",
    "user_not_found",
];

/// The body of a message.
pub(super) fn message(note: &Note) -> Value {
    let mut blocks = Vec::new();
    for part in note.parts.iter().take(MOST) {
        blocks.push(section(&block(part)));
        if note.parts.len() == 1 && !part.actions.is_empty() {
            let button = |(word, url): &(&str, String)| json!({ "type": "button", "text": { "type": "plain_text", "text": word }, "url": url });
            let buttons: Vec<Value> = part.actions.iter().map(button).collect();
            blocks.push(json!({ "type": "actions", "elements": buttons }));
        }
    }
    let left = note.parts.len().saturating_sub(MOST);
    if left > 0 {
        blocks.push(section(&format!("and {left} more")));
    }
    if let Some(end) = &note.end {
        blocks.push(section(&escaped(end)));
    }
    // What a banner on a phone shows.
    let first = note.parts.first().map(|part| format!("{}: {}", part.title, part.summary));
    let text = escaped(&shortened(&first.or_else(|| note.end.clone()).unwrap_or_default(), 300));
    json!({ "text": text, "blocks": blocks, "unfurl_links": false, "unfurl_media": false })
}

fn section(text: &str) -> Value {
    json!({ "type": "section", "text": { "type": "mrkdwn", "text": text, "verbatim": true } })
}

fn block(part: &Part) -> String {
    let title = escaped(&shortened(&part.title, 200));
    let mut block = if part.link.is_empty() {
        format!("*{title}*")
    } else {
        // A bar would end the address.
        format!("*<{}|{title}>*", part.link.replace('|', "%7C").replace('>', "%3E"))
    };
    if !part.summary.is_empty() {
        block.push_str(&format!("\n{}", escaped(&shortened(&part.summary, 200))));
    }
    for quote in &part.quotes {
        let (by, text) = (escaped(&shortened(&quote.by, 80)), escaped(&shortened(&quote.text, 300)));
        let quoted = format!("\n&gt; {by}: {text}");
        if block.chars().count() + quoted.chars().count() > LONGEST {
            break;
        }
        block.push_str(&quoted);
    }
    block
}

/// Nothing in a text begins a link, a mention or a style.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '*' | '_' | '~' | '`' => escaped.extend(['\u{200b}', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// What the platform's answer means.
pub(super) fn judge(answer: &Answer) -> Outcome {
    let said = String::from_utf8_lossy(&answer.body);
    let said = said.trim();
    match answer.status {
        200 => Outcome::Sent,
        429 => Outcome::Later(wait(answer, &Value::Null)),
        _ if GONE.contains(&said) => Outcome::Gone(said.to_owned()),
        _ => other(Platform::Chat2, answer, said),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use svc_domain::notification::delivery::Outcome;

    use super::super::tests::hostile;
    use super::super::{Note, Part, Quote};
    use super::{judge, message};
    use crate::ports::Answer;

    fn answer(status: u16, said: &str) -> Outcome {
        judge(&Answer { status, retry_after: Some(30).filter(|_| status == 429), body: said.into() })
    }

    #[test]
    fn hostile_text_is_text() {
        let body = message(&hostile());
        let text = body["blocks"][0]["text"]["text"].as_str().unwrap();
        assert!(text.contains("&lt;!channel&gt; @everyone"), "{text}");
        assert!(text.contains("\u{200b}*Eve\u{200b}* \u{200b}`mentioned\u{200b}`"), "{text}");
        assert_eq!(text.matches('<').count(), 1, "the link to the item alone");
        assert!(!body["text"].as_str().unwrap().contains('<'));
    }

    #[test]
    fn a_long_message_stays_within_the_platforms_limits() {
        let quotes = vec![Quote { by: "&".repeat(99), text: "<".repeat(900) }; 50];
        let part = Part { title: "<".repeat(600), summary: "&".repeat(900), quotes, ..Part::default() };
        let body = message(&Note { parts: vec![part; 100], end: None });
        let blocks = body["blocks"].as_array().unwrap();
        let longest =
            blocks.iter().map(|block| block["text"]["text"].as_str().unwrap().chars().count()).max();
        assert!(blocks.len() <= 50 && longest.unwrap() <= 3_000, "{longest:?}");
    }

    #[test]
    fn answers_mean_what_the_platform_documents() {
        assert_eq!(answer(200, "ok"), Outcome::Sent);
        for gone in ["no_service", "channel_is_archived", "action_prohibited", "invalid_token"] {
            assert_eq!(answer(403, gone), Outcome::Gone(gone.into()));
        }
        for wrong in ["invalid_payload", "no_text", "too_many_attachments"] {
            assert!(matches!(answer(400, wrong), Outcome::Refused(_)), "{wrong}");
        }
        assert_eq!(answer(429, "rate_limited"), Outcome::Later(SignedDuration::from_secs(30)));
        assert!(matches!(answer(500, "rollup_error"), Outcome::Away(_)));
    }
}
