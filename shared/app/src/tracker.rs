//! Use cases of projects, workflows, items, claims, sprints, comments and history (specification
//! sections 2.2, 2.3, 3.3, 3.6 and 4.1).

pub mod attachments;
pub mod board;
pub mod bulk;
pub mod changes;
pub mod claims;
pub mod comments;
pub mod deletion;
pub mod feed_snapshots;
mod feeds;
mod filter_facts;
pub(crate) mod gone;
pub mod history;
mod item_change;
pub mod item_links;
pub mod items;
pub mod labels;
mod link_rows;
pub mod links;
pub mod list;
mod load;
pub mod milestones;
pub mod moves;
pub mod opened;
pub mod org_list;
pub mod projects;
mod relations;
pub mod replacements;
pub mod sprints;
mod state_names;
pub mod stats;
pub mod teams;
pub mod templates;
pub mod transfer;
pub mod views;
pub mod watchers;
pub mod workflow;

pub use feeds::{Feed, Feeds};
pub use item_change::ItemChange;
pub(crate) use link_rows::link_rows;
pub use load::ItemDetails;
pub(crate) use load::listed;
pub(crate) use sprints::Place as SprintPlace;
pub(crate) use state_names::saving as saving_state_names;
pub(crate) use templates::templates_of;
