//! `svc-server check`: what the consistency checker tells, for people and for scripts.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use svc_app::check::{self, Finding, Report};
use svc_boot::open_to_read;

use crate::args::{Args, CheckArgs};
use crate::existing::{self, UNREADABLE};
use crate::failure::Failure;

/// Something contradicts something.
const FINDINGS: u8 = 1;

/// Checks the store and prints what came of it.
pub async fn check(args: &Args, how: CheckArgs) -> ExitCode {
    let checked = async {
        let report = checked(args, how).await?;
        let mut out = io::stdout().lock();
        if how.json { json(&mut out, &report) } else { text(&mut out, &report) }?;
        Ok::<_, Failure>(report.is_clean())
    };
    match checked.await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FINDINGS),
        Err(failure) => {
            eprintln!("svc-server: {failure:#}");
            ExitCode::from(UNREADABLE)
        }
    }
}

async fn checked(args: &Args, how: CheckArgs) -> Result<Report, Failure> {
    let opened = open_to_read(&existing::config(args)?).await?;
    let report = check::run(&opened.app, how.patience.map(Duration::from_secs)).await;
    opened.close().await;
    Ok(report?)
}

fn json(out: &mut impl Write, report: &Report) -> io::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    writeln!(out)
}

fn text(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let contradictions: Vec<_> = report.findings.iter().collect();
    section(out, "Contradictions", &contradictions, report.more_findings)?;
    let (given_up, waiting): (Vec<_>, Vec<_>) = report.waiting.iter().partition(|found| found.is_given_up());
    section(out, "Waiting for a worker", &waiting, report.more_waiting)?;
    section(out, "Given up by workers", &given_up, 0)?;
    let found = report.findings.len() as u64 + report.more_findings;
    let waiting = waiting.len() as u64 + report.more_waiting;
    let Report { rows, blobs, restless, .. } = report;
    writeln!(out, "{rows} rows of {} kinds and {blobs} blobs were read.", report.kinds.len())?;
    match found {
        0 => writeln!(out, "The data is consistent.")?,
        found => writeln!(out, "{found} contradictions.")?,
    }
    match waiting {
        0 => {}
        1 => writeln!(out, "1 waits for a worker; a running server handles it.")?,
        waiting => writeln!(out, "{waiting} wait for a worker; a running server handles them.")?,
    }
    match given_up.len() {
        0 => {}
        1 => writeln!(out, "1 message failed for good. Fix the cause, then run `svc-server replay`.")?,
        count => {
            writeln!(out, "{count} messages failed for good. Fix the cause, then run `svc-server replay`.")?
        }
    }
    if *restless > 0 {
        writeln!(
            out,
            "{restless} kept changing and were not checked; check again when the store is less busy."
        )?;
    }
    Ok(())
}

fn section(out: &mut impl Write, title: &str, findings: &[&Finding], more: u64) -> io::Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}:")?;
    for Finding { row, problem, .. } in findings {
        writeln!(out, "  {row}\n    {problem}")?;
    }
    if more > 0 {
        writeln!(out, "  and {more} more")?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::{Finding, Report, json, text};

    fn report() -> Report {
        let finding = |row: &str, problem: &str| Finding {
            row: row.into(),
            kind: "TEAM#<team>".into(),
            problem: problem.into(),
        };
        Report {
            rows: 3,
            kinds: [("TEAM#<team>".into(), 3)].into(),
            findings: vec![finding("TEAM#1", "there is no claim of its key")],
            more_findings: 2,
            waiting: vec![finding("TEAM#2", "the message was not sent")],
            ..Report::default()
        }
    }

    fn written(write: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn people_read_what_is_wrong_and_how_much_was_read() {
        assert_eq!(
            written(|out| text(out, &report())),
            "Contradictions:\n  TEAM#1\n    there is no claim of its key\n  and 2 more\n\n\
             Waiting for a worker:\n  TEAM#2\n    the message was not sent\n\n\
             3 rows of 1 kinds and 0 blobs were read.\n3 contradictions.\n\
             1 waits for a worker; a running server handles it.\n"
        );
        let mut report = Report::default();
        for n in 1..=2 {
            let row = format!("DEADLETTERS 000000000000007#{n}");
            let problem = "workers gave a message up after 1 attempt (no mail); fix the cause".to_owned();
            report.waiting.push(Finding { row, kind: "DEADLETTERS <time>#<id>".into(), problem });
        }
        let given_up = written(|out| text(out, &report));
        assert!(
            given_up.starts_with("Given up by workers:\n  DEADLETTERS 000000000000007#1\n    workers gave")
        );
        assert!(
            given_up.ends_with("2 messages failed for good. Fix the cause, then run `svc-server replay`.\n"),
            "{given_up}"
        );
        assert!(!given_up.contains('<') && !given_up.contains("wait"), "{given_up}");
        let clean = written(|out| text(out, &Report::default()));
        assert!(clean.ends_with("The data is consistent.\n"), "{clean}");
    }

    #[test]
    fn scripts_read_one_object() {
        let text = written(|out| json(out, &report()));
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["findings"][0]["row"], "TEAM#1");
        assert_eq!((&read["rows"], &read["moreFindings"]), (&3.into(), &2.into()));
    }
}
