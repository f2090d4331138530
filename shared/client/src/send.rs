//! One call: build the request, send it as often as is worth it, read the answer.

use std::time::Duration;

use backon::Retryable;
use percent_encoding::percent_decode_str;
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::{Method, Request, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_api::{Page, Problem};

use crate::client::Client;
use crate::error::{Error, Missing, NetworkError};
use crate::notice::{Deprecation, Notice};
use crate::retry::Failure;
use crate::route::fill;

const TIMEOUT: Duration = Duration::from_secs(30);
/// How much of an answer that is no problem document is quoted.
const QUOTE: usize = 200;

/// A request being put together.
pub(crate) struct Call<'a> {
    client: &'a Client,
    endpoint: String,
    repeatable: bool,
    /// An error made while building is told when the call is sent.
    request: Result<RequestBuilder, Error>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(client: &'a Client, method: Method, template: &'static str, args: &[&str]) -> Self {
        let endpoint = format!("{method} /api/v1{template}");
        let request = fill(template, args).map(|path| begun(client, method, &format!("/api/v1{path}")));
        Self { client, endpoint, repeatable: false, request }
    }

    /// A request to a path of the instance, as it is.
    pub(crate) fn at(client: &'a Client, method: Method, path: &str) -> Self {
        let endpoint = format!("{method} {}", path.split('?').next().unwrap_or(path));
        let repeatable = method == Method::GET;
        Self { client, endpoint, repeatable, request: Ok(begun(client, method, path)) }
    }

    /// A request to an address outside of the API, as it was put together.
    pub(crate) fn elsewhere(client: &'a Client, endpoint: &str, request: RequestBuilder) -> Self {
        Self { client, endpoint: endpoint.to_owned(), repeatable: true, request: Ok(request) }
    }

    /// Repeating the call after a lost answer does no harm.
    pub(crate) fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }

    pub(crate) fn timeout(self, timeout: Duration) -> Self {
        self.map(|request| request.timeout(timeout))
    }

    pub(crate) fn header(self, name: &'static str, value: &str) -> Self {
        self.map(|request| request.header(name, value))
    }

    pub(crate) fn query(self, query: &impl Serialize) -> Self {
        self.map(|request| request.query(query))
    }

    pub(crate) fn json(self, body: &impl Serialize) -> Self {
        self.map(|request| request.json(body))
    }

    fn map(mut self, change: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Self {
        self.request = self.request.map(change);
        self
    }

    /// Sends the call and reads a value.
    pub(crate) async fn fetch<T: DeserializeOwned>(self) -> Result<T, Error> {
        let (status, body) = self.answer().await?;
        read(status, &body)
    }

    /// Sends the call and reads a value, where 204 says that there is none.
    pub(crate) async fn fetch_optional<T: DeserializeOwned>(self) -> Result<Option<T>, Error> {
        let (status, body) = self.answer().await?;
        if status == StatusCode::NO_CONTENT { Ok(None) } else { read(status, &body).map(Some) }
    }

    /// Sends the call and answers the body as it is.
    pub(crate) async fn bytes(self) -> Result<Vec<u8>, Error> {
        self.answer().await.map(|(_, body)| body)
    }

    /// Sends the call; what the answer holds does not matter.
    pub(crate) async fn done(self) -> Result<(), Error> {
        self.answer().await.map(drop)
    }

    /// Sends the call and reads a page.
    pub(crate) async fn page<T: DeserializeOwned>(self) -> Result<Page<T>, Error> {
        self.fetch().await
    }

    /// Sends the call, again where that is worth it, and answers a success, or what sends the caller elsewhere,
    /// before its body has come.
    pub(crate) async fn open(self) -> Result<Response, Error> {
        let Self { client, endpoint, repeatable, request } = self;
        let request = request?.build().map_err(|error| unsendable(&endpoint, error))?;
        let attempt = || async {
            let response = execute(client, &endpoint, copy(&request, &endpoint)?).await?;
            if is_elsewhere(&response) { Ok(response) } else { success(client, response).await }
        };
        persist(client, &endpoint, repeatable, attempt).await
    }

    /// Sends the call with a body that `make` makes anew for each attempt; repeating it must do no harm.
    pub(crate) async fn send_made(self, make: impl Fn() -> reqwest::Body) -> Result<(), Error> {
        let Self { client, endpoint, request, .. } = self;
        let request = request?.build().map_err(|error| unsendable(&endpoint, error))?;
        let attempt = || async {
            let mut request = copy(&request, &endpoint)?;
            *request.body_mut() = Some(make());
            let response = execute(client, &endpoint, request).await?;
            success(client, response).await.map(drop)
        };
        persist(client, &endpoint, true, attempt).await
    }

    /// Sends the call, again where that is worth it, and answers the body of a success.
    async fn answer(self) -> Result<(StatusCode, Vec<u8>), Error> {
        let Self { client, endpoint, repeatable, request } = self;
        let request = request?.build().map_err(|error| unsendable(&endpoint, error))?;
        let attempt = || async {
            let response = execute(client, &endpoint, copy(&request, &endpoint)?).await?;
            let response = success(client, response).await?;
            let status = response.status();
            let body = response.bytes().await.map_err(|error| network(client, error))?;
            Ok((status, body.into()))
        };
        persist(client, &endpoint, repeatable, attempt).await
    }
}

