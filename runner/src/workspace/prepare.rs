//! Makes the checkout of a run.
//!
//! | run                       | checkout                                   | branch                        |
//! |---------------------------|--------------------------------------------|-------------------------------|
//! | implement, retry          | worktree of the clone                      | the run's, from origin's default; on top of origin's branch of that name when that holds unmerged work |
//! | continue                  | the earlier run's, as it was left          | as it was left                |
//! | follow-up                 | the earlier run's while it is there ([`resumed`](super::resumed)), else a worktree | the earlier branch, if there was earlier work: it must be there |
//! | direct delivery           | clone of its own from origin               | the target                    |
//! | refine                    | clone of its own from origin               | none (detached)               |
//!
//! Owns that the mapped clone keeps its HEAD, index, status, configuration and hooks: everything happens in
//! other directories and under the run's branch. Every step may be repeated.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_api::factory::{DeliveryMode, RunKind};
use svc_api::runner::Assignment;

use super::access::Access;
use super::branches;
use super::commits::{commit, is_ancestor, short};
use super::fetches::coalesced;
use super::git::{Git, GitError};
use super::kept::kept_ref;
use super::lock::lock_path;
use super::origin::{Remote, remote_ref};
use super::removal::{remove_directory, remove_worktree};
use crate::failure::{Failure, FailureReason};
use crate::harness::safe_value;

/// The checkout that a harness works in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// Where it is.
    pub repo: PathBuf,
    /// The clone that it is a worktree of; none for a clone of its own.
    pub worktree_of: Option<PathBuf>,
    /// Branch that origin shall have at the end; none for a refine run.
    pub branch: Option<String>,
    /// Commit that the work starts from.
    pub base: String,
    /// The repository itself: what an agent makes of `.git` in the checkout does not count.
    pub repository: Option<PathBuf>,
    /// The clone that it was made from; none at a code host.
    pub clone: Option<PathBuf>,
    /// Where origin was before the agent started, if there is one.
    pub remote: Option<Remote>,
    /// The commit of the default branch that was there at the start.
    pub default_head: String,
    /// The way into a repository at a code host.
    pub access: Option<Access>,
    /// What people should know, for the log.
    pub notes: Vec<String>,
}

impl Checkout {
    /// Git in it.
    pub fn git(&self) -> Git {
        let git = Git::at(&self.repo).with_access(self.access.clone());
        git.with_repository(self.repository.clone())
    }
}

/// Makes the checkout of a run that continues none, at `repo`.
///
/// # Errors
/// `no-remote`, `follow-up-target-missing` or `workspace-failed`, with what git said.
pub async fn prepare(clone: &Path, repo: &Path, assignment: &Assignment) -> Result<Checkout, Failure> {
    check_names(assignment)?;
    let direct = assignment.delivery_mode == DeliveryMode::PushToDefaultBranch;
    let default = &assignment.repository.default_branch;
    match assignment.kind {
        RunKind::Refine => own_clone(clone, repo, default, false).await,
        _ if direct => {
            let target = assignment.direct_target.as_ref().unwrap_or(default);
            own_clone(clone, repo, target, true).await
        }
        _ => worktree(clone, repo, assignment).await,
    }
}

/// The same, but never as a worktree of the clone: a mapping can ask for it.
///
/// # Errors
/// As [`prepare`]; `no-remote` where the clone has no origin to clone from.
pub async fn prepare_isolated(
    clone: &Path,
    repo: &Path,
    assignment: &Assignment,
) -> Result<Checkout, Failure> {
    let direct = assignment.delivery_mode == DeliveryMode::PushToDefaultBranch;
    if direct || assignment.kind == RunKind::Refine {
        return prepare(clone, repo, assignment).await;
    }
    check_names(assignment)?;
    let branch = &assignment.branch;
    let mut checkout = own_clone(clone, repo, &assignment.repository.default_branch, false).await?;
    let Some(remote) = checkout.remote.clone() else { return Ok(checkout) };
    let git = checkout.git();
    let pushed = fetch(&git, &remote, branch).await.map_err(failed)?;
    let base = checkout.base.clone();
    let start = if assignment.kind == RunKind::FollowUp {
        start_of_follow_up(&git, assignment, base, pushed, true).await?
    } else {
        start_of(&git, branch, base, pushed, &mut checkout.notes).await
    };
    git.run(["checkout", "--quiet", "--no-track", "-B", branch, &start, "--"]).await.map_err(failed)?;
    checkout.notes.push(format!("Checked out {branch} at {}, in a clone of its own", short(&start)));
    checkout.branch = Some(branch.clone());
    checkout.base = start;
    Ok(checkout)
}

pub(super) fn failed(error: GitError) -> Failure {
    Failure::new(FailureReason::WorkspaceFailed, error.to_string())
}

