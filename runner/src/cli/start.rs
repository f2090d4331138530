//! `start`: takes runs until stopped.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::CliError;
use crate::driver::{self, Options};
use crate::places;
use crate::runner_file::RunnerFileStore;
use crate::supervisor::EXIT_NO_PROFILE;

/// Take runs and execute them until stopped
///
/// The first interrupt stops taking runs and waits for those in flight, a second cancels them. Exits with 5
/// once no organization accepts the machine's secret any more.
#[derive(Clone, Debug, Args)]
pub struct Start {
    /// Runs at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    parallel: u32,
    /// Keep every workspace, and sweep none
    #[arg(long)]
    keep_workspaces: bool,
    /// Directory of run directories [default: ~/.local/share/svc/runner]
    #[arg(long, value_name = "DIR")]
    workspace_root: Option<PathBuf>,
    /// Never install a newer version
    #[arg(long)]
    no_auto_update: bool,
}

impl Start {
    pub(super) async fn run(self, store: RunnerFileStore) -> Result<u8, CliError> {
        tell_on_stderr();
        if store.load()?.profiles.is_empty() {
            let how = "this machine is not registered; run `svc runner register --url <url> --token <secret>` first";
            return Err(CliError::NotAuthenticated(how.to_owned()));
        }
        let root = match self.workspace_root {
            Some(root) => std::path::absolute(&root)
                .map_err(|error| CliError::Rejected(format!("{}: {error}", root.display())))?,
            None => places::runs_home()?,
        };
        let service = std::env::var_os("SVC_RUNNER_SERVICE").is_some_and(|value| value == "1");
        let options = Options {
            file: store,
            root,
            parallel: self.parallel,
            keep_workspaces: self.keep_workspaces,
            service,
        };
        tracing::info!("svc-runner {} takes up to {} runs at once", crate::VERSION, self.parallel);
        let code = driver::run(options).await?;
        if code == EXIT_NO_PROFILE {
            tracing::error!("no registration works any more; ending");
        }
        Ok(code)
    }
}

/// Sends what the runner has to say to stderr; `RUST_LOG` says how much.
fn tell_on_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,svc_runner=info"));
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    // A program that has set up its own telling keeps it.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour)
        .with_target(false)
        .try_init();
}
