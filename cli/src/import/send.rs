//! Sends records in batches, each after what it names, and goes on after a network that was cut off: what came is not
//! brought again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use svc_api::records::{ImportRecords, Imported, MAX_RECORDS, PersonRecord, Record, RecordKind};
use svc_client::{Error, Org};

use super::report::Report;
use crate::failure::Failure;
use crate::output::{Output, Progress, wire};

/// Bytes of a request at most, below the service's limit of two mebibytes.
const MOST_BYTES: usize = 1_500_000;
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
    pub(crate) org: Org<'a>,
    pub(crate) project: &'a str,
    pub(crate) source: &'a str,
    pub(crate) people: &'a BTreeMap<String, PersonRecord>,
    /// Ids of the items whose keys are wanted.
    pub(crate) wanted: HashSet<String>,
    pub(crate) output: &'a Output,
    pub(crate) progress: Progress,
    batch: Batch,
    came: Came,
}

#[derive(Default)]
struct Batch {
    people: BTreeMap<String, PersonRecord>,
    records: Vec<Record>,
    bytes: usize,
}

impl<'a> Sender<'a> {
    /// Nothing is sent yet; `records` will be.
    pub(crate) fn new(
        org: Org<'a>,
        project: &'a str,
        source: &'a str,
        people: &'a BTreeMap<String, PersonRecord>,
        output: &'a Output,
        records: u64,
    ) -> Self {
        let progress = Progress::new("importing", records, output);
        let (batch, came) = (Batch::default(), Came::default());
        Self { org, project, source, people, wanted: HashSet::new(), output, progress, batch, came }
    }

    /// Sends a record, when enough are together.
    ///
    /// # Errors
    /// The instance refuses them, or stays away.
    pub(crate) async fn push(&mut self, record: Record, report: &mut Report) -> Result<(), Failure> {
        let named: Vec<PersonRecord> = match &record {
            Record::Item(item) => [&item.assignee, &item.author].into_iter().flatten(),
            Record::Comment(comment) => [&comment.author, &None].into_iter().flatten(),
            _ => [&None, &None].into_iter().flatten(),
        }
        .filter_map(|id| self.people.get(id).cloned())
        .collect();
        let bytes = serde_json::to_vec(&record).map_err(std::io::Error::from)?.len() + 200 * named.len();
        let count = self.batch.records.len() + self.batch.people.len() + named.len() + 1;
        if count > MAX_RECORDS || self.batch.bytes + bytes > MOST_BYTES {
            self.flush(report).await?;
        }
        self.batch.people.extend(named.into_iter().map(|person| (person.id.clone(), person)));
        self.batch.records.push(record);
        self.batch.bytes += bytes;
        Ok(())
    }

    /// Sends what is together.
    ///
    /// # Errors
    /// The instance refuses it, or stays away.
    pub(crate) async fn flush(&mut self, report: &mut Report) -> Result<(), Failure> {
        let Batch { people, records, .. } = std::mem::take(&mut self.batch);
        if records.is_empty() {
            return Ok(());
        }
        let count = records.len() as u64;
        let people = people.into_values().map(Record::Person);
        let source = self.source.to_owned();
        let batch = ImportRecords { source, dry_run: false, records: people.chain(records).collect() };
        let imported = self.sent(&batch).await?;
        self.progress.advance(count);
        self.came.created += imported.created;
        self.came.changed += imported.changed;
        self.came.unchanged += imported.unchanged;
        let keys = imported.items.into_iter().filter(|item| self.wanted.contains(&item.id));
        self.came.keys.extend(keys.map(|item| (item.id, item.key)));
        for skipped in imported.skipped {
            report.miss(&kind(skipped.kind), &skipped.id, &skipped.reason)?;
        }
        Ok(())
    }

    /// Sends the rest, and answers what came.
    ///
    /// # Errors
    /// The instance refuses it, or stays away.
    pub(crate) async fn finish(mut self, report: &mut Report) -> Result<Came, Failure> {
        self.flush(report).await?;
        Ok(self.came)
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

fn kind(kind: RecordKind) -> String {
    wire(&kind)
}
