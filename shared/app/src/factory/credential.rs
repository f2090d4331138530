//! Credentials for the repository of a run at the code host (specification section 2.4).
//!
//! A credential is minted for one repository and handed to the runner that holds the run, as often as it asks:
//! the host lets each end after an hour, and a run may take longer. It is neither stored nor logged, and no other
//! call answers it.
//!
//! A run is not lost because the host is away. A taken run is handed over without a credential then, and its
//! runner asks again for as long as it is patient, with the run alive, visible and cancellable; then, or when the
//! host refuses for good, the runner ends the run as `workspace-failed` and says why (section 7). It is not given
//! back: it would be taken at once, again and again, by runners that have other runs to do.

use std::time::Duration;

use svc_domain::code_host::Connection;
use svc_domain::ids::{OrgId, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::run::Run;
use svc_domain::run::machine::{Event, Presenter, step};
use svc_storage::keys;

use super::code_host::{NO_HOST, NOT_CONNECTED, failed};
use super::loaded::LoadedRun;
use super::runner_entry::enter_at_work;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::{Error, Result};
use crate::ports::RepositoryCredential;

/// How long the handing over of a run waits for the host.
const PATIENCE: Duration = Duration::from_secs(5);

/// The repository of a run at the code host.
#[derive(Clone, Debug)]
pub struct HostedRun {
    /// The address to clone from.
    pub clone_address: String,
    /// What opens it; `None` where the host does not answer or refuses, which the runner hears when it asks.
    pub credential: Option<RepositoryCredential>,
}

/// The repository of a run that is handed over; `None` for one that is not at the code host, or where there is
/// none any more.
pub(super) async fn handed_over(app: &App, org: OrgId, run: &Run) -> Result<Option<HostedRun>> {
    let (Some(host), Some(repository)) = (&app.code_host, &run.repository.name) else { return Ok(None) };
    let credential = match tokio::time::timeout(PATIENCE, mint(app, org, run)).await {
        Ok(Ok(credential)) => Some(credential),
        Ok(Err(Error::Refused(refusal))) => {
            tracing::info!(run = %run.id, %refusal, "handed over without a credential");
            None
        }
        Ok(Err(error)) => return Err(error),
        Err(_) => None,
    };
    Ok(Some(HostedRun { clone_address: host.clone_address(repository), credential }))
}

/// A new credential for the repository of a run, for the runner that holds it.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::AssignmentEnded`]; [`Refusal::Conflict`] for a run without a repository at the
/// code host, and where the host refuses; [`Refusal::CodeHostAway`].
pub async fn credential(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
) -> Result<RepositoryCredential> {
    let (entry, row) = enter_at_work(app, credential, |org, _| keys::run(org, run)).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let held = LoadedRun::of(&row)?.run;
    let by = Presenter { runner: entry.runner.id, fence };
    step(&held, Event::Heartbeat(by), app.now())?;
    // The runner of a cancelled run may still speak, and has nothing left to push.
    if held.ended().is_some() {
        return Err(Refusal::AssignmentEnded.into());
    }
    mint(app, entry.org_id(), &held).await
}

async fn mint(app: &App, org: OrgId, run: &Run) -> Result<RepositoryCredential> {
    let repository = run.repository.name.as_ref().ok_or(NOT_HOSTED)?;
    let host = app.code_host.as_ref().ok_or(NO_HOST)?;
    let row = app.table.find(&keys::code_host(org)).await?.ok_or(NOT_CONNECTED)?;
    let connection: Connection = row.read()?;
    Ok(host.credential(connection.installation, repository, app.now()).await.map_err(failed)?)
}

const NOT_HOSTED: Refusal =
    Refusal::Conflict("the run's repository is a clone on its runner and needs no credential");
