//! Members of a project.

pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod set;
