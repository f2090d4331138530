//! Agents of an organization.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod restore;
pub(crate) mod update;
