//! Marks what a runner starts with the runner that started it: should it die, that is found, and nothing of another
//! runner is taken for it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::clock;

/// The variable that names the runner process: a path below its directory of runs, where nothing is.
pub(crate) const VARIABLE: &str = "SVC_RUNNER_PROCESS";

static OWNER: OnceLock<PathBuf> = OnceLock::new();

/// Marks what is started from now on as this process's. `root` is the directory of runs, resolved.
pub(crate) fn begin(root: &Path) -> &'static Path {
    OWNER.get_or_init(|| root.join(format!(".process-{}", clock::fresh_id().simple())))
}

/// The variable's value, once there is a directory of runs.
pub(crate) fn value() -> Option<&'static Path> {
    OWNER.get().map(PathBuf::as_path)
}
