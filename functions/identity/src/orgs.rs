//! Organizations.

pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod list;
