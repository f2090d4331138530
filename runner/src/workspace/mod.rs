//! Workspaces: the directory of a run, its checkout, and how long both are kept.
//!
//! Owns everything on disk that a run needs and leaves (specification sections 4.3 and 8). Nothing here talks
//! to the instance or starts a harness.

pub mod access;
pub mod git;
pub mod hosted;
pub mod locate;
mod lock;
pub mod outcome;
pub mod prepare;
pub mod retention;

use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::runner_file::private_directory;

/// The directory of one run. Everything but `repo` lies outside what an agent could commit.
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
        let named = !run_id.is_empty() && run_id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !named {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{run_id:?} is not the id of a run"),
            ));
        }
        let path = root.join(run_id);
        for directory in [root, &path, &path.join("attachments"), &path.join("config")] {
            private_directory(directory)?;
        }
        // Git resolves symlinks in what it answers; names must agree.
        Ok(Self { path: path.canonicalize()? })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The checkout of a run that does not continue another's.
    pub fn repo(&self) -> PathBuf {
        self.path.join("repo")
    }

    /// The MCP configuration of the harness.
    pub fn mcp_config(&self) -> PathBuf {
        self.path.join("mcp.json")
    }

    /// The empty configuration directory that `svc` sees inside the run.
    pub fn config_home(&self) -> PathBuf {
        self.path.join("config")
    }

    /// The log on its way to the instance.
    pub fn log(&self) -> PathBuf {
        self.path.join("log.jsonl")
    }

    /// Writes a file of mode 0600 into the directory.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        let mut file =
            std::fs::File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(content)
    }

    /// Writes down what the workspace is.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn describe(&self, manifest: &Manifest) -> io::Result<()> {
        self.write(MANIFEST, &serde_json::to_vec_pretty(manifest)?)
    }
}

const MANIFEST: &str = "workspace.json";

/// What a run directory is, for those who find it later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Id of the run.
    pub run_id: String,
    /// Slug of its organization.
    pub organization: String,
    /// Key of its item.
    pub item: String,
    /// The checkout; lies in the directory of `home`.
    pub repo: PathBuf,
    /// Run in whose directory the checkout lies: another one for a continued run.
    pub home: String,
    /// The clone that the checkout is a worktree of.
    #[serde(default)]
    pub worktree_of: Option<PathBuf>,
    /// Branch that origin shall have at the end.
    #[serde(default)]
    pub branch: Option<String>,
    /// Commit that the work started from.
    pub base: String,
    /// Whether there is an origin.
    pub has_origin: bool,
    /// Session that can be resumed in it.
    #[serde(default)]
    pub session: Option<String>,
    /// When the run began.
    pub begun_at: Timestamp,
    /// When it ended.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
}

impl Manifest {
    /// Reads the manifest of a run directory, if it is one.
    pub fn read(directory: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(directory.join(MANIFEST)).ok()?).ok()
    }
}
