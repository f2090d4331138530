//! Every kind of problem that the service answers: its stable slug, title and status, and how a refusal
//! becomes one. The only place that knows both.

use http::StatusCode;
use jiff::Timestamp;
use svc_api::Problem;
use svc_app::{Error, StorageError};
use svc_domain::refusal::Refusal;

/// A kind of problem, as the API documents list it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// Stable slug: the problem's `type`.
    pub slug: &'static str,
    /// Status code.
    pub status: StatusCode,
    /// Title for people.
    pub title: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $slug:literal, $status:ident, $title:literal;)*) => {
        $(
            #[doc = $title]
            pub const $name: ProblemKind =
                ProblemKind { slug: $slug, status: StatusCode::$status, title: $title };
        )*

        /// Every kind of problem.
        pub const PROBLEMS: &[ProblemKind] = &[$($name,)*];
    };
}

kinds! {
    MALFORMED = "malformed-request", BAD_REQUEST, "The request could not be read.";
    VALIDATION = "validation-failed", UNPROCESSABLE_ENTITY, "Some fields are not valid.";
    BAD_QUERY = "invalid-query", BAD_REQUEST, "A query parameter is not valid.";
    MISSING_REQUEST_HEADER = "missing-request-header", FORBIDDEN,
        "A change made with the session cookie needs the header X-Svc-Request: 1.";
    OTHER_ACCOUNT = "other-account", FORBIDDEN, "The session belongs to a different account than this page.";
    UNAUTHENTICATED = "unauthenticated", UNAUTHORIZED, "Sign in, or send a valid token.";
    WRONG_PASSWORD = "wrong-password", UNAUTHORIZED, "The address or the password is wrong.";
    MISSING_SCOPE = "missing-scope", FORBIDDEN, "The token lacks a scope.";
    FORBIDDEN = "forbidden", FORBIDDEN, "Your role does not permit this.";
    FACTORY_NOT_PERMITTED = "factory-not-permitted", FORBIDDEN,
        "You may not start AI work here or see its details.";
    READ_ONLY = "organization-read-only", FORBIDDEN, "The organization is read-only.";
    ARCHIVED = "project-archived", CONFLICT, "The project is archived and read-only.";
    NOT_FOUND = "not-found", NOT_FOUND, "This does not exist, or you may not see it.";
    METHOD = "method-not-allowed", METHOD_NOT_ALLOWED, "This address does not support this method.";
    MEDIA_TYPE = "unsupported-media-type", UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json.";
    TOO_LARGE = "too-large", PAYLOAD_TOO_LARGE, "The request is too large.";
    RANGE = "range-not-satisfiable", RANGE_NOT_SATISFIABLE, "The file does not have this part.";
    STALE_VERSION = "stale-version", CONFLICT, "Somebody else saved first.";
    ALREADY_EXISTS = "already-exists", CONFLICT, "Something with this name already exists.";
    ITEM_CLAIMED = "item-claimed", CONFLICT, "The item is already claimed.";
    ITEM_DELETED = "item-deleted", GONE, "The item was deleted.";
    DELETED = "deleted", GONE, "This was deleted.";
    ITEM_TRANSFERRED = "item-transferred", PERMANENT_REDIRECT, "The item was moved to another project.";
    NOT_CLAIM_HOLDER = "not-claim-holder", CONFLICT, "You do not hold the item's claim.";
    MOVE = "move-not-permitted", CONFLICT, "The workflow does not permit this move.";
    LIVE_RUN = "live-run-exists", CONFLICT, "The item already has a live run.";
    RUN_ENDED = "run-ended", CONFLICT, "The run has already ended.";
    RUN_STATE = "run-state", CONFLICT, "The run's state does not permit this.";
    ASSIGNMENT_ENDED = "assignment-ended", CONFLICT, "This assignment of the run has ended.";
    LOG_GAP = "log-gap", CONFLICT, "The batch does not continue the log.";
    CONFLICT = "conflict", CONFLICT, "The current state does not permit this.";
    CHANNEL_REFUSED = "channel-refused", BAD_REQUEST, "The channel cannot be connected like this.";
    CHANNEL_TEST_FAILED = "channel-test-failed", UNPROCESSABLE_ENTITY, "The test message did not arrive.";
    IN_PROGRESS = "request-in-progress", CONFLICT,
        "A request with this idempotency key is still in progress.";
    KEY_REUSED = "idempotency-key-reused", UNPROCESSABLE_ENTITY,
        "This idempotency key belongs to another request.";
    RATE_LIMITED = "rate-limited", TOO_MANY_REQUESTS, "The request budget is exhausted.";
    UNAVAILABLE = "unavailable", SERVICE_UNAVAILABLE, "The service cannot answer right now.";
    INTERNAL = "internal", INTERNAL_SERVER_ERROR, "Something went wrong on our side.";
}

