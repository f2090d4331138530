//! After anything that callers do, nothing contradicts anything.

mod broken;
mod workload;
