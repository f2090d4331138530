//! Makes the checkout of a run.
//!
//! | run                       | branch                                                                              |
//! |---------------------------|-------------------------------------------------------------------------------------|
//! | implement, retry          | the run's, from origin's default; on top of origin's branch of that name when that holds unmerged work |
//! | continue                  | the earlier run's checkout, as it was left                                          |
//! | follow-up                 | the earlier run's checkout while it is there ([`resumed`](super::resumed)), else the earlier branch, if there was earlier work: it must be there |
//! | direct delivery           | the target                                                                          |
//! | refine                    | none (detached)                                                                     |
//!
//! Every run has a repository of its own, which borrows the objects of the mapped clone ([`borrowed`](super::borrowed));
//! one that is kept apart from the clone has a copy of what it needs. Every step may be repeated.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use svc_api::factory::{DeliveryMode, RunKind};
use svc_api::runner::Assignment;

use super::access::Access;
use super::borrowed::{borrow, fetched, name_branch, work_as_in};
use super::commits::{commit, is_ancestor, short};
use super::fetches::{fetch_pushed, lacks};
use super::git::{Git, GitError};
use super::kept::commits_kept_of;
use super::origin::Remote;
use super::removal::remove_directory;
use crate::failure::{Failure, FailureReason};
use crate::harness::safe_value;

/// The checkout that a harness works in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// Where it is.
    pub repo: PathBuf,
    /// Whether it borrows the objects of the clone.
    pub borrows: bool,
    /// Branch that origin has to have at the end; none for a refine run.
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
        let clone = self.clone.as_deref().filter(|_| !self.borrows);
        git.with_repository(self.repository.clone()).like(clone)
    }
}

/// Makes the checkout of a run that continues none, at `repo`. `apart` is whether it may borrow nothing of the clone.
///
/// # Errors
/// `no-remote`, `follow-up-target-missing` or `workspace-failed`, with what git said.
pub async fn prepare(
    clone: &Path,
    repo: &Path,
    assignment: &Assignment,
    apart: bool,
) -> Result<Checkout, Failure> {
    check_names(assignment)?;
    let default = &assignment.repository.default_branch;
    let refine = assignment.kind == RunKind::Refine;
    let direct = !refine && assignment.delivery_mode == DeliveryMode::PushToDefaultBranch;
    let target = assignment.direct_target.as_ref().filter(|_| direct).unwrap_or(default);
    let remote = Remote::of(clone, if direct { target } else { &assignment.branch }).await;
    if remote.is_none() && (direct || refine || apart) {
        let detail = format!("{} has no remote named origin", clone.display());
        return Err(Failure::new(FailureReason::NoRemote, detail));
    }
    remove_directory(repo).await.map_err(|error| workspace_failed(repo, &error))?;
    let mut notes = Vec::new();
    let base = match &remote {
        Some(remote) if apart => copied(clone, repo, remote, target).await?,
        Some(remote) => fetched(clone, remote, target).await.map_err(failed)?,
        None => {
            notes.push("The clone has no origin: the work is delivered as its local branch".to_owned());
            commit(&Git::at(clone), &format!("refs/heads/{target}")).await
        }
    };
    let Some(base) = base else {
        let detail = match &remote {
            Some(remote) => lacks(&Git::at(clone), &remote.fetch, target).await,
            None => format!("the clone has no branch {target}; correct the project's default branch"),
        };
        return Err(Failure::new(FailureReason::WorkspaceFailed, detail));
    };
    if !apart {
        borrow(clone, repo, &assignment.run_id, &base).await.map_err(failed)?;
        name_branch(repo, target, &base, remote.is_some()).await.map_err(failed)?;
    }
    let mut checkout = Checkout {
        repo: repo.into(),
        borrows: !apart,
        branch: direct.then(|| target.clone()),
        default_head: base.clone(),
        base,
        repository: repository(repo).await,
        clone: Some(clone.into()),
        remote,
        access: None,
        notes,
    };
    if refine || direct {
        let place = if refine { ["--detach", &checkout.base] } else { [target.as_str(), "--"] };
        checkout.git().network(["checkout", "--quiet"].iter().chain(&place)).await.map_err(failed)?;
        checkout.notes.push(format!("Checked out {target} at {}", short(&checkout.base)));
        return Ok(checkout);
    }
    let pushed = match &checkout.remote {
        Some(remote) => fetch_pushed(&checkout.git(), remote, &assignment.branch).await.map_err(failed)?,
        None => None,
    };
    let unpushed = if apart { None } else { unpushed(clone, assignment, checkout.remote.is_some()).await };
    branch_off(&mut checkout, assignment, pushed, unpushed).await?;
    Ok(checkout)
}

