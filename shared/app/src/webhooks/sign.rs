//! Signatures by Standard Webhooks, version 1: HMAC-SHA256 over id, second and body.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use svc_domain::ids::WebhookId;
use svc_domain::refusal::Refusal;
use svc_domain::webhook::Webhook;

use crate::App;

/// What secrets begin with.
const PREFIX: &str = "whsec_";

/// Why a webhook whose secret cannot be read sends nothing, and what to do.
pub(super) const LOST: &str = "nothing is sent, because it could not be signed: the secret of the webhook was encrypted with \
                               a key that this instance does not have. Rotate the secret.";

/// A secret of these bytes.
pub(super) fn secret(bytes: &[u8; 32]) -> String {
    format!("{PREFIX}{}", STANDARD.encode(bytes))
}

/// A secret as it is stored: it must be read again, but not by whoever reads the store alone.
///
/// # Errors
/// [`Refusal::Conflict`] where the instance has no key for that.
pub(super) fn sealed(app: &App, webhook: WebhookId, secret: &str) -> Result<String, Refusal> {
    let sealing = app.sealing.as_ref().ok_or(Refusal::Conflict(
        "this instance cannot keep the secrets of webhooks: its operator has set no key for them",
    ))?;
    Ok(sealing.seal(&*app.ids, &purpose(webhook), secret))
}

/// The secrets that sign for a webhook now; `None` where another key sealed its own. The one before may be lost.
pub(super) fn opened(app: &App, webhook: &Webhook) -> Option<Vec<String>> {
    let open = |sealed: &str| app.sealing.as_ref()?.open(&purpose(webhook.id), sealed);
    open(&webhook.secret)?;
    Some(webhook.secrets(app.now()).filter_map(open).collect())
}

fn purpose(webhook: WebhookId) -> String {
    format!("webhook {webhook}")
}

/// The header of signatures by these secrets.
pub(super) fn signatures<'a>(
    secrets: impl Iterator<Item = &'a str>,
    id: &str,
    second: i64,
    body: &[u8],
) -> String {
    let signature = |secret: &str| {
        let key = STANDARD.decode(secret.strip_prefix(PREFIX).unwrap_or(secret)).unwrap_or_default();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("every key has a length that HMAC takes");
        mac.update(format!("{id}.{second}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    };
    secrets.map(signature).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{secret, signatures};

    /// The example of the specification of Standard Webhooks.
    #[test]
    fn the_known_signature() {
        let secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
        let signed = signatures(
            secrets.into_iter(),
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn every_secret_signs() {
        let secrets = [secret(&[1; 32]), secret(&[2; 32])];
        let signed = signatures(secrets.iter().map(String::as_str), "1", 2, b"{}");
        assert_eq!(signed.split(' ').filter(|one| one.starts_with("v1,")).count(), 2);
    }
}
