//! The browsers in which the caller is told.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod test;
