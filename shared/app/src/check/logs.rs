//! Looks over the logs of runs alone, the newest first, for those who do not wait for a whole check.

use std::collections::VecDeque;
use std::time::Duration;

use svc_domain::ids::{OrgId, RunId};
use svc_storage::{Key, Query, Range, keys};
use tokio::time::timeout;

use super::report::{Finding, Report};
use super::walk::check_rows;
use crate::App;
use crate::error::Result;

/// Runs whose logs are read together.
const RUNS: usize = 20;

/// What came of a look over the logs of runs.
#[derive(Debug, Default)]
pub struct Logs {
    /// How many logs were read.
    pub read: u64,
    /// Whether these are all.
    pub all: bool,
    /// What they lack, a thousand at most.
    pub lost: Vec<String>,
}

/// Reads the logs of runs for this long, of each organization the newest first.
///
/// # Errors
/// When the store cannot be read.
pub async fn logs(app: &App, within: Duration) -> Result<Logs> {
    let mut report = Report::default();
    let all = match timeout(within, look(app, &mut report)).await {
        Ok(looked) => looked.map(|()| true)?,
        Err(_) => false,
    };
    let lost = report.findings.into_iter().map(|Finding { problem, .. }| problem).collect();
    Ok(Logs { read: report.rows, all, lost })
}

async fn look(app: &App, report: &mut Report) -> Result<()> {
    let mut open = VecDeque::new();
    for row in app.table.query_all(Query::new(keys::ORGS_PK, Range::All, 1_000)).await? {
        if let Ok(org) = row.key.sk.parse::<OrgId>() {
            open.push_back((org, Query::new(keys::runs_pk(org), Range::All, RUNS).descending()));
        }
    }
    while let Some((org, mut query)) = open.pop_front() {
        let page = app.table.query(&query).await?;
        let runs = page.rows.iter().filter_map(|row| row.key.sk.parse::<RunId>().ok());
        let wanted: Vec<Key> = runs.map(|run| keys::run_log(org, run).into()).collect();
        let rows: Vec<_> = app.table.get_many(&wanted).await?.into_iter().flatten().collect();
        let read = rows.len() as u64;
        check_rows(app, rows, report).await?;
        report.rows += read;
        query.cursor = page.cursor;
        if query.cursor.is_some() {
            open.push_back((org, query));
        }
    }
    Ok(())
}
