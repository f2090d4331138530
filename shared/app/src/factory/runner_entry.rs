//! Authenticates a runner by its secret, which belongs to exactly one organization (specification section 5).
//!
//! A secret that was disabled, deleted or rotated does not authenticate.

use svc_domain::identity::{Org, Subject};
use svc_domain::ids::{OrgId, RunnerId};
use svc_domain::refusal::Refusal;
use svc_domain::run::Named;
use svc_domain::runner::{Runner, RunnerStatus};
use svc_storage::{Key, keys};

use super::runners::note_status;
use crate::App;
use crate::entry::{BearerCredential, authenticate};
use crate::error::{Error, Result};
use crate::identity::org_deletion::refused_without;
use crate::wanted::Wanted;

/// A runner inside its organization.
#[derive(Debug)]
pub(super) struct RunnerEntry {
    pub(super) org: Org,
    pub(super) runner: Runner,
}

impl RunnerEntry {
    pub(super) const fn org_id(&self) -> OrgId {
        self.org.id
    }

    pub(super) fn named(&self) -> Named<RunnerId> {
        Named { id: self.runner.id, name: self.runner.name.clone() }
    }
}

/// Enters with a runner secret, and loads rows on the way.
pub(super) async fn enter_runner<W: Wanted>(
    app: &App,
    bearer: Option<&BearerCredential>,
    wanted: impl FnOnce(OrgId, RunnerId) -> W,
) -> Result<(RunnerEntry, W::Rows)> {
    let credential = authenticate(app, bearer).await?;
    let Subject::Runner { runner: id } = credential.subject else {
        return Err(Refusal::Forbidden("this needs a runner secret").into());
    };
    let org = credential.org.ok_or(Refusal::Unauthenticated)?;
    let wanted = wanted(org, id);
    let mut keys: Vec<Key> = vec![keys::org(org).into(), keys::runner(org, id).into()];
    wanted.name(&mut keys);
    let mut rows = app.table.get_many(&keys).await?.into_iter();
    let org_row = rows.next().flatten();
    let runner: Runner = rows.next().flatten().ok_or(Refusal::Unauthenticated)?.read()?;
    if runner.disabled || bearer.is_none_or(|bearer| bearer.secret_hash != runner.secret_hash) {
        return Err(Refusal::Unauthenticated.into());
    }
    let Some(org_row) = org_row else {
        return Err(refused_without(app, org, Refusal::Unauthenticated).await?.into());
    };
    Ok((RunnerEntry { org: org_row.read()?, runner }, wanted.take(&mut rows)))
}

/// Enters with a runner secret for a run that the runner holds. In an organization that was deleted the assignment is
/// over: that is what runners of every version stop at.
pub(super) async fn enter_at_work<W: Wanted>(
    app: &App,
    bearer: Option<&BearerCredential>,
    wanted: impl FnOnce(OrgId, RunnerId) -> W,
) -> Result<(RunnerEntry, W::Rows)> {
    match enter_runner(app, bearer, wanted).await {
        Err(Error::Refused(Refusal::Deleted { .. })) => Err(Refusal::AssignmentEnded.into()),
        entered => entered,
    }
}

/// A runner that introduced itself.
#[derive(Clone, Debug)]
pub struct Greeting {
    /// The runner.
    pub runner: Runner,
    /// Its organization.
    pub org: Org,
}

/// A runner introduces itself. One that `only_asks` whether its secret works stays what it was.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::Forbidden`], [`Refusal::Invalid`].
pub async fn hello(
    app: &App,
    bearer: Option<&BearerCredential>,
    status: &RunnerStatus,
    only_asks: bool,
) -> Result<Greeting> {
    let (entry, ()) = enter_runner(app, bearer, |_, _| ()).await?;
    check(status)?;
    if !only_asks {
        note_status(app, entry.org_id(), entry.runner.id, status).await?;
    }
    Ok(Greeting { runner: entry.runner, org: entry.org })
}

fn check(status: &RunnerStatus) -> Result<(), Refusal> {
    if !(1..=16).contains(&status.parallel) {
        return Err(Refusal::invalid("parallel", "A runner can execute 1 to 16 runs at once."));
    }
    for (field, text) in [
        ("machineId", &status.machine_id),
        ("label", &status.label),
        ("clientVersion", &status.client_version),
        ("platform", &status.platform),
    ] {
        let bad = |text: &String| text.chars().count() > 200 || text.chars().any(char::is_control);
        if text.as_ref().is_some_and(bad) {
            return Err(Refusal::invalid(field, "Give at most 200 characters on one line."));
        }
    }
    Ok(())
}
