//! Why a command failed: what to say, what to do next, and the exit code (specification section 4.2).
//!
//! | Code | From                                                                     |
//! |------|--------------------------------------------------------------------------|
//! | 0    | the reader of stdout left: nothing is wrong                              |
//! | 1    | network, 5xx, an answer that the API does not document, files, a test    |
//! |      | that does not arrive                                                     |
//! | 2    | any other 4xx, among them 429; a wrong command line or setting           |
//! | 3    | 409                                                                      |
//! | 4    | 404; 410, of what was deleted; a name that matches nothing               |
//! | 5    | 401, 403; no token                                                       |
//! | 130  | the person stopped it with Ctrl-C                                        |

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;

use svc_api::Problem;
use svc_client::Error;
use svc_import::About;

/// Why a command failed.
#[derive(Debug, Default)]
pub(crate) struct Failure {
    code: Code,
    /// What the instance answered with, where it did.
    status: Option<u16>,
    /// What was wrong, in one sentence.
    pub(crate) title: String,
    /// More about this time.
    pub(crate) detail: Option<String>,
    /// What is wrong with each field.
    pub(crate) fields: BTreeMap<String, Vec<String>>,
    /// What to do next.
    pub(crate) hint: Option<String>,
    /// Whether the title says less than the fields.
    is_general: bool,
    /// Where a text stays that could not be saved; told however else the failure is.
    kept: Option<Box<Kept>>,
    /// What more could be found out about it.
    pub(crate) cause: Option<Box<Cause>>,
}

/// Lines that say where texts stay.
#[derive(Debug, Default)]
struct Kept(Vec<String>);

/// Why the instance refused something, where asking it further may tell more.
#[derive(Debug)]
pub(crate) enum Cause {
    /// It has nothing at this address, by its parts under `/api/v1`.
    Missing(Vec<String>),
    /// The holder of the claim has this name: the caller, perhaps.
    Claimed(String),
    /// The item of this key was deleted, in the organization of this slug.
    Deleted { org: String, key: String },
    /// Something was deleted: the project of this key, perhaps, or that of the item of this key.
    DeletedProject { org: String, key: String },
    /// The item has a run that has not ended: this one.
    LiveRun(String),
    /// Another change was saved first.
    Stale,
    /// It does not take the credential, or wants one with another scope.
    Credential,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Code {
    ReaderLeft = 0,
    #[default]
    Unexpected = 1,
    Rejected = 2,
    Conflict = 3,
    NotFound = 4,
    NotAuthenticated = 5,
    Interrupted = 130,
}

impl Failure {
    /// A wrong command line or setting.
    pub(crate) fn rejected(title: impl Into<String>) -> Self {
        Self { code: Code::Rejected, title: title.into(), ..Self::default() }
    }

    /// Something named does not exist, or is not visible.
    pub(crate) fn not_found(title: impl Into<String>) -> Self {
        Self { code: Code::NotFound, title: title.into(), ..Self::default() }
    }

    /// Something did not work that should.
    pub(crate) fn unexpected(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// There is no credential.
    pub(crate) fn not_authenticated(title: impl Into<String>) -> Self {
        Self { code: Code::NotAuthenticated, title: title.into(), ..Self::default() }
    }

    /// The person stopped the command with Ctrl-C.
    pub(crate) fn interrupted(title: impl Into<String>) -> Self {
        Self { code: Code::Interrupted, title: title.into(), ..Self::default() }
    }

    /// The person stopped the command with Ctrl-C, and was told what that means.
    pub(crate) fn stopped() -> Self {
        Self::interrupted("")
    }

    /// Another change was saved first, as far as can be told here.
    pub(crate) fn conflict(title: impl Into<String>) -> Self {
        Self { code: Code::Conflict, title: title.into(), ..Self::default() }
    }

    /// The machine refused something: a file, a pipe.
    pub(crate) fn io(doing: impl std::fmt::Display, error: &io::Error) -> Self {
        Self { title: format!("{doing}: {error}"), ..Self::default() }
    }

    /// What a problem led to; its kind says what to do.
    pub(crate) fn because_of(problem: &Problem, title: impl Into<String>) -> Self {
        let hint = next_step(problem);
        Self { code: code(problem.status), title: title.into(), hint, ..Self::default() }
    }

    /// The same failure, said better.
    pub(crate) fn retold(self, title: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { title: title.into(), is_general: false, detail: None, hint: Some(hint.into()), ..self }
    }

    /// The same failure, explained as if what is at this address had been asked for and not found.
    pub(crate) fn missing(self, path: [&str; 4]) -> Self {
        Self { cause: Some(Box::new(Cause::Missing(path.map(str::to_owned).to_vec()))), ..self }
    }

    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure, with a place where a text stays.
    pub(crate) fn keeping(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.kept.get_or_insert_default().0.extend(lines);
        self
    }

    /// Where texts stay that could not be saved, line by line.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().flat_map(|kept| &kept.0).map(String::as_str)
    }

