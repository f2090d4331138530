//! The key that an item has now which was moved to another project: a note that a refusal leaves at its answer.

use svc_domain::ids::ItemKey;

/// The key that an item has now.
#[derive(Clone, Debug)]
pub(crate) struct NewKey {
    pub(crate) from: ItemKey,
    pub(crate) to: ItemKey,
}
