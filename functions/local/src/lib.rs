//! `svc-server`: every API area and the workers in one process, on the embedded store or on AWS.
//!
//! Owns the command line of the server, its start and its graceful stop, and the demo's data. Decides
//! nothing about work items.

mod admin;
pub mod args;
mod backup;
mod check;
mod demo;
mod doctor;
mod existing;
mod failure;
mod healthcheck;
mod mail;
mod metrics;
mod moving;
mod password;
mod plan;
mod progress;
mod reindex;
mod resident;
mod retention;
mod routes;
mod served;
mod server;

pub use admin::admin;
pub use backup::backup;
pub use check::check;
pub use doctor::{doctor, replay};
pub use failure::Failure;
pub use healthcheck::healthcheck;
pub use mail::mail_test;
pub use moving::{export, import};
pub use password::password_link;
pub use plan::set_plan;
pub use reindex::reindex;
pub use retention::Retention;
pub use routes::{areas, router};
pub use server::serve;
