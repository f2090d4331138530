//! Organizations.

pub(crate) mod audit;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod leave;
pub(crate) mod list;
pub(crate) mod restore;
pub(crate) mod update;
