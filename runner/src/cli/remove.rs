//! `remove`: drops one organization from the machine.

use clap::Args;

use super::CliError;
use crate::runner_file::RunnerFileStore;

/// Remove an organization from this machine
#[derive(Clone, Debug, Args)]
pub struct Remove {
    /// Slug of the organization
    org: String,
}

impl Remove {
    pub(super) fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        store.update(|file| {
            let before = file.profiles.len();
            file.profiles.retain(|profile| profile.organization != self.org);
            if file.profiles.len() == before {
                return Err(CliError::NotFound(format!("{} is not registered here", self.org)));
            }
            Ok(())
        })??;
        eprintln!(
            "Removed {} from this machine. The secret stays valid until you disable or delete the runner under \
            Factory, Runners.",
            self.org
        );
        Ok(0)
    }
}
