//! The client: an instance's address, a credential, and how patient to be.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};

use crate::error::Error;
use crate::notice::{Deprecation, Notice};
use crate::retry::Retry;
use crate::send::Call;

/// Name of the cookie that carries a session (specification section 5).
pub(crate) const SESSION_COOKIE: &str = "svc.at";

/// How often one request is led on at most.
const MOST_MOVES: usize = 3;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the next piece of an answer may take; longer than an instance holds any answer back.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// A connection to one instance with one credential. Cloning is cheap and shares the connections.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

type NoticeSink = Box<dyn Fn(&Notice) + Send + Sync>;
type KeySource = Box<dyn Fn() -> String + Send + Sync>;

struct Inner {
    http: reqwest::Client,
    /// Without a trailing slash.
    base: String,
    origin: String,
    /// Headers that say who asks.
    credential: HeaderMap,
    retry: Retry,
    on_notice: Option<NoticeSink>,
    idempotency_key: Option<KeySource>,
    deprecations_told: Mutex<BTreeSet<String>>,
}

/// Collects what a [`Client`] needs.
pub struct ClientBuilder {
    base_url: String,
    user_agent: String,
    token: Option<SecretString>,
    passwords: bool,
    allow_plain_http: bool,
    retry: Retry,
    on_notice: Option<NoticeSink>,
    idempotency_key: Option<KeySource>,
}

/// The routes under one organization.
#[derive(Clone, Copy)]
pub struct Org<'a> {
    pub(crate) client: &'a Client,
    pub(crate) slug: &'a str,
}

impl Client {
    /// A client with the default patience. `base_url` is the instance's address without `/api/v1`.
    ///
    /// # Errors
    /// `Unsendable` when the address is not an `http` or `https` URL, or when the token would cross a network
    /// in the clear.
    pub fn new(base_url: &str, token: Option<SecretString>, user_agent: &str) -> Result<Self, Error> {
        let builder = Self::builder(base_url, user_agent);
        match token {
            Some(token) => builder.token(token).build(),
            None => builder.build(),
        }
    }

    /// Starts a client with settings of its own.
    pub fn builder(base_url: &str, user_agent: &str) -> ClientBuilder {
        ClientBuilder {
            base_url: base_url.to_owned(),
            user_agent: user_agent.to_owned(),
            token: None,
            passwords: false,
            allow_plain_http: false,
            retry: Retry::default(),
            on_notice: None,
            idempotency_key: None,
        }
    }

