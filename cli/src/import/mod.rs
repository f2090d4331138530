//! Brings work from other trackers: reads exports with `svc-import`, sends their records, and uploads their files.

mod bring;
mod files;
mod github_api;
mod mapping;
mod send;
mod source;

pub(crate) use bring::{Brought, bring};
pub(crate) use files::has_file;
pub(crate) use github_api::Api;
pub(crate) use mapping::{read_mapping, table, write_mapping};
pub(crate) use source::{Order, Source, read};
