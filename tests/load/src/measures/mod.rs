//! What is measured: one file a group of budgets.

mod reads;
mod rest;
mod runs;
mod writes;

pub(crate) use reads::reads;
pub(crate) use rest::rest;
pub(crate) use runs::runs;
pub(crate) use writes::writes;