/// Branch names come from the instance: they must be names and nothing else.
pub(super) fn check_names(assignment: &Assignment) -> Result<(), Failure> {
    let direct = assignment.direct_target.as_deref();
    for name in [Some(assignment.branch.as_str()), Some(&assignment.repository.default_branch), direct] {
        let Some(name) = name else { continue };
        if !is_branch_name(name) {
            let detail = format!("{name:?} cannot be the name of a branch");
            return Err(Failure::new(FailureReason::WorkspaceFailed, detail));
        }
    }
    Ok(())
}

/// The rules of `git check-ref-format --branch`, and none of its expansions.
fn is_branch_name(name: &str) -> bool {
    safe_value(name)
        && name != "HEAD"
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains([' ', '~', '^', ':', '?', '*', '[', '\\'])
        && !name.ends_with('.')
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"))
}

/// A clone of its own: isolated from the mapped one, of which it borrows only objects while it is made.
async fn own_clone(clone: &Path, repo: &Path, branch: &str, on_branch: bool) -> Result<Checkout, Failure> {
    let remote = Remote::of(clone).await.ok_or_else(|| {
        let detail = format!("{} has no remote named origin", clone.display());
        Failure::new(FailureReason::NoRemote, detail)
    })?;
    remove_directory(repo).await.map_err(|error| workspace_failed(repo, &error))?;
    let git = Git::at(repo.parent().unwrap_or(repo));
    // Without hard links: whoever has the checkout has none of the origin's files with it.
    let args = ["clone", "--quiet", "--no-tags", "--single-branch", "--no-hardlinks", "--dissociate"];
    let mut args: Vec<OsString> = args.map(Into::into).into();
    args.extend([
        "--reference-if-able".into(),
        clone.into(),
        format!("--branch={branch}").into(),
        "--".into(),
    ]);
    args.extend([remote.fetch.clone().into(), repo.into()]);
    git.network(args).await.map_err(failed)?;
    let own = Git::at(repo);
    let base = own.run(["rev-parse", "HEAD"]).await.map_err(failed)?;
    if !on_branch {
        own.run(["checkout", "--quiet", "--detach"]).await.map_err(failed)?;
    }
    let notes = vec![format!("Cloned {branch} at {}", short(&base))];
    Ok(Checkout {
        repo: repo.into(),
        worktree_of: None,
        branch: on_branch.then(|| branch.to_owned()),
        default_head: base.clone(),
        base,
        repository: repository(repo).await,
        clone: Some(clone.into()),
        remote: Some(remote),
        access: None,
        notes,
    })
}

async fn worktree(clone: &Path, repo: &Path, assignment: &Assignment) -> Result<Checkout, Failure> {
    let git = Git::at(clone);
    let (branch, default) = (&assignment.branch, &assignment.repository.default_branch);
    let remote = Remote::of(clone).await;
    let has_origin = remote.is_some();
    let mut notes = Vec::new();
    let (base, pushed) = if let Some(remote) = &remote {
        // Runs that begin at once in one clone need the default branch all.
        let key = format!("{} {} {default}", clone.display(), remote.fetch);
        let base = coalesced(key, fetch(&git, remote, default));
        let (base, pushed) = tokio::join!(base, fetch(&git, remote, branch));
        (base.map_err(failed)?, pushed.map_err(failed)?)
    } else {
        notes.push("The clone has no origin: the work stays in its local branch".to_owned());
        (commit(&git, &format!("refs/heads/{default}")).await, None)
    };
    let base = base.ok_or_else(|| {
        let whose = if has_origin { "origin" } else { "the clone" };
        let detail = format!("{whose} has no branch {default}; correct the project's default branch");
        Failure::new(FailureReason::WorkspaceFailed, detail)
    })?;
    let default_head = base.clone();
    let start = if assignment.kind == RunKind::FollowUp {
        start_of_follow_up(&git, assignment, base, pushed, has_origin).await?
    } else {
        start_of(&git, branch, base, pushed, &mut notes).await
    };
    // Nothing waits for a network while it holds the clone.
    let _lock = lock_path(clone).await.map_err(|error| workspace_failed(clone, &error))?;
    let listed = free_place(&git, repo).await?;
    let local = local_name(&listed, branch, &assignment.run_id, &mut notes);
    keep_unreachable(&git, &local, &start, &assignment.run_id, &mut notes).await.map_err(failed)?;
    let mut args: Vec<&OsStr> =
        ["worktree", "add", "--quiet", "--no-track", "-B", &local, "--"].map(OsStr::new).into();
    args.extend([repo.as_os_str(), start.as_ref()]);
    git.run(args).await.map_err(failed)?;
    branches::mark(&git, &local, &start).await;
    notes.insert(0, format!("Checked out {local} at {}, from {default}", short(&start)));
    Ok(Checkout {
        repo: repo.into(),
        worktree_of: Some(clone.into()),
        branch: Some(branch.clone()),
        base: start,
        repository: repository(repo).await,
        clone: Some(clone.into()),
        remote,
        default_head,
        access: None,
        notes,
    })
}

