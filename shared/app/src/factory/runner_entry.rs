//! How a runner gets in: by a secret that belongs to exactly one organization (specification section 5).
//!
//! A secret that was disabled, deleted or rotated does not authenticate.

use svc_domain::identity::{Org, Subject};
use svc_domain::ids::{OrgId, RunnerId};
use svc_domain::refusal::Refusal;
use svc_domain::run::Named;
use svc_domain::runner::{Runner, Sighting};
use svc_storage::{Key, Row, keys};

use super::runners::note_sighting;
use crate::App;
use crate::entry::{Presented, authenticate};
use crate::error::Result;

/// A runner inside its organization, and what was loaded on the way.
#[derive(Debug)]
pub(super) struct RunnerEntry {
    pub(super) org: Org,
    pub(super) runner: Runner,
    pub(super) rows: Vec<Option<Row>>,
}

impl RunnerEntry {
    pub(super) const fn org_id(&self) -> OrgId {
        self.org.id
    }

    pub(super) fn named(&self) -> Named<RunnerId> {
        Named { id: self.runner.id, name: self.runner.name.clone() }
    }
}

/// Enters with a runner secret.
pub(super) async fn enter_runner(
    app: &App,
    presented: Option<&Presented>,
    more: impl FnOnce(OrgId, RunnerId) -> Vec<Key>,
) -> Result<RunnerEntry> {
    let credential = authenticate(app, presented).await?;
    let Subject::Runner { runner: id } = credential.subject else {
        return Err(Refusal::Forbidden("this needs a runner secret").into());
    };
    let org = credential.org.ok_or(Refusal::Unauthenticated)?;
    let mut wanted = vec![keys::org(org), keys::runner(org, id)];
    wanted.extend(more(org, id));
    let mut rows = app.table.get_many(&wanted).await?.into_iter();
    let org: Org = rows.next().flatten().ok_or(Refusal::Unauthenticated)?.read()?;
    let runner: Runner = rows.next().flatten().ok_or(Refusal::Unauthenticated)?.read()?;
    if runner.disabled || presented.is_none_or(|p| p.secret_hash != runner.secret_hash) {
        return Err(Refusal::Unauthenticated.into());
    }
    Ok(RunnerEntry { org, runner, rows: rows.collect() })
}

/// A runner that introduced itself.
#[derive(Clone, Debug)]
pub struct Greeting {
    /// The runner.
    pub runner: Runner,
    /// Its organization.
    pub org: Org,
}

/// A runner introduces itself.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::Forbidden`], [`Refusal::Invalid`].
pub async fn hello(app: &App, presented: Option<&Presented>, sighting: &Sighting) -> Result<Greeting> {
    let entry = enter_runner(app, presented, |_, _| vec![]).await?;
    check(sighting)?;
    note_sighting(app, entry.org_id(), entry.runner.id, sighting).await?;
    Ok(Greeting { runner: entry.runner, org: entry.org })
}

fn check(sighting: &Sighting) -> Result<(), Refusal> {
    if !(1..=16).contains(&sighting.parallel) {
        return Err(Refusal::invalid("parallel", "A runner does 1 to 16 runs at once."));
    }
    for (field, text) in [
        ("machineId", &sighting.machine_id),
        ("label", &sighting.label),
        ("clientVersion", &sighting.client_version),
        ("platform", &sighting.platform),
    ] {
        let bad = |text: &String| text.chars().count() > 200 || text.chars().any(char::is_control);
        if text.as_ref().is_some_and(bad) {
            return Err(Refusal::invalid(field, "Give at most 200 characters on one line."));
        }
    }
    Ok(())
}
