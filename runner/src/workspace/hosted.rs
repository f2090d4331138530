//! Makes the checkout of a run whose repository is at a code host: a shallow clone of its own.
//!
//! | run                  | branch                                                                              |
//! |----------------------|-------------------------------------------------------------------------------------|
//! | implement, retry     | the run's, from origin's default; on top of origin's branch of that name when that holds unmerged work |
//! | follow-up            | the earlier branch, as origin has it                                                |
//! | direct delivery      | the target                                                                          |
//! | refine               | none (detached)                                                                     |
//!
//! One commit deep, unless the branch is there already: then as deep as it takes to see where the two parted.
//! Every step may be repeated.

use std::ffi::OsString;
use std::path::Path;

use svc_api::factory::{DeliveryMode, RunKind};
use svc_api::runner::Assignment;

use super::access::Access;
use super::commits::short;
use super::fetches::{fetch_to, lacks};
use super::git::{Git, GitError};
use super::origin::{Remote, remote_ref};
use super::prepare::{Checkout, branch_off, check_names, failed, repository, workspace_failed};
use super::removal::remove_directory;
use crate::failure::{Failure, FailureReason};

/// How many commits deeper to look for where two branches parted, before all are fetched.
const DEEPER: [u32; 2] = [50, 500];

/// Makes the checkout of a run that continues none, at `repo`.
///
/// # Errors
/// `follow-up-target-missing` or `workspace-failed`, with what git said.
pub async fn prepare_hosted(
    access: &Access,
    repo: &Path,
    assignment: &Assignment,
) -> Result<Checkout, Failure> {
    check_names(assignment)?;
    let default = &assignment.repository.default_branch;
    let direct = assignment.delivery_mode == DeliveryMode::PushToDefaultBranch;
    let target = assignment.direct_target.as_ref().filter(|_| direct).unwrap_or(default);
    let base = clone(access, repo, target).await?;
    let mut checkout = Checkout {
        repo: repo.into(),
        borrows: false,
        branch: None,
        base: base.clone(),
        default_head: base.clone(),
        repository: repository(repo).await,
        clone: None,
        remote: Some(Remote::at(access.url())),
        access: Some(access.clone()),
        notes: vec![format!("Cloned {target} of {} at {}", access.url(), short(&base))],
    };
    match assignment.kind {
        RunKind::Refine => {
            checkout.git().run(["checkout", "--quiet", "--detach"]).await.map_err(failed)?;
        }
        _ if direct => checkout.branch = Some(target.clone()),
        _ => fetch_and_branch_off(&mut checkout, assignment).await?,
    }
    Ok(checkout)
}

/// Clones the last commit of a branch; answers it.
async fn clone(access: &Access, repo: &Path, branch: &str) -> Result<String, Failure> {
    remove_directory(repo).await.map_err(|error| workspace_failed(repo, &error))?;
    let parent = Git::at(repo.parent().unwrap_or(repo)).with_access(Some(access.clone()));
    let mut args: Vec<OsString> =
        ["clone", "--quiet", "--no-tags", "--single-branch", "--depth=1", "--origin=origin"]
            .map(Into::into)
            .into();
    args.extend([format!("--branch={branch}").into(), "--".into(), access.url().into(), repo.into()]);
    match parent.network(args).await {
        Err(error) if error.message.contains("not found in upstream") => {
            let detail = lacks(&parent, access.url(), branch).await;
            return Err(Failure::new(FailureReason::WorkspaceFailed, detail));
        }
        cloned => cloned.map_err(failed)?,
    };
    Git::at(repo).run(["rev-parse", "HEAD"]).await.map_err(failed)
}

/// Checks out the run's branch.
async fn fetch_and_branch_off(checkout: &mut Checkout, assignment: &Assignment) -> Result<(), Failure> {
    let (git, branch) = (checkout.git(), &assignment.branch);
    let base = checkout.base.clone();
    let Some(remote) = checkout.remote.clone() else { return Ok(()) };
    let address = &remote.fetch;
    let pushed =
        fetch_to(&git, address, branch, &remote_ref(branch), &["--depth=1"]).await.map_err(failed)?;
    if let Some(pushed) = pushed.as_ref().filter(|pushed| **pushed != base) {
        let default = &assignment.repository.default_branch;
        deepen(&git, &remote, [default, branch], [&base, pushed]).await.map_err(failed)?;
    }
    branch_off(checkout, assignment, pushed, None).await
}

