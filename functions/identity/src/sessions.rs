//! Sessions of the caller.

pub(crate) mod end;
pub(crate) mod end_all;
pub(crate) mod list;
