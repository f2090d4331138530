//! Refinement settings of a project.

pub(crate) mod get;
pub(crate) mod update;
