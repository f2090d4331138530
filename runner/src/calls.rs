//! The calls of a runner and about one run, and what their failures mean.
//!
//! Owns the difference between "try again", "the assignment is over" and "the secret is refused". Every call
//! may be repeated (the instance recognises a repetition), so a cut network never loses one.

use std::time::Duration;

use svc_api::runner::{
    AppendLog, AppendLogReply, Fenced, Finish, GiveBack, HeartbeatReply, Hello, NewLogEntry,
    RepositoryCredential, Started,
};
use svc_client::{Client, Error, Retry, SecretString};
use tokio::time::{Instant, sleep};

use crate::harness::detect::Detector;
use crate::runner_file::RunnerFile;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A client for the runner's calls, which are tried again by those who make them. `SVC_ALLOW_PLAIN_HTTP=1`
/// lets the secret cross a network without TLS, as for the command line.
///
/// # Errors
/// The address is none, or the token cannot be sent.
pub fn client(url: &str, token: &str) -> Result<Client, Error> {
    let allowed = std::env::var_os("SVC_ALLOW_PLAIN_HTTP").is_some_and(|value| value == "1");
    Client::builder(url, &format!("svc-runner/{}", crate::VERSION))
        .token(SecretString::from(token))
        .allow_plain_http(allowed)
        .retry(Retry::NEVER)
        .build()
}

/// How this machine introduces itself.
pub async fn hello(file: &RunnerFile, detector: &Detector, parallel: u32, service: bool) -> Hello {
    let detected = detector.all(&file.executables).await;
    Hello {
        machine_id: file.machine_id.clone(),
        label: file.name.clone(),
        client_version: crate::VERSION.to_owned(),
        platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        harnesses: detected.iter().filter(|one| one.works()).map(|one| one.harness).collect(),
        parallel,
        service,
    }
}

/// Why a call has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The runner secret is disabled, deleted or rotated.
    SecretRefused,
    /// The run was given back, cancelled, lost or finished: it is no longer this runner's.
    AssignmentEnded,
    /// The instance could not be reached or could not answer: try again.
    Unreachable(String),
    /// The instance will answer the same again.
    Rejected(String),
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match (&error, error.status()) {
            (_, Some(401)) => Self::SecretRefused,
            (Error::Problem(_), Some(404)) => Self::AssignmentEnded,
            _ if error.is_problem("assignment-ended") => Self::AssignmentEnded,
            (Error::Problem(_), Some(408 | 425 | 429 | 500..)) => Self::Unreachable(text),
            (Error::Problem(_) | Error::Unsendable(_), _) => Self::Rejected(text),
            (Error::Network(_) | Error::Unexpected { .. }, _) => Self::Unreachable(text),
        }
    }
}

/// The calls about one run under one assignment.
#[derive(Clone, Debug)]
pub struct RunCalls {
    client: Client,
    run_id: String,
    fence: u64,
}

impl RunCalls {
    /// Calls about this run. `client` must not try again by itself.
    pub fn new(client: Client, run_id: &str, fence: u64) -> Self {
        Self { client, run_id: run_id.to_owned(), fence }
    }

    /// The harness started.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn start(&self, harness_session: Option<String>) -> Result<HeartbeatReply, CallError> {
        let started = Started { fence: self.fence, harness_session };
        Ok(self.client.runner().start(&self.run_id, &started).await?)
    }

    /// The run goes on.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn heartbeat(&self) -> Result<HeartbeatReply, CallError> {
        Ok(self.client.runner().heartbeat(&self.run_id, &Fenced { fence: self.fence }).await?)
    }

    /// A new credential for the run's repository at the code host.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn credential(&self) -> Result<RepositoryCredential, CallError> {
        Ok(self.client.runner().credential(&self.run_id, &Fenced { fence: self.fence }).await?)
    }

    /// Sends a batch of entries.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn append_log(
        &self,
        first_seq: u64,
        entries: Vec<NewLogEntry>,
    ) -> Result<AppendLogReply, CallError> {
        let batch = AppendLog { fence: self.fence, first_seq, entries };
        Ok(self.client.runner().append_log(&self.run_id, &batch).await?)
    }

    /// Gives the run back to its queue; tries until it is heard or `patience` is over.
    ///
    /// # Errors
    /// As [`CallError`] says. `AssignmentEnded` may mean that an earlier try was heard.
    pub async fn give_back(&self, reason: &str, patience: Duration) -> Result<(), CallError> {
        let give_back = GiveBack { fence: self.fence, reason: reason.to_owned() };
        insist(patience, || async { Ok(self.client.runner().give_back(&self.run_id, &give_back).await?) })
            .await
    }

    /// The run is over; tries until it is heard or `patience` is over.
    ///
    /// # Errors
    /// As [`CallError`] says. `AssignmentEnded` may mean that an earlier try was heard.
    pub async fn finish(&self, finish: &Finish, patience: Duration) -> Result<(), CallError> {
        insist(patience, || async { Ok(self.client.runner().finish(&self.run_id, finish).await?) }).await
    }
}

/// Calls until the instance answered something definite or `patience` is over.
pub async fn insist<T, F>(patience: Duration, mut call: impl FnMut() -> F) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let deadline = Instant::now() + patience;
    let mut pause = FIRST_PAUSE;
    loop {
        match call().await {
            Err(CallError::Unreachable(_)) if Instant::now() + pause < deadline => {
                sleep(pause).await;
                pause = next_pause(pause);
            }
            answer => return answer,
        }
    }
}

/// The pause after this one.
pub fn next_pause(pause: Duration) -> Duration {
    (pause * 2).min(LONGEST_PAUSE)
}
