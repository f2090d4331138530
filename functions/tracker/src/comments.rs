//! Routes of comments.

pub(crate) mod create;
pub(crate) mod list;
