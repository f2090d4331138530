//! The built programs do their work together: on real git repositories, with real processes, over real
//! sockets. `make test` builds the programs first.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

mod budget;
mod cancel;
mod code_host;
mod commands;
mod crash;
mod importing;
mod kills;
mod lost_runner;
mod main_job;
mod network;
mod output;
mod proxies;
mod races;
mod readme;
mod resent;
mod secrets;
mod set_up;
mod shutdown;
mod team;
mod visibility;