    /// Whether another change was saved first.
    pub(crate) fn is_stale(&self) -> bool {
        matches!(self.cause.as_deref(), Some(Cause::Stale))
    }

    /// Whether the fields say it better than the title.
    pub(crate) const fn title_is_general(&self) -> bool {
        self.is_general
    }

    /// Whether the instance, or this program before it, refused what was asked for: repeating it changes nothing.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.code, Code::Rejected | Code::Conflict | Code::NotFound)
            && !matches!(self.status, Some(429))
    }

    /// What was wrong, on one line.
    pub(crate) fn said(&self) -> String {
        let fields = self.fields.values().flatten().cloned();
        let parts = std::iter::once(self.title.clone()).chain(self.detail.clone()).chain(fields);
        parts.collect::<Vec<_>>().join(" ")
    }

    /// Whether there is nothing more to say: the reader of the output has gone, or it was said.
    pub(crate) const fn is_silent(&self) -> bool {
        self.title.is_empty()
    }

    /// Whether the credential was refused, rather than what it may do.
    pub(crate) fn is_unauthenticated(&self) -> bool {
        self.status == Some(401)
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code as u8)
    }
}

/// An export cannot be read.
impl From<svc_import::Failure> for Failure {
    fn from(failure: svc_import::Failure) -> Self {
        let code = match failure.about {
            About::Machine => Code::Unexpected,
            About::MissingProject => Code::NotFound,
            About::File | About::Dates | About::TimeZone | About::Only | About::Mapping | About::Columns => {
                Code::Rejected
            }
        };
        let svc_import::Failure { title, detail, hint, .. } = failure;
        Self { code, title, detail, hint, ..Self::default() }
    }
}

/// Writing to stdout failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self { code: Code::ReaderLeft, ..Self::default() };
        }
        Self::io("cannot write the output", &error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Problem(problem) => Self::from_problem(*problem),
            Error::Missing(missing) => {
                let cause = match (missing.problem.kind.as_str(), &missing.path[..]) {
                    ("item-deleted", [_, org, _, key, ..]) => {
                        Some(Cause::Deleted { org: org.clone(), key: key.clone() })
                    }
                    ("deleted", [_, org, place, key, ..]) if place == "projects" || place == "items" => {
                        Some(Cause::DeletedProject { org: org.clone(), key: key.clone() })
                    }
                    _ if missing.problem.status == 404 => Some(Cause::Missing(missing.path)),
                    _ => None,
                };
                Self { cause: cause.map(Box::new), ..Self::from_problem(missing.problem) }
            }
            Error::Network(network) => {
                let mut hint = "check --url and whether the instance is up".to_owned();
                if network.never_sent && network.origin.starts_with("https:") {
                    hint.push_str("; for an instance without TLS, use http://");
                }
                Self { title: network.to_string(), hint: Some(hint), ..Self::default() }
            }
            Error::Unexpected { status: status @ 413, .. } => {
                let title = "a proxy in front of the service refused this as too large (413)".to_owned();
                let hint = "ask its operator to raise its limit: `client_max_body_size` in nginx".to_owned();
                Self { code: code(status), title, hint: Some(hint), ..Self::default() }
            }
            Error::Unexpected { status: status @ 502..=504, .. } => {
                let title =
                    format!("a proxy in front of the service answered {status}: the service is not there");
                let hint = "try again in a minute; if it stays away, tell its operator".to_owned();
                Self { code: code(status), title, hint: Some(hint), ..Self::default() }
            }
            Error::Unexpected { status, .. } => {
                let hint = "check --url: it is the address of the instance, without /api/v1".to_owned();
                Self { code: code(status), title: error.to_string(), hint: Some(hint), ..Self::default() }
            }
            Error::Unsendable(title) => Self::rejected(title),
        }
    }
}

