//! The administrators' side of runners: list, create, change, rotate, delete.
//!
//! A secret is shown once, when it is made, and stored only as the name of its credential's row. Disabling,
//! rotating and deleting make the old secret worthless in the same commit.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::event::RunnerEvent;
use svc_domain::identity::{Credential, Subject};
use svc_domain::ids::{ActorId, OrgId, RunnerId};
use svc_domain::refusal::Refusal;
use svc_domain::run::waiting::Candidate;
use svc_domain::runner::{Runner, RunnerStatus, is_online};
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::live::LiveEntry;
use super::naming;
use crate::App;
use crate::entry::{Caller, Entry, enter_org, enter_org_with};
use crate::error::{Error, Result, is_conflict};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;
use crate::wanted;

/// A runner, what was last heard of it, and its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerView {
    /// The runner.
    pub runner: Runner,
    /// Its version.
    pub version: u64,
    /// What it said of itself, if it ever did.
    pub status: Option<RunnerStatus>,
    /// When it was last heard of.
    pub last_heard: Option<Timestamp>,
    /// Whether that was within the last minute, and it did not say that it stops.
    pub online: bool,
    /// How many runs it has now.
    pub at_work: usize,
}

/// A wanted change of a runner; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct RunnerEdit {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// Disables or enables it.
    pub disabled: Option<bool>,
}

/// The organization's runners, oldest first.
///
/// # Errors
/// What [`Capability::SeeFactory`] refuses.
pub async fn list(app: &App, caller: Caller<'_>) -> Result<Vec<RunnerView>> {
    let entry = enter_org(app, caller, Capability::SeeFactory).await?;
    all(app, entry.org_id()).await
}

/// Every runner of an organization. A runner that works on runs is heard of by their heartbeats.
pub(crate) async fn all(app: &App, org: OrgId) -> Result<Vec<RunnerView>> {
    let query =
        |pk, prefix: &str| app.table.query_all(Query::new(pk, Range::Prefix(prefix.to_owned()), 1_000));
    let live_query = app.table.query_all(Query::new(keys::live_pk(org), Range::All, 1_000));
    let (runners, seen, live) = futures::try_join!(
        query(keys::org_pk(org), keys::RUNNER_PREFIX),
        query(keys::org_pk(org), keys::SEEN_PREFIX),
        live_query,
    )?;
    let mut statuses = BTreeMap::new();
    for row in &seen {
        let id = row.key.sk.trim_start_matches(keys::SEEN_PREFIX).to_owned();
        statuses.insert(id, row.read::<RunnerStatus>()?);
    }
    let live = live.iter().map(Row::read).collect::<Result<Vec<LiveEntry>, _>>()?;
    runners
        .iter()
        .map(|row| {
            let runner: Runner = row.read()?;
            let status = statuses.remove(&runner.id.to_string());
            let held = || live.iter().filter(|entry| entry.runner == runner.id);
            let beats = || held().map(|entry| entry.heartbeat_at);
            let last_heard = beats().chain(status.iter().map(|s| s.at)).max();
            let last_there = beats().chain(status.iter().filter_map(RunnerStatus::last_there)).max();
            let online = !runner.disabled && is_online(last_there, app.now());
            let at_work = held().count();
            Ok(RunnerView { runner, version: row.version, status, last_heard, online, at_work })
        })
        .collect()
}

/// The runners as far as waiting for them is concerned.
pub(super) async fn candidates(app: &App, org: OrgId) -> Result<Vec<Candidate>> {
    let candidate = |view: RunnerView| Candidate {
        id: view.runner.id,
        name: view.runner.name,
        disabled: view.runner.disabled,
        online: view.online,
        // A runner that never said how many it does at once does one.
        has_room: view.at_work < view.status.as_ref().map_or(1, |status| status.parallel.max(1) as usize),
        disk_full: view.status.as_ref().is_some_and(|status| status.disk_full),
        harnesses: view.status.map(|status| status.harnesses).unwrap_or_default(),
    };
    Ok(all(app, org).await?.into_iter().map(candidate).collect())
}

/// Creates a runner; answers it and its secret, which nobody sees again.
///
/// # Errors
/// [`Refusal::AlreadyExists`] for a taken name; what [`Capability::AdministerOrg`] refuses.
pub async fn create(app: &App, caller: Caller<'_>, name: &str) -> Result<(RunnerView, String)> {
    let entry = enter_org(app, caller, Capability::AdministerOrg).await?;
    naming::check(name)?;
    let turn = app.row_locks.of_runners(entry.org_id());
    let _turn = turn.lock().await;
    if all(app, entry.org_id()).await?.len() >= app.settings.limits.runners_per_organization as usize {
        let many = "the organization has as many runners as it may; delete one first";
        return Err(Refusal::Conflict(many).into());
    }
    let secret = secrets::mint(app, SecretKind::Runner);
    let runner = Runner {
        id: RunnerId(app.uuid()),
        name: name.to_owned(),
        disabled: false,
        secret_hash: secrets::hash(&secret),
        created_at: app.now(),
        created_by: match entry.actor().id {
            ActorId::User(user) => Some(user),
            ActorId::Agent(_) => None,
        },
    };
    let org = entry.org_id();
    let unique = keys::org_name(org, "runner", name);
    let ops = vec![
        Op::create(keys::runner(org, runner.id), &runner),
        Op::create(unique.clone(), &runner.id),
        credential(org, &runner),
    ];
    let registered = RunnerEvent::Registered(runner.id, runner.name.clone());
    let transaction = Transaction::of(app, &entry).with(ops).telling(registered);
    app.commit(transaction).await.map_err(|error| naming::taken(error, &unique, "a runner of this name"))?;
    Ok((unseen(runner, 1), secret))
}

