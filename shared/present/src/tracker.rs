//! The tracker: projects, items, comments, attachments, teams and sprints.

pub mod csv;
pub mod read;
pub mod records;
pub mod view;
