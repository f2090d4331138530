//! A program that webhooks are sent to: it keeps what comes and answers what it is told to. It verifies signatures by an
//! implementation of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aws_lc_rs::hmac;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;

/// A request that came.
#[derive(Clone)]
pub(crate) struct Delivered {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Delivered {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Whether one of its signatures was made with the secret.
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let (id, time) = (self.header("webhook-id"), self.header("webhook-timestamp"));
        let signed = [id.as_bytes(), b".", time.as_bytes(), b".", &self.body].concat();
        let signatures = self.header("webhook-signature").split(' ');
        let mut tags = signatures.map(|one| STANDARD.decode(one.strip_prefix("v1,").unwrap()).unwrap());
        tags.any(|tag| hmac::verify(&key, &signed, &tag).is_ok())
    }
}

#[derive(Clone, Default)]
struct Shared {
    delivered: Arc<Mutex<Vec<Delivered>>>,
    answers: Arc<Mutex<VecDeque<u16>>>,
}

/// The program.
pub(crate) struct Receiver {
    pub(crate) url: String,
    shared: Shared,
}

impl Receiver {
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook?token=1", listener.local_addr().unwrap());
        let shared = Shared::default();
        let router = Router::new().fallback(take).with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// Answers these from now on, and then 204.
    pub(crate) fn answers(&self, statuses: impl IntoIterator<Item = u16>) {
        *self.shared.answers.lock().unwrap() = statuses.into_iter().collect();
    }

    /// What came since it was asked last.
    pub(crate) fn delivered(&self) -> Vec<Delivered> {
        std::mem::take(&mut *self.shared.delivered.lock().unwrap())
    }
}

async fn take(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> Response {
    shared.delivered.lock().unwrap().push(Delivered { headers, body });
    let status = shared.answers.lock().unwrap().pop_front().unwrap_or(204);
    StatusCode::from_u16(status).unwrap().into_response()
}
