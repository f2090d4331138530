//! Outbound webhooks of an organization.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deliveries;
pub(crate) mod get;
pub(crate) mod list;
mod paths;
pub(crate) mod ping;
pub(crate) mod replay;
pub(crate) mod rotate;
pub(crate) mod update;
