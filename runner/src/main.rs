//! `svc-runner`: the runner without the rest of `svc`, for machines that do nothing else.

use std::process::ExitCode;

use clap::Parser;
use svc_runner::cli::{RunnerCommand, run};

/// Executes runs of the agent factory on this machine
#[derive(Parser)]
#[command(name = "svc-runner", version)]
struct Cli {
    #[command(subcommand)]
    command: RunnerCommand,
}

fn main() -> ExitCode {
    svc_runner::watchdog::serve_if_asked();
    run(Cli::parse().command)
}
