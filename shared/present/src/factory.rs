//! The factory as people see it: agents, runners, playbooks, runs and their logs.

pub mod budgets;
pub mod deliveries;
pub mod read;
pub mod schedules;
pub mod view;
