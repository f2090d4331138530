//! The channels of an organization.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod test;
