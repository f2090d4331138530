//! Members of an organization.

pub(crate) mod add;
pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod update;
