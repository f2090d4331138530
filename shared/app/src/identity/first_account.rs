//! Whether an instance was set up, and by whom.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::ids::UserId;
use svc_storage::keys;

use crate::App;
use crate::error::Result;

/// The row [`keys::setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SetUp {
    /// When the instance was set up, and the account that did it.
    By {
        /// When.
        at: Timestamp,
        /// The first account.
        user: UserId,
    },
    /// The same, from a server that did not keep who did it.
    At(Timestamp),
}

/// The account that set the instance up, where that is known.
///
/// # Errors
/// Those of storage.
pub(crate) async fn first_account(app: &App) -> Result<Option<UserId>> {
    Ok(match app.table.get(&keys::setup()).await?.map(|row| row.read()).transpose()? {
        Some(SetUp::By { user, .. }) => Some(user),
        Some(SetUp::At(_)) | None => None,
    })
}

/// Whether the instance waits for its first account.
///
/// # Errors
/// Those of storage.
pub async fn setup_needed(app: &App) -> Result<bool> {
    Ok(app.table.get(&keys::setup()).await?.is_none())
}
