//! A code host on loopback that speaks the protocol of the real ones: an app that signs for itself, installations
//! that cover repositories, people who own accounts or merely read in them, tokens that end, and git over HTTP.
//!
//! Refuses what a real one refuses. Asserts nothing about the service.

mod api;
mod app_token;
mod git;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use axum::Router;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use app_token::AppKey;

/// Number of the app.
pub(crate) const APP: u64 = 4711;
/// Its name in addresses.
const SLUG: &str = "svc-test";
/// Id and secret with which the service exchanges codes.
pub(crate) const CLIENT: (&str, &str) = ("Iv1.svctest", "the-client-secret");
/// Where the API is, as a host of one's own has it.
const API: &str = "/api/v3";
/// The default branch of every repository.
pub const DEFAULT_BRANCH: &str = "trunk";

/// An installation of the app.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Its number.
    pub id: u64,
    /// The account that installed it.
    pub account: String,
    /// Whether the account is an organization; a person otherwise.
    pub organization: bool,
    /// Names of the repositories that it covers, without their owner.
    pub repositories: BTreeSet<String>,
}

/// A token for one repository.
#[derive(Clone, Debug)]
pub(crate) struct Minted {
    pub(crate) repository: String,
    pub(crate) writes: bool,
    pub(crate) ends: Timestamp,
}

/// What is so at the host, and what happened there.
pub struct Facts {
    /// Installations.
    pub installed: Vec<Installed>,
    /// Who owns which organization.
    pub owners: BTreeSet<(String, String)>,
    /// Who may read in which organization.
    pub readers: BTreeSet<(String, String)>,
    /// How long a token for a repository lasts.
    pub lifetime: SignedDuration,
    /// Whether the host answers nothing but 503.
    pub away: bool,
    /// Whether the host takes the app for suspended.
    pub suspended: bool,
    /// Tokens with which git came and was let in, in their order, each once.
    pub let_in: Vec<String>,
    /// How often git came without a token that counts.
    pub turned_away: u32,
    pub(crate) codes: BTreeMap<String, String>,
    pub(crate) people: BTreeMap<String, String>,
    pub(crate) minted: BTreeMap<String, Minted>,
}

pub(crate) struct Host {
    pub(crate) facts: Mutex<Facts>,
    pub(crate) key: AppKey,
    pub(crate) clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    pub(crate) repositories: PathBuf,
}

/// A code host that answers until the test ends.
#[derive(Clone)]
pub struct LoopbackHost {
    url: String,
    host: Arc<Host>,
}

impl LoopbackHost {
    /// A host that keeps its repositories in this directory.
    ///
    /// # Panics
    /// When there is no port on loopback.
    pub async fn start(repositories: &Path, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let facts = Facts {
            installed: Vec::new(),
            owners: BTreeSet::new(),
            readers: BTreeSet::new(),
            lifetime: SignedDuration::from_hours(1),
            away: false,
            suspended: false,
            let_in: Vec::new(),
            turned_away: 0,
            codes: BTreeMap::new(),
            people: BTreeMap::new(),
            minted: BTreeMap::new(),
        };
        let host = Arc::new(Host {
            facts: Mutex::new(facts),
            key: AppKey::new(),
            clock: Box::new(clock),
            repositories: repositories.to_owned(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback has ports");
        let url = format!("http://{}", listener.local_addr().expect("it has an address"));
        let routes =
            Router::new().nest(API, api::routes()).merge(git::routes()).with_state(Arc::clone(&host));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, host }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The settings of a service that is known here, as its environment has them.
    pub fn settings(&self) -> Vec<(String, String)> {
        let (client, secret) = CLIENT;
        // An environment that cannot hold lines.
        let key = self.host.key.pem().replace('\n', "\\n");
        [
            ("ApiUrl", format!("{}{API}", self.url)),
            ("WebUrl", self.url.clone()),
            ("AppId", APP.to_string()),
            ("AppSlug", SLUG.to_owned()),
            ("PrivateKey", key),
            ("ClientId", client.to_owned()),
            ("ClientSecret", secret.to_owned()),
        ]
        .map(|(name, value)| (format!("CodeHost__{name}"), value))
        .into()
    }

    /// What is so, to look at and to change.
    pub fn facts(&self) -> parking_lot::MutexGuard<'_, Facts> {
        self.host.facts.lock()
    }

    /// An organization installs the app for some of its repositories.
    pub fn install(&self, id: u64, account: &str, repositories: &[&str]) {
        let repositories = repositories.iter().map(|name| (*name).to_owned()).collect();
        let installed = Installed { id, account: account.to_owned(), organization: true, repositories };
        self.facts().installed.push(installed);
    }

    /// Somebody owns an organization.
    pub fn own(&self, person: &str, account: &str) {
        self.facts().owners.insert((person.to_owned(), account.to_owned()));
    }

    /// What a person does whom the service sent to this address: installs the app, or says that they did. Answers
    /// the path that the browser comes back to.
    ///
    /// # Panics
    /// When the address is not that of the app.
    pub fn come_back(&self, address: &str, person: &str, installation: u64) -> String {
        let begin = format!("{}/apps/{SLUG}/installations/new?state=", self.url);
        let state =
            address.strip_prefix(&begin).unwrap_or_else(|| panic!("not the app's address: {address}"));
        let mut facts = self.facts();
        let code = format!("code-{}", facts.codes.len() + facts.people.len());
        facts.codes.insert(code.clone(), person.to_owned());
        format!(
            "/code-host/callback?code={code}&installation_id={installation}&setup_action=install&state={state}"
        )
    }

    /// Makes a repository, `owner/name`, with one commit on the default branch.
    ///
    /// # Panics
    /// When git refuses.
    pub fn repository(&self, name: &str) {
        let bare = self.host.repository(name);
        std::fs::create_dir_all(&bare).expect("a directory can be made");
        git_in(&bare, &["init", "-q", "--bare", "-b", DEFAULT_BRANCH, "."]);
        git_in(&bare, &["config", "http.receivepack", "true"]);
        let tree = git_in(&bare, &["hash-object", "-t", "tree", "-w", "/dev/null"]);
        let commit = git_in(&bare, &["commit-tree", "-m", "Begin", &tree]);
        git_in(&bare, &["update-ref", &format!("refs/heads/{DEFAULT_BRANCH}"), &commit]);
    }

    /// `git` in a repository; answers its stdout.
    ///
    /// # Panics
    /// When git refuses.
    pub fn in_repository(&self, name: &str, args: &[&str]) -> String {
        git_in(&self.host.repository(name), args)
    }
}

impl Host {
    /// Where a repository is.
    pub(crate) fn repository(&self, name: &str) -> PathBuf {
        self.repositories.join(format!("{}.git", name.to_lowercase()))
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }
}

/// A git command with nothing of the machine's settings.
pub(crate) fn git_command() -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    git
}

fn git_in(directory: &Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"];
    let output = git_command().args(identity).args(args).current_dir(directory).output().expect("git starts");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
