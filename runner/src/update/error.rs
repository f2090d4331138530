//! Why a newer version was not installed.

use std::path::PathBuf;

/// Why a newer version was not installed.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The files cannot be replaced.
    #[error("{} cannot be written by this user; install the new version as the user who installed this one", .0.display())]
    NoPermission(PathBuf),
    /// The package manager failed.
    #[error("{0}")]
    Install(String),
    /// What was installed is not what was published.
    #[error("the installed version is not used: {0}")]
    Unsound(String),
}
