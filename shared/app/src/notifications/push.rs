//! Web push: messages to browsers in which people are told, through the push services of their makers.
//!
//! What is sent is declarative: browsers that know of it show it by themselves, the others hand it to the service worker of
//! the web app. The push service reads none of it.

mod browsers;
mod encryption;
mod message;
mod vapid;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use svc_domain::ids::TokenId;
use svc_domain::notification::browser::Browser;
use svc_domain::notification::delivery::Outcome;
use url::Url;

use super::chat::wait;
use crate::App;
use crate::error::Result;
use crate::ports::{Answer, OutboundError, Post};

pub use browsers::{Browsers, NewBrowser, browsers, test_browser, turn_off, turn_on};
pub(super) use browsers::{find, forgotten};
pub(super) use message::{Notice, notice};
pub(crate) use vapid::PushKey;

/// Where a browser's push service takes messages, and the keys that they are encrypted with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Address {
    endpoint: String,
    key: String,
    auth: String,
}

fn purpose(id: TokenId) -> String {
    format!("browser {id}")
}

/// Sends a notice to a browser.
///
/// # Errors
/// Those of storage.
pub(super) async fn send(app: &App, browser: &Browser, notice: &Notice) -> Result<Outcome> {
    let sealed =
        app.sealing.as_ref().and_then(|sealing| sealing.open(&purpose(browser.id), &browser.address));
    let address: Option<Address> = sealed.and_then(|sealed| serde_json::from_str(&sealed).ok());
    let Some(address) = address else {
        return Ok(Outcome::Gone("this instance can no longer read its address".to_owned()));
    };
    let Some(key) = vapid::push_key(app).await? else {
        return Ok(Outcome::Refused("this instance has no key for push services".to_owned()));
    };
    let post =
        Url::parse(&address.endpoint).ok().and_then(|endpoint| post(app, &endpoint, &address, &key, notice));
    let Some(post) = post else {
        return Ok(Outcome::Refused("it cannot be encrypted for this browser".to_owned()));
    };
    Ok(match app.outbound.post(&post).await {
        Ok(answer) => judge(&answer),
        Err(OutboundError::Refused(why)) => Outcome::Refused(why.to_string()),
        Err(OutboundError::Unavailable(cause)) => {
            tracing::debug!(cause = &*cause as &dyn std::error::Error, "a push service does not answer");
            Outcome::Away("the push service does not answer".to_owned())
        }
    })
}

fn post(app: &App, endpoint: &Url, address: &Address, key: &PushKey, notice: &Notice) -> Option<Post> {
    let (sender, _) = vapid::drawn(app)?;
    let body = address.encrypted(&sender, &app.ids.secret(), notice.payload().as_bytes())?;
    let headers = vec![
        ("content-type", "application/octet-stream".to_owned()),
        ("content-encoding", "aes128gcm".to_owned()),
        ("authorization", key.authorization(app, endpoint)?),
        ("ttl", notice.lasts.as_secs().to_string()),
        ("urgency", notice.urgency.as_str().to_owned()),
        ("topic", notice.topic.clone()),
    ];
    Some(Post { address: address.endpoint.clone(), headers, body })
}

impl Address {
    fn encrypted(&self, sender: &[u8; 32], salt: &[u8; 32], text: &[u8]) -> Option<Vec<u8>> {
        let (key, auth) = (decoded(&self.key)?, decoded(&self.auth)?);
        let salt = salt.first_chunk::<{ encryption::SALT }>()?;
        encryption::encrypt(encryption::Receiver { key: &key, auth: &auth }, sender, salt, text)
    }
}

/// Base64 for addresses, with or without its padding.
fn decoded(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}

/// What the answer of a push service means (RFC 8030, sections 5 and 7.3).
fn judge(answer: &Answer) -> Outcome {
    match answer.status {
        200..=299 => Outcome::Sent,
        404 | 410 => Outcome::Gone("the browser takes no more notifications".to_owned()),
        429 => Outcome::Later(wait(answer, &serde_json::Value::Null)),
        408 | 500.. => {
            // Some say how long they are away.
            answer.retry_after.and_then(|seconds| i64::try_from(seconds).ok()).map_or_else(
                || Outcome::Away(format!("the push service answered {}", answer.status)),
                |seconds| Outcome::Later(SignedDuration::from_secs(seconds)),
            )
        }
        status => Outcome::Refused(format!("the push service answered {status}")),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use svc_domain::notification::delivery::Outcome;

    use super::judge;
    use crate::ports::Answer;

    fn answer(status: u16, retry_after: Option<u64>) -> Outcome {
        judge(&Answer { status, retry_after, body: Vec::new() })
    }

    #[test]
    fn answers_mean_what_the_standard_says() {
        assert_eq!((answer(201, None), answer(202, None)), (Outcome::Sent, Outcome::Sent));
        for gone in [404, 410] {
            assert!(matches!(answer(gone, None), Outcome::Gone(_)));
        }
        let later = |seconds| Outcome::Later(SignedDuration::from_secs(seconds));
        assert_eq!((answer(429, Some(30)), answer(503, Some(60))), (later(30), later(60)));
        assert!(matches!(answer(429, None), Outcome::Later(_)));
        assert!(matches!(answer(502, None), Outcome::Away(_)));
        for mistake in [301, 400, 401, 403, 413] {
            assert!(matches!(answer(mistake, None), Outcome::Refused(_)), "{mistake}");
        }
    }
}
