//! The server on a data directory: started, stopped, killed, and started again on the same data.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;
use serde::Deserialize;
use svc_client::{Client, Retry, SecretString};
use tokio::time::Instant;

use crate::process::Process;
use crate::programs::program;
use crate::wait::eventually;

/// A debug build on a busy machine takes a while to make the demo's data.
const START: Duration = Duration::from_secs(300);

/// Settings that every test has: no test is about the request budget.
const SETTINGS: [(&str, &str); 2] =
    [("RateLimits__RequestsPerMinute", "10000000"), ("RateLimits__AuthenticationPerMinute", "10000000")];

/// How to sign in to the demo organization (`demo.json`).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Demo {
    /// Slug of the organization.
    pub org: String,
    /// Key of its project.
    pub project: String,
    /// Personal access token of its owner.
    pub token: String,
    /// Secret of its runner.
    pub runner_secret: String,
    /// Address that its owner signs in with.
    pub email: String,
    /// Their password.
    pub password: String,
}

/// A running server with the demo organization.
pub struct Server {
    process: Process,
    data: PathBuf,
    log: PathBuf,
    settings: Vec<(String, String)>,
    address: SocketAddr,
    http: reqwest::Client,
    /// How to sign in.
    pub demo: Demo,
}

/// What `demo.json` says besides.
#[derive(Deserialize)]
struct Where {
    url: String,
}

impl Server {
    /// Starts a server on a new directory, with these settings (`("Automation__HeartbeatSeconds", "1")`).
    ///
    /// # Panics
    /// When it does not answer within minutes.
    pub async fn start(data: &Path, log: &Path, settings: &[(&str, &str)]) -> Self {
        let settings: Vec<(String, String)> =
            SETTINGS.iter().chain(settings).map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let any: SocketAddr = ([127, 0, 0, 1], 0).into();
        let mut process = spawn(any, data, log, &settings);
        let file = data.join("demo.json");
        let read = || -> Option<(Where, Demo)> {
            let text = std::fs::read(&file).ok()?;
            Some((serde_json::from_slice(&text).ok()?, serde_json::from_slice(&text).ok()?))
        };
        let (place, demo) = eventually("demo.json", START, async || {
            assert!(process.status().is_none(), "svc-server does not start:\n{}", process.tail());
            read()
        })
        .await;
        let address = place.url.strip_prefix("http://").and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("{:?} is not a socket's address", place.url));
        let http = reqwest::Client::builder().no_proxy().build().expect("a client can be made");
        let mut server =
            Self { process, data: data.to_owned(), log: log.to_owned(), settings, address, http, demo };
        server.answers().await;
        server
    }

    /// Starts again on the same data and address, after [`Server::stop`] or [`Server::kill`].
    ///
    /// # Panics
    /// When it is still running, or does not answer within minutes.
    pub async fn start_again(&mut self) {
        assert!(self.process.status().is_some(), "the server is still running");
        self.process = spawn(self.address, &self.data, &self.log, &self.settings);
        self.answers().await;
    }

    /// Starts again and stops it by SIGTERM as soon as it says that it serves.
    ///
    /// # Panics
    /// When it does not say so within minutes; as [`Server::stop`].
    pub async fn stop_at_once(&mut self, bound: Duration) {
        assert!(self.process.status().is_some(), "the server is still running");
        let said = |process: &Process| process.printed().matches("serving address").count();
        let before = said(&self.process);
        self.process = spawn(self.address, &self.data, &self.log, &self.settings);
        let process = &self.process;
        eventually("word that it serves", START, async || (said(process) > before).then_some(())).await;
        self.stop(bound).await;
    }

    async fn answers(&mut self) {
        let (url, http) = (format!("{}/healthz", self.url()), self.http.clone());
        let process = &mut self.process;
        eventually("an answer of /healthz", START, async || {
            assert!(process.status().is_none(), "svc-server does not start:\n{}", process.tail());
            http.get(&url).send().await.ok().filter(|answer| answer.status().is_success())
        })
        .await;
    }

    /// Stops it by SIGTERM; answers how long that took.
    ///
    /// # Panics
    /// When it takes longer than the bound, or ends with an error.
    pub async fn stop(&mut self, bound: Duration) -> Duration {
        let began = Instant::now();
        self.process.signal(Signal::TERM);
        let status = self.process.ended(bound).await;
        assert!(status.success(), "svc-server ended with {status}:\n{}", self.process.tail());
        began.elapsed()
    }

    /// Kills it (SIGKILL): nothing that it holds in memory is saved.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its address as a socket's.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its data directory.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Its process.
    pub const fn process(&self) -> &Process {
        &self.process
    }

    /// The owner's client, which tries nothing twice.
    pub fn client(&self) -> Client {
        self.client_of(&self.demo.token)
    }

    /// A client with this credential, which tries nothing twice.
    ///
    /// # Panics
    /// When no client can be made.
    pub fn client_of(&self, secret: &str) -> Client {
        Client::builder(&self.url(), "end-to-end")
            .token(SecretString::from(secret))
            .retry(Retry::NEVER)
            .build()
            .expect("a client for a loopback address can be made")
    }

    /// A plain HTTP client, for what the typed one does not do.
    pub const fn http(&self) -> &reqwest::Client {
        &self.http
    }
}

fn spawn(address: SocketAddr, data: &Path, log: &Path, settings: &[(String, String)]) -> Process {
    let mut command = Command::new(program("svc-server"));
    command.args(["--demo", "--listen", &address.to_string(), "--data"]).arg(data);
    for name in ["SVC_LISTEN", "SVC_CONFIG", "RUST_LOG"] {
        command.env_remove(name);
    }
    command.envs(settings.iter().map(|(name, value)| (name, value)));
    Process::start("svc-server", &mut command, log)
}
