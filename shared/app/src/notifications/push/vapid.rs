//! The key by which push services know this instance (RFC 8292), and what it signs.
//!
//! Protocol.
//! 1. The key is made when the first person asks for it. Of two processes that make one at the same time, the first to write
//!    it made it.
//! 2. Its private half is sealed by the instance's key. One that can no longer be opened is replaced: browsers that were
//!    turned on before are turned on again by their next visit.

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_storage::{Condition, Op, keys};
use url::Url;

use crate::App;
use crate::error::{Result, is_conflict};
use crate::transaction::Transaction;

/// How long a signature counts; services take a day at most.
const COUNTS: SignedDuration = SignedDuration::from_hours(12);
/// What the private half is sealed for.
const PURPOSE: &str = "push key";

/// The key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushKey {
    /// The public half, a point of P-256 in Base64 for addresses.
    pub(crate) public: String,
    /// The private half, sealed.
    private: String,
}

/// The key of the instance, which is made now if there is none; `None` where the instance seals nothing.
///
/// # Errors
/// Those of storage.
pub(super) async fn push_key(app: &App) -> Result<Option<PushKey>> {
    let Some(sealing) = &app.sealing else { return Ok(None) };
    loop {
        let row = app.table.get(&keys::push_key()).await?;
        let known: Option<PushKey> = row.as_ref().map(svc_storage::Row::read).transpose()?;
        if let Some(known) = known.filter(|known| sealing.open(PURPOSE, &known.private).is_some()) {
            return Ok(Some(known));
        }
        let Some((private, public)) = drawn(app) else { return Ok(None) };
        let made = PushKey {
            public: URL_SAFE_NO_PAD.encode(public),
            private: sealing.seal(&*app.ids, PURPOSE, &URL_SAFE_NO_PAD.encode(private)),
        };
        let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let op = Op::put(keys::push_key(), condition, &made);
        match app.commit(Transaction::bookkeeping(app).with([op])).await {
            Err(error) if is_conflict(&error) => {}
            committed => return committed.map(|()| Some(made)),
        }
    }
}

/// A new private key of P-256 and its public half.
pub(super) fn drawn(app: &App) -> Option<([u8; 32], Vec<u8>)> {
    // Of all numbers one in four milliards is no key.
    (0..4).find_map(|_| {
        let private = app.ids.secret();
        Some((private, public_of(&private)?))
    })
}

fn public_of(private: &[u8; 32]) -> Option<Vec<u8>> {
    let key = PrivateKey::from_private_key(&ECDH_P256, private).ok()?;
    Some(key.compute_public_key().ok()?.as_ref().to_vec())
}

impl PushKey {
    /// The header `Authorization` of a message to this address; `None` where this instance does not open the key.
    pub(super) fn authorization(&self, app: &App, endpoint: &Url) -> Option<String> {
        let private = app.sealing.as_ref()?.open(PURPOSE, &self.private)?;
        let private: [u8; 32] = URL_SAFE_NO_PAD.decode(private).ok()?.try_into().ok()?;
        let subject = subject(&app.settings.service.base_url);
        let token = token(&private, &endpoint.origin().ascii_serialization(), &subject, app.now())?;
        Some(format!("vapid t={token}, k={}", self.public))
    }
}

/// A token for one push service.
fn token(private: &[u8; 32], audience: &str, subject: &str, now: Timestamp) -> Option<String> {
    let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = part(json!({ "typ": "JWT", "alg": "ES256" }));
    let claims = part(json!({ "aud": audience, "exp": (now + COUNTS).as_second(), "sub": subject }));
    let message = format!("{head}.{claims}");
    let public = public_of(private)?;
    let key = EcdsaKeyPair::from_private_key_and_public_key(
        &ECDSA_P256_SHA256_FIXED_SIGNING,
        private.as_slice(),
        &public,
    );
    let signature = key.ok()?.sign(&SystemRandom::new(), message.as_bytes()).ok()?;
    Some(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// Whom a push service asks when something is wrong: the address of the instance. Some services take no other than an
/// encrypted one, or a mail address.
fn subject(base_url: &str) -> String {
    let host = Url::parse(base_url).ok().filter(|url| url.scheme() == "http");
    let host = host.and_then(|url| url.host_str().map(str::to_owned));
    host.map_or_else(|| base_url.to_owned(), |host| format!("mailto:operator@{host}"))
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use jiff::Timestamp;
    use serde_json::{Value, json};

    use super::{public_of, subject, token};

    #[test]
    fn a_token_names_its_service_and_is_signed_by_the_key() {
        let private = [7; 32];
        let now = Timestamp::from_second(1_000_000).unwrap();
        let token = token(&private, "https://push.example.net", "https://work.example.com", now).unwrap();
        let (message, signature) = token.rsplit_once('.').unwrap();
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public_of(&private).unwrap());
        key.verify(message.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(message.split_once('.').unwrap().1).unwrap();
        let known = json!({
            "aud": "https://push.example.net", "exp": 1_043_200, "sub": "https://work.example.com",
        });
        assert_eq!(serde_json::from_slice::<Value>(&claims).unwrap(), known);
    }

    #[test]
    fn whom_to_ask_is_an_encrypted_address_or_mail() {
        assert_eq!(subject("https://work.example.com"), "https://work.example.com");
        assert_eq!(subject("http://localhost:8080/"), "mailto:operator@localhost");
    }
}
