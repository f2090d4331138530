//! The `svc-server` program.

use std::process::ExitCode;

use clap::Parser as _;
use svc_local::args::{Args, Command};

/// A request is many small allocations: this allocator does them in three quarters of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Some(Command::Check(how)) => return svc_local::check(&args, how).await,
        Some(Command::Reindex) => svc_local::reindex(&args).await,
        None => svc_local::serve(args).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("svc-server: {failure:#}");
            ExitCode::FAILURE
        }
    }
}
