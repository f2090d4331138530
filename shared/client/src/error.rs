//! Why a call has no value: the instance refused it, could not be reached, or answered something else.

use std::error::Error as _;

use svc_api::Problem;

/// Why a call has no value.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The instance answered a problem document.
    #[error("{}", describe(.0))]
    Problem(Box<Problem>),
    /// The instance has nothing at the address that the call asked for (any more), or does not say so to the caller.
    #[error("{}", describe(&.0.problem))]
    Missing(Box<Missing>),
    /// The instance could not be reached, or the connection broke before its answer was complete.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The answer is not what the API documents: a proxy's page, another program, a redirect.
    #[error("the instance answered {status}, but not as the API documents: {detail}")]
    Unexpected {
        /// HTTP status code.
        status: u16,
        /// What was there instead, and what to check.
        detail: String,
    },
    /// The call was not sent: its address or an argument cannot be right.
    #[error("{0}")]
    Unsendable(String),
}

impl Error {
    /// HTTP status code of the answer, where there was one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Problem(problem) => Some(problem.status),
            Self::Missing(missing) => Some(missing.problem.status),
            Self::Unexpected { status, .. } => Some(*status),
            Self::Network(_) | Self::Unsendable(_) => None,
        }
    }

    /// The problem document, where the instance answered one.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Problem(problem) => Some(problem),
            Self::Missing(missing) => Some(&missing.problem),
            Self::Network(_) | Self::Unexpected { .. } | Self::Unsendable(_) => None,
        }
    }

    /// Whether the problem is of this kind (`type` of the problem document).
    pub fn is_problem(&self, kind: &str) -> bool {
        self.problem().is_some_and(|problem| problem.kind == kind)
    }
}

/// What a call asked for and did not find.
#[derive(Clone, Debug)]
pub struct Missing {
    /// What the instance said.
    pub problem: Problem,
    /// The address under `/api/v1`, by its decoded parts: `["orgs", "demo", "items", "PRJ-12"]`.
    pub path: Vec<String>,
}

fn describe(problem: &Problem) -> String {
    // Titles are sentences; here one may be followed by more.
    let mut text = problem.title.trim_end_matches('.').to_owned();
    if let Some(detail) = &problem.detail {
        text.push_str(": ");
        text.push_str(detail);
    }
    for (field, messages) in &problem.errors {
        text.push_str(&format!("; {field}: {}", messages.join(", ")));
    }
    text
}

/// The instance could not be reached, or the connection broke.
#[derive(Debug, thiserror::Error)]
#[error("cannot reach {origin}: {reason}")]
pub struct NetworkError {
    /// Scheme, host and port that were tried.
    pub origin: String,
    /// The innermost cause, in words.
    pub reason: String,
    /// Whether no connection was made, so that the instance cannot have seen the request.
    pub never_sent: bool,
    #[source]
    cause: reqwest::Error,
}

impl NetworkError {
    pub(crate) fn new(origin: &str, cause: reqwest::Error) -> Self {
        // The address may carry text typed by the user; the origin says enough.
        let cause = cause.without_url();
        let reason = if cause.is_timeout() { "no answer in time".to_owned() } else { innermost(&cause) };
        Self { origin: origin.to_owned(), reason, never_sent: cause.is_connect(), cause }
    }
}

fn innermost(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = cause.to_string();
        next = cause.source();
    }
    text
}
