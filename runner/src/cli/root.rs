//! `root`: under which directories a path hint of the instance is accepted.

use std::path::PathBuf;

use clap::Args;

use super::{CliError, Which, profile, resolved};
use crate::runner_file::RunnerFileStore;

/// Allow the instance to use clones below a directory
#[derive(Clone, Debug, Args)]
pub struct Root {
    /// Directory with git clones
    dir: PathBuf,
    /// Remove the directory
    #[arg(long)]
    remove: bool,
    #[command(flatten)]
    which: Which,
}

impl Root {
    pub(super) fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        // A root that is gone can still be removed.
        let root = match (resolved(&self.dir), self.remove) {
            (Ok(root), _) => root,
            (Err(_), true) => self.dir.clone(),
            (Err(error), false) => return Err(error),
        };
        if !self.remove && !root.is_dir() {
            return Err(CliError::Rejected(format!("{} is not a directory", root.display())));
        }
        let told = store.update(|file| {
            let profile = profile(file, &self.which)?;
            let organization = &profile.organization;
            let known = profile.repo_roots.contains(&root);
            match (self.remove, known) {
                (true, false) => {
                    Err(CliError::NotFound(format!("{} is not a root of {organization}", root.display())))
                }
                (true, true) => {
                    profile.repo_roots.retain(|one| *one != root);
                    Ok(format!("{} is no longer a root of {organization}.", root.display()))
                }
                (false, _) => {
                    if !known {
                        profile.repo_roots.push(root.clone());
                    }
                    Ok(format!("{organization} may now use clones below {}.", root.display()))
                }
            }
        })??;
        eprintln!("{told}");
        Ok(0)
    }
}
