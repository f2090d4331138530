//! The channels of the caller.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod test;
