//! Routes of the workflow.

pub(crate) mod get;
pub(crate) mod set;
