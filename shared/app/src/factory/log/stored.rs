//! How the log of a run is stored: batches of entries, each a blob that is named by the number of its first entry.

use serde::de::IgnoredAny;
use svc_domain::identity::Plan;
use svc_domain::ids::{OrgId, RunId};
use svc_storage::{BlobKey, Retention, keys};

use crate::App;
use crate::error::Result;

/// What is stored of a run's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredLog {
    /// Its batches, in order.
    pub(crate) batches: Vec<StoredBatch>,
    /// For how many days batches are kept on every plan: older ones may have been swept on an earlier plan.
    pub(crate) days_kept: u32,
}

/// A batch as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredBatch {
    /// Number of its first entry.
    pub(crate) first: u64,
    /// How many entries it has; `None` where it cannot be read.
    pub(crate) lines: Option<u64>,
}

/// What is stored of a run's log, for those who check whether all of it is there.
///
/// # Errors
/// Those of storage when it lists; a batch that cannot be read is told of.
pub(crate) async fn stored_log(app: &App, org: OrgId, run: RunId) -> Result<StoredLog> {
    let mut batches: Vec<StoredBatch> = Vec::new();
    loop {
        let after = batches.last().map_or(0, |batch| batch.first);
        let firsts = firsts_after(app, org, run, after).await?;
        if firsts.is_empty() {
            let plans = Plan::ALL.iter().copied().map(Some).chain([None]);
            let days_kept = plans.map(|plan| app.settings.run_log_days(plan)).min().unwrap_or_default();
            return Ok(StoredLog { batches, days_kept });
        }
        for first in firsts {
            let bytes = app.blobs.get(&batch_key(org, run, first)).await.ok();
            let lines = bytes.and_then(|bytes| serde_json::from_slice::<Vec<IgnoredAny>>(&bytes).ok());
            batches.push(StoredBatch { first, lines: lines.map(|lines| lines.len() as u64) });
        }
    }
}

/// Numbers of the first entries of batches that begin after a number, in order; up to 1,000.
pub(super) async fn firsts_after(app: &App, org: OrgId, run: RunId, seq: u64) -> Result<Vec<u64>> {
    let after = batch_key(org, run, seq);
    let listed = app.blobs.list(Retention::Log, &batch_prefix(org, run), Some(&after)).await?;
    Ok(listed.iter().filter_map(|blob| blob.key.as_str().rsplit('/').next()?.parse().ok()).collect())
}

fn batch_prefix(org: OrgId, run: RunId) -> String {
    format!("{org}/{run}/")
}

/// Where the batch lies that begins with an entry.
pub(super) fn batch_key(org: OrgId, run: RunId, first_seq: u64) -> BlobKey {
    BlobKey::new(Retention::Log, &format!("{}{first_seq:012}", batch_prefix(org, run)))
}

/// Days that an organization's logs are kept; of one that is gone, as the instance says.
pub(super) async fn days_kept(app: &App, org: Option<OrgId>) -> Result<u32> {
    let row = match org {
        Some(org) => app.table.find(&keys::org(org)).await?,
        None => None,
    };
    let plan = row.map(|row| row.read()).transpose()?.and_then(|org| org.plan);
    Ok(app.settings.run_log_days(plan))
}
