//! `map`: where the local clone of a project is.

use std::path::{Path, PathBuf};

use clap::Args;
use svc_domain::ids::ProjectKey;

use super::isolation::IsolationOptions;
use super::{CliError, Which, profile};
use crate::runner_file::{ProjectOptions, RunnerFileStore};
use crate::workspace::copies::is_below;
use crate::workspace::locate::{clone_at, origin_trouble};

/// Map a project to its local clone
#[derive(Clone, Debug, Args)]
pub struct Map {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY")]
    project: String,
    /// Path of an existing git clone
    #[arg(required_unless_present = "remove")]
    path: Option<PathBuf>,
    /// Remove the mapping
    #[arg(long)]
    remove: bool,
    /// Let every run work with a copy of what it needs, never with the objects of this clone
    #[arg(long, conflicts_with = "remove")]
    isolated: bool,
    /// Trust the repository's own harness settings, which can run commands and choose addresses
    #[arg(long, conflicts_with = "remove")]
    trust: bool,
    /// Copy a file that git ignores, such as .env, from this clone into each run's checkout; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "remove")]
    copy: Vec<String>,
    #[command(flatten)]
    isolation: IsolationOptions,
    #[command(flatten)]
    which: Which,
}

impl Map {
    /// Key of the project that is mapped, and the organization that is named; nothing where a mapping is forgotten.
    pub(super) fn maps(&self) -> Option<(String, Option<&str>)> {
        (!self.remove).then(|| (self.project.to_uppercase(), self.which.org.as_deref()))
    }

    pub(super) async fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        let key = self.project.to_uppercase();
        let key: ProjectKey =
            key.parse().map_err(|error| CliError::Rejected(format!("{}: {error}", self.project)))?;
        if self.remove && !self.isolation.is_empty() {
            return Err(CliError::Rejected(
                "--remove cannot be combined with other options of a mapping".to_owned(),
            ));
        }
        if let Some(name) = self.copy.iter().find(|name| !is_below(Path::new(name))) {
            let said = format!("{name:?} is not a path inside the clone; give one such as --copy .env");
            return Err(CliError::Rejected(said));
        }
        let clone = match (&self.path, self.remove) {
            (Some(path), false) => Some(
                clone_at(path)
                    .await
                    .map_err(|why| CliError::Rejected(format!("{} {why} first", path.display())))?,
            ),
            _ => None,
        };
        if let Some(clone) = &clone
            && let Some(trouble) = origin_trouble(clone).await
        {
            let mend = "set it with `git remote set-url origin <url>` (`git remote add` where there is none)";
            return Err(CliError::Rejected(format!("{trouble}\n  next: {mend}")));
        }
        let told = store.update(|file| {
            let profile = profile(file, &self.which)?;
            let organization = &profile.organization;
            match clone {
                Some(clone) => {
                    let told = format!("{key} of {organization} is at {}.", clone.display());
                    profile.workspaces.insert(key.as_str().to_owned(), clone);
                    let options = profile.projects.entry(key.as_str().to_owned()).or_default();
                    (options.isolated, options.trusted) = (self.isolated, self.trust);
                    options.copies.clone_from(&self.copy);
                    options.isolation = self.isolation.applied(&options.isolation)?;
                    if *options == ProjectOptions::default() {
                        profile.projects.remove(key.as_str());
                    }
                    Ok(told)
                }
                None if profile.workspaces.remove(key.as_str()).is_some() => {
                    profile.projects.remove(key.as_str());
                    Ok(format!("{key} of {organization} is no longer mapped."))
                }
                None => Err(CliError::NotFound(format!("{key} of {organization} is not mapped"))),
            }
        })??;
        eprintln!("{told}");
        if !self.remove {
            eprintln!("Start the runner with `svc runner start`; one that runs already uses it from now on.");
        }
        Ok(0)
    }
}
