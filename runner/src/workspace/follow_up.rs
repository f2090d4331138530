//! Which branch a follow-up works on, looked up before anything is checked out.
//!
//! | earlier pull request                    | branch                                                |
//! |-----------------------------------------|-------------------------------------------------------|
//! | open, or none was opened                | the earlier one, which must be there                  |
//! | merged or closed                        | the new one, from the default branch                  |
//! | gone                                    | none: `follow-up-target-missing`                      |
//! | no way to ask: no code-hosting CLI, not | as the service knows it by the code host's webhooks,  |
//! | signed in, no answer                    | else the earlier one, which must be there             |
//!
//! Decides nothing about commits: `prepare` fetches the branch and says when it is gone.

use std::path::Path;
use std::time::Duration;

use svc_api::runner::{AssignedFollowUp, Assignment};
use svc_api::tracker::PullRequestState;
use tokio::process::Command;

use super::access::Access;
use super::git::output_of;
use crate::failure::{Failure, FailureReason};
use crate::process::find_executable;

/// How long the code host may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the code host says of a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Found(Found),
    Gone,
    Unknown,
}

/// A pull request as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What happened to it.
    pub state: PullRequestState,
    /// Its newest commit.
    pub head: Option<String>,
}

/// What was looked up for an assignment.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The assignment, with the branch that the run works on.
    pub assignment: Assignment,
    /// What to tell.
    pub note: Option<String>,
    /// The pull request that it goes on from, if it was found.
    pub found: Option<Found>,
}

/// Looks up which branch the run works on.
///
/// # Errors
/// `follow-up-target-missing` for a pull request that is gone.
pub async fn resolved(assignment: &Assignment, access: Option<&Access>) -> Result<Resolved, Failure> {
    let gh = find_executable(Path::new("gh"), std::env::var_os("PATH").as_deref());
    resolved_with(assignment, access, gh.as_deref()).await
}

async fn resolved_with(
    assignment: &Assignment,
    access: Option<&Access>,
    gh: Option<&Path>,
) -> Result<Resolved, Failure> {
    let same = |found| Ok(Resolved { assignment: assignment.clone(), note: None, found });
    let Some(AssignedFollowUp { pull_request: Some(url), pull_request_state, new_branch }) =
        &assignment.follow_up
    else {
        return same(None);
    };
    let answer = match gh {
        Some(gh) => look_up(gh, url, access).await,
        None => Answer::Unknown,
    };
    let (state, found) = match answer {
        Answer::Found(found) => (Some(found.state), Some(found)),
        Answer::Unknown => (*pull_request_state, None),
        Answer::Gone => {
            let detail = format!("the pull request {url} no longer exists");
            return Err(Failure::new(FailureReason::FollowUpTargetMissing, detail));
        }
    };
    if !matches!(state, Some(PullRequestState::Merged | PullRequestState::Closed)) {
        return same(found);
    }
    let note = format!("{url} was merged or closed: working on the new branch {new_branch}");
    let assignment = Assignment { branch: new_branch.clone(), follow_up: None, ..assignment.clone() };
    Ok(Resolved { assignment, note: Some(note), found })
}

