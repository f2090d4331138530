//! Which harnesses work on this machine.
//!
//! Owns where an executable comes from (environment, then `runner.json`, then PATH) and whether it answers
//! `--version`. An answer is remembered as long as the file stays the same.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use svc_api::factory::Harness;
use tokio::process::Command;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Executables, KNOWN, Known, adapter};
use crate::environment::without_own_variables;
use crate::locking::lock;
use crate::process::find_executable;
use crate::workspace::git::output_of;

/// A harness's program starts slowly on a cold disk.
const PATIENCE: Duration = Duration::from_secs(20);

/// A harness found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// Which one.
    pub harness: Harness,
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name; of another program in its place, that program's.
    pub name: String,
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
/// How long all harnesses together are waited for. One that has not answered by then is not counted yet.
const TOGETHER: Duration = Duration::from_millis(1500);
/// The same for an interactive command.
const FOR_A_PERSON: Duration = Duration::from_secs(4);

/// Tells a file from the one that replaced it.
type Stamp = (PathBuf, Option<SystemTime>, u64);
type Version = Result<String, String>;

/// What is known of one executable.
#[derive(Clone, Default)]
struct Memory {
    answer: Option<(Instant, Version)>,
    asked: Option<(Instant, watch::Receiver<Option<Version>>)>,
}

/// Looks for harnesses, and remembers. Programs are asked beside each other, and never twice at once: one that hangs
/// delays no other.
#[derive(Clone, Default)]
pub struct Detector {
    known: Arc<Mutex<HashMap<Stamp, Memory>>>,
}

impl Detector {
    /// Every harness found, in the order of their ids, as far as they answer soon.
    pub async fn all(&self, executables: &Executables) -> Vec<Detected> {
        self.all_within(executables, TOGETHER).await
    }

    /// Every harness found, for an interactive command.
    pub async fn all_patiently(&self, executables: &Executables) -> Vec<Detected> {
        self.all_within(executables, FOR_A_PERSON).await
    }

    async fn all_within(&self, executables: &Executables, patience: Duration) -> Vec<Detected> {
        let found = KNOWN.iter().filter_map(|known| Some((known, executable(known, executables)?)));
        let asked: Vec<(&Known, PathBuf, Answer)> =
            found.map(|(known, path)| (known, path.clone(), self.ask(&path))).collect();
        let mut all = Vec::new();
        for (known, path, answer) in asked {
            let version = answer.wait(patience).await;
            all.push(detected(known, path, version));
        }
        all.retain(is_meant);
        all
    }

    /// One harness, if it is there.
    pub async fn one(&self, harness: Harness, executables: &Executables) -> Option<Detected> {
        let known = KNOWN.iter().find(|known| known.harness == harness)?;
        let path = executable(known, executables)?;
        let version = self.ask(&path).wait(PATIENCE).await;
        Some(detected(known, path, version)).filter(is_meant)
    }

    /// What is known of an executable; asks it where that is nothing, or an old failure.
    fn ask(&self, path: &Path) -> Answer {
        let stamp = std::fs::metadata(path).map_or_else(
            |_| (path.to_owned(), None, 0),
            |meta| (path.to_owned(), meta.modified().ok(), meta.len()),
        );
        let mut all = lock(&self.known);
        let known = all.entry(stamp.clone()).or_default();
        let fresh =
            known.answer.as_ref().is_some_and(|(at, version)| version.is_ok() || at.elapsed() < FAILURE_KEPT);
        if !fresh && known.asked.is_none() {
            let (sender, receiver) = watch::channel(None);
            known.asked = Some((Instant::now(), receiver));
            let (memory, path) = (Arc::clone(&self.known), path.to_owned());
            tokio::spawn(async move {
                let version = ask_version(&path).await;
                let mut all = lock(&memory);
                let answer = Some((Instant::now(), version.clone()));
                all.insert(stamp, Memory { answer, asked: None });
                drop(all);
                // The receiver may be gone.
                let _ = sender.send(Some(version));
            });
        }
        match (&known.answer, &known.asked) {
            // An old failure counts until there is a new answer.
            (Some((_, version)), _) => Answer::Known(version.clone()),
            (None, Some((since, asked))) => Answer::Asked(*since, asked.clone()),
            (None, None) => Answer::Known(Err("was not asked".to_owned())),
        }
    }
}

