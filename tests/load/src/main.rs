//! `svc-load`: measures the performance budgets of the embedded service, as ratios in one run.
//!
//! Owns what is measured, how, and against which target. Rates are compared with those of a bare handler on
//! the same machine in the same minute, so that the machine cancels out. Every part of it is real: the built
//! server on its store, HTTP/1.1 over the loopback, durable commits, the built runner and its processes.

mod bare;
mod clock;
mod driver;
mod measures;
mod report;
mod seed;

use std::path::Path;
use std::process::ExitCode;

use crate::report::Report;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match (args.next(), args.next()) {
        (None, None) => bench(),
        (Some(first), Some(file)) if first == bare::BARE => serve_bare(Path::new(&file)),
        _ => {
            eprintln!("svc-load takes no arguments; scripts/bench builds what it measures and runs it");
            ExitCode::from(2)
        }
    }
}

/// The load needs one thread; the other cores are the server's.
#[tokio::main(flavor = "current_thread")]
async fn bench() -> ExitCode {
    let report = measure().await;
    report.print();
    if report.all_within_budget() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A runtime like the server's.
#[tokio::main]
async fn serve_bare(file: &Path) -> ExitCode {
    match bare::serve(file).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the bare server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure() -> Report {
    let mut report = Report::default();
    measures::rest(&mut report).await;
    measures::runs(&mut report).await;
    measures::units(&mut report).await;
    let mut stage = svc_end_to_end::Stage::set(&[]).await;
    measures::writes(&mut report, &stage).await;
    seed::seed(&stage).await;
    measures::reads(&mut report, &stage).await;
    measures::growth(&mut report, &stage).await;
    measures::cold(&mut report, &mut stage).await;
    report
}
