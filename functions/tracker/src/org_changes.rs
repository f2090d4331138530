//! Routes of what changes in an organization.

pub(crate) mod since;
pub(crate) mod stream;
