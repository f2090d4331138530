//! Routes of what hangs on an item: its pull requests, subtasks and watchers.

pub(crate) mod children;
pub(crate) mod link;
pub(crate) mod subtask;
pub(crate) mod unlink;
pub(crate) mod unwatch;
pub(crate) mod watch;
pub(crate) mod watchers;