impl Failure {
    fn from_problem(problem: Problem) -> Self {
        let hint = next_step(&problem);
        let cause = match (problem.kind.as_str(), problem.holder, problem.run_id) {
            ("item-claimed", Some(holder), _) => Some(Cause::Claimed(holder)),
            ("live-run-exists", _, Some(run)) => Some(Cause::LiveRun(run)),
            ("stale-version", ..) => Some(Cause::Stale),
            (kind, ..) if problem.status == 401 || kind == "missing-scope" => Some(Cause::Credential),
            _ => None,
        };
        Self {
            code: match problem.kind.as_str() {
                // The command was right, and what it tried failed.
                "channel-test-failed" => Code::Unexpected,
                _ => code(problem.status),
            },
            status: Some(problem.status),
            title: problem.title,
            detail: problem.detail,
            is_general: !problem.errors.is_empty(),
            fields: problem.errors,
            hint,
            kept: None,
            cause: cause.map(Box::new),
        }
    }
}

fn code(status: u16) -> Code {
    match status {
        409 => Code::Conflict,
        404 | 410 => Code::NotFound,
        401 | 403 => Code::NotAuthenticated,
        400..=499 => Code::Rejected,
        _ => Code::Unexpected,
    }
}

/// What to do about a problem. The kind decides; a kind that this program does not know, by its status.
fn next_step(problem: &Problem) -> Option<String> {
    let hint = match (problem.kind.as_str(), problem.status) {
        ("stale-version", _) => "read it again, then repeat the command".to_owned(),
        ("item-claimed", _) => match &problem.holder {
            Some(holder) => format!("wait until {holder} releases it, or until the claim goes stale"),
            None => "wait until it is released, or until the claim goes stale".to_owned(),
        },
        ("live-run-exists", _) => match &problem.run_id {
            Some(run) => format!(
                "follow it with `svc run logs {run} --follow`, or stop it with `svc run cancel {run}`"
            ),
            None => "wait until it ends, or cancel it with `svc run cancel`".to_owned(),
        },
        ("factory-not-permitted", _) => {
            "ask an Owner or Admin for the permission: `svc member edit <MEMBER> --can-start-ai-work true`"
                .to_owned()
        }
        ("not-claim-holder", _) => "claim it with `svc item claim` first".to_owned(),
        ("move-not-permitted", _) => {
            "move it step by step, or all the way with `svc item move --through`".to_owned()
        }
        ("project-archived", _) => "list archived projects with `svc project list --archived`".to_owned(),
        ("organization-read-only", _) => {
            "ask an Owner to make it writable with `svc org edit --read-only false`".to_owned()
        }
        ("wrong-password", _) => "repeat the command with the right ones".to_owned(),
        // What it says this time is more than could be said here.
        ("already-exists" | "conflict", _) if problem.detail.is_some() => return None,
        (_, 401) => "sign in with `svc auth login`, or set SVC_TOKEN".to_owned(),
        ("missing-scope", _) => {
            "use a token that has the scope; `svc auth status` shows your token's scopes".to_owned()
        }
        ("forbidden", _) => "ask somebody who has the permission to do it, or to grant it to you".to_owned(),
        (_, 403) => "ask an administrator of the organization".to_owned(),
        (_, 404) => {
            "check the spelling; things that you may not see are also reported as not found".to_owned()
        }
        (_, 409) => "read it again, then decide whether to repeat the command".to_owned(),
        (_, 413) => "shorten the text, or attach it as a file with `svc attachment add`".to_owned(),
        (_, 429) => "wait a minute, then repeat the command".to_owned(),
        (_, 500..) if problem.trace_id.is_empty() => "try again; if it keeps failing, report it".to_owned(),
        (_, 500..) => format!("try again; if it keeps failing, report it with trace {}", problem.trace_id),
        _ => return None,
    };
    Some(hint)
}
