//! Makes up for a runner that died: ends what it left running, saves what its runs left, and reports them.
//!
//! | the dead run           | is reported as                                                              |
//! |------------------------|-----------------------------------------------------------------------------|
//! | had no harness yet     | given back: it goes to its queue again                                      |
//! | had one                | failed, `harness-crashed`, with its session: it can be continued here       |

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use svc_api::runner::{Assignment, Finish, FinishResult};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::closing::unsaved;
use super::confined::leave_dead;
use super::record;
use crate::calls::{CallError, Link, RunCalls, client};
use crate::clock;
use crate::failure::FailureReason;
use crate::isolation::Isolation;
use crate::process::marked::end_all_under;
use crate::process::orphans::{DeadRun, end_left_by};
use crate::runner_file::RunnerFile;
use crate::workspace::guard::Guard;
use crate::workspace::handover::take_back;
use crate::workspace::straight::straighten;
use crate::workspace::{Manifest, RunDirectory, overlay, removal, retention};

/// How long the instance is tried to be told.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// The same once this runner stops: the next one tells it then.
const HURRIED: Duration = Duration::from_secs(10);
const WHY: &str = "the runner died while the harness worked; it has been started again";

/// The dead runs that are being reported, and cleared away after that.
#[derive(Default)]
pub struct Recoveries {
    runs: HashMap<String, Recovery>,
    stopping: watch::Sender<bool>,
}

struct Recovery {
    fence: u64,
    task: JoinHandle<()>,
}

impl Recoveries {
    /// Whether a dead runner had this very assignment: the answer to its request has come late.
    pub fn had(&self, assignment: &Assignment) -> bool {
        self.runs.get(&assignment.run_id).is_some_and(|known| known.fence == assignment.fence)
    }

    /// What a new assignment of the run must wait for: its directory is still being cleared away.
    pub fn of(&mut self, run_id: &str) -> Option<JoinHandle<()>> {
        self.runs.remove(run_id).map(|known| known.task)
    }

    /// Sees them to their ends, but does not wait long for an instance. What it could not be told is left for the next
    /// runner.
    pub async fn settle(&mut self) {
        self.stopping.send_replace(true);
        for (_, recovery) in self.runs.drain() {
            // It ended, even if it panicked.
            let _ = recovery.task.await;
        }
    }
}

/// Ends the processes of dead runs and saves their work now, and reports them in the background. `root` is resolved,
/// and no other runner works in it. `keep` is whether every workspace is kept.
pub async fn recover(root: &Path, file: &RunnerFile, keep: bool) -> Recoveries {
    let mut recoveries = Recoveries::default();
    let place = root.to_owned();
    let ended = tokio::task::spawn_blocking(move || end_all_under(&place)).await.unwrap_or_default();
    removal::remove_unborn(root);
    let dead = dead_runs(root);
    if dead.is_empty() {
        return recoveries;
    }
    let ended = ended + end_left(root, &dead).await;
    tracing::warn!(runs = dead.len(), processes = ended, "an earlier runner died; recovering its runs");
    for manifest in dead {
        let Ok(directory) = RunDirectory::create(root, &manifest.run_id) else { continue };
        let (manifest, kept) = save(&directory, manifest).await;
        let profile = file.profiles.iter().find(|profile| {
            profile.organization == manifest.organization && profile.url.trim_end_matches('/') == manifest.url
        });
        let way = profile.and_then(|profile| client(&profile.url, profile.token.expose()).ok());
        let stopping = recoveries.stopping.subscribe();
        let project = manifest.item.rsplit_once('-').map_or("", |(project, _)| project);
        let due = profile.filter(|_| manifest.set_up).map(|profile| profile.isolation(project));
        let (run_id, fence) = (manifest.run_id.clone(), manifest.fence);
        // One that had no harness yet is given back, and begins anew.
        let keep = keep && manifest.started;
        let task = tokio::spawn(tell_and_clear(directory, (manifest, kept), (way, due), keep, stopping));
        recoveries.runs.insert(run_id, Recovery { fence, task });
    }
    recoveries
}

