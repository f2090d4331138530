//! A loaded run, on which a step is decided.

use svc_domain::ids::{OrgId, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::run::{Run, UsedSoFar};
use svc_storage::{Row, RowOf, keys};

use super::live::LiveEntry;
use crate::App;
use crate::error::Result;

/// A run as loaded.
#[derive(Clone, Debug)]
pub(super) struct LoadedRun {
    pub(super) run: Run,
    pub(super) version: u64,
    /// Its live row, where that was read with it.
    live: Option<Row>,
}

/// What the last sign of life of a run said it has used, and the row that says so.
pub(super) struct LastSign {
    pub(super) row: Row,
    pub(super) used: UsedSoFar,
}

impl LoadedRun {
    pub(super) fn of(row: &RowOf<Run>) -> Result<Self> {
        Ok(Self::at(row.read()?, row.version))
    }

    pub(super) const fn at(run: Run, version: u64) -> Self {
        Self { run, version, live: None }
    }

    /// The same with the live row that was read with it.
    pub(super) fn with_live(self, live: Option<Row>) -> Self {
        Self { live, ..self }
    }

    pub(super) async fn load(app: &App, org: OrgId, run: RunId) -> Result<Self> {
        Self::of(&app.table.find(&keys::run(org, run)).await?.ok_or(Refusal::NotFound)?)
    }

    /// The last sign of life of a run that is at work before this step: what it has used stays used.
    pub(super) async fn last_sign(&self, app: &App, org: OrgId) -> Result<Option<LastSign>> {
        if self.run.ended().is_some() || self.run.hold().is_none() {
            return Ok(None);
        }
        let row = match &self.live {
            Some(row) => Some(row.clone()),
            None => app.table.get(&keys::live_run(org, self.run.id)).await?,
        };
        let sign = row.map(|row| Ok(LastSign { used: row.read::<LiveEntry>()?.used, row }));
        sign.transpose()
    }
}
