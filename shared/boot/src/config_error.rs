//! Why a configuration was not accepted.

use std::path::PathBuf;

/// Why a configuration was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file or the environment does not say what it should.
    #[error("{origin}: {message}")]
    Invalid {
        /// Where it was said.
        origin: String,
        /// What is wrong.
        message: String,
    },
}
