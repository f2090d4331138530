//! The current key of an item that moved to another project, attached to the response of a refusal.

use svc_domain::ids::ItemKey;

/// The key that an item has now.
#[derive(Clone, Debug)]
pub(crate) struct NewKey {
    pub(crate) from: ItemKey,
    pub(crate) to: ItemKey,
}
