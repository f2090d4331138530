//! Routes of what hangs on an item: its links, subtasks and watchers.

pub(crate) mod children;
pub(crate) mod link;
pub(crate) mod links;
pub(crate) mod subtask;
pub(crate) mod unlink;
pub(crate) mod unwatch;
pub(crate) mod watch;
pub(crate) mod watchers;
