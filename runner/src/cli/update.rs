//! `update`: installs the latest version now.

use clap::Args;

use super::CliError;
use crate::update::{Installation, Registry, running};

/// Install the latest version of svc now
///
/// Prints the old and the new version. A running service switches to the new version at its next check, or when you
/// restart it.
#[derive(Clone, Debug, Args)]
pub struct Update {}

impl Update {
    pub(super) async fn run(self) -> Result<u8, CliError> {
        let failed = |error: &dyn std::fmt::Display| CliError::NotUpdated(error.to_string());
        let registry = Registry::of_environment(|name| std::env::var(name).ok());
        let registry = registry.map_err(|error| CliError::Rejected(error.to_string()))?;
        let (running, latest) = (running(), registry.latest().await.map_err(|error| failed(&error))?);
        if latest <= running {
            println!("svc {running} is up to date; the latest version is {latest}");
            return Ok(0);
        }
        let Some(installation) = Installation::of_this_program() else {
            let why = format!(
                "svc {latest} is out, this is {running}, which was not installed with `npm install -g @svc/cli`; \
                 install the new version the way this one was installed"
            );
            return Err(CliError::NotUpdated(why));
        };
        eprintln!("Installing svc {latest}");
        installation.install(&latest, &registry).await.map_err(|error| failed(&error))?;
        println!("svc {running} -> {latest}");
        Ok(0)
    }
}
