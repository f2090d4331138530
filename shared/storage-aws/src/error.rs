//! What errors of the engines mean at the ports, as far as it does not depend on the call.

use std::error::Error;

use svc_storage::StorageError;

/// The engine cannot be reached, or answered something that no caller can act on. The text has the whole
/// chain of causes, which an SDK error's own text leaves out.
pub(crate) fn unavailable(error: impl Error) -> StorageError {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    StorageError::Unavailable(text.into())
}