/// Checks out the run's branch. `pushed` is what origin has of it, `unpushed` what an earlier run left elsewhere.
pub(super) async fn branch_off(
    checkout: &mut Checkout,
    assignment: &Assignment,
    pushed: Option<String>,
    unpushed: Option<String>,
) -> Result<(), Failure> {
    let (git, branch) = (checkout.git(), &assignment.branch);
    let base = checkout.base.clone();
    let start = if assignment.kind == RunKind::FollowUp {
        let has_origin = checkout.remote.is_some();
        start_of_follow_up(&git, assignment, base, (pushed, unpushed), has_origin).await?
    } else {
        start_of(&git, branch, base, pushed, &mut checkout.notes).await
    };
    let args = ["checkout", "--quiet", "--no-track", "-B", branch, &start, "--"];
    git.network(args).await.map_err(failed)?;
    let default = &assignment.repository.default_branch;
    checkout.notes.insert(0, format!("Checked out {branch} at {}, from {default}", short(&start)));
    checkout.branch = Some(branch.clone());
    checkout.base = start;
    Ok(())
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

/// Clones a branch of origin, and copies what the mapped clone has of it already; answers its commit. Nothing is checked
/// out yet.
async fn copied(clone: &Path, repo: &Path, remote: &Remote, branch: &str) -> Result<Option<String>, Failure> {
    let git = Git::at(repo.parent().unwrap_or(repo)).like(Some(clone));
    // Without hard links: the checkout shares no file with the origin.
    let args = [
        "clone",
        "--quiet",
        "--no-checkout",
        "--no-tags",
        "--single-branch",
        "--no-hardlinks",
        "--dissociate",
        "--origin=origin",
        "--reference-if-able",
    ];
    let mut args: Vec<OsString> = args.map(Into::into).into();
    args.extend([clone.into(), format!("--branch={branch}").into(), "--".into()]);
    args.extend([remote.fetch.clone().into(), repo.into()]);
    match git.network(args).await {
        Ok(_) => {
            work_as_in(clone, repo).await.map_err(failed)?;
            if remote.push != remote.fetch {
                let set = ["config", "remote.origin.pushurl", &remote.push];
                Git::at(repo).run(set).await.map_err(failed)?;
            }
            Ok(commit(&Git::at(repo), "HEAD").await)
        }
        Err(error) if error.message.contains("not found in upstream") => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// What an earlier run left in the clone and origin never got.
async fn unpushed(clone: &Path, assignment: &Assignment, has_origin: bool) -> Option<String> {
    let git = Git::at(clone);
    let kept = match &assignment.earlier_run_id {
        Some(earlier) => commits_kept_of(&git, earlier).await,
        None => None,
    };
    if kept.is_some() || has_origin {
        return kept;
    }
    commit(&git, &format!("refs/heads/{}", assignment.branch)).await
}

/// The commit that a new piece of work starts from. Nothing is ever pushed by force: what origin's branch
/// holds, unless it is merged, is worked on top of.
async fn start_of(
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
async fn start_of_follow_up(
    git: &Git,
    assignment: &Assignment,
    base: String,
    (pushed, unpushed): (Option<String>, Option<String>),
    has_origin: bool,
) -> Result<String, Failure> {
    let (branch, was_pushed) = (&assignment.branch, assignment.follow_up.is_some());
    match (pushed, unpushed) {
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

/// The repository of a checkout.
pub async fn repository(repo: &Path) -> Option<PathBuf> {
    Git::at(repo).run(["rev-parse", "--absolute-git-dir"]).await.ok().map(PathBuf::from)
}

pub(super) fn workspace_failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(FailureReason::WorkspaceFailed, format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
