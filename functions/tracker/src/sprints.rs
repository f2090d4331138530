//! Sprints of a team.

pub(crate) mod burndown;
pub(crate) mod complete;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod start;
pub(crate) mod taskboard;
pub(crate) mod update;