/// Takes away what an earlier try left at `repo`; answers the worktrees that there are.
async fn free_place(git: &Git, repo: &Path) -> Result<String, Failure> {
    let list = ["worktree", "list", "--porcelain"];
    let listed = git.run(list).await.map_err(failed)?;
    let line = format!("worktree {}", repo.display());
    if !repo.exists() && !listed.lines().any(|one| one == line) {
        return Ok(listed);
    }
    remove_worktree(git.directory(), repo).await.map_err(|error| workspace_failed(repo, &error))?;
    git.run(list).await.map_err(failed)
}

/// The branch's name in the clone: its own, unless somebody has it checked out, whose checkout stays alone.
fn local_name(worktrees: &str, branch: &str, run_id: &str, notes: &mut Vec<String>) -> String {
    let line = format!("branch refs/heads/{branch}");
    if !worktrees.lines().any(|one| one == line) {
        return branch.to_owned();
    }
    let local = format!("{branch}-{run_id}");
    notes.push(format!(
        "{branch} is checked out elsewhere on this machine: working on {local}, which is pushed to {branch}"
    ));
    local
}

/// The commit that a new piece of work starts from. Nothing is ever pushed by force: what origin's branch
/// holds, unless it is merged, is worked on top of.
pub(super) async fn start_of(
    git: &Git,
    branch: &str,
    base: String,
    pushed: Option<String>,
    notes: &mut Vec<String>,
) -> String {
    match pushed {
        Some(pushed) if !is_ancestor(git, &pushed, &base).await => {
            notes.push(format!("origin already has {branch} with other work: continuing from there"));
            pushed
        }
        Some(_) | None => base,
    }
}

/// The commit that a follow-up goes on from. Unpushed commits of the agent are kept when origin has nothing
/// newer. Without earlier work that was pushed, it begins from `base` like any piece of work.
pub(super) async fn start_of_follow_up(
    git: &Git,
    assignment: &Assignment,
    base: String,
    pushed: Option<String>,
    has_origin: bool,
) -> Result<String, Failure> {
    let (branch, was_pushed) = (&assignment.branch, assignment.follow_up.is_some());
    let local = commit(git, &format!("refs/heads/{branch}")).await;
    match (pushed, local) {
        (Some(pushed), Some(local)) if is_ancestor(git, &pushed, &local).await => Ok(local),
        (Some(pushed), _) => Ok(pushed),
        (None, Some(local)) if !has_origin || !was_pushed => Ok(local),
        (None, None) if !was_pushed => Ok(base),
        (None, _) => {
            let detail = format!("origin has no branch {branch} any more");
            Err(Failure::new(FailureReason::FollowUpTargetMissing, detail))
        }
    }
}

/// `-B` moves the branch: commits that nothing else would name get a name first.
async fn keep_unreachable(
    git: &Git,
    branch: &str,
    start: &str,
    run_id: &str,
    notes: &mut Vec<String>,
) -> Result<(), GitError> {
    let Some(old) = commit(git, &format!("refs/heads/{branch}")).await else { return Ok(()) };
    if is_ancestor(git, &old, start).await {
        return Ok(());
    }
    let kept = kept_ref(run_id);
    git.run(["update-ref", &kept, &old]).await?;
    notes.push(format!("Earlier unpushed commits of {branch} are kept as {kept}"));
    Ok(())
}

/// Fetches one branch of origin; answers its commit, or none when origin has no such branch.
///
/// # Errors
/// Origin cannot be reached.
pub(super) async fn fetch(git: &Git, remote: &Remote, branch: &str) -> Result<Option<String>, GitError> {
    fetch_with(git, remote, branch, &[]).await
}

/// The same, with further options.
pub(super) async fn fetch_with(
    git: &Git,
    remote: &Remote,
    branch: &str,
    options: &[&str],
) -> Result<Option<String>, GitError> {
    let local = remote_ref(branch);
    let refspec = format!("+refs/heads/{branch}:{local}");
    let mut args = vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
    args.extend(options);
    let (toward, origin) = git.clone().toward(&remote.fetch);
    args.extend(["--end-of-options", &origin, &refspec]);
    let mut met = 0;
    loop {
        match toward.network(&args).await {
            Ok(_) => return Ok(commit(git, &local).await),
            Err(error) if error.message.contains("couldn't find remote ref") => return Ok(None),
            // Git looks into every worktree, and another run's is being made.
            Err(error) if met < MEETINGS && error.message.contains("/commondir: ") => {
                met += 1;
                tokio::time::sleep(MAKING).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// How often a fetch may meet a worktree that is half made, and how long one takes to be made.
const MEETINGS: u32 = 20;
const MAKING: Duration = Duration::from_millis(50);

/// The repository of a checkout.
pub async fn repository(repo: &Path) -> Option<PathBuf> {
    Git::at(repo).run(["rev-parse", "--absolute-git-dir"]).await.ok().map(PathBuf::from)
}

pub(super) fn workspace_failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(FailureReason::WorkspaceFailed, format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
