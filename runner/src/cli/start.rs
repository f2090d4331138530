//! `start`: takes runs until stopped.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::CliError;
use crate::directories;
use crate::driver::{self, Options};
use crate::harness::KNOWN;
use crate::harness::detect::{Detected, Detector};
use crate::runner_file::{RunnerFile, RunnerFileStore};
use crate::supervisor::{EXIT_NO_PROFILE, EXIT_RESTART};
use crate::update::{CHECK_EVERY, Installation};
use crate::workspace::root_directory;

/// Start taking and executing runs
///
/// Runs until you stop it. The first interrupt takes no new runs and waits for those in flight; a second one cancels
/// them. Exits with 5 when no organization accepts the machine's secret any more.
#[derive(Clone, Debug, Args)]
pub struct Start {
    /// Number of runs at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    parallel: u32,
    /// Keep all workspaces instead of cleaning them up
    #[arg(long)]
    keep_workspaces: bool,
    /// Directory for run directories [default: ~/.local/share/svc/runner]
    #[arg(long, value_name = "DIR")]
    workspace_root: Option<PathBuf>,
    /// Check for newer versions, but do not install them. Set SVC_NO_UPDATE_CHECK=1 to turn off the check too
    #[arg(long)]
    no_auto_update: bool,
}

/// What comes after the runner.
pub(super) enum Next {
    /// The process ends with this code.
    Exit(u8),
    /// This program takes its place.
    Become(PathBuf),
}

impl Start {
    pub(super) async fn run(self, store: RunnerFileStore) -> Result<Next, CliError> {
        tell_on_stderr();
        if store.load()?.profiles.is_empty() {
            let how = "this machine is not registered; run `svc runner register --url <url> --token <secret>` first";
            return Err(CliError::NotAuthenticated(how.to_owned()));
        }
        let root = match &self.workspace_root {
            Some(root) => std::path::absolute(root)
                .map_err(|error| CliError::Rejected(format!("{}: {error}", root.display())))?,
            None => directories::runs_home()?,
        };
        let service = std::env::var_os("SVC_RUNNER_SERVICE").is_some_and(|value| value == "1");
        // While the file of this process is still the one at its path.
        let installation = Installation::of_this_program();
        let _lock = lock_root(&root)?;
        look_around(&store.load()?).await?;
        let options = self.options(store, root, service, installation.clone());
        let runs = if self.parallel == 1 { "one run".to_owned() } else { format!("{} runs", self.parallel) };
        let pid = std::process::id();
        tracing::info!("svc-runner {} takes up to {runs} at once (process {pid})", crate::version());
        let code = driver::run(options).await?;
        if code == EXIT_NO_PROFILE {
            tracing::error!("no registration works any more; stopping");
            // launchd restarts a service after any failure, but a revoked secret must stop it for good.
            if service && cfg!(target_os = "macos") {
                return Ok(Next::Exit(0));
            }
        }
        if code == EXIT_RESTART
            && !service
            && let Some(binary) = installation.and_then(|installation| installation.binary())
        {
            return Ok(Next::Become(binary));
        }
        Ok(Next::Exit(code))
    }

    fn options(
        &self,
        file: RunnerFileStore,
        root: PathBuf,
        service: bool,
        installation: Option<Installation>,
    ) -> Options {
        Options {
            file,
            root,
            secret_grace: seconds("SVC_RUNNER_SECRET_GRACE").unwrap_or(Duration::from_secs(60)),
            auto_update: !self.no_auto_update,
            update_every: seconds("SVC_RUNNER_UPDATE_EVERY")
                .unwrap_or(CHECK_EVERY)
                .max(Duration::from_secs(1)),
            installation,
            parallel: self.parallel,
            keep_workspaces: self.keep_workspaces,
            service,
        }
    }
}

/// Keeps other runners out of the directory of runs: they would take each other's runs for dead.
fn lock_root(root: &Path) -> Result<std::fs::File, CliError> {
    let refused = |error: std::io::Error| {
        CliError::Rejected(format!(
            "{} cannot be written: {error}; correct it, or name another with --workspace-root",
            root.display()
        ))
    };
    root_directory(root).map_err(refused)?;
    let lock = std::fs::File::create(root.join(".lock")).map_err(refused)?;
    lock.try_lock().map_err(|_| {
        CliError::Rejected(format!(
            "another runner is using {}; stop it first, or give another directory with --workspace-root",
            root.display()
        ))
    })?;
    Ok(lock)
}

/// Says what is missing before the first run fails for it.
async fn look_around(file: &RunnerFile) -> Result<(), CliError> {
    let git = tokio::process::Command::new("git").arg("--version").output().await;
    if !git.is_ok_and(|output| output.status.success()) {
        let how = "git does not work: install it, and check that it is on the runner's PATH";
        return Err(CliError::Rejected(how.to_owned()));
    }
    let found = Detector::default().all(&file.executables).await;
    for one in &found {
        match &one.version {
            Ok(version) => tracing::info!("{}: {version} ({})", one.name, one.path.display()),
            Err(why) => tracing::warn!("{}: {} {why}", one.name, one.path.display()),
        }
    }
    if !found.iter().any(Detected::works) {
        let sought: Vec<&str> = KNOWN.iter().map(|known| known.executable).collect();
        tracing::warn!(
            "no coding harness works here, so no runs will be taken; looked for {}",
            sought.join(", ")
        );
    }
    Ok(())
}

/// A time in seconds that the environment names: `SVC_RUNNER_SECRET_GRACE`, how long runs outlive a refused secret, and
/// `SVC_RUNNER_UPDATE_EVERY`, between two looks at the package registry.
fn seconds(variable: &str) -> Option<Duration> {
    std::env::var(variable).ok()?.parse().ok().map(Duration::from_secs)
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
