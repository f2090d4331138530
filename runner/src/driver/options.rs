//! How a runner is started.

use std::path::PathBuf;
use std::time::Duration;

use crate::runner_file::RunnerFileStore;
use crate::update::Installation;

/// How a runner is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where `runner.json` is.
    pub file: RunnerFileStore,
    /// Directory of run directories.
    pub root: PathBuf,
    /// Runs at once, 1 to 16.
    pub parallel: u32,
    /// Whether every workspace is kept.
    pub keep_workspaces: bool,
    /// Whether a service manager started this process.
    pub service: bool,
    /// Whether newer versions are installed, where `runner.json` allows it too.
    pub auto_update: bool,
    /// Between two looks whether there is a newer version.
    pub update_every: Duration,
    /// How this program was installed; none when it is not one to be updated.
    pub installation: Option<Installation>,
    /// How long runs in flight outlive a refused secret, so that a rotated one can be registered.
    pub secret_grace: Duration,
}