async fn tell_and_clear(
    directory: RunDirectory,
    (manifest, kept): (Manifest, Vec<String>),
    (way, due): (Option<svc_client::Client>, Option<Isolation>),
    keep: bool,
    mut stopping: watch::Receiver<bool>,
) {
    let told = async {
        if let Some(isolation) = due.filter(|isolation| !isolation.cleanup.is_empty()) {
            leave_dead(&manifest, &directory, isolation).await;
        }
        if let Some(client) = way.filter(|_| manifest.fence > 0) {
            report(Link::new(client, Duration::ZERO), &manifest, &kept).await;
        }
    };
    let hurried = async {
        if stopping.wait_for(|stopping| *stopping).await.is_err() {
            std::future::pending::<()>().await;
        }
        sleep(HURRIED).await;
    };
    tokio::select! {
        () = told => {}
        () = hurried => return,
    }
    let session = manifest.session.clone();
    let kept = keep || session.is_some() || !manifest.saved;
    let end = |ended: &mut Manifest| {
        ended.session = session;
        ended.saved = manifest.saved;
    };
    record::close(&directory, end, clock::now());
    if !kept && let Some(root) = directory.path().parent() {
        retention::discard(root, &manifest.run_id).await;
    }
}

/// Ends what nothing names any more. The checkouts still belong to their users.
async fn end_left(root: &Path, dead: &[Manifest]) -> usize {
    let of =
        |run: &Manifest| DeadRun { places: [root.join(&run.run_id), run.repo.clone()], begun: run.begun_at };
    let runs: Vec<DeadRun> = dead.iter().map(of).collect();
    tokio::task::spawn_blocking(move || end_left_by(&runs)).await.unwrap_or_default()
}

/// Runs that have a directory and no end.
fn dead_runs(root: &Path) -> Vec<Manifest> {
    let members = retention::groups(root).into_iter().flat_map(|group| group.members);
    members.filter(|manifest| manifest.ended_at.is_none()).collect()
}

/// Puts back what the agent of a run changed in the repository, and saves what it left; answers what to tell of that.
pub(super) async fn save(directory: &RunDirectory, mut manifest: Manifest) -> (Manifest, Vec<String>) {
    let mut told = Vec::new();
    if let Err(error) = take_back(&manifest.repo).await {
        let place = manifest.repo.display();
        tracing::warn!(%error, "{place} cannot be taken back from the user of its harness; it stays as it is");
        return (manifest, told);
    }
    let repository = manifest.repository.as_deref();
    match straighten(directory.path(), repository).await {
        Ok(straightened) => {
            straightened.iter().for_each(|told| tracing::warn!("{}: {told}", manifest.item));
        }
        Err(error) => {
            let place = manifest.repo.display();
            tracing::warn!(%error, "{place} cannot be looked through; it stays as it is");
            return (manifest, told);
        }
    }
    let guard = repository.and_then(|own| Guard::kept(directory.path(), own));
    if let Some(guard) = guard {
        for told in guard.put_back(&manifest.run_id).await {
            tracing::warn!("{}: {told}", manifest.item);
        }
    }
    if let Err(error) = overlay::restore(directory.path()).await {
        tracing::warn!(%error, "files of {} are not as they were", manifest.repo.display());
    }
    if let Some(repository) = &manifest.repository {
        removal::remove_locks(repository);
    }
    match retention::save(directory.path(), &manifest, None).await {
        Ok(kept) => {
            manifest.saved = true;
            if let Some(kept) = kept {
                // The harness worked, even if the runner died before it could write down that it had begun.
                manifest.started = true;
                told.extend(kept.words(&manifest.run_id, true));
                told.iter()
                    .for_each(|told| tracing::warn!("{}, run {}: {told}", manifest.item, manifest.run_id));
            }
        }
        Err(error) => {
            told.push(unsaved(&manifest.repo, &error));
            tracing::warn!("{}: what run {} left stays: {error}", manifest.item, manifest.run_id);
        }
    }
    (manifest, told)
}

async fn report(link: Link, manifest: &Manifest, kept: &[String]) {
    let calls = RunCalls::new(link, &manifest.run_id, manifest.fence);
    let told = if manifest.started {
        calls.finish(&finish(manifest, kept), PATIENCE).await
    } else {
        calls.give_back("the runner died before the harness was started", PATIENCE).await
    };
    match told {
        Ok(()) => tracing::info!("{}: run {} is reported", manifest.item, manifest.run_id),
        // It was lost, or cancelled, or reported before.
        Err(CallError::AssignmentEnded) => {}
        Err(error) => tracing::warn!(?error, "run {} cannot be reported", manifest.run_id),
    }
}

fn finish(manifest: &Manifest, kept: &[String]) -> Finish {
    Finish {
        fence: manifest.fence,
        result: FinishResult::Failed,
        failure_reason: Some(FailureReason::HarnessCrashed.as_str().to_owned()),
        failure_detail: Some(WHY.to_owned()),
        outcome: (!kept.is_empty()).then(|| kept.join(" ")),
        exit_code: None,
        pull_request: None,
        pushed_branch: None,
        local_head: None,
        remote_head: None,
        cost: None,
        tokens: None,
        harness_session: manifest.session.clone(),
    }
}
