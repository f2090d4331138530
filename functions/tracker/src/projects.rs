//! Routes of projects.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod export;
mod exports;
pub(crate) mod get;
pub(crate) mod import;
pub(crate) mod import_files;
pub(crate) mod import_preview;
pub(crate) mod list;
pub(crate) mod overviews;
pub(crate) mod restore;
pub(crate) mod stats;
pub(crate) mod update;
