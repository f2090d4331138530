//! What is measured: one file a group of budgets.

mod cold;
mod growth;
mod live;
mod mcp;
mod reads;
mod rest;
mod runners;
mod runs;
mod side;
mod units;
mod writes;

pub(crate) use cold::cold;
pub(crate) use growth::growth;
pub(crate) use live::{board, streams};
pub(crate) use mcp::mcp;
pub(crate) use reads::reads;
pub(crate) use rest::{resident_megabytes, rest};
pub(crate) use runners::runners;
pub(crate) use runs::runs;
pub(crate) use units::units;
pub(crate) use writes::writes;
