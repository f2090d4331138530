//! Reads the exports of other trackers: bytes become records, with the words of the project for those of the source, and
//! a report of what does not come. A file for each source reads its export; what they share is beside them.
//!
//! Used by `svc import` and by the service. Knows no network, no store, and nobody's rights.

mod adf;
mod asked;
mod batches;
mod bounds;
mod clean;
mod dates;
pub mod exports;
mod failure;
mod found;
mod gathered;
mod github;
mod gitlab;
mod gitlab_csv;
mod hierarchy;
mod input;
mod jira;
mod jira_csv;
mod jira_json;
mod json;
mod linear;
mod mapping;
mod native;
mod plain;
mod portions;
mod report;
mod sheet;
mod source;
mod spool;
mod trello;
mod turn;
mod vibe_kanban;
#[cfg(feature = "database")]
mod vibe_kanban_db;
mod wiki_markup;

pub use asked::{Part, part, preview};
pub use batches::{Batch, HasFile, batches, count, foresee};
pub use bounds::Bounds;
pub use failure::{About, Failure};
pub use found::FoundItem;
pub use gathered::{Gathered, Word};
pub use github::{take as take_github, tell_missing_comments};
pub use input::{Dates, Input};
pub use json::{at, text};
pub use mapping::{Proposed, propose};
pub use plain::Fields;
pub use report::Report;
pub use source::{Reading, name_of, read};
pub use spool::Spool;
#[cfg(feature = "database")]
pub use vibe_kanban_db::read as read_database;

/// The word of the wire for a value that is one.
fn wire(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
