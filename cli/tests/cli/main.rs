//! The built `svc` against a stub instance on the loopback: real program, real HTTP, answers in wire types.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

mod assignees;
mod attachments;
mod auth;
mod changing;
mod comments;
mod completing;
mod editing;
mod factory;
mod failures;
mod fixtures;
mod guesses;
mod help;
mod invites;
mod items;
mod labels;
mod mcp;
mod members;
mod milestones;
mod orgs;
mod projects;
mod runner;
mod runs;
mod schedules;
mod search;
mod settings;
mod shaping;
mod sprints;
mod stub;
mod teams;
mod templates;
mod terminal;
mod tokens;
mod views;
mod wiki;
mod workflows;