/// A request to a path of the instance, with the credential.
fn begun(client: &Client, method: Method, path: &str) -> RequestBuilder {
    client
        .http()
        .request(method, format!("{}{path}", client.base_url()))
        .headers(client.credential())
        .header(ACCEPT, "application/json, application/problem+json")
        .timeout(TIMEOUT)
}

/// Attempts a call as often as is worth it.
async fn persist<T, F: Future<Output = Result<T, Failure>>>(
    client: &Client,
    endpoint: &str,
    repeatable: bool,
    attempt: impl FnMut() -> F,
) -> Result<T, Error> {
    let retry = client.retry();
    attempt
        .retry(retry.backoff())
        .when(|failure: &Failure| failure.is_worth_another(repeatable))
        .adjust(|failure: &Failure, pause| retry.pause(failure, pause))
        .notify(|failure: &Failure, pause| {
            tracing::debug!(endpoint, error = %failure.error, ?pause, "trying again");
            client.tell(&Notice::Retrying { reason: failure.error.to_string(), pause });
        })
        .await
        .map_err(|failure| failure.error)
}

fn unsendable(endpoint: &str, error: reqwest::Error) -> Error {
    Error::Unsendable(format!("{endpoint} cannot be sent: {}", error.without_url()))
}

fn copy(request: &Request, endpoint: &str) -> Result<Request, Error> {
    request
        .try_clone()
        .ok_or_else(|| Error::Unsendable(format!("{endpoint} has a body that cannot be sent twice")))
}

pub(crate) fn network(client: &Client, error: reqwest::Error) -> Error {
    Error::Network(NetworkError::new(client.origin(), error))
}

async fn execute(client: &Client, endpoint: &str, request: Request) -> Result<Response, Failure> {
    let response = client.http().execute(request).await.map_err(|error| network(client, error))?;
    if let Some(deprecation) = Deprecation::read(response.headers(), response.url(), endpoint) {
        client.tell_deprecation(deprecation);
    }
    Ok(response)
}

/// Whether the answer sends the caller to another address.
pub(crate) fn is_elsewhere(response: &Response) -> bool {
    response.status() == StatusCode::FOUND && response.headers().contains_key(LOCATION)
}

/// The answer when it is a success, and why it is none otherwise.
pub(crate) async fn success(client: &Client, response: Response) -> Result<Response, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let retry_after = retry_after(&response);
    if status.is_redirection() {
        return Err(redirected(&response).into());
    }
    let media_type = header(&response, CONTENT_TYPE.as_str());
    let asked = asked(client, &response);
    let body = response.bytes().await.map_err(|error| network(client, error))?;
    Err(Failure { error: refusal(status, &media_type, &body, asked), retry_after })
}

fn read<T: DeserializeOwned>(status: StatusCode, body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        let excerpt = excerpt("", body);
        let detail = if excerpt.starts_with('"') {
            format!("{error} in {excerpt}; is this the address of an instance, and of this version?")
        } else {
            excerpt
        };
        Error::Unexpected { status: status.as_u16(), detail }
    })
}

/// What was asked for, under the API's own path, part by part.
fn asked(client: &Client, response: &Response) -> Vec<String> {
    let path = response.url().as_str().strip_prefix(client.base_url()).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned()).collect()
}

fn refusal(status: StatusCode, media_type: &str, body: &[u8], path: Vec<String>) -> Error {
    let problem = media_type.contains("json").then(|| serde_json::from_slice::<Problem>(body).ok()).flatten();
    match problem {
        Some(mut problem) => {
            // The status line is what intermediaries saw; a document that differs does not overrule it.
            problem.status = status.as_u16();
            if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
                return Error::Missing(Box::new(Missing { problem, path }));
            }
            Error::Problem(Box::new(problem))
        }
        None => Error::Unexpected { status: status.as_u16(), detail: excerpt(media_type, body) },
    }
}

fn redirected(response: &Response) -> Error {
    Error::Unexpected {
        status: response.status().as_u16(),
        detail: format!(
            "it points to {:?}, and redirects are not followed; give the address that it points to",
            header(response, LOCATION.as_str())
        ),
    }
}

/// Seconds only: a date would need a clock that agrees with the instance's.
fn retry_after(response: &Response) -> Option<Duration> {
    header(response, RETRY_AFTER.as_str()).parse().ok().map(Duration::from_secs)
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

/// The beginning of an answer that is not the API's. A page for browsers says nothing to the reader of this.
fn excerpt(media_type: &str, body: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(body).trim().chars().take(QUOTE).collect();
    if media_type.contains("html") || text.starts_with('<') {
        return "it is a web page, perhaps of a proxy in between".to_owned();
    }
    if text.is_empty() { "it is empty".to_owned() } else { format!("{text:?}") }
}
