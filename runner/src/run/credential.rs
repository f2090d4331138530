//! Keeps the credential of a run whose repository is at a code host: gets it, and gets another before it ends.
//!
//! A host that does not answer is asked again for a while; the run lives meanwhile, and can be cancelled. One that
//! refuses ends the run as `workspace-failed` while nothing was done yet; later, the harness works on, and only
//! what talks to the host fails.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use svc_api::runner::{Assignment, RepositoryCredential};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::calls::{CallError, RunCalls, insist};
use crate::clock;
use crate::failure::{Failure, FailureReason};
use crate::log::RunLog;
use crate::workspace::RunDirectory;
use crate::workspace::access::Access;

/// How long a host may be away before the work begins.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// Between two tries to get another credential.
const RETRY: Duration = Duration::from_secs(10);
/// The same after a refusal, whose cause may be mended meanwhile.
const RETRY_REFUSED: Duration = Duration::from_secs(60);
/// A credential is replaced after this long at the latest: hosts let it live for an hour, and clocks differ.
const LONGEST: Duration = Duration::from_secs(45 * 60);
/// And after this long at the earliest.
const SHORTEST: Duration = Duration::from_secs(1);

/// A credential that is kept fresh until this goes; then it is gone.
pub(super) struct Keeper {
    access: Access,
    renewal: JoinHandle<()>,
}

impl Keeper {
    /// Writes the first credential down and begins to keep it fresh.
    ///
    /// # Errors
    /// `workspace-failed`, with why there is no credential.
    pub(super) async fn begin(
        assignment: &Assignment,
        directory: &RunDirectory,
        calls: &RunCalls,
        log: &RunLog,
    ) -> Result<Self, Failure> {
        let repository = &assignment.repository;
        let given = repository.credential.clone().filter(|given| given.expires_at > clock::now());
        let credential = match given {
            Some(credential) => credential,
            None => first(calls, log).await?,
        };
        let url = repository.clone_url.as_deref().unwrap_or_default();
        let access = Access::new(url, directory.path())?;
        write_down(&access, &credential, log)?;
        let renewal = tokio::spawn(renew(access.clone(), credential.expires_at, calls.clone(), log.clone()));
        Ok(Self { access, renewal })
    }

    /// The way into the repository.
    pub(super) const fn access(&self) -> &Access {
        &self.access
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.renewal.abort();
        self.access.forget();
    }
}

/// Asks for a credential until there is one, a refusal, or no patience left.
async fn first(calls: &RunCalls, log: &RunLog) -> Result<RepositoryCredential, Failure> {
    let answer = match calls.credential().await {
        Err(CallError::Unreachable(reason)) => {
            let minutes = PATIENCE.as_secs() / 60;
            log.event(&format!(
                "No credential for the repository yet; trying for {minutes} minutes: {reason}"
            ));
            insist(PATIENCE, || calls.credential()).await
        }
        answer => answer,
    };
    answer.map_err(|error| {
        let why = match error {
            CallError::Unreachable(reason) | CallError::Rejected(reason) => reason,
            CallError::AssignmentEnded => "the assignment has ended".to_owned(),
            CallError::SecretRefused => "the runner's secret is refused".to_owned(),
        };
        let detail = format!("there is no credential for the repository: {why}");
        Failure::new(FailureReason::WorkspaceFailed, detail)
    })
}

/// Hides it in the log before anything can print it.
fn write_down(access: &Access, credential: &RepositoryCredential, log: &RunLog) -> Result<(), Failure> {
    log.hide(&credential.password);
    access.keep(credential).map_err(|error| {
        let detail = format!("the credential for the repository cannot be saved: {error}");
        Failure::new(FailureReason::WorkspaceFailed, detail)
    })
}

/// Replaces the credential before it ends, for as long as the run is this runner's.
async fn renew(access: Access, expires_at: Timestamp, calls: RunCalls, log: RunLog) {
    let mut pause = until_renewal(expires_at, clock::now());
    let mut told = false;
    loop {
        sleep(pause).await;
        pause = match calls.credential().await {
            Ok(credential) => {
                told = false;
                if let Err(failure) = write_down(&access, &credential, &log) {
                    log.event(&failure.detail);
                }
                until_renewal(credential.expires_at, clock::now())
            }
            Err(CallError::Unreachable(_)) => RETRY,
            Err(CallError::Rejected(reason)) => {
                if !told {
                    log.event(&format!("There is no new credential for the repository: {reason}"));
                    told = true;
                }
                RETRY_REFUSED
            }
            Err(CallError::AssignmentEnded | CallError::SecretRefused) => return,
        };
    }
}

/// After how long a credential is replaced: three quarters of its life. Pure.
fn until_renewal(expires_at: Timestamp, now: Timestamp) -> Duration {
    let left = expires_at.duration_since(now);
    if left <= SignedDuration::ZERO {
        // A new credential that has ended already: this machine's clock is wrong, the credential is not.
        return LONGEST / 2;
    }
    Duration::try_from(left).map_or(LONGEST, |left| left.mul_f64(0.75)).clamp(SHORTEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_replaced_before_it_ends() {
        let now: Timestamp = "2026-01-05T09:00:00Z".parse().unwrap();
        for (left, after) in [(3600, 45 * 60), (7 * 3600, 45 * 60), (600, 450), (4, 3), (1, 1), (-5, 45 * 30)]
        {
            let expires_at = now + SignedDuration::from_secs(left);
            assert_eq!(until_renewal(expires_at, now), Duration::from_secs(after), "{left}");
        }
    }
}