impl ProblemKind {
    /// A problem of this kind, without detail and trace id.
    pub fn problem(self) -> Problem {
        Problem {
            kind: self.slug.to_owned(),
            title: self.title.to_owned(),
            status: self.status.as_u16(),
            detail: None,
            trace_id: String::new(),
            errors: std::collections::BTreeMap::new(),
            current_version: None,
            holder: None,
            run_id: None,
            error: None,
        }
    }

    /// A problem of this kind, with what to do about it.
    pub fn because(self, detail: impl Into<String>) -> Problem {
        Problem { detail: Some(detail.into()), ..self.problem() }
    }
}

/// The problem document of an error. What happened inside is never part of it.
pub fn problem_of(error: &Error) -> Problem {
    match error {
        Error::Repeated => IN_PROGRESS.because("Send the request again."),
        Error::Refused(refusal) => problem_of_refusal(refusal),
        Error::Busy => {
            UNAVAILABLE.because("Too many requests of this kind are in progress. Try again in a second.")
        }
        Error::MailAway(_) => UNAVAILABLE.because("The mail server does not accept mail. Try again later."),
        Error::Storage(storage) => match storage {
            StorageError::Conflict { .. } | StorageError::Contention => CONFLICT
                .because("Others are changing the same thing right now. Read it again, then retry."),
            StorageError::TooLarge { .. } => {
                TOO_LARGE.because("The values together are too large to store. Shorten the longest one.")
            }
            StorageError::Unavailable(_) => UNAVAILABLE.because("Try again in a moment."),
            StorageError::Full => UNAVAILABLE.because(
                "Nothing can be saved because the service's disk is full. Reading still works. Tell the operator of \
                the service.",
            ),
            StorageError::Unusable(_) => UNAVAILABLE.because(
                "Nothing can be saved because the service's store is gone or was replaced, or takes no writes. Tell the operator of \
                the service.",
            ),
            StorageError::Interrupted(_) => MALFORMED.because("The body ended before it was complete."),
            StorageError::NotFound(_)
            | StorageError::AlreadyExists(_)
            | StorageError::Corrupt(_) => INTERNAL.because("Report the trace id."),
        },
    }
}

