//! The factory end to end without a socket: people and runners against the routes that they call, over the
//! embedded store and a clock that the tests move.

#![expect(clippy::unwrap_used, reason = "a helper that finds something else fails its test")]

mod admin;
mod artifacts;
mod audit;
mod blockers;
mod budgets;
mod changes;
mod code_host;
mod deleted_items;
mod deleted_orgs;
mod deleted_projects;
mod deletion;
mod disabled;
mod dispatch;
mod going_on;
mod held;
mod inbox;
mod log;
mod mentions;
mod overdue;
mod prompts;
mod pull_requests;
mod refinement;
mod refinement_settings;
mod rules;
mod run_lists;
mod schedules;
mod short;
mod stage;
mod take;
mod terminal;
mod timers;
mod transferred_items;
mod visibility;
mod waiting_runners;
mod workflow;