enum Answer {
    Known(Version),
    Asked(Instant, watch::Receiver<Option<Version>>),
}

impl Answer {
    /// Waits until this long after the question was asked. A later caller does not extend the wait.
    async fn wait(self, patience: Duration) -> Version {
        match self {
            Self::Known(version) => version,
            Self::Asked(since, mut asked) => {
                match tokio::time::timeout_at(since + patience, asked.wait_for(Option::is_some)).await {
                    Ok(Ok(version)) => version.clone().unwrap_or_else(|| Err("was not asked".to_owned())),
                    Ok(Err(_)) => Err("could not be asked for its version".to_owned()),
                    Err(_) => Err("has not answered --version yet".to_owned()),
                }
            }
        }
    }
}

fn detected(known: &Known, path: PathBuf, version: Version) -> Detected {
    let supported = adapter(known.harness).is_some();
    let other = version.as_ref().is_ok_and(|version| !(known.answers)(version));
    let name = if other { stand_in(known, &path) } else { known.name.to_owned() };
    Detected { harness: known.harness, id: known.id, name, path, version, supported }
}

/// Another program may have the second name of a harness.
fn is_meant(one: &Detected) -> bool {
    let known = KNOWN.iter().find(|known| known.harness == one.harness);
    let aliased = known.and_then(|known| known.alias).is_some_and(|alias| one.path.ends_with(alias));
    !aliased || known.is_some_and(|known| one.version.as_ref().is_ok_and(|version| (known.answers)(version)))
}

/// What stands in the place of a harness, in words: it is not that harness.
fn stand_in(known: &Known, path: &Path) -> String {
    let program = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{program}, instead of {}", known.name)
}

/// The executable of a harness: environment, `runner.json`, PATH.
fn executable(known: &Known, executables: &Executables) -> Option<PathBuf> {
    let path = std::env::var_os("PATH");
    let set = std::env::var_os(known.variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let named = set.or_else(|| executables.get(known.id).cloned());
    let find = |name: &Path| find_executable(name, path.as_deref());
    match named {
        Some(named) => find(&named),
        None => find(Path::new(known.executable)).or_else(|| find(Path::new(known.alias?))),
    }
}

async fn ask_version(path: &Path) -> Result<String, String> {
    let mut command = Command::new(path);
    command.arg("--version");
    without_own_variables(&mut command);
    let output = tokio::time::timeout(PATIENCE, output_of(command))
        .await
        .map_err(|_| "does not answer --version".to_owned())?
        .map_err(|error| format!("cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    match first {
        Some(version) if output.status.success() => Ok(version.to_owned()),
        _ => Err(format!("--version failed ({})", output.status)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn program(directory: &Path, name: &str, script: &str) -> PathBuf {
        let path = directory.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Each was waited for after the other: 5 seconds for the first run, 20 for `svc runner status`.
    #[tokio::test]
    async fn several_that_hang_are_waited_for_once() {
        let directory = tempfile::tempdir().unwrap();
        let hangs = program(directory.path(), "hangs", "exec sleep 600");
        let executables = KNOWN.iter().map(|known| (known.id.to_owned(), hangs.clone())).collect();
        let (patience, begun) = (Duration::from_millis(500), Instant::now());
        let all = Detector::default().all_within(&executables, patience).await;
        assert!(all.len() > 3 && all.iter().all(|one| one.version.is_err()), "{all:?}");
        assert!(begun.elapsed() < patience * 4, "{:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn a_harness_that_hangs_holds_up_no_other() {
        let directory = tempfile::tempdir().unwrap();
        let mut executables = Executables::new();
        executables.insert("harness_1".into(), program(directory.path(), "one", "exec sleep 600"));
        executables.insert("harness_2".into(), program(directory.path(), "two", "echo two 2.0"));
        let detector = Detector::default();
        let versions = async || {
            let all = detector.all(&executables).await;
            all.into_iter().filter(|one| ["harness_1", "harness_2"].contains(&one.id)).map(|one| one.version)
        };
        // A busy machine may start neither in time; the one that hangs is given up later than this ends.
        let mut found: Vec<_> = versions().await.collect();
        for _ in 0..1_000 {
            if found[1].is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
                found = versions().await.collect();
            }
        }
        assert_eq!(found, [Err("has not answered --version yet".to_owned()), Ok("two 2.0".to_owned())]);
    }
}
