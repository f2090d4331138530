//! The calls of a runner and about one run, and what their failures mean.
//!
//! Owns the difference between "try again", "the assignment is over" and "the secret is refused". Every call
//! may be repeated (the instance recognises a repetition), so a cut network never loses one.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use svc_api::factory::RunChanges;
use svc_api::runner::{
    AppendLog, AppendLogReply, Fenced, Finish, GiveBack, Heartbeat, HeartbeatReply, Hello, NewLogEntry,
    PullRequestLookedUp, ReportChanges, RepositoryCredential, Started,
};
use svc_api::tracker::PullRequestState;
use svc_client::{Client, Error, Retry, SecretString};
use tokio::time::{Instant, sleep};

use crate::harness::Used;
use crate::harness::detect::Detector;
use crate::locking::lock;
use crate::runner_file::RunnerFile;

const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A client for the runner's calls, which its callers retry. `SVC_ALLOW_PLAIN_HTTP=1`
/// lets the secret cross a network without TLS, as for the command line.
///
/// # Errors
/// The address is none, or the token cannot be sent.
pub fn client(url: &str, token: &str) -> Result<Client, Error> {
    client_with(url, token, Retry::NEVER)
}

/// A client for what the agent of a run may do, with the run's own token. It tries again by itself.
///
/// # Errors
/// As for [`client`].
pub fn agent_client(url: &str, token: &str) -> Result<Client, Error> {
    client_with(url, token, Retry::default())
}

fn client_with(url: &str, token: &str, retry: Retry) -> Result<Client, Error> {
    let allowed = std::env::var_os("SVC_ALLOW_PLAIN_HTTP").is_some_and(|value| value == "1");
    Client::builder(url, &format!("svc-runner/{}", crate::version()))
        .token(SecretString::from(token))
        .allow_plain_http(allowed)
        .retry(retry)
        .build()
}

/// How this machine introduces itself.
pub async fn hello(file: &RunnerFile, detector: &Detector, parallel: u32, service: bool) -> Hello {
    let detected = detector.all(&file.executables).await;
    Hello {
        machine_id: file.machine_id.clone(),
        label: file.name.clone(),
        client_version: crate::version().to_owned(),
        platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        harnesses: detected.iter().filter(|one| one.works()).map(|one| one.harness).collect(),
        parallel,
        service,
        leaving: false,
        disk_full: false,
        only_asks: false,
    }
}

/// The hello of a command: it asks whether the secret works, and says nothing for the runner that may be at work with it.
pub async fn question(file: &RunnerFile) -> Hello {
    Hello { only_asks: true, ..hello(file, &Detector::default(), 1, false).await }
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
            // A proxy in between may answer 401 as well: only the instance says so in its own words.
            _ if error.is_problem("unauthenticated") => Self::SecretRefused,
            (_, Some(401)) => Self::Unreachable(text),
            (Error::Missing(_), Some(404)) => Self::AssignmentEnded,
            _ if error.is_problem("assignment-ended") => Self::AssignmentEnded,
            (Error::Problem(_), Some(408 | 425 | 429 | 500..)) => Self::Unreachable(text),
            (Error::Problem(_) | Error::Missing(_) | Error::Unsendable(_), _) => Self::Rejected(text),
            (Error::Network(_) | Error::Unexpected { .. }, _) => Self::Unreachable(text),
        }
    }
}

/// The way to an instance as one registration: its client, which a new secret replaces. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Link {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    client: Client,
    /// Which secret it is; a new one counts up.
    generation: u32,
    refused_since: Option<Instant>,
    grace: Duration,
}

impl Link {
    /// A link through this client, which must not try again by itself. A secret that is refused counts for `grace` as
    /// one that is about to be replaced.
    pub fn new(client: Client, grace: Duration) -> Self {
        let inner = Inner { client, generation: 0, refused_since: None, grace };
        Self { inner: Arc::new(Mutex::new(inner)) }
    }

    /// The client of now.
    pub fn client(&self) -> Client {
        self.inner().client.clone()
    }

    /// Goes on with another secret.
    pub fn replace(&self, client: Client) {
        let mut inner = self.inner();
        inner.client = client;
        inner.generation += 1;
        inner.refused_since = None;
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Makes a call; a refused secret is tried again until a new one is there, or the grace is over.
    async fn call<T, F>(&self, call: impl FnOnce(Client) -> F) -> Result<T, CallError>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (client, generation) = {
            let inner = self.inner();
            (inner.client.clone(), inner.generation)
        };
        let answer = call(client).await.map_err(CallError::from);
        let mut inner = self.inner();
        match &answer {
            Err(CallError::SecretRefused) if inner.generation != generation => {
                Err(CallError::Unreachable("the secret was replaced".to_owned()))
            }
            Err(CallError::SecretRefused) => {
                let since = *inner.refused_since.get_or_insert_with(Instant::now);
                if since.elapsed() < inner.grace {
                    return Err(CallError::Unreachable("the secret is refused".to_owned()));
                }
                answer
            }
            Err(CallError::Unreachable(_)) => answer,
            _ if inner.generation == generation => {
                inner.refused_since = None;
                answer
            }
            _ => answer,
        }
    }
}

