//! The account of the caller.

pub(crate) mod get;
pub(crate) mod update;
