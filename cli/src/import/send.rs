//! Sends batches of records, and goes on after a network that was cut off: what came is not brought again.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use svc_api::records::{ImportRecords, Imported};
use svc_client::{Error, Org};
use svc_import::{Batch, Report};

use crate::failure::Failure;
use crate::output::{Output, Progress, wire};

/// How long to wait for an instance that cannot be reached, in seconds, before each further attempt.
const PAUSES: [u64; 8] = [1, 2, 5, 10, 20, 30, 60, 60];

/// What came so far.
#[derive(Debug, Default)]
pub(crate) struct Came {
    pub(crate) created: u64,
    pub(crate) changed: u64,
    pub(crate) unchanged: u64,
    /// The keys of the items that were asked for, by their ids.
    pub(crate) keys: HashMap<String, String>,
}

/// Sends records to a project.
pub(crate) struct Sender<'a> {
    org: Org<'a>,
    project: &'a str,
    source: String,
    /// Ids of the items whose keys are wanted.
    wanted: HashSet<String>,
    output: &'a Output,
    progress: Progress,
    pub(crate) came: Came,
}

impl<'a> Sender<'a> {
    /// Nothing is sent yet; `records` will be.
    pub(crate) fn new(
        org: Org<'a>,
        project: &'a str,
        source: String,
        wanted: HashSet<String>,
        output: &'a Output,
        records: u64,
    ) -> Self {
        let progress = Progress::new("importing", records, output);
        Self { org, project, source, wanted, output, progress, came: Came::default() }
    }

    /// Sends a batch.
    ///
    /// # Errors
    /// The instance refuses it, or stays away.
    pub(crate) async fn send(&mut self, batch: Batch, report: &mut Report) -> Result<(), Failure> {
        batch.misses.into_iter().try_for_each(|miss| report.add(miss))?;
        let records = ImportRecords { source: self.source.clone(), dry_run: false, records: batch.records };
        let imported = self.sent(&records).await?;
        self.progress.advance(batch.count);
        self.came.created += imported.created;
        self.came.changed += imported.changed;
        self.came.unchanged += imported.unchanged;
        let keys = imported.items.into_iter().filter(|item| self.wanted.contains(&item.id));
        self.came.keys.extend(keys.map(|item| (item.id, item.key)));
        for skipped in imported.skipped {
            report.miss(&wire(&skipped.kind), &skipped.id, &skipped.reason)?;
        }
        Ok(())
    }

    async fn sent(&self, batch: &ImportRecords) -> Result<Imported, Failure> {
        let mut pauses = PAUSES.iter();
        loop {
            let error = match self.org.import_records(self.project, batch).await {
                Ok(imported) => return Ok(imported),
                Err(error) => error,
            };
            let passes = match &error {
                Error::Network(_) => true,
                error => error.status().is_some_and(|status| status == 429 || status >= 500),
            };
            let Some(pause) = pauses.next().filter(|_| passes) else {
                let failure = Failure::from(error);
                let hint =
                    "run the same command again: it goes on where this one stopped, and brings nothing twice";
                return Err(if passes { failure.hint(hint) } else { failure });
            };
            self.output.say(&format!("the instance cannot be reached; trying again in {pause} s"));
            tokio::time::sleep(Duration::from_secs(*pause)).await;
        }
    }
}
