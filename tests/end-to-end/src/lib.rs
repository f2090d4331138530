//! What an end-to-end test works with: the built programs, each started in a directory of its own and ended
//! by its id, a git repository with an origin, agents written as scripts, and a network that can be cut.
//!
//! Owns no rule of the service and asserts nothing about it; it panics when the machinery of a test fails.
//! Nothing here waits for luck: every wait is for a condition, and has a bound.

mod agent;
mod home;
mod process;
mod programs;
mod proxy;
mod repo;
mod runner;
mod server;
mod stage;
pub mod traces;
mod wait;

pub use agent::Agent;
pub use home::{Home, Output};
pub use process::{Process, is_alive, kill};
pub use programs::program;
pub use proxy::Proxy;
pub use repo::Repo;
pub use runner::Runner;
pub use server::{Demo, Server};
pub use stage::{Stage, all_pages, task};
pub use wait::{eventually, within};
