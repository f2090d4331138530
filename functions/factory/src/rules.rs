//! Rules of a project.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod firings;
pub(crate) mod list;
pub(crate) mod update;
