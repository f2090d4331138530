//! Use cases of the factory: agents, runners, playbooks, settings, runs and their logs, for people and for
//! runners.
//!
//! [`svc_domain::run::machine`] decides what happens to a run; the code here loads its inputs and commits its effects
//! ([`change`]). Nothing else writes a run.

pub mod agents;
pub mod artifacts;
pub mod budgets;
mod change;
pub mod changes;
pub mod code_host;
pub mod credential;
pub mod deliveries;
mod discussion;
mod dispatch;
mod draft;
pub mod follow;
mod item_queue;
pub mod leftovers;
mod listing;
mod live;
mod loaded;
pub mod log;
pub mod mending;
pub mod mentions;
mod naming;
mod overdue;
pub mod playbooks;
pub mod progress;
pub mod project_settings;
mod queue;
pub mod refinement_settings;
pub mod refinements;
pub mod rules;
mod run_entries;
mod run_lists;
pub mod runner_entry;
pub mod runners;
pub mod runs;
pub mod schedules;
mod settings_row;
pub mod stats;
pub mod stopping;
mod take;
mod waiting;
pub mod webhook;

pub(crate) use change::{QueueEntry, RunEntry};
pub use dispatch::{Forecast, StartRun, forecast, start};
pub(crate) use live::LiveEntry;
pub(crate) use log::stored::{StoredLog, stored_log};
pub use overdue::tell_of_overdue;
pub(crate) use run_entries::moved_op;
pub use run_lists::RunLists;
pub use take::{Assignment, TakeRequest, take};
