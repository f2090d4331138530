//! Somebody who sends requests at random. Some are cut off in the middle, as by a crash of the process.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{Method, Request, header};
use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::Value;
use svc_domain::ids::UserId;
use svc_testkit::{Reply, call, send};

use crate::pool::Pool;

/// The project that everything happens in.
pub(crate) const PROJECT: &str = "/orgs/demo/projects/PRJ";

/// A caller and what they need.
pub(crate) struct Caller {
    pub(crate) router: Router,
    pub(crate) token: String,
    pub(crate) user: UserId,
    pub(crate) session: String,
    pub(crate) pool: Arc<Pool>,
    pub(crate) random: StdRng,
    /// Of a hundred requests, how many are cut off.
    pub(crate) cut: u32,
    /// How many requests succeeded.
    pub(crate) done: usize,
}

impl Caller {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.random.random_range(0..n)
    }

    /// Whether it is so, in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.random_range(0..of.len())]
    }

    /// A name that is sometimes taken, whatever its case.
    pub(crate) fn name(&mut self, stem: &str) -> String {
        let n = self.below(12);
        if self.chance(20) { format!("{}{n}", stem.to_uppercase()) } else { format!("{stem}{n}") }
    }

    /// A text of some words.
    pub(crate) fn words(&mut self) -> String {
        let words = ["red", "green", "Blue", "straße", "日本語", "deploy", "@ben", "PRJ-1", "late", "wings"];
        let count = 1 + self.below(8);
        (0..count).map(|_| self.one(&words)).collect::<Vec<_>>().join(" ")
    }

    /// Any thing of a kind that is known.
    pub(crate) fn any(&mut self, kind: &str) -> Option<Value> {
        self.pool.any(kind, &mut self.random)
    }

    /// Any text of a kind that is known.
    pub(crate) fn text(&mut self, kind: &str) -> Option<String> {
        self.pool.text(kind, &mut self.random)
    }

    /// Takes any thing of a kind that is known.
    pub(crate) fn take(&mut self, kind: &str) -> Option<Value> {
        self.pool.take(kind, &mut self.random)
    }

    /// The item to do something with.
    pub(crate) fn item(&mut self) -> Option<String> {
        self.text("item").map(|key| format!("/orgs/demo/items/{key}"))
    }

    /// Reads.
    pub(crate) async fn get(&mut self, path: &str) -> Option<Value> {
        let reply = call(&self.router, Method::GET, path, Some(&self.token), None).await;
        reply.status.is_success().then_some(reply.json)
    }

    /// The version of a thing: mostly the current one.
    pub(crate) async fn version(&mut self, path: &str) -> Option<Value> {
        let version = self.get(path).await?["version"].clone();
        Some(if self.chance(95) { version } else { 1.into() })
    }

    /// Changes something; the reply where it succeeded and arrived.
    pub(crate) async fn ask(&mut self, method: Method, path: &str, body: Option<Value>) -> Option<Value> {
        let token = self.token.clone();
        self.ask_as(&token, method, path, body).await
    }

    /// The same with another credential.
    pub(crate) async fn ask_as(
        &mut self,
        token: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Option<Value> {
        let router = self.router.clone();
        let reply =
            self.cut_off(async { call(&router, method.clone(), path, Some(token), body).await }).await;
        self.answered(&format!("{method} {path}"), reply)
    }

    /// The same as a browser does, which cannot be done with a token.
    pub(crate) async fn browse(&mut self, method: Method, path: &str, body: Option<Value>) -> Option<Reply> {
        let cookie = format!("{}={}", svc_http::SESSION_COOKIE, self.session);
        let request = Request::builder()
            .method(method.clone())
            .uri(format!("/api/v1{path}"))
            .header(header::COOKIE, cookie)
            .header(svc_http::REQUEST_HEADER, "1")
            .header(header::CONTENT_TYPE, "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request.body(body).expect("a request");
        let router = self.router.clone();
        let reply = self.cut_off(async { send(&router, request).await }).await;
        self.answered(&format!("{method} {path}"), reply.clone())?;
        reply
    }

    /// Uploads bytes to an address that an announcement answered.
    pub(crate) async fn upload(&mut self, url: &str, bytes: Vec<u8>) -> Option<Value> {
        let request = Request::builder().method(Method::PUT).uri(url);
        let request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        let request = request.body(Body::from(bytes)).expect("a request");
        let router = self.router.clone();
        let reply = self.cut_off(async { send(&router, request).await }).await;
        self.answered("upload", reply)
    }

    /// The reply, unless the request is cut off.
    async fn cut_off(&mut self, asked: impl Future<Output = Reply>) -> Option<Reply> {
        if !self.chance(self.cut) {
            return Some(asked.await);
        }
        let after = Duration::from_micros(u64::from(self.below(8_000)));
        tokio::time::timeout(after, asked).await.ok()
    }

    fn answered(&mut self, what: &str, reply: Option<Reply>) -> Option<Value> {
        let reply = reply?;
        // 503 is what engines that fail at random look like.
        let status = reply.status.as_u16();
        assert!(status < 500 || status == 503, "{what}: {} {}", reply.status, reply.text);
        if !reply.status.is_success() {
            return None;
        }
        self.done += 1;
        Some(reply.json)
    }
}
