//! Routes of comments.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod edit_diff;
pub(crate) mod edits;
pub(crate) mod get;
pub(crate) mod list;
mod path;
pub(crate) mod react;
pub(crate) mod unreact;
