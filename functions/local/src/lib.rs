//! `svc-server`: every API area and the workers in one process, on the embedded store or on AWS.
//!
//! Owns the command line of the server, its start and its graceful stop, and the demo's data. Decides
//! nothing about work items.

pub mod args;
mod check;
mod demo;
mod doctor;
mod reindex;
mod server;

pub use check::check;
pub use doctor::{doctor, replay};
pub use reindex::reindex;
pub use server::{Failure, areas, router, serve};
