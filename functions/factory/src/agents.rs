//! Agents of an organization.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod update;
