//! The runner: takes runs from instances and executes them with coding harnesses on this machine.
//!
//! `supervisor` decides and does nothing; `driver` does what it decides; `run` sees one run through, with
//! `workspace`, `harness`, `process` and `log`. `cli` is the command line, shared by `svc runner` and the
//! `svc-runner` binary. The runner holds no rule of the service: what an item or a run may do, the instance
//! decides.

pub mod calls;
pub mod cli;
mod clock;
pub mod directories;
pub mod driver;
pub mod environment;
pub mod failure;
pub mod harness;
pub mod isolation;
mod locking;
pub mod log;
mod plain;
pub mod process;
pub mod room;
pub mod run;
pub mod runner_file;
pub mod secret;
pub mod stop;
pub mod supervisor;
#[cfg(test)]
mod testing;
pub mod update;
mod version;
pub mod watchdog;
mod words;
pub mod workspace;

pub use version::version;
