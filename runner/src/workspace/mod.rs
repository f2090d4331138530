//! Workspaces: the directory of a run, its checkout, and how long both are kept.
//!
//! Owns everything on disk that a run needs and leaves (specification sections 4.3 and 8). Nothing here talks
//! to the instance or starts a harness.

pub mod access;
mod beside;
pub mod borrowed;
pub mod changes;
pub mod commits;
mod content;
pub mod copies;
mod fetches;
pub mod follow_up;
pub mod git;
pub mod guard;
pub mod handover;
pub mod hosted;
mod inner;
pub mod kept;
pub mod large;
mod leftover;
pub mod locate;
mod names;
pub mod origin;
pub mod outcome;
pub mod overlay;
mod pointers;
pub mod prepare;
pub mod remembered;
pub(crate) mod removal;
pub mod resumed;
pub mod retention;
mod settings;
pub mod straight;
mod tree;
mod uncommitted;
mod unfinished;
pub mod values;
mod way;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_api::factory::TokenCounts;

use crate::plain;
use crate::runner_file::private_directory;
use origin::Remote;
use prepare::Checkout;

/// The directory of one run. Everything but `repo` lies outside what an agent could commit. A sandbox may let the agent
/// write it: what the runner itself wants to know of the run later is elsewhere, among the [`records`].
#[derive(Clone, Debug)]
pub struct RunDirectory {
    path: PathBuf,
}

impl RunDirectory {
    /// Makes the directory of a run; a repeated assignment finds the one it made before.
    ///
    /// # Errors
    /// The id is not one, or the disk refuses.
    pub fn create(root: &Path, run_id: &str) -> io::Result<Self> {
        if !is_run_id(run_id) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{run_id:?} is not the id of a run"),
            ));
        }
        let path = root.join(run_id);
        root_directory(root)?;
        private_directory(&path)?;
        private_directory(&root.join(RECORDS))?;
        private_directory(&records(&path))?;
        for name in [ATTACHMENTS, ARTIFACTS, CONFIG, AGENT] {
            private_directory(&path.join(name))?;
        }
        // Git resolves symlinks in what it answers; names must agree.
        Ok(Self { path: path.canonicalize()? })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Files that were attached to the item.
    pub fn attachments(&self) -> PathBuf {
        self.path.join(ATTACHMENTS)
    }

    /// Files that the agent leaves for people.
    pub fn artifacts(&self) -> PathBuf {
        self.path.join(ARTIFACTS)
    }

    /// The checkout of a run that does not continue another's.
    pub fn repo(&self) -> PathBuf {
        self.path.join("repo")
    }

    /// The MCP configuration of the harness.
    pub fn mcp_config(&self) -> PathBuf {
        self.path.join("mcp.json")
    }

    /// Files that the harness itself writes, for the runner.
    pub fn agent(&self) -> PathBuf {
        self.path.join(AGENT)
    }

    /// Where a harness writes what it used.
    pub fn usage(&self) -> PathBuf {
        self.agent().join("usage.json")
    }

    /// The empty configuration directory that `svc` sees inside the run.
    pub fn config_home(&self) -> PathBuf {
        self.path.join(CONFIG)
    }

    /// Where the agent says why it cannot do the work.
    pub fn failure(&self) -> PathBuf {
        self.agent().join("failure.txt")
    }

    /// The log on its way to the instance.
    pub fn log(&self) -> PathBuf {
        records(&self.path).join("log.jsonl")
    }

    /// Writes a file of mode 0600 into the directory.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        write(&self.path, name, content)
    }

    /// Writes a file of mode 0600 that no run can reach.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn record(&self, name: &str, content: &[u8]) -> io::Result<()> {
        write(&records(&self.path), name, content)
    }

    /// Writes down what the workspace is.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn describe(&self, manifest: &Manifest) -> io::Result<()> {
        self.record(MANIFEST, &serde_json::to_vec_pretty(manifest)?)
    }
}

/// A named temporary file has mode 0600, and renaming it is atomic.
fn write(directory: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(content)?;
    file.persist(directory.join(name)).map(|_| ()).map_err(|error| error.error)
}

/// Where the records of all runs are, in the directory of their directories.
const RECORDS: &str = "records";

/// What the runner writes down about the run of a directory, for itself.
pub(crate) fn records(directory: &Path) -> PathBuf {
    let name = directory.file_name().unwrap_or_default();
    directory.parent().unwrap_or(directory).join(RECORDS).join(name)
}

