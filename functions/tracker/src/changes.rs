//! Routes of what changes in a project.

pub(crate) mod since;
pub(crate) mod stream;
