//! Makes up for a runner that died: ends what it left running, saves what its runs left, and reports them.
//!
//! | the dead run           | is reported as                                                              |
//! |------------------------|-----------------------------------------------------------------------------|
//! | had no harness yet     | given back: it goes to its queue again                                      |
//! | had one                | failed, `harness-crashed`, with its session: it can be continued here       |

use std::path::Path;
use std::time::Duration;

use svc_api::runner::{Finish, FinishResult};

use super::record;
use crate::calls::{CallError, Link, RunCalls, client};
use crate::clock;
use crate::failure::FailureReason;
use crate::process::marked::end_marked;
use crate::runner_file::RunnerFile;
use crate::workspace::guard::Guard;
use crate::workspace::{Manifest, RunDirectory, overlay, retention};

/// How long the instance is tried to be told.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
const WHY: &str = "the runner died while the harness worked; it has been started again";

/// Ends the processes of dead runs and saves their work now, and reports them in the background. `root` is resolved,
/// and no other runner works in it.
pub async fn recover(root: &Path, file: &RunnerFile) {
    let dead = dead_runs(root);
    if dead.is_empty() {
        return;
    }
    let place = root.to_owned();
    let ended = tokio::task::spawn_blocking(move || end_marked(&place, &[])).await.unwrap_or_default();
    tracing::warn!(runs = dead.len(), processes = ended, "an earlier runner died; recovering its runs");
    for manifest in dead {
        let Ok(directory) = RunDirectory::create(root, &manifest.run_id) else { continue };
        let manifest = save(&directory, manifest).await;
        let profile = file.profiles.iter().find(|profile| {
            profile.organization == manifest.organization && profile.url.trim_end_matches('/') == manifest.url
        });
        let way = profile.and_then(|profile| client(&profile.url, profile.token.expose()).ok());
        let root = root.to_owned();
        tokio::spawn(async move {
            if let Some(client) = way.filter(|_| manifest.fence > 0) {
                report(Link::new(client, Duration::ZERO), &manifest).await;
            }
            let session = manifest.session.clone();
            let kept = session.is_some() || !manifest.saved;
            let end = |ended: &mut Manifest| {
                ended.session = session;
                ended.saved = manifest.saved;
            };
            record::close(&directory, end, clock::now());
            if !kept {
                retention::discard(&root, &manifest.run_id).await;
            }
        });
    }
}

/// Runs that have a directory and no end.
fn dead_runs(root: &Path) -> Vec<Manifest> {
    let members = retention::groups(root).into_iter().flat_map(|group| group.members);
    members.filter(|manifest| manifest.ended_at.is_none()).collect()
}

async fn save(directory: &RunDirectory, mut manifest: Manifest) -> Manifest {
    for guard in Guard::kept(directory.path()) {
        for told in guard.put_back(&manifest.agent, &manifest.run_id).await {
            tracing::warn!("{}: {told}", manifest.item);
        }
    }
    if let Err(error) = overlay::restore(directory.path()).await {
        tracing::warn!(%error, "files of {} are not as they were", manifest.repo.display());
    }
    match retention::save(directory.path(), &manifest, None).await {
        Ok(kept) => {
            manifest.saved = true;
            if let Some(kept) = kept {
                tracing::warn!(
                    "{}: what run {} left is kept as {}",
                    manifest.item,
                    manifest.run_id,
                    kept.place
                );
            }
        }
        Err(error) => tracing::warn!("{}: what run {} left stays: {error}", manifest.item, manifest.run_id),
    }
    manifest
}

async fn report(link: Link, manifest: &Manifest) {
    let calls = RunCalls::new(link, &manifest.run_id, manifest.fence);
    let told = if manifest.started {
        calls.finish(&finish(manifest), PATIENCE).await
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

fn finish(manifest: &Manifest) -> Finish {
    Finish {
        fence: manifest.fence,
        result: FinishResult::Failed,
        failure_reason: Some(FailureReason::HarnessCrashed.as_str().to_owned()),
        failure_detail: Some(WHY.to_owned()),
        outcome: None,
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
