//! A push service on loopback with a browser behind it: it reads what a browser could read, and nothing else.

use std::collections::VecDeque;
use std::sync::Arc;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hmac;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey as Verifying};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;

const AUTH: [u8; 16] = *b"shared-by-both-1";
const PRIVATE: [u8; 32] = [9; 32];

/// A message that the browser got.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// What it decrypted.
    pub(crate) message: Value,
    pub(crate) ttl: u64,
    pub(crate) urgency: String,
    pub(crate) topic: String,
}

impl Shown {
    pub(crate) fn title(&self) -> &str {
        self.message["notification"]["title"].as_str().unwrap()
    }

    pub(crate) fn body(&self) -> &str {
        self.message["notification"]["body"].as_str().unwrap()
    }

    pub(crate) fn leads_to(&self) -> &str {
        self.message["notification"]["navigate"].as_str().unwrap()
    }
}

#[derive(Default)]
struct Heard {
    shown: Vec<Shown>,
    answers: VecDeque<(u16, Option<u32>)>,
    /// The key that the browser subscribed with.
    server_key: String,
}

/// The push service.
#[derive(Clone)]
pub(crate) struct PushService {
    address: String,
    heard: Arc<Mutex<Heard>>,
}

impl PushService {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Heard::default()));
        let state = (address.clone(), Arc::clone(&heard));
        let router = Router::new().fallback(take).with_state(state);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, heard }
    }

    /// What a browser says that subscribed with this key, as `PushSubscription.toJSON()`.
    pub(crate) fn subscribe(&self, server_key: &str) -> Value {
        server_key.clone_into(&mut self.heard.lock().server_key);
        json!({
            "endpoint": format!("{}/push/secret-of-the-browser", self.address),
            "expirationTime": null,
            "keys": { "p256dh": URL_SAFE_NO_PAD.encode(public()), "auth": URL_SAFE_NO_PAD.encode(AUTH) },
            "name": "Firefox · Linux",
        })
    }

    /// The next message is answered like this.
    pub(crate) fn answers(&self, status: u16, retry_after: Option<u32>) {
        self.heard.lock().answers.push_back((status, retry_after));
    }

    /// What the browser showed since the last call.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        std::mem::take(&mut self.heard.lock().shown)
    }
}

fn key() -> PrivateKey {
    PrivateKey::from_private_key(&ECDH_P256, &PRIVATE).unwrap()
}

fn public() -> Vec<u8> {
    key().compute_public_key().unwrap().as_ref().to_vec()
}

async fn take(
    State((address, heard)): State<(String, Arc<Mutex<Heard>>)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut heard = heard.lock();
    let text = |name: &str| headers[name].to_str().unwrap().to_owned();
    assert_eq!(text("content-encoding"), "aes128gcm");
    assert_eq!(headers.get_all(header::CONTENT_TYPE).iter().count(), 1);
    check_signature(&text("authorization"), &address, &heard.server_key);
    let topic = text("topic");
    assert!(topic.len() <= 32 && topic.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
    if let Some((status, retry_after)) = heard.answers.pop_front() {
        let mut response = StatusCode::from_u16(status).unwrap().into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        return response;
    }
    let message = serde_json::from_slice(&decrypted(&body)).unwrap();
    let ttl = text("ttl").parse().unwrap();
    heard.shown.push(Shown { message, ttl, urgency: text("urgency"), topic });
    StatusCode::CREATED.into_response()
}

/// What RFC 8292 asks of a push service.
fn check_signature(authorization: &str, address: &str, server_key: &str) {
    let (token, key) = authorization.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(key, server_key, "the key that the browser subscribed with");
    let (message, signature) = token.rsplit_once('.').unwrap();
    let key = Verifying::new(&ECDSA_P256_SHA256_FIXED, URL_SAFE_NO_PAD.decode(key).unwrap());
    key.verify(message.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
    let claims = URL_SAFE_NO_PAD.decode(message.split_once('.').unwrap().1).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(address), &json!("https://work.example.com")));
}

/// RFC 8188 and 8291, from the browser's side.
fn decrypted(body: &[u8]) -> Vec<u8> {
    let (salt, rest) = body.split_at(16);
    let (size, rest) = rest.split_at(4);
    let (length, rest) = rest.split_at(1);
    let (sender, record) = rest.split_at(length[0].into());
    let size = u32::from_be_bytes(size.try_into().unwrap()) as usize;
    assert!(record.len() <= size && body.len() <= 4_096, "one record");
    let theirs = UnparsedPublicKey::new(&ECDH_P256, sender);
    let shared = agree(&key(), theirs, (), |secret| Ok(secret.to_vec())).unwrap();
    let info = [b"WebPush: info\0", public().as_slice(), sender].concat();
    let secret = hkdf(&AUTH, &shared, &info);
    let key = hkdf(salt, &secret, b"Content-Encoding: aes128gcm\0");
    let nonce = hkdf(salt, &secret, b"Content-Encoding: nonce\0");
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).unwrap());
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
    let mut record = record.to_vec();
    let text = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
    let end = text.iter().rposition(|byte| *byte != 0).unwrap();
    assert_eq!(text[end], 2, "the last record");
    text[..end].to_vec()
}

fn hkdf(salt: &[u8], secret: &[u8], info: &[u8]) -> Vec<u8> {
    let mac = |key: &[u8], message: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message);
    let prk = mac(salt, secret);
    mac(prk.as_ref(), &[info, &[1]].concat()).as_ref().to_vec()
}
