//! What a browser shows, written for it: a declarative message that fits into one record.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::SignedDuration;
use serde_json::json;
use sha2::{Digest, Sha256};
use svc_domain::notification::browser::Urgency;
use svc_domain::notification::delivery::Lane;

use super::super::chat::{Part, shortened};
use super::super::seen::InboxEntry;
use crate::App;

/// Marks a declarative message.
const DECLARATIVE: u32 = 8_030;
/// Characters of a title at most. With [`BODY`] a message fits into a record, whatever its letters are.
const TITLE: usize = 120;
/// Characters of a text at most.
const BODY: usize = 360;
/// Things that a message names.
const NAMED: usize = 5;
/// How long a push service keeps what it cannot hand over yet.
const LASTS: SignedDuration = SignedDuration::from_hours(24);
/// The same for a digest: the next one is a day away.
const DIGEST_LASTS: SignedDuration = SignedDuration::from_hours(12);

/// What a browser shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Notice {
    title: String,
    body: String,
    link: String,
    /// A later one of the same topic takes its place, also while the push service keeps it.
    pub(super) topic: String,
    pub(super) urgency: Urgency,
    pub(super) lasts: SignedDuration,
}

/// A notice of these things, of which there is at least one.
pub(in super::super) fn notice(app: &App, entries: &[InboxEntry], parts: &[Part], lane: Lane) -> Notice {
    let base = &app.settings.service.base_url;
    let kinds = entries.iter().flat_map(|entry| entry.gathered.news.iter().map(|news| news.kind));
    let urgency = kinds.map(Urgency::of).max().filter(|_| lane == Lane::Now).unwrap_or(Urgency::Low);
    let lasts = if lane == Lane::Now { LASTS } else { DIGEST_LASTS };
    let inbox = format!("{base}/inbox");
    match (parts, entries) {
        ([part], [entry]) => Notice {
            title: shortened(&part.title, TITLE),
            body: shortened_lines(&single(part)),
            link: if part.link.is_empty() { inbox } else { part.link.clone() },
            // One that waits for a person is replaced only by another that does.
            topic: topic(&format!("{} {}", entry.id, urgency.as_str())),
            urgency,
            lasts,
        },
        _ => Notice {
            title: format!("{} things are new", parts.len()),
            body: shortened_lines(&several(parts)),
            link: inbox,
            topic: topic(lane.as_str()),
            urgency,
            lasts,
        },
    }
}

/// A notice that somebody asked for.
pub(super) fn test(app: &App) -> Notice {
    let base = &app.settings.service.base_url;
    Notice {
        title: "It works".to_owned(),
        body: "This browser is told of what concerns you. You asked for this test.".to_owned(),
        link: format!("{base}/settings/notifications"),
        topic: topic("test"),
        urgency: Urgency::High,
        lasts: SignedDuration::from_mins(5),
    }
}

fn single(part: &Part) -> String {
    let mut body = part.summary.clone();
    for quote in &part.quotes {
        let _ = write!(body, "\n{}: {}", shortened(&quote.by, 40), shortened(&quote.text, 200));
    }
    body
}

fn several(parts: &[Part]) -> String {
    let line = |part: &Part| format!("{}: {}", shortened(&part.title, 60), shortened(&part.summary, 60));
    let mut lines: Vec<String> = parts.iter().take(NAMED).map(line).collect();
    let left = parts.len().saturating_sub(NAMED);
    if left > 0 {
        lines.push(format!("and {left} more"));
    }
    lines.join("\n")
}

/// The beginning of a text of several lines.
fn shortened_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| shortened(line, BODY)).collect();
    let text = lines.join("\n");
    if text.chars().count() <= BODY {
        return text;
    }
    let mut short: String = text.chars().take(BODY - 1).collect();
    short.push('…');
    short
}

/// A topic: at most 32 letters of Base64 for addresses, of which a push service learns nothing.
fn topic(about: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(about)[..24])
}

impl Notice {
    /// The declarative message.
    pub(super) fn payload(&self) -> String {
        let Self { title, body, link, topic, .. } = self;
        let notification = json!({ "title": title, "body": body, "navigate": link, "tag": topic, "lang": "en", "dir": "auto" });
        json!({ "web_push": DECLARATIVE, "notification": notification }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use svc_domain::notification::browser::Urgency;

    use super::super::super::chat::{Part, Quote};
    use super::super::encryption::LONGEST;
    use super::{Notice, several, shortened, shortened_lines, single, topic};

    fn longest(letter: &str) -> Notice {
        let quotes = vec![Quote { by: letter.repeat(200), text: letter.repeat(900) }; 5];
        let part = Part { title: letter.repeat(600), summary: letter.repeat(900), quotes, ..Part::default() };
        Notice {
            title: shortened(&part.title, super::TITLE),
            body: shortened_lines(&single(&part)),
            link: format!("https://work.example.com/o/{}/p/PRJ/items/PRJ-1", "o".repeat(100)),
            topic: topic("x"),
            urgency: Urgency::High,
            lasts: SignedDuration::from_hours(1),
        }
    }

    #[test]
    fn the_longest_message_fits_into_a_record() {
        // Letters of four bytes, and one that JSON writes with six.
        for letter in ["🦀", "\u{1}", "\"", "x"] {
            let payload = longest(letter).payload();
            assert!(payload.len() <= LONGEST, "{letter:?}: {}", payload.len());
        }
    }

    #[test]
    fn a_topic_is_what_push_services_take() {
        let topic = topic("PRJ-1");
        assert!(topic.len() <= 32, "{topic}");
        assert!(topic.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
    }

    #[test]
    fn many_things_are_named_and_counted() {
        let part =
            |title: &str| Part { title: title.into(), summary: "Ada commented".into(), ..Part::default() };
        let parts: Vec<Part> = (1..=7).map(|at| part(&format!("[PRJ-{at}] Greet"))).collect();
        let body = several(&parts);
        assert!(
            body.starts_with("[PRJ-1] Greet: Ada commented\n") && body.ends_with("\nand 2 more"),
            "{body}"
        );
    }
}