/// The calls about one run under one assignment.
#[derive(Clone, Debug)]
pub struct RunCalls {
    link: Link,
    run_id: String,
    fence: u64,
}

impl RunCalls {
    /// Calls about this run.
    pub fn new(link: Link, run_id: &str, fence: u64) -> Self {
        Self { link, run_id: run_id.to_owned(), fence }
    }

    /// The harness started.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn start(&self, harness_session: Option<String>) -> Result<HeartbeatReply, CallError> {
        let started = Started { fence: self.fence, harness_session };
        self.link.call(|client| async move { client.runner().start(&self.run_id, &started).await }).await
    }

    /// What became of the pull request that the run goes on from; once, as a later run looks it up again. An older
    /// instance has no ear for it.
    pub async fn pull_request(&self, state: PullRequestState, head: Option<String>) {
        let found = &PullRequestLookedUp { fence: self.fence, state, head };
        let told =
            self.link.call(|client| async move { client.runner().pull_request(&self.run_id, found).await });
        if let Err(error) = told.await {
            tracing::debug!(?error, "what became of the pull request was not heard");
        }
    }

    /// The run goes on, and has used this so far. Where `hold` is given, the instance answers after that, or as soon as the run is cancelled.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn heartbeat(&self, hold: Option<Duration>, used: Used) -> Result<HeartbeatReply, CallError> {
        let wait_seconds = hold.and_then(|hold| u32::try_from(hold.as_secs()).ok());
        let heartbeat = Heartbeat { fence: self.fence, wait_seconds, tokens: used.tokens, cost: used.cost };
        self.link
            .call(|client| async move { client.runner().heartbeat(&self.run_id, &heartbeat).await })
            .await
    }

    /// A new credential for the run's repository at the code host.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn credential(&self) -> Result<RepositoryCredential, CallError> {
        let fenced = Fenced { fence: self.fence };
        self.link.call(|client| async move { client.runner().credential(&self.run_id, &fenced).await }).await
    }

    /// Sends a batch of entries; `tail` says that they are of the end of a log that was capped.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn append_log(
        &self,
        first_seq: u64,
        entries: Vec<NewLogEntry>,
        tail: bool,
    ) -> Result<AppendLogReply, CallError> {
        let batch = AppendLog { fence: self.fence, first_seq, entries, tail };
        self.link.call(|client| async move { client.runner().append_log(&self.run_id, &batch).await }).await
    }

    /// Tells what the run changed; tries until it is heard or `patience` is over.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn changes(&self, changes: RunChanges, patience: Duration) -> Result<(), CallError> {
        let report = ReportChanges { fence: self.fence, changes };
        let report = &report;
        insist(patience, || {
            self.link.call(move |client| async move { client.runner().changes(&self.run_id, report).await })
        })
        .await
    }

    /// Sends a file that the agent left for people; tries until it is heard or `patience` is over.
    ///
    /// # Errors
    /// As [`CallError`] says.
    pub async fn artifact(&self, name: &str, content: Vec<u8>, patience: Duration) -> Result<(), CallError> {
        let content = Bytes::from(content);
        let content = &content;
        insist(patience, || {
            self.link.call(move |client| async move {
                client.runner().artifact(&self.run_id, name, self.fence, content.clone()).await
            })
        })
        .await
    }

    /// Gives the run back to its queue; tries until it is heard or `patience` is over.
    ///
    /// # Errors
    /// As [`CallError`] says. `AssignmentEnded` may mean that an earlier try was heard.
    pub async fn give_back(&self, reason: &str, patience: Duration) -> Result<(), CallError> {
        let give_back = GiveBack { fence: self.fence, reason: reason.to_owned() };
        let give_back = &give_back;
        insist(patience, || {
            self.link
                .call(move |client| async move { client.runner().give_back(&self.run_id, give_back).await })
        })
        .await
    }

    /// The run is over; tries until it is heard or `patience` is over.
    ///
    /// # Errors
    /// As [`CallError`] says. `AssignmentEnded` may mean that an earlier try was heard.
    pub async fn finish(&self, finish: &Finish, patience: Duration) -> Result<(), CallError> {
        insist(patience, || {
            self.link.call(move |client| async move { client.runner().finish(&self.run_id, finish).await })
        })
        .await
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