fn problem_of_refusal(refusal: &Refusal) -> Problem {
    match refusal {
        Refusal::Invalid(errors) => Problem { errors: errors.0.clone(), ..VALIDATION.problem() },
        Refusal::InvalidQuery(errors) => Problem { errors: errors.0.clone(), ..BAD_QUERY.problem() },
        Refusal::NotFound => NOT_FOUND.problem(),
        Refusal::Unauthenticated => UNAUTHENTICATED.problem(),
        Refusal::WrongPassword => WRONG_PASSWORD.problem(),
        Refusal::ProviderAway => {
            UNAVAILABLE.because("The identity provider does not answer. Try again later.")
        }
        Refusal::CodeHostAway => UNAVAILABLE.because("The code host does not answer. Try again later."),
        Refusal::MissingScope(scope) => {
            MISSING_SCOPE.because(format!("Use a token with the scope {scope:?}."))
        }
        Refusal::Forbidden(why) => FORBIDDEN.because(sentence(why)),
        Refusal::FactoryNotPermitted => {
            FACTORY_NOT_PERMITTED.because("Ask an Owner, an Admin, or a Member who can start AI work.")
        }
        Refusal::MissingRequestHeader => MISSING_REQUEST_HEADER.problem(),
        Refusal::OtherAccount => OTHER_ACCOUNT.because("Nothing was changed. Reload the page."),
        Refusal::ReadOnlyOrganization => READ_ONLY.problem(),
        Refusal::ArchivedProject => ARCHIVED.because("Ask a project Admin to unarchive it first."),
        Refusal::StaleVersion { current } => Problem {
            current_version: Some(*current),
            ..STALE_VERSION.because(format!(
                "The current version is {current}. Read it again, then decide what to change."
            ))
        },
        Refusal::AlreadyExists(what) => {
            ALREADY_EXISTS.because(format!("{} already exists. Choose another.", sentence_start(what)))
        }
        Refusal::TakenMeanwhile { by, what } => ALREADY_EXISTS.because(format!(
            "{} has taken its {what}. Rename or delete that one, then restore this one.",
            sentence_start(by)
        )),
        Refusal::ItemClaimed { holder } => Problem {
            holder: Some(holder.clone()),
            ..ITEM_CLAIMED.because(format!("{holder} holds the claim."))
        },
        Refusal::ItemDeleted { until } => ITEM_DELETED.because(match until {
            Some(until) => format!("It can be restored until {}.", minute(*until)),
            None => "It can no longer be restored.".to_owned(),
        }),
        Refusal::Deleted { what, restorers, until } => DELETED.because(match until {
            Some(until) => {
                let restorers = sentence_start(restorers);
                format!("The {what} was deleted. {restorers} can restore it until {}.", minute(*until))
            }
            None => format!("The {what} was deleted and can no longer be restored."),
        }),
        Refusal::ItemTransferred { to, .. } => ITEM_TRANSFERRED.because(format!("It is now {to}.")),
        Refusal::NotClaimHolder => NOT_CLAIM_HOLDER.because("Claim the item first."),
        Refusal::MoveNotPermitted { from, to, permitted } => MOVE.because(move_detail(from, to, permitted)),
        Refusal::LiveRunExists { run } => Problem {
            run_id: Some(run.to_string()),
            ..LIVE_RUN.because(format!("Run {run} is queued or at work. Wait until it ends, or cancel it."))
        },
        Refusal::RunEnded => RUN_ENDED.problem(),
        Refusal::RunState(why) => RUN_STATE.because(sentence(why)),
        Refusal::AssignmentEnded => ASSIGNMENT_ENDED
            .because("Stop working on the run: the service accepts nothing more for this assignment."),
        Refusal::LogGap { next } => LOG_GAP.because(format!("Send the entries from seq {next} on.")),
        Refusal::ChannelRefused(errors) => Problem { errors: errors.0.clone(), ..CHANNEL_REFUSED.problem() },
        Refusal::ChannelTestFailed(why) => {
            Problem { error: Some(why.clone()), ..CHANNEL_TEST_FAILED.because(sentence(why)) }
        }
        Refusal::Conflict(why) => CONFLICT.because(sentence(why)),
        Refusal::RateLimited { retry_after } => {
            RATE_LIMITED.because(format!("Try again in {retry_after} seconds."))
        }
        Refusal::TooLarge => TOO_LARGE.problem(),
    }
}

fn minute(at: Timestamp) -> impl std::fmt::Display {
    at.strftime("%Y-%m-%d %H:%M UTC")
}

fn move_detail(from: &str, to: &str, permitted: &[String]) -> String {
    if permitted.is_empty() {
        return format!("There is no move from {from} to {to} or to any other state.");
    }
    format!(
        "There is no move from {from} to {to}. From {from}, an item can move to: {}.",
        permitted.join(", ")
    )
}

fn sentence_start(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn sentence(text: &str) -> String {
    let text = sentence_start(text);
    if text.ends_with('.') { text } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::PROBLEMS;
    use std::collections::BTreeSet;

    #[test]
    fn slugs_are_unique() {
        let slugs: BTreeSet<_> = PROBLEMS.iter().map(|kind| kind.slug).collect();
        assert_eq!(slugs.len(), PROBLEMS.len());
    }
}
