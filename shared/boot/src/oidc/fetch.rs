//! Requests to a provider: over encrypted connections only, and with answers of bounded size.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;

use crate::address::trusted;

/// Bytes of a provider's answer at most.
const MAX_ANSWER: usize = 1024 * 1024;

/// Why a provider's answer was not got.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    #[error("the answer is not what it should be: {0}")]
    Answer(#[from] serde_json::Error),
    #[error("the answer is larger than {MAX_ANSWER} bytes")]
    TooLarge,
    #[error("the provider names an address without encryption")]
    InTheClear,
    #[error("the provider calls itself {0}")]
    OtherIssuer(String),
    #[error("the provider answers {0}")]
    Status(StatusCode),
}

/// An answer, read whole.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    media_type: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Reads the body as JSON.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, FetchError> {
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// Whether the body is a signed token rather than JSON.
    pub(super) fn is_signed(&self) -> bool {
        self.media_type
            .split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/jwt"))
    }
}

/// Sends a request and reads its answer.
pub(super) async fn send(client: &Client, request: RequestBuilder) -> Result<Answer, FetchError> {
    let request = request.build()?;
    if !trusted(request.url()) {
        return Err(FetchError::InTheClear);
    }
    let mut answer = client.execute(request).await?;
    let status = answer.status();
    let media_type = answer.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.unwrap_or_default().to_owned();
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            return Err(FetchError::TooLarge);
        }
    }
    Ok(Answer { status, media_type, body })
}

/// Sends a request that is answered with JSON.
pub(super) async fn json<T: DeserializeOwned>(
    client: &Client,
    request: RequestBuilder,
) -> Result<T, FetchError> {
    let answer = send(client, request).await?;
    if answer.status != StatusCode::OK {
        return Err(FetchError::Status(answer.status));
    }
    answer.json()
}
