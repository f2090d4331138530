//! The `svc-server` program.

use std::process::ExitCode;

use clap::Parser as _;
use svc_local::args::{Args, Command};

/// A request is many small allocations: this allocator does them in three quarters of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    small_pages();
    freed_memory_goes_back();
    run()
}

/// Memory that is freed goes back to the system at once: 18 MB less at rest, and what a busy moment took is not
/// kept. Requests take no more of a processor for it. `MIMALLOC_PURGE_DELAY` in the environment, in milliseconds,
/// wins.
#[expect(unsafe_code, reason = "the allocator has no other way to set an option")]
fn freed_memory_goes_back() {
    /// The number of `mi_option_purge_delay`, which the bindings leave out.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: it sets a number that the allocator reads, before there is another thread.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, 0) };
}

/// The system backs memory with pages of 2 MB where it can, each resident as a whole once a byte of it is used:
/// 8 MB more at rest. Requests are no faster for it.
#[cfg(target_os = "linux")]
fn small_pages() {
    // Where the system refuses, the server only takes more memory.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

#[cfg(not(target_os = "linux"))]
const fn small_pages() {}

#[tokio::main]
async fn run() -> ExitCode {
    let args = Args::parse();
    let done = match args.command.clone() {
        Some(Command::Check(how)) => return svc_local::check(&args, how).await,
        Some(Command::Doctor) => return svc_local::doctor(&args).await,
        Some(Command::MailTest { address }) => svc_local::mail_test(&args, &address).await,
        Some(Command::Replay) => svc_local::replay(&args).await,
        Some(Command::Reindex) => svc_local::reindex(&args).await,
        Some(Command::PasswordLink { email }) => svc_local::password_link(&args, &email).await,
        Some(Command::Plan { organization, plan }) => svc_local::set_plan(&args, &organization, plan).await,
        Some(Command::Admin { command }) => svc_local::admin(&args, command).await,
        Some(Command::Healthcheck) => svc_local::healthcheck(args.listen),
        Some(Command::Backup { to, keep }) => svc_local::backup(&args, &to, keep.as_ref()),
        Some(Command::Export { to, verify }) => svc_local::export(&args, &to, verify).await,
        Some(Command::Import { from, verify }) => svc_local::import(&args, &from, verify).await,
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
