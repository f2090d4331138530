//! What the host says: the parts of its answers that matter here, and what their statuses mean.

use jiff::Timestamp;
use reqwest::{RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_app::ports::CodeHostError;
use svc_domain::code_host::{InstallationId, RepositoryName};

/// Bytes of the host's answer at most.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

#[derive(Deserialize)]
pub(super) struct Exchanged {
    pub(super) access_token: Option<String>,
    pub(super) error: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Listed {
    pub(super) installations: Vec<ListedInstallation>,
}

#[derive(Deserialize)]
pub(super) struct ListedInstallation {
    pub(super) id: InstallationId,
    pub(super) account: Option<Account>,
}

#[derive(Deserialize)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) login: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Membership {
    pub(super) state: String,
    pub(super) role: String,
}

#[derive(Deserialize)]
pub(super) struct Covering {
    pub(super) id: InstallationId,
}

#[derive(Deserialize)]
pub(super) struct Repository {
    pub(super) full_name: RepositoryName,
    pub(super) default_branch: String,
}

#[derive(Deserialize)]
pub(super) struct Minted {
    pub(super) token: String,
    pub(super) expires_at: Timestamp,
    #[serde(default)]
    pub(super) repositories: Vec<Named>,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) full_name: String,
}

/// What the host answers; statuses mean what the host's documentation says of them.
pub(super) async fn answer<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, CodeHostError> {
    let mut answer = request.send().await.map_err(unavailable)?;
    let (status, headers) = (answer.status(), answer.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(unavailable)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            return Err(unavailable(AnswerError::TooLarge));
        }
    }
    let waits = || {
        headers.contains_key("retry-after") || headers.get("x-ratelimit-remaining").is_some_and(|n| n == "0")
    };
    match status {
        _ if status.is_success() => serde_json::from_slice(&body).map_err(unavailable),
        StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY => Err(CodeHostError::NotCovered),
        // A repository that was moved is another one.
        _ if status.is_redirection() => Err(CodeHostError::NotCovered),
        StatusCode::UNAUTHORIZED | StatusCode::BAD_REQUEST => Err(refused(status, &body)),
        StatusCode::FORBIDDEN if !waits() => Err(refused(status, &body)),
        _ => Err(unavailable(AnswerError::Status(status))),
    }
}

/// A refusal with what the host says of it.
fn refused(status: StatusCode, body: &[u8]) -> CodeHostError {
    let said: Option<Value> = serde_json::from_slice(body).ok();
    let said = said.as_ref().and_then(|said| said["message"].as_str()).unwrap_or_default();
    CodeHostError::Refused(format!("{status}: {}", svc_domain::untrusted::shortened(said, 300)))
}

pub(super) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> CodeHostError {
    CodeHostError::Unavailable(Box::new(error))
}

/// An answer that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum AnswerError {
    #[error("the answer is larger than {MAX_ANSWER} bytes")]
    TooLarge,
    #[error("the app's key does not sign")]
    Unsigned,
    #[error("the host answered {0}")]
    Status(StatusCode),
}
