//! What a runner is told, and what it reports.

pub mod read;
pub mod view;