    /// The instance's address, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.inner.base
    }

    /// The routes under one organization.
    pub fn org<'a>(&'a self, slug: &'a str) -> Org<'a> {
        Org { client: self, slug }
    }

    pub(crate) fn get(&self, template: &'static str, args: &[&str]) -> Call<'_> {
        Call::new(self, Method::GET, template, args).repeatable()
    }

    pub(crate) fn post(&self, template: &'static str, args: &[&str]) -> Call<'_> {
        let call = Call::new(self, Method::POST, template, args);
        match &self.inner.idempotency_key {
            Some(key) => call.header("idempotency-key", &key()).repeatable(),
            None => call,
        }
    }

    pub(crate) fn call(&self, method: Method, template: &'static str, args: &[&str]) -> Call<'_> {
        Call::new(self, method, template, args)
    }

    /// A client of the same instance in a session, which tells nobody of notices.
    pub(crate) fn in_session(&self, secret: &SecretString) -> Result<Self, Error> {
        let cookie = secret_header(&format!("{SESSION_COOKIE}={}", secret.expose_secret()))?;
        let meant = (HeaderName::from_static("x-svc-request"), HeaderValue::from_static("1"));
        let inner = Inner {
            http: self.inner.http.clone(),
            base: self.inner.base.clone(),
            origin: self.inner.origin.clone(),
            credential: [(COOKIE, cookie), meant].into_iter().collect(),
            retry: self.inner.retry,
            on_notice: None,
            idempotency_key: None,
            deprecations_told: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.inner.http
    }

    pub(crate) fn origin(&self) -> &str {
        &self.inner.origin
    }

    pub(crate) fn credential(&self) -> HeaderMap {
        self.inner.credential.clone()
    }

    pub(crate) fn retry(&self) -> Retry {
        self.inner.retry
    }

    pub(crate) fn tell(&self, notice: &Notice) {
        if let Some(sink) = &self.inner.on_notice {
            sink(notice);
        }
    }

    pub(crate) fn tell_deprecation(&self, deprecation: Deprecation) {
        if self.inner.deprecations_told.lock().insert(deprecation.endpoint.clone()) {
            self.tell(&Notice::Deprecated(deprecation));
        }
    }
}

/// Never shows the credential.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.inner.base)
            .field("authenticated", &!self.inner.credential.is_empty())
            .finish_non_exhaustive()
    }
}

impl ClientBuilder {
    /// Sends this credential with every request.
    #[must_use]
    pub fn token(mut self, token: SecretString) -> Self {
        self.token = Some(token);
        self
    }

    /// Says that passwords will be sent, which cross a network as a token does.
    #[must_use]
    pub fn passwords(mut self) -> Self {
        self.passwords = true;
        self
    }

    /// Lets the token, or passwords, cross a network in the clear. Only for networks that nobody else can read.
    #[must_use]
    pub fn allow_plain_http(mut self, allow: bool) -> Self {
        self.allow_plain_http = allow;
        self
    }

    /// How often a failed call is tried again.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Called with what people should know besides the answers.
    #[must_use]
    pub fn on_notice(mut self, sink: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        self.on_notice = Some(Box::new(sink));
        self
    }

    /// Makes the `Idempotency-Key` of each POST, which may then be repeated after a lost answer. Without it a
    /// POST that the instance may have seen is not sent again.
    #[must_use]
    pub fn idempotency_keys(mut self, source: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.idempotency_key = Some(Box::new(source));
        self
    }

    /// The client.
    ///
    /// # Errors
    /// As [`Client::new`].
    pub fn build(self) -> Result<Client, Error> {
        let url = parse_base(&self.base_url)?;
        let in_the_clear = url.scheme() == "http" && !is_loopback(&url);
        let secret = if self.passwords { Some("password") } else { self.token.as_ref().map(|_| "token") };
        if let (true, Some(secret), false) = (in_the_clear, secret, self.allow_plain_http) {
            return Err(Error::Unsendable(format!(
                "the {secret} would cross the network in the clear to {}; use https",
                self.base_url
            )));
        }
        let token =
            self.token.as_ref().map(|token| secret_header(&format!("Bearer {}", token.expose_secret())));
        let credential = token.transpose()?.into_iter().map(|token| (AUTHORIZATION, token)).collect();
        let mut http = reqwest::Client::builder()
            .user_agent(&self.user_agent)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .redirect(within_the_instance());
        if is_loopback(&url) {
            // A proxy is on another machine or reads what passes; this instance needs none.
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| Error::Unsendable(format!("no HTTP client: {error}")))?;
        Ok(Client {
            inner: Arc::new(Inner {
                http,
                base: base(&url).to_owned(),
                origin: url.origin().ascii_serialization(),
                credential,
                retry: self.retry,
                on_notice: self.on_notice,
                idempotency_key: self.idempotency_key,
                deprecations_told: Mutex::default(),
            }),
        })
    }
}

/// The address without a slash at its end, and without the API's own path, which some paste with it.
fn base(url: &Url) -> &str {
    let base = url.as_str().trim_end_matches('/');
    base.strip_suffix("/api/v1").unwrap_or(base)
}

/// The address of an instance as this client writes it, so that two spellings of one can be compared.
///
/// # Errors
/// `Unsendable` when it is not the address of an instance.
pub fn address(text: &str) -> Result<String, Error> {
    Ok(base(&parse_base(text)?).to_owned())
}

fn parse_base(text: &str) -> Result<Url, Error> {
    let wrong = |why: &str| Error::Unsendable(format!("{text:?} is not the address of an instance: {why}"));
    if !text.contains("://") {
        // A program on this machine seldom has a certificate.
        let host = text.split(['/', ':']).next().unwrap_or_default();
        let scheme = if matches!(host, "localhost" | "127.0.0.1") { "http" } else { "https" };
        return Err(wrong(&format!("write it as {scheme}://{text}")));
    }
    let url = Url::parse(text).map_err(|_| wrong("write it as https://host"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("write it as https://host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::Unsendable("the address must not carry a user name or password".to_owned()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("leave out what follows ? or #"));
    }
    Ok(url)
}

/// An item that was moved to another project has another address at the same instance: that is followed, with the same
/// request. Nothing else is.
fn within_the_instance() -> Policy {
    Policy::custom(|attempt| {
        let origin = |url: &Url| (url.scheme() == attempt.url().scheme()).then(|| url.origin());
        let same = attempt.previous().iter().all(|before| origin(before) == Some(attempt.url().origin()));
        let moved = attempt.status() == StatusCode::PERMANENT_REDIRECT;
        if moved && same && attempt.previous().len() <= MOST_MOVES {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}

/// `localhost` counts: what resolves it is the machine's own configuration.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// A header that is not logged.
fn secret_header(value: &str) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| Error::Unsendable("the token has characters that no token has".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}
