//! The commands: one folder a noun, one file a verb. Each says what it takes (`Args`) and does it (`run`).

pub(crate) mod agent;
pub(crate) mod api;
pub(crate) mod attachment;
pub(crate) mod auth;
pub(crate) mod browse;
pub(crate) mod comment;
pub(crate) mod completions;
pub(crate) mod invite;
pub(crate) mod item;
pub(crate) mod label;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod member;
pub(crate) mod org;
pub(crate) mod playbook;
pub(crate) mod project;
pub(crate) mod run;
pub(crate) mod runner;
pub(crate) mod search;
pub(crate) mod sprint;
pub(crate) mod status;
pub(crate) mod team;
pub(crate) mod template;
pub(crate) mod token;
pub(crate) mod wiki;
pub(crate) mod workflow;

mod confirm;
mod expiry;
mod files;
mod in_project;
mod named;
mod new_name;
mod paging;
mod people;
