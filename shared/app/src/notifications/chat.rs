//! The chat platforms: what a message looks like there, and what an answer means. A file each.

pub(crate) mod bot;
mod discord;
mod slack;
mod teams;
mod telegram;

use jiff::SignedDuration;
use serde_json::Value;
use svc_domain::notification::channel::{Channel, Platform};
use svc_domain::notification::delivery::Outcome;

use super::asking::Asked;
use super::connecting::purpose;
use crate::App;
use crate::ports::{Answer, OutboundError, Post};

pub(super) use bot::Press;

/// A message as people read it, before it is written for a platform: plain text that nothing has escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    /// What it is about, one paragraph each.
    pub(super) parts: Vec<Part>,
    /// What follows all of them.
    pub(super) end: Option<String>,
}

/// A thing that a message tells of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// What it is: `[PRJ-1] Greet people`.
    pub(super) title: String,
    /// Where it is.
    pub(super) link: String,
    /// What is new about it.
    pub(super) summary: String,
    /// What was said.
    pub(super) quotes: Vec<Quote>,
    /// What its reader can do: a word and an address.
    pub(super) actions: Vec<(&'static str, String)>,
    /// What an agent asks its reader, where that can be answered in the chat.
    pub(super) asked: Option<Asked>,
    /// Buttons that answer it: a word and what the platform says of a press.
    pub(super) buttons: Vec<(&'static str, String)>,
}

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    /// Who.
    pub(super) by: String,
    /// What, in short.
    pub(super) text: String,
}

/// What came of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// This.
    Outcome(Outcome),
    /// The chat has another id now: send it there.
    Moved(String),
}

/// Sends a message to a channel; where the chat moved, its new sealed address as well.
pub(super) async fn send(app: &App, channel: &Channel, note: &Note) -> (Outcome, Option<String>) {
    let sealed = channel.address.as_deref();
    let address = sealed.and_then(|sealed| app.sealing.as_ref()?.open(&purpose(channel.id), sealed));
    let Some(mut address) = address else {
        let why = "this instance can no longer read its address; connect it again";
        return (Outcome::Gone(why.to_owned()), None);
    };
    let mut moved = None;
    // A group that becomes a supergroup moves once.
    for _ in 0..2 {
        match once(app, channel.platform, &address, note).await {
            Told::Outcome(outcome) => return (outcome, moved),
            Told::Moved(to) => {
                moved =
                    app.sealing.as_ref().map(|sealing| sealing.seal(&*app.ids, &purpose(channel.id), &to));
                address = to;
            }
        }
    }
    (Outcome::Away("the chat moves from one id to another".to_owned()), moved)
}

async fn once(app: &App, platform: Platform, address: &str, note: &Note) -> Told {
    let (url, body) = match platform {
        Platform::Chat1 => (telegram::method(app, "sendMessage"), telegram::message(address, note)),
        Platform::Chat2 => (address.to_owned(), slack::message(note)),
        Platform::Chat3 => (format!("{address}?wait=true"), discord::message(note)),
        Platform::Chat4 => (address.to_owned(), teams::message(note)),
    };
    let post = Post { address: url, headers: Vec::new(), body: body.to_string().into_bytes() };
    let answer = match app.outbound.post(&post).await {
        Ok(answer) => answer,
        Err(OutboundError::Refused(why)) => return Told::Outcome(Outcome::Refused(why.to_string())),
        Err(OutboundError::Unavailable(cause)) => {
            tracing::debug!(cause = &*cause as &dyn std::error::Error, "a chat platform does not answer");
            return Told::Outcome(Outcome::Away(format!("{} does not answer", name(platform))));
        }
    };
    match platform {
        Platform::Chat1 => telegram::judge(&answer),
        Platform::Chat2 => Told::Outcome(slack::judge(&answer)),
        Platform::Chat3 => Told::Outcome(discord::judge(&answer)),
        Platform::Chat4 => Told::Outcome(teams::judge(&answer)),
    }
}

/// What people call a platform.
pub(crate) const fn name(platform: Platform) -> &'static str {
    match platform {
        Platform::Chat1 => "Telegram",
        Platform::Chat2 => "Slack",
        Platform::Chat3 => "Discord",
        Platform::Chat4 => "Teams",
    }
}

/// The answer as JSON; nothing where it is none.
fn json(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_default()
}

/// How long a platform asks to wait: by its header, or by its body in seconds, which may be a fraction.
pub(super) fn wait(answer: &Answer, body: &Value) -> SignedDuration {
    let said = body.as_f64().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    let said = said.and_then(|seconds| SignedDuration::try_from_secs_f64(seconds).ok());
    let header =
        answer.retry_after.and_then(|seconds| i64::try_from(seconds).ok()).map(SignedDuration::from_secs);
    said.max(header).unwrap_or(SignedDuration::from_secs(5))
}

/// What an answer says that is neither a success nor known.
fn other(platform: Platform, answer: &Answer, said: &str) -> Outcome {
    let why = format!("{} answered {}: {}", name(platform), answer.status, shortened(said, 200));
    // A redirect, or a success that cannot be read, comes from something between: a proxy or a gateway.
    let refused = (400..500).contains(&answer.status) && answer.status != 408;
    if refused { Outcome::Refused(why) } else { Outcome::Away(why) }
}

/// The beginning of a text, at most so many characters, on one line and in one direction.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let text = text.replace(|c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'), "");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut short: String = line.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
pub(super) mod tests {
    use svc_domain::notification::channel::Platform;
    use svc_domain::notification::delivery::Outcome;

    use super::{Note, Part, Quote, Told, discord, other, slack, telegram};
    use crate::ports::Answer;

    /// A message was given up at once because of a gateway between.
    #[test]
    fn what_comes_from_between_is_tried_again() {
        let answer = |status| Answer { status, retry_after: None, body: b"<html>".to_vec() };
        for status in [301, 302, 408, 500, 502] {
            let answer = answer(status);
            assert!(matches!(slack::judge(&answer), Outcome::Away(_)), "{status}");
            assert!(matches!(discord::judge(&answer), Outcome::Away(_)), "{status}");
            assert!(matches!(telegram::judge(&answer), Told::Outcome(Outcome::Away(_))), "{status}");
        }
        assert!(matches!(telegram::judge(&answer(200)), Told::Outcome(Outcome::Away(_))), "unreadable");
        assert!(matches!(other(Platform::Chat2, &answer(400), "no"), Outcome::Refused(_)));
    }

    /// A message whose every text tries to be more than text.
    pub(in super::super) fn hostile() -> Note {
        let part = Part {
            title: "[PRJ-1] <script>alert(1)</script> & <!channel> @everyone [x](https://evil.example)"
                .into(),
            link: "https://work.example.com/o/demo/p/PRJ/items/PRJ-1".into(),
            summary: "*Eve* `mentioned` _you_ <@U123> </b> <a href=\"https://evil.example\">".into(),
            quotes: vec![Quote {
                by: "Eve **admin** <b>".into(),
                text: "||spoiler|| ~~x~~ # big > quote <https://evil.example|click> @here \u{202e}gnp".into(),
            }],
            actions: vec![("Open", "https://work.example.com/o/demo/p/PRJ/items/PRJ-1".into())],
            ..Part::default()
        };
        Note { parts: vec![part], end: None }
    }
}
