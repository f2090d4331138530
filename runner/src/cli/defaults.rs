//! `defaults`: how runs of every project are isolated, where the mapping of a project says nothing else.

use clap::Args;

use super::isolation::IsolationOptions;
use super::{CliError, Which, profile};
use crate::isolation::Isolation;
use crate::runner_file::RunnerFileStore;

/// Set the default isolation of runs, for projects without their own
///
/// Replaces the earlier defaults. Without options, it prints them.
#[derive(Clone, Debug, Args)]
pub struct Defaults {
    #[command(flatten)]
    isolation: IsolationOptions,
    /// Turn isolation off
    #[arg(long, conflicts_with_all = ["isolation", "sandbox", "env_allow", "setup", "cleanup"])]
    clear: bool,
    #[command(flatten)]
    which: Which,
}

impl Defaults {
    pub(super) fn run(self, store: &RunnerFileStore) -> Result<u8, CliError> {
        if self.isolation.is_empty() && !self.clear {
            let mut file = store.load()?;
            println!("{}", shown(&profile(&mut file, &self.which)?.isolation));
            return Ok(0);
        }
        let told = store.update(|file| {
            let profile = profile(file, &self.which)?;
            profile.isolation = if self.clear {
                Isolation { other: profile.isolation.other.clone(), ..Isolation::default() }
            } else {
                self.isolation.applied(&profile.isolation)?
            };
            Ok::<_, CliError>(format!("Runs of {}: {}.", profile.organization, shown(&profile.isolation)))
        })??;
        eprintln!("{told}\n`svc runner doctor` checks that it works.");
        Ok(0)
    }
}

fn shown(isolation: &Isolation) -> String {
    let words = isolation.words();
    if words.is_empty() { "no isolation".to_owned() } else { words }
}
