//! Budgets of an organization.

pub(crate) mod get;
pub(crate) mod update;
