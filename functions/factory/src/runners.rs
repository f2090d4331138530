//! Runners of an organization, for their administrators.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod rotate;
pub(crate) mod update;
