//! Which branch a follow-up works on, looked up before anything is checked out.
//!
//! | earlier pull request                    | branch                                                |
//! |-----------------------------------------|-------------------------------------------------------|
//! | open, or none was opened                | the earlier one, which must be there                  |
//! | merged or closed                        | the new one, from the default branch                  |
//! | gone                                    | none: `follow-up-target-missing`                      |
//! | nobody to ask: no code-hosting CLI, not | the earlier one, which must be there                  |
//! | signed in, no answer                    |                                                       |
//!
//! Decides nothing about commits: `prepare` fetches the branch and says when it is gone.

use std::path::Path;
use std::time::Duration;

use svc_api::runner::{AssignedFollowUp, Assignment};
use tokio::process::Command;

use super::access::Access;
use super::git::output_of;
use crate::failure::{Failure, FailureReason};
use crate::process::find_executable;

/// How long the code host may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What has become of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PullRequest {
    Open,
    Over,
    Gone,
    Unknown,
}

/// The assignment with the branch that the run works on, and a note about it.
///
/// # Errors
/// `follow-up-target-missing` for a pull request that is gone.
pub async fn resolved(
    assignment: &Assignment,
    access: Option<&Access>,
) -> Result<(Assignment, Option<String>), Failure> {
    let gh = find_executable(Path::new("gh"), std::env::var_os("PATH").as_deref());
    resolved_with(assignment, access, gh.as_deref()).await
}

async fn resolved_with(
    assignment: &Assignment,
    access: Option<&Access>,
    gh: Option<&Path>,
) -> Result<(Assignment, Option<String>), Failure> {
    let same = || Ok((assignment.clone(), None));
    let Some(AssignedFollowUp { pull_request: Some(url), new_branch }) = &assignment.follow_up else {
        return same();
    };
    let Some(gh) = gh else { return same() };
    match look_up(gh, url, access).await {
        PullRequest::Open | PullRequest::Unknown => same(),
        PullRequest::Over => {
            let note = format!("{url} was merged or closed: working on the new branch {new_branch}");
            let next = Assignment { branch: new_branch.clone(), follow_up: None, ..assignment.clone() };
            Ok((next, Some(note)))
        }
        PullRequest::Gone => {
            let detail = format!("the pull request {url} cannot be found any more");
            Err(Failure::new(FailureReason::FollowUpTargetMissing, detail))
        }
    }
}

async fn look_up(gh: &Path, url: &str, access: Option<&Access>) -> PullRequest {
    // What begins with a dash would be an option, and what is no address a number or branch of some repository.
    if !url.starts_with("https://") && !url.starts_with("http://") {
        return PullRequest::Unknown;
    }
    let mut command = Command::new(gh);
    command
        .args(["pr", "view", "--json", "state", "--jq", ".state", "--", url])
        .envs(access.into_iter().flat_map(Access::for_gh))
        .env("GH_PROMPT_DISABLED", "1");
    let Ok(Ok(output)) = tokio::time::timeout(PATIENCE, output_of(command)).await else {
        return PullRequest::Unknown;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    match said.trim() {
        "OPEN" if output.status.success() => PullRequest::Open,
        "MERGED" | "CLOSED" if output.status.success() => PullRequest::Over,
        _ if String::from_utf8_lossy(&output.stderr).contains("Could not resolve to a PullRequest") => {
            PullRequest::Gone
        }
        _ => PullRequest::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use svc_api::factory::RunKind;
    use svc_api::runner::{AssignedFollowUp, Assignment};

    use super::resolved_with;
    use crate::testing::assignment;

    fn follow_up(pull_request: Option<&str>) -> Assignment {
        let work = AssignedFollowUp {
            pull_request: pull_request.map(ToOwned::to_owned),
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
        resolved.map(|(next, _)| next.branch).map_err(|failure| failure.reason.as_str().to_owned())
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
