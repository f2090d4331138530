//! Which harnesses work on this machine.
//!
//! Owns where an executable comes from (environment, then `runner.json`, then PATH) and whether it answers
//! `--version`. An answer is remembered as long as the file stays the same.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use svc_api::factory::Harness;
use tokio::process::Command;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Executables, KNOWN, Known, adapter};
use crate::process::{find_executable, register};

/// A harness's program starts slowly on a cold disk.
const PATIENCE: Duration = Duration::from_secs(20);

/// A harness found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// Which one.
    pub harness: Harness,
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its executable.
    pub path: PathBuf,
    /// What it answered to `--version`, or why it does not work.
    pub version: Result<String, String>,
    /// Whether this version of the runner has an adapter for it.
    pub supported: bool,
}

impl Detected {
    /// Whether runs with it can be taken.
    pub const fn works(&self) -> bool {
        self.version.is_ok() && self.supported
    }
}

/// A failure may pass: after this long it is asked again.
const FAILURE_KEPT: Duration = Duration::from_secs(60);

/// Tells a file from the one that replaced it.
type Stamp = (PathBuf, Option<SystemTime>, u64);
type Answer = (Instant, Result<String, String>);

/// Looks for harnesses, and remembers.
#[derive(Default)]
pub struct Detector {
    versions: Mutex<HashMap<Stamp, Answer>>,
}

impl Detector {
    /// Every harness found, in the order of their ids.
    pub async fn all(&self, executables: &Executables) -> Vec<Detected> {
        let mut found = Vec::new();
        for known in &KNOWN {
            if let Some(path) = executable(known, executables) {
                found.push(self.examine(known, path).await);
            }
        }
        found
    }

    /// One harness, if it is there.
    pub async fn one(&self, harness: Harness, executables: &Executables) -> Option<Detected> {
        let known = KNOWN.iter().find(|known| known.harness == harness)?;
        Some(self.examine(known, executable(known, executables)?).await)
    }

    async fn examine(&self, known: &Known, path: PathBuf) -> Detected {
        let stamp = std::fs::metadata(&path).map_or_else(
            |_| (path.clone(), None, 0),
            |meta| (path.clone(), meta.modified().ok(), meta.len()),
        );
        let mut versions = self.versions.lock().await;
        let known_version =
            versions.get(&stamp).filter(|(at, version)| version.is_ok() || at.elapsed() < FAILURE_KEPT);
        let version = match known_version {
            Some((_, version)) => version.clone(),
            None => {
                let version = ask_version(&path).await;
                versions.insert(stamp, (Instant::now(), version.clone()));
                version
            }
        };
        Detected {
            harness: known.harness,
            id: known.id,
            name: known.name,
            path,
            version,
            supported: adapter(known.harness).is_some(),
        }
    }
}

/// The executable of a harness: environment, `runner.json`, PATH.
fn executable(known: &Known, executables: &Executables) -> Option<PathBuf> {
    let path = std::env::var_os("PATH");
    let set = std::env::var_os(known.variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let named = set.or_else(|| executables.get(known.id).cloned());
    find_executable(named.as_deref().unwrap_or(Path::new(known.executable)), path.as_deref())
}

async fn ask_version(path: &Path) -> Result<String, String> {
    let mut command = Command::new(path);
    command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SVC_")) {
        command.env_remove(name);
    }
    let (child, _registered) = register(|| {
        let child = command.spawn()?;
        let pid = child.id();
        Ok((child, pid))
    })
    .map_err(|error| format!("cannot be started: {error}"))?;
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output())
        .await
        .map_err(|_| "does not answer --version".to_owned())?
        .map_err(|error| format!("does not answer --version: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    match first {
        Some(version) if output.status.success() => Ok(version.to_owned()),
        _ => Err(format!("--version failed ({})", output.status)),
    }
}
