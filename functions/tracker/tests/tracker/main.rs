//! The tracker's API as its callers see it.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod attachments;
mod bad_input;
mod boards;
mod bulk;
mod changes;
mod claims;
mod comment_changes;
mod comments;
mod costs;
mod counts;
mod created;
mod deletion;
mod entering;
mod export;
mod filters;
mod item_links;
mod item_page;
mod items;
mod labels;
mod lists;
mod live;
mod milestones;
mod moves;
mod org_changes;
mod org_items;
mod org_views;
mod project_board;
mod project_deletion;
mod projects;
mod races;
mod reactions;
mod relations;
mod rendering;
mod secrecy;
mod sprints;
mod stats;
mod teams;
mod templates;
mod texts;
mod transfer;
mod views;
mod visibility;
mod workflow;
mod world;
