//! The account of the caller, and pictures of people.

pub(crate) mod avatar;
pub(crate) mod get;
pub(crate) mod remove_avatar;
pub(crate) mod set_avatar;
pub(crate) mod update;
