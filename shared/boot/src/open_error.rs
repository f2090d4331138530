//! Why an application could not be opened.

use svc_storage::StorageError;

use crate::config_error::ConfigError;

/// Why an application could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Storage could not be opened.
    #[error("cannot open the {engine} storage{hint}")]
    Storage {
        /// Of this engine.
        engine: &'static str,
        /// What to look at.
        hint: String,
        /// Why.
        #[source]
        source: StorageError,
    },
    /// This program was built without the engines.
    #[error("this build has no AWS engines: build it with the feature `aws`, as `make build` does")]
    NoEngines,
    /// The settings of another adapter are wrong.
    #[error(transparent)]
    Settings(#[from] ConfigError),
}
