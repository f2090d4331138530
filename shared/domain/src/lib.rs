//! The pure rules of the service: no async, no I/O, no clock, no randomness.
//!
//! Records as they are stored, and the functions that decide what happens to them. Everything that a rule
//! needs (time, ids, the caller) is an argument, so every rule is tested as a table.

pub mod access;
pub mod account;
pub mod agent;
pub mod attachment;
pub mod audit;
pub mod branch;
pub mod claim;
pub mod code_host;
pub mod comment;
pub mod deleted_item;
pub mod due;
pub mod email;
pub mod event;
pub mod failure;
pub mod feed;
pub mod filter;
pub mod grant;
pub mod harness;
pub mod hierarchy;
pub mod identity;
pub mod ids;
pub mod invitation;
pub mod item;
pub mod journal;
pub mod label;
pub mod label_name;
pub mod log;
pub mod membership;
pub mod mention;
pub mod outline;
pub mod playbook;
pub mod project;
pub mod project_stats;
pub mod prompt;
pub mod rank;
pub mod reaction;
pub mod refinement;
pub mod refusal;
pub mod replacement;
pub mod rule;
pub mod run;
pub mod runner;
pub mod saved_view;
pub mod search;
pub mod session;
pub mod sprint;
pub mod team;
pub mod template;
pub mod untrusted;
pub mod visibility;
pub mod wiki;
pub mod word;
pub mod workflow;
