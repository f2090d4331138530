//! What a runner says to the service. Every call here may be repeated: a fence, a sequence number or a
//! request id makes the second one harmless.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{Body, Method};
use svc_api::runner::{
    AppendLog, AppendLogReply, Assignment, Fenced, Finish, GiveBack, Heartbeat, HeartbeatReply, Hello,
    HelloReply, PullRequestLookedUp, ReportChanges, RepositoryCredential, Started, Take,
};

use crate::client::Client;
use crate::error::Error;
use crate::send::Call;

/// An answer that is held may come this much later than the wait that was asked for.
const TAKE_SLACK: Duration = Duration::from_secs(20);
/// A file of up to 25 MiB may take this long.
const TRANSFER: Duration = Duration::from_secs(10 * 60);
/// A batch of log entries is up to a megabyte, over a connection that may be slow.
const LOG_TIMEOUT: Duration = Duration::from_secs(60);

/// The routes that a runner calls with its secret.
#[derive(Clone, Copy)]
pub struct RunnerApi<'a> {
    client: &'a Client,
}

impl Client {
    /// The routes that a runner calls with its secret.
    pub fn runner(&self) -> RunnerApi<'_> {
        RunnerApi { client: self }
    }
}

impl<'a> RunnerApi<'a> {
    fn post(self, template: &'static str, args: &[&str]) -> Call<'a> {
        self.client.call(Method::POST, template, args).repeatable()
    }

    /// Introduces the runner.
    pub async fn hello(self, hello: &Hello) -> Result<HelloReply, Error> {
        self.post("/runner/hello", &[]).json(hello).fetch().await
    }

    /// Asks for a run, waiting up to `wait_seconds`; `None` when there is none.
    pub async fn take(self, take: &Take) -> Result<Option<Assignment>, Error> {
        let patience = Duration::from_secs(u64::from(take.wait_seconds)) + TAKE_SLACK;
        self.post("/runner/take", &[]).timeout(patience).json(take).fetch_optional().await
    }

    /// The harness of a run started.
    pub async fn start(self, run: &str, started: &Started) -> Result<HeartbeatReply, Error> {
        self.post("/runner/runs/{}/start", &[run]).json(started).fetch().await
    }

    /// The run goes on; held until it is cancelled, for as long as `heartbeat` says.
    pub async fn heartbeat(self, run: &str, heartbeat: &Heartbeat) -> Result<HeartbeatReply, Error> {
        let call = self.post("/runner/runs/{}/heartbeat", &[run]).json(heartbeat);
        match heartbeat.wait_seconds {
            Some(wait) => call.timeout(Duration::from_secs(u64::from(wait)) + TAKE_SLACK).fetch().await,
            None => call.fetch().await,
        }
    }

    /// A new credential for the repository of a run at the code host.
    pub async fn credential(self, run: &str, fenced: &Fenced) -> Result<RepositoryCredential, Error> {
        self.post("/runner/runs/{}/credential", &[run]).json(fenced).fetch().await
    }

    /// Sends a batch of log entries.
    pub async fn append_log(self, run: &str, batch: &AppendLog) -> Result<AppendLogReply, Error> {
        self.post("/runner/runs/{}/log", &[run]).timeout(LOG_TIMEOUT).json(batch).fetch().await
    }

    /// Tells what a run changed.
    pub async fn changes(self, run: &str, report: &ReportChanges) -> Result<(), Error> {
        self.post("/runner/runs/{}/changes", &[run]).timeout(LOG_TIMEOUT).json(report).done().await
    }

    /// Sends a file that the agent left for people.
    pub async fn artifact(self, run: &str, name: &str, fence: u64, content: Bytes) -> Result<(), Error> {
        let call = self.client.call(Method::PUT, "/runner/runs/{}/artifacts/{}", &[run, name]).repeatable();
        let call = call.query(&Fenced { fence }).timeout(TRANSFER);
        call.send_made(|| Body::from(content.clone())).await
    }

    /// Gives a run back to its queue before its harness started. After a lost answer the repeated call is
    /// refused with `assignment-ended`: the first one was heard.
    pub async fn give_back(self, run: &str, give_back: &GiveBack) -> Result<(), Error> {
        self.post("/runner/runs/{}/give-back", &[run]).json(give_back).done().await
    }

    /// What became of the pull request that a follow-up goes on from.
    pub async fn pull_request(self, run: &str, found: &PullRequestLookedUp) -> Result<(), Error> {
        self.post("/runner/runs/{}/pull-request", &[run]).json(found).done().await
    }

    /// The run is over.
    pub async fn finish(self, run: &str, finish: &Finish) -> Result<(), Error> {
        self.post("/runner/runs/{}/finish", &[run]).json(finish).done().await
    }
}
