//! The organization's connection with the code host.

pub(crate) mod callback;
pub(crate) mod connect;
pub(crate) mod create_webhook;
pub(crate) mod delete_webhook;
pub(crate) mod deliver;
pub(crate) mod disconnect;
pub(crate) mod get;
