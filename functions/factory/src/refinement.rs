//! The refinement of an item.

pub(crate) mod answer;
pub(crate) mod changes;
pub(crate) mod confirm;
pub(crate) mod get;
pub(crate) mod start;
pub(crate) mod submit;