/// Fetches more of the history of two branches, until it shows where they parted.
async fn deepen(
    git: &Git,
    remote: &Remote,
    branches: [&String; 2],
    commits: [&String; 2],
) -> Result<(), GitError> {
    let parted = async || git.run(["merge-base", commits[0], commits[1]]).await.is_ok();
    let refspecs = branches.map(|branch| format!("+refs/heads/{branch}:{}", remote_ref(branch)));
    let deeper = DEEPER.map(|by| format!("--deepen={by}"));
    for how in deeper.iter().map(String::as_str).chain(["--unshallow"]) {
        let shallow = git.run(["rev-parse", "--is-shallow-repository"]).await? == "true";
        if !shallow || parted().await {
            return Ok(());
        }
        let mut args = vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", how];
        let (toward, origin) = git.clone().toward(&remote.fetch);
        args.extend(["--end-of-options", &origin, &refspecs[0], &refspecs[1]]);
        toward.network(args).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::assignment;
    use crate::workspace::commits::commit;
    use crate::workspace::outcome::{Expectation, verify};

    /// A bare `origin` with three commits on main, and `other`, a clone of it.
    struct World {
        directory: tempfile::TempDir,
    }

    impl World {
        async fn new() -> Self {
            let world = Self { directory: tempfile::tempdir().unwrap() };
            let root = Git::at(world.directory.path());
            root.run(["init", "-q", "--bare", "-b", "main", "origin.git"]).await.unwrap();
            root.run(["clone", "-q", "origin.git", "other"]).await.unwrap();
            for content in ["one", "two", "three"] {
                world.push("HEAD", "main", content).await;
            }
            world
        }

        /// Commits on top of `from`, as another person, and pushes it to a branch.
        async fn push(&self, from: &str, branch: &str, content: &str) -> String {
            let other = Git::at(self.directory.path().join("other"));
            if from != "HEAD" {
                other.run(["fetch", "-q", "origin"]).await.unwrap();
                other.run(["checkout", "-q", "--detach", from]).await.unwrap();
            }
            fs::write(other.directory().join(content), content).unwrap();
            other.run(["add", "--all"]).await.unwrap();
            other.run(["-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", content]).await.unwrap();
            other.run(["push", "-q", "origin", &format!("HEAD:refs/heads/{branch}")]).await.unwrap();
            other.run(["rev-parse", "HEAD"]).await.unwrap()
        }

        async fn prepare(&self, assignment: &Assignment) -> Result<Checkout, Failure> {
            let run = self.directory.path().canonicalize().unwrap().join("run");
            fs::create_dir_all(&run).unwrap();
            let url = format!("file://{}", self.directory.path().join("origin.git").display());
            let access = Access { origin: url.clone(), url, directory: run.clone() };
            prepare_hosted(&access, &run.join("repo"), assignment).await
        }

        async fn at_origin(&self, branch: &str) -> Option<String> {
            commit(&Git::at(self.directory.path().join("origin.git")), &format!("refs/heads/{branch}")).await
        }
    }

    async fn agent_commits(checkout: &Checkout) -> String {
        let git = checkout.git();
        fs::write(checkout.repo.join("work"), "work").unwrap();
        git.run(["add", "--all"]).await.unwrap();
        git.run(["-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", "work"]).await.unwrap();
        git.run(["rev-parse", "HEAD"]).await.unwrap()
    }

    #[tokio::test]
    async fn a_run_gets_the_last_commit_on_its_branch_and_its_work_is_pushed() {
        let world = World::new().await;
        for _ in 0..2 {
            let checkout = world.prepare(&assignment("r1")).await.unwrap();
            let git = checkout.git();
            assert_eq!(git.run(["rev-list", "--count", "HEAD"]).await.unwrap(), "1", "shallow");
            assert_eq!(git.run(["symbolic-ref", "--short", "HEAD"]).await.unwrap(), "prj-1-title");
            assert_eq!(Some(&checkout.base), world.at_origin("main").await.as_ref());
        }
        let checkout = world.prepare(&assignment("r1")).await.unwrap();
        let head = agent_commits(&checkout).await;
        let verified = verify(&checkout, "main", &Expectation::WORK).await;
        assert_eq!(verified.pushed_branch.as_deref(), Some("prj-1-title"), "{verified:?}");
        assert_eq!(world.at_origin("prj-1-title").await, Some(head));
    }

    #[tokio::test]
    async fn unmerged_work_of_the_branch_is_gone_on_from_and_merged_work_is_not() {
        let world = World::new().await;
        let pushed = world.push("origin/main~2", "prj-1-title", "earlier").await;
        let checkout = world.prepare(&assignment("r1")).await.unwrap();
        assert_eq!(checkout.base, pushed);
        assert!(checkout.notes.iter().any(|note| note.contains("with other work")), "{:?}", checkout.notes);
        // Where the two parted is known: the agent can bring them together.
        let (git, main) = (checkout.git(), commit(&checkout.git(), &remote_ref("main")).await.unwrap());
        git.run(["merge-base", &main, &pushed]).await.unwrap();

        let merged = World::new().await;
        merged.push("origin/main~1", "prj-1-title", "earlier").await;
        let other = Git::at(merged.directory.path().join("other"));
        other.run(["fetch", "-q", "origin"]).await.unwrap();
        other.run(["checkout", "-q", "--detach", "origin/main"]).await.unwrap();
        let merge =
            ["-c", "user.name=A", "-c", "user.email=a@x", "merge", "-q", "-m", "merge", "origin/prj-1-title"];
        other.run(merge).await.unwrap();
        other.run(["push", "-q", "origin", "HEAD:refs/heads/main"]).await.unwrap();
        let checkout = merged.prepare(&assignment("r1")).await.unwrap();
        assert_eq!(Some(checkout.base), merged.at_origin("main").await);
    }

    #[tokio::test]
    async fn a_follow_up_goes_on_from_its_branch_or_says_that_it_is_gone() {
        let world = World::new().await;
        let mut follow_up = assignment("r1");
        follow_up.kind = RunKind::FollowUp;
        let begun = world.prepare(&follow_up).await.unwrap().base;
        assert_eq!(Some(begun), world.at_origin("main").await, "there was no earlier work");
        follow_up.follow_up = Some(earlier_work());
        let gone = world.prepare(&follow_up).await.unwrap_err();
        assert_eq!(gone.reason, FailureReason::FollowUpTargetMissing);
        let pushed = world.push("origin/main", "prj-1-title", "earlier").await;
        assert_eq!(world.prepare(&follow_up).await.unwrap().base, pushed);
    }

    fn earlier_work() -> svc_api::runner::AssignedFollowUp {
        svc_api::runner::AssignedFollowUp {
            pull_request: None,
            pull_request_state: None,
            new_branch: "prj-1-title-a1b2c3".into(),
        }
    }

    #[tokio::test]
    async fn direct_delivery_and_refinement_have_the_target_branch() {
        let world = World::new().await;
        let mut direct = assignment("r1");
        direct.delivery_mode = DeliveryMode::PushToDefaultBranch;
        direct.direct_target = Some("main".into());
        let checkout = world.prepare(&direct).await.unwrap();
        assert_eq!(checkout.branch.as_deref(), Some("main"));
        let head = agent_commits(&checkout).await;
        assert_eq!(
            verify(&checkout, "main", &Expectation::WORK).await.pushed_branch.as_deref(),
            Some("main")
        );
        assert_eq!(world.at_origin("main").await, Some(head));
        let mut refine = assignment("r2");
        refine.kind = RunKind::Refine;
        let checkout = world.prepare(&refine).await.unwrap();
        assert_eq!(checkout.branch, None);
        assert!(checkout.git().run(["symbolic-ref", "--quiet", "HEAD"]).await.is_err(), "detached");
    }

    #[tokio::test]
    async fn a_default_branch_that_is_not_there_is_named() {
        let world = World::new().await;
        let mut wrong = assignment("r1");
        wrong.repository.default_branch = "trunk".into();
        let failure = world.prepare(&wrong).await.unwrap_err();
        assert_eq!(failure.reason, FailureReason::WorkspaceFailed);
        assert!(failure.detail.contains("no branch trunk"), "{}", failure.detail);
    }
}
