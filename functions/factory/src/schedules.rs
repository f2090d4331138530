//! Recurring schedules of a project.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod fire;
pub(crate) mod firings;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod preview;
pub(crate) mod update;
