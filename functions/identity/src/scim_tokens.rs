//! Tokens with which an identity provider writes people and groups.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;