fn is_run_id(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

const ATTACHMENTS: &str = "attachments";
const ARTIFACTS: &str = "artifacts";
const CONFIG: &str = "config";
const AGENT: &str = "agent";

/// Name of the manifest among the records of a run.
pub const MANIFEST: &str = "workspace.json";

/// Makes the directory of runs. Others may pass through at most, which a run for another user needs.
///
/// # Errors
/// The disk refuses.
pub(crate) fn root_directory(root: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(root).map(|meta| meta.permissions().mode() & 0o777);
    if mode.is_ok_and(|mode| mode & 0o066 == 0) { Ok(()) } else { private_directory(root) }
}

/// What a run directory is, for a later runner. It is the first file of the directory and the last: where
/// there is none, there is nothing of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Id of the run.
    pub run_id: String,
    /// Slug of its organization.
    pub organization: String,
    /// Address of the instance; empty when an older runner wrote this.
    #[serde(default)]
    pub url: String,
    /// Number of the assignment; 0 when an older runner wrote this.
    #[serde(default)]
    pub fence: u64,
    /// Key of its item.
    pub item: String,
    /// Address that commits of the agent carry.
    #[serde(default)]
    pub agent: String,
    /// The checkout; lies in the directory of `home`.
    pub repo: PathBuf,
    /// Run in whose directory the checkout lies: another one for a continued run.
    pub home: String,
    /// Bytes on the disk when the run ended; 0 while it works, and when an older runner wrote this.
    #[serde(default)]
    pub bytes: u64,
    /// Whether the checkout borrows the objects of the clone.
    #[serde(default)]
    pub borrows: bool,
    /// The clone that the checkout was made from.
    #[serde(default)]
    pub clone: Option<PathBuf>,
    /// The repository of the checkout.
    #[serde(default)]
    pub repository: Option<PathBuf>,
    /// Branch that origin has to have at the end.
    #[serde(default)]
    pub branch: Option<String>,
    /// Commit that the work started from; empty until there is a checkout.
    #[serde(default)]
    pub base: String,
    /// Commit of the default branch at the start.
    #[serde(default)]
    pub default_head: String,
    /// Whether there is an origin.
    #[serde(default)]
    pub has_origin: bool,
    /// Where origin was at the start.
    #[serde(default)]
    pub remote: Option<Remote>,
    /// Files that were copied from the clone into the checkout.
    #[serde(default)]
    pub copied: Vec<String>,
    /// Whether the clean-up commands of its project are due.
    #[serde(default)]
    pub set_up: bool,
    /// Whether its harness was started.
    #[serde(default)]
    pub started: bool,
    /// Session that can be resumed in it.
    #[serde(default)]
    pub session: Option<String>,
    /// Tokens of the whole session, where its harness counts them so.
    #[serde(default)]
    pub session_tokens: Option<TokenCounts>,
    /// Whether everything in it that origin lacks is kept elsewhere.
    #[serde(default)]
    pub saved: bool,
    /// When the run began.
    pub begun_at: Timestamp,
    /// When it ended.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
}

impl Manifest {
    /// Reads the manifest of a run directory, if it is one. Its checkout is where the runner makes checkouts, or it is
    /// none.
    pub fn read(directory: &Path) -> Option<Self> {
        let bytes = plain::read(&records(directory).join(MANIFEST), plain::RECORD).ok()?;
        let manifest: Self = serde_json::from_slice(&bytes).ok()?;
        let root = directory.parent()?.canonicalize().ok()?;
        let its_own = directory.file_name().is_some_and(|name| *name == *manifest.run_id)
            && is_run_id(&manifest.home)
            && manifest.repo == root.join(&manifest.home).join("repo");
        its_own.then_some(manifest)
    }

    /// The checkout, as far as it is known.
    pub fn checkout(&self) -> Checkout {
        Checkout {
            repo: self.repo.clone(),
            borrows: self.borrows,
            branch: self.branch.clone(),
            base: self.base.clone(),
            repository: self.repository.clone(),
            clone: self.clone.clone(),
            remote: self.remote.clone(),
            default_head: self.default_head.clone(),
            access: None,
            notes: Vec::new(),
        }
    }

    /// The manifest with this checkout.
    #[must_use]
    pub fn with_checkout(self, checkout: &Checkout) -> Self {
        let home = checkout.repo.parent().and_then(Path::file_name);
        Self {
            home: home.map_or(self.home, |home| home.to_string_lossy().into_owned()),
            repo: checkout.repo.clone(),
            borrows: checkout.borrows,
            clone: checkout.clone.clone(),
            repository: checkout.repository.clone(),
            branch: checkout.branch.clone(),
            base: checkout.base.clone(),
            default_head: checkout.default_head.clone(),
            has_origin: checkout.remote.is_some(),
            remote: checkout.remote.clone(),
            ..self
        }
    }
}
