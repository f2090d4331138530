//! Routes of items.

pub(crate) mod bulk;
pub(crate) mod claim;
pub(crate) mod counts;
pub(crate) mod counts_of_org;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deleted;
pub(crate) mod export;
pub(crate) mod get;
pub(crate) mod heartbeat;
pub(crate) mod history;
pub(crate) mod history_diff;
pub(crate) mod list;
pub(crate) mod move_item;
pub(crate) mod of_org;
pub(crate) mod page;
pub(crate) mod release;
pub(crate) mod restore;
pub(crate) mod set_task;
pub(crate) mod transfer;
pub(crate) mod transition;
pub(crate) mod update;
