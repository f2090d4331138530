//! `remove`: drops one organization from the machine.

use clap::Args;

use super::{CliError, Which, profile};
use crate::runner_file::RunnerFileStore;

/// Remove an organization from this machine
#[derive(Clone, Debug, Args)]
pub struct Remove {
    /// Slug of the organization
    org: String,
    /// Address of its instance; needed if organizations of the same name are registered
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

impl Remove {
    pub(super) fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        store.update(|file| {
            let which = Which { org: Some(self.org.clone()), url: self.url.clone() };
            if file.profiles.is_empty() {
                return Err(CliError::NotFound(format!("{} is not registered here", self.org)));
            }
            let url = profile(file, &which)?.url.clone();
            file.profiles.retain(|profile| profile.organization != self.org || profile.url != url);
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
