//! Teams (chat_4): workflows that post what they receive to a channel. A message is an adaptive card, whose texts are runs
//! of rich text: nothing in them means anything.

use serde_json::{Value, json};
use svc_domain::notification::channel::Platform;
use svc_domain::notification::delivery::Outcome;

use super::{Note, Part, json, other, shortened, wait};
use crate::ports::Answer;

/// Bytes of a message at most; the platform takes 28 KiB.
const LONGEST: usize = 24_000;
/// Most things in a message.
const MOST: usize = 20;
/// Codes that say that the workflow is gone, turned off or no longer knows the address.
const GONE: [&str; 6] = [
    "WorkflowNotFound",
    "WorkflowTriggerNotFound",
    "WorkflowTriggerIsNotEnabled",
    "WorkflowDisabled",
    "DirectApiAuthorizationRequired",
    "SignatureExpired",
];

/// The body of a message.
pub(super) fn message(note: &Note) -> Value {
    let mut body = Vec::new();
    let mut size = 0;
    for (at, part) in note.parts.iter().enumerate() {
        let block = block(part);
        size += block.to_string().len();
        if at == MOST || size > LONGEST {
            body.push(text(&[run(&format!("and {} more", note.parts.len() - at))]));
            break;
        }
        body.push(block);
    }
    if let Some(end) = &note.end {
        body.push(text(&[run(&shortened(end, 500))]));
    }
    let mut card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard", "version": "1.4", "body": body,
    });
    if let [part] = note.parts.as_slice()
        && !part.actions.is_empty()
    {
        let open =
            |(word, url): &(&str, String)| json!({ "type": "Action.OpenUrl", "title": word, "url": url });
        card["actions"] = part.actions.iter().map(open).collect();
    }
    let attachment = json!({ "contentType": "application/vnd.microsoft.card.adaptive", "content": card });
    json!({ "type": "message", "attachments": [attachment] })
}

fn block(part: &Part) -> Value {
    let mut title = run(&shortened(&part.title, 200));
    title["weight"] = json!("Bolder");
    if !part.link.is_empty() {
        title["selectAction"] = json!({ "type": "Action.OpenUrl", "url": part.link });
    }
    let mut items = vec![text(&[title])];
    if !part.summary.is_empty() {
        items.push(text(&[run(&shortened(&part.summary, 300))]));
    }
    for quote in part.quotes.iter().take(5) {
        let mut by = run(&format!("{}: ", shortened(&quote.by, 80)));
        by["isSubtle"] = json!(true);
        items.push(text(&[by, run(&shortened(&quote.text, 300))]));
    }
    json!({ "type": "Container", "separator": true, "items": items })
}

/// A paragraph. Unlike a block of text, it is no Markdown.
fn text(runs: &[Value]) -> Value {
    json!({ "type": "RichTextBlock", "inlines": runs })
}

fn run(text: &str) -> Value {
    json!({ "type": "TextRun", "text": text })
}

/// What the platform's answer means.
pub(super) fn judge(answer: &Answer) -> Outcome {
    let body = json(answer);
    let error = &body["error"];
    let code = error["code"].as_str().unwrap_or_default();
    match answer.status {
        200 | 202 => Outcome::Sent,
        429 => Outcome::Later(wait(answer, &Value::Null)),
        404 | 410 => Outcome::Gone("the workflow is gone".to_owned()),
        _ if GONE.contains(&code) => Outcome::Gone(code.to_owned()),
        401 | 403 => Outcome::Gone("the workflow does not know the address any more".to_owned()),
        _ => other(Platform::Chat4, answer, error["message"].as_str().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use serde_json::{Value, json};
    use svc_domain::notification::delivery::Outcome;

    use super::super::tests::hostile;
    use super::super::{Note, Part, Quote};
    use super::{judge, message};
    use crate::ports::Answer;

    fn answer(status: u16, body: &Value) -> Outcome {
        judge(&Answer {
            status,
            retry_after: Some(30).filter(|_| status == 429),
            body: body.to_string().into(),
        })
    }

    /// Every place in which a card says something.
    fn texts(value: &Value, found: &mut Vec<(bool, String)>) {
        match value {
            Value::Object(fields) => {
                let run = fields.get("type").is_some_and(|kind| kind == "TextRun");
                for (name, value) in fields {
                    match value {
                        Value::String(text) if name == "text" => found.push((run, text.clone())),
                        value => texts(value, found),
                    }
                }
            }
            Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
            _ => {}
        }
    }

    #[test]
    fn hostile_text_is_text() {
        let body = message(&hostile());
        let mut found = Vec::new();
        texts(&body, &mut found);
        assert!(found.iter().all(|(run, _)| *run), "no text that is read as Markdown: {found:?}");
        assert!(found.iter().any(|(_, text)| text.contains("<script>alert(1)</script>")), "{found:?}");
        let card = &body["attachments"][0]["content"];
        assert_eq!(card["actions"].as_array().unwrap().len(), 1);
        assert!(card.get("msteams").is_none(), "nobody is mentioned");
    }

    #[test]
    fn a_long_message_stays_within_the_platforms_limit() {
        let quotes = vec![Quote { by: "\u{1}".repeat(99), text: "🦀".repeat(900) }; 50];
        let part = Part { title: "\"".repeat(600), summary: "🦀".repeat(900), quotes, ..Part::default() };
        let body = message(&Note { parts: vec![part; 100], end: None }).to_string();
        assert!(body.len() <= 28 * 1024, "{}", body.len());
        assert!(body.contains("more"), "{body}");
    }

    #[test]
    fn answers_mean_what_the_platform_documents() {
        assert_eq!(answer(202, &Value::Null), Outcome::Sent);
        assert_eq!(answer(429, &json!({})), Outcome::Later(SignedDuration::from_secs(30)));
        let refused = |code: &str| json!({"error": {"code": code, "message": "The workflow …"}});
        assert!(matches!(answer(404, &refused("WorkflowNotFound")), Outcome::Gone(_)));
        assert!(matches!(answer(400, &refused("WorkflowTriggerIsNotEnabled")), Outcome::Gone(_)));
        assert!(matches!(answer(401, &refused("DirectApiAuthorizationRequired")), Outcome::Gone(_)));
        assert!(matches!(answer(400, &refused("TriggerInputSchemaMismatch")), Outcome::Refused(_)));
        assert!(matches!(answer(502, &json!("<html>")), Outcome::Away(_)));
    }
}
