//! Roles that groups of an identity provider give.

pub(crate) mod get;
pub(crate) mod set;
