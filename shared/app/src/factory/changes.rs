//! The changes of a run: reported by its runner before the run ends, read by factory operators.
//!
//! There is one blob for each assignment of a run, written as a whole. A repeated report replaces the earlier one.
//! Readers see the report of the last assignment; an ended assignment can no longer report.

use bytes::Bytes;
use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, OrgSlug, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::run::changes::Changes;
use svc_domain::run::machine::{Event, Presenter, step};
use svc_storage::{BlobKey, Retention, StorageError, keys};

use super::loaded::LoadedRun;
use super::runner_entry::enter_at_work;
use super::runs;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;

/// Keeps what an assignment of a run changed.
///
/// # Errors
/// [`Refusal::AssignmentEnded`], [`Refusal::NotFound`]; [`Refusal::Invalid`] for what is too large.
pub async fn report(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    changes: Changes,
) -> Result<()> {
    let (entry, row) = enter_at_work(app, credential, |org, _| keys::run(org, run)).await?;
    let loaded = LoadedRun::of(row.as_ref().ok_or(Refusal::NotFound)?)?;
    let by = Presenter { runner: entry.runner.id, fence };
    step(&loaded.run, Event::Log(by), app.now())?;
    let bytes = serde_json::to_vec(&changes.checked()?).map_err(corrupt)?;
    replace(app, &key(entry.org_id(), run, fence), bytes.into()).await
}

/// What a run changed; nothing where nothing was reported. The short address of a run names no organization.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`] for who sees the item but is no factory operator; [`Refusal::NotFound`].
pub async fn read(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<Changes> {
    let found = runs::find(app, caller, slug, run).await?;
    found.entry.access.require(Capability::SeeFactory)?;
    match app.blobs.get(&key(found.entry.org_id(), run, found.loaded.run.fence)).await {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).map_err(corrupt)?),
        Err(StorageError::NotFound(_)) => Ok(Changes::default()),
        Err(error) => Err(error.into()),
    }
}

/// Writes a blob, over another one where there is one.
async fn replace(app: &App, key: &BlobKey, bytes: Bytes) -> Result<()> {
    match app.blobs.put_once(key, bytes.clone()).await {
        Err(StorageError::AlreadyExists(_)) if app.blobs.get(key).await? == bytes => Ok(()),
        Err(StorageError::AlreadyExists(_)) => {
            app.blobs.delete(key).await?;
            Ok(app.blobs.put_once(key, bytes).await?)
        }
        result => Ok(result?),
    }
}

fn key(org: OrgId, run: RunId, fence: u64) -> BlobKey {
    BlobKey::new(Retention::Result, &format!("{org}/{run}/{fence}/changes"))
}

fn corrupt(error: serde_json::Error) -> StorageError {
    StorageError::Corrupt(format!("what a run changed: {error}"))
}
