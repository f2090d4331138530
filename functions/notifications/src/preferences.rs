//! What people want to be told of, and what organizations suggest to them.

pub(crate) mod defaults_get;
pub(crate) mod defaults_put;
pub(crate) mod get;
pub(crate) mod put;
pub(crate) mod settings_get;
pub(crate) mod settings_patch;
