//! `svc-load`: measures the performance budgets of the embedded service, as ratios in one run.
//!
//! Owns what is measured, how, and against which target. Rates are compared with those of a bare handler on
//! the same machine in the same minute, so that the machine cancels out. Every part of it is real: the built
//! server on its store, HTTP/1.1 over the loopback, durable commits, the built runner and its processes.

mod attacks;
mod bare;
mod clock;
mod driver;
mod measures;
mod report;
mod seed;

use std::path::Path;
use std::process::ExitCode;

use crate::report::Report;

/// What is measured, in this order.
const MEASURES: [&str; 11] =
    ["rest", "runs", "runners", "mcp", "units", "streams", "writes", "board", "reads", "growth", "cold"];

/// What is measured instead when it comes first: what others notice of attacks.
const ATTACKS: &str = "attacks";

fn main() -> ExitCode {
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    match args.as_slice() {
        [first, file] if first == bare::BARE => serve_bare(Path::new(file)),
        [first, asked @ ..]
            if first == ATTACKS && asked.iter().all(|name| attacks::names().any(|known| known == name)) =>
        {
            attack(asked)
        }
        [first, ..] if first == ATTACKS => {
            let known: Vec<&str> = attacks::names().collect();
            eprintln!(
                "svc-load attacks measures every attack, or those that are named: {}",
                known.join(", ")
            );
            ExitCode::from(2)
        }
        asked if asked.iter().all(|name| MEASURES.contains(&name.as_str())) => bench(asked),
        _ => {
            eprintln!("svc-load measures everything, or what is named: {}", MEASURES.join(", "));
            ExitCode::from(2)
        }
    }
}

/// What others notice of attacks.
#[tokio::main(flavor = "current_thread")]
async fn attack(asked: &[String]) -> ExitCode {
    let mut report = Report::default();
    attacks::attacks(&mut report, asked).await;
    report.print();
    if report.all_within_budget() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The load needs one thread; the other cores are the server's.
#[tokio::main(flavor = "current_thread")]
async fn bench(asked: &[String]) -> ExitCode {
    let report = measure(asked).await;
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

/// Measures what is asked for; everything where nothing is.
async fn measure(asked: &[String]) -> Report {
    let wanted = |names: &[&str]| asked.is_empty() || asked.iter().any(|name| names.contains(&name.as_str()));
    let mut report = Report::default();
    if wanted(&["rest"]) {
        measures::rest(&mut report).await;
    }
    if wanted(&["runs"]) {
        measures::runs(&mut report).await;
    }
    if wanted(&["runners"]) {
        measures::runners(&mut report).await;
    }
    if wanted(&["mcp"]) {
        measures::mcp(&mut report).await;
    }
    if wanted(&["units"]) {
        measures::units(&mut report).await;
    }
    if wanted(&["streams"]) {
        measures::streams(&mut report).await;
    }
    if wanted(&["writes", "board", "reads", "growth", "cold"]) {
        on_a_stage(&mut report, wanted).await;
    }
    report
}

async fn on_a_stage(report: &mut Report, wanted: impl Fn(&[&str]) -> bool) {
    let mut stage = svc_end_to_end::Stage::set(&seed::SETTINGS).await;
    if wanted(&["writes"]) {
        measures::writes(report, &stage).await;
    }
    if wanted(&["board"]) {
        seed::seed(&stage, &[seed::BOARD]).await;
        measures::board(report, &stage).await;
    }
    if wanted(&["growth", "cold"]) {
        seed::seed(&stage, &seed::SIZES).await;
    } else if wanted(&["reads"]) {
        seed::seed(&stage, &seed::SIZES[1..2]).await;
    }
    if wanted(&["reads"]) {
        measures::reads(report, &stage).await;
    }
    if wanted(&["growth"]) {
        measures::growth(report, &stage).await;
    }
    if wanted(&["cold"]) {
        measures::cold(report, &mut stage).await;
    }
}