/// Changes a runner.
///
/// # Errors
/// As [`create`]; [`Refusal::NotFound`], [`Refusal::StaleVersion`].
pub async fn update(app: &App, caller: Caller<'_>, id: RunnerId, edit: &RunnerEdit) -> Result<RunnerView> {
    let (entry, row) = enter(app, caller, id).await?;
    let mut runner: Runner = row.read()?;
    if row.version != edit.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let org = entry.org_id();
    let old_name = keys::org_name(org, "runner", &runner.name);
    if let Some(name) = &edit.name {
        naming::check(name)?;
        runner.name.clone_from(name);
    }
    runner.disabled = edit.disabled.unwrap_or(runner.disabled);
    let unique = keys::org_name(org, "runner", &runner.name);
    let mut ops = vec![row.replaced_by(&runner)];
    ops.extend(naming::rename(old_name, unique.clone(), id));
    let Runner { name, disabled, .. } = runner;
    let changed = RunnerEvent::Changed { runner: id, name, disabled };
    let transaction = Transaction::of(app, &entry).with(ops).telling(changed);
    app.commit(transaction).await.map_err(|error| naming::taken(error, &unique, "a runner of this name"))?;
    one(app, org, id).await
}

/// Replaces a runner's secret; answers the runner and the new secret.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::AdministerOrg`] refuses.
pub async fn rotate(app: &App, caller: Caller<'_>, id: RunnerId) -> Result<(RunnerView, String)> {
    app.decide(|| async {
        let (entry, row) = enter(app, caller, id).await?;
        let old: Runner = row.read()?;
        let secret = secrets::mint(app, SecretKind::Runner);
        let runner = Runner { secret_hash: secrets::hash(&secret), ..old.clone() };
        let ops = vec![
            row.replaced_by(&runner),
            Op::delete(keys::credential(&old.secret_hash), Condition::None),
            credential(entry.org_id(), &runner),
        ];
        let rotated = RunnerEvent::SecretRotated(id, runner.name);
        app.commit(Transaction::of(app, &entry).with(ops).telling(rotated)).await?;
        Ok((one(app, entry.org_id(), id).await?, secret))
    })
    .await
}

/// Deletes a runner. What it works on is lost after a while; what waits for it goes to any other.
///
/// # Errors
/// As [`rotate`].
pub async fn delete(app: &App, caller: Caller<'_>, id: RunnerId) -> Result<()> {
    app.decide(|| async {
        let (entry, row) = enter(app, caller, id).await?;
        let runner: Runner = row.read()?;
        let org = entry.org_id();
        let ops = vec![
            row.deleted(),
            Op::delete(keys::org_name(org, "runner", &runner.name), Condition::None),
            Op::delete(keys::seen(org, id), Condition::None),
            Op::delete(keys::credential(&runner.secret_hash), Condition::None),
        ];
        app.commit(Transaction::of(app, &entry).with(ops).telling(RunnerEvent::Removed(id, runner.name)))
            .await
    })
    .await
}

/// Which of these runners are disabled or deleted.
pub(super) async fn gone(
    app: &App,
    org: OrgId,
    ids: impl IntoIterator<Item = RunnerId>,
) -> Result<BTreeSet<RunnerId>> {
    let ids: BTreeSet<RunnerId> = ids.into_iter().collect();
    let wanted: Vec<_> = ids.iter().map(|id| keys::runner(org, *id)).collect();
    let mut gone = BTreeSet::new();
    for (id, row) in ids.into_iter().zip(wanted::load(app, wanted).await?) {
        let usable = row.map(|row| row.read()).transpose()?.is_some_and(|r| !r.disabled);
        if !usable {
            gone.insert(id);
        }
    }
    Ok(gone)
}

async fn enter(app: &App, caller: Caller<'_>, id: RunnerId) -> Result<(Entry, RowOf<Runner>)> {
    let (entry, row) =
        enter_org_with(app, caller, Capability::AdministerOrg, |org| keys::runner(org, id)).await?;
    Ok((entry, row.ok_or(Refusal::NotFound)?))
}

async fn one(app: &App, org: OrgId, id: RunnerId) -> Result<RunnerView> {
    let found = all(app, org).await?.into_iter().find(|view| view.runner.id == id);
    found.ok_or(Error::Refused(Refusal::NotFound))
}

fn credential(org: OrgId, runner: &Runner) -> Op {
    let credential = Credential {
        subject: Subject::Runner { runner: runner.id },
        scopes: BTreeSet::new(),
        org: Some(org),
        expires_at: None,
    };
    Op::create(keys::credential(&runner.secret_hash), &credential)
}

const fn unseen(runner: Runner, version: u64) -> RunnerView {
    RunnerView { runner, version, status: None, last_heard: None, online: false, at_work: 0 }
}

/// Notes what a runner says of itself. Two at the same moment: either is as good. Of one that is deleted at this
/// moment nothing is noted.
pub(super) async fn note_status(
    app: &App,
    org: OrgId,
    runner: RunnerId,
    status: &RunnerStatus,
) -> Result<()> {
    let ops = vec![
        Op::put(keys::seen(org, runner), Condition::None, status),
        Op::check(keys::runner(org, runner), Condition::Present),
    ];
    match app.commit(Transaction::bookkeeping(app).with(ops)).await {
        Err(error) if is_conflict(&error) => Ok(()),
        result => result,
    }
}