async fn look_up(gh: &Path, url: &str, access: Option<&Access>) -> Answer {
    // What begins with a dash would be an option, and what is no address a number or branch of some repository.
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return Answer::Unknown;
    }
    let mut command = Command::new(gh);
    command
        .args(["pr", "view", "--json", "state,headRefOid", "--jq", ".state + \" \" + .headRefOid", "--", url])
        .envs(access.into_iter().flat_map(Access::for_gh))
        .env("GH_PROMPT_DISABLED", "1");
    let Ok(Ok(output)) = tokio::time::timeout(PATIENCE, output_of(command)).await else {
        return Answer::Unknown;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let mut words = said.split_whitespace();
    let state = match words.next() {
        Some("OPEN") => Some(PullRequestState::Open),
        Some("MERGED") => Some(PullRequestState::Merged),
        Some("CLOSED") => Some(PullRequestState::Closed),
        Some(_) | None => None,
    };
    match state.filter(|_| output.status.success()) {
        Some(state) => Answer::Found(Found { state, head: words.next().map(str::to_owned) }),
        None if String::from_utf8_lossy(&output.stderr).contains("Could not resolve to a PullRequest") => {
            Answer::Gone
        }
        None => Answer::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use svc_api::factory::RunKind;
    use svc_api::runner::{AssignedFollowUp, Assignment};

    use svc_api::tracker::PullRequestState;

    use super::{Found, resolved_with};
    use crate::testing::assignment;

    fn follow_up(pull_request: Option<&str>) -> Assignment {
        let work = AssignedFollowUp {
            pull_request: pull_request.map(ToOwned::to_owned),
            pull_request_state: None,
            new_branch: "prj-1-title-a1b2c3".into(),
        };
        Assignment { kind: RunKind::FollowUp, follow_up: Some(work), ..assignment("r1") }
    }

    fn program(directory: &Path, script: &str) -> std::path::PathBuf {
        let path = directory.join("gh");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    async fn branch_after(script: Option<&str>, pull_request: Option<&str>) -> Result<String, String> {
        let directory = tempfile::tempdir().unwrap();
        let gh = script.map(|script| program(directory.path(), script));
        let resolved = resolved_with(&follow_up(pull_request), None, gh.as_deref()).await;
        resolved
            .map(|resolved| resolved.assignment.branch)
            .map_err(|failure| failure.reason.as_str().to_owned())
    }

    #[tokio::test]
    async fn what_was_found_is_there_to_be_reported() {
        let found = async |script: &str| {
            let directory = tempfile::tempdir().unwrap();
            let gh = program(directory.path(), script);
            let url = Some("https://host.example/o/r/pull/7");
            resolved_with(&follow_up(url), None, Some(&gh)).await.unwrap().found
        };
        let head = Some("6dcb09b5b57875f334f61aebed695e2e4193db5e".to_owned());
        let script = format!("echo MERGED {}", head.clone().unwrap());
        assert_eq!(found(&script).await, Some(Found { state: PullRequestState::Merged, head }));
        let open = Found { state: PullRequestState::Open, head: None };
        assert_eq!(found("echo OPEN").await, Some(open));
        assert_eq!(found("echo DRAFT").await, None);
        assert_eq!(found("echo MERGED; exit 1").await, None);
    }

    /// Without the program a merge that the service had heard of was ignored.
    #[tokio::test]
    async fn who_cannot_ask_believes_the_service() {
        let directory = tempfile::tempdir().unwrap();
        let branch = async |known: Option<PullRequestState>, script: Option<&str>| {
            let mut assignment = follow_up(Some("https://host.example/o/r/pull/7"));
            assignment.follow_up.as_mut().unwrap().pull_request_state = known;
            let gh = script.map(|script| program(directory.path(), script));
            resolved_with(&assignment, None, gh.as_deref()).await.unwrap().assignment.branch
        };
        let (earlier, new) = ("prj-1-title", "prj-1-title-a1b2c3");
        assert_eq!(branch(Some(PullRequestState::Merged), None).await, new);
        assert_eq!(branch(Some(PullRequestState::Closed), Some("exit 4")).await, new, "not signed in");
        assert_eq!(branch(Some(PullRequestState::Open), None).await, earlier);
        assert_eq!(branch(Some(PullRequestState::Closed), Some("echo OPEN")).await, earlier, "opened again");
    }

    #[tokio::test]
    async fn the_branch_depends_on_what_became_of_the_pull_request() {
        let url = Some("https://host.example/o/r/pull/7");
        let earlier = Ok("prj-1-title".to_owned());
        let new = Ok("prj-1-title-a1b2c3".to_owned());
        assert_eq!(branch_after(Some("echo OPEN"), url).await, earlier);
        assert_eq!(branch_after(Some("echo MERGED"), url).await, new);
        assert_eq!(branch_after(Some("echo CLOSED"), url).await, new);
        assert_eq!(branch_after(Some("echo MERGED"), None).await, earlier, "none was opened");
        let gone = "echo 'GraphQL: Could not resolve to a PullRequest with the number of 7.' >&2; exit 1";
        assert_eq!(branch_after(Some(gone), url).await, Err("follow-up-target-missing".to_owned()));
        assert_eq!(branch_after(Some("echo 'not signed in' >&2; exit 4"), url).await, earlier);
        assert_eq!(branch_after(None, url).await, earlier, "without the program");
        assert_eq!(branch_after(Some("echo MERGED"), Some("--web")).await, earlier, "no option");
    }
}
