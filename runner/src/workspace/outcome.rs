//! What really came of a run: asks git and origin, not the agent.
//!
//! After a harness reported success, commits that origin lacks are pushed (never by force), and a branch
//! counts as pushed only when origin answers with the commit.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::access::Access;
use super::git::Git;
use super::prepare::{Checkout, commit, fetch, is_ancestor, origin_url, short};
use crate::process::{find_executable, register};

const CODE_HOST_PATIENCE: Duration = Duration::from_secs(20);

/// What is true after a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Branch of origin that has the work.
    pub pushed_branch: Option<String>,
    /// What was done and found, for the log.
    pub events: Vec<String>,
    /// What people must know about the result besides the agent's words.
    pub remarks: Vec<String>,
}

/// Finds out what came of the work in a checkout, and pushes what `push` allows.
pub async fn verify(checkout: &Checkout, push: bool) -> Verified {
    let mut verified = Verified::default();
    let git = checkout.git();
    let Some(branch) = checkout.branch.as_deref() else { return verified };
    let Some(head) = commit(&git, "HEAD").await else {
        verified.remarks.push("The checkout has no commit any more.".to_owned());
        return verified;
    };
    remark_uncommitted(&git, &mut verified).await;
    if !checkout.has_origin {
        if head != checkout.base {
            let remark = format!("The work is in the local branch {branch}: the clone has no origin.");
            verified.remarks.push(remark);
        }
        return verified;
    }
    // The agent may have changed branches: what counts is the commit that it ended on.
    let current = git.run(["symbolic-ref", "--quiet", "--short", "HEAD"]).await.unwrap_or_default();
    if !current.is_empty() && current != branch {
        verified.events.push(format!("The local branch {current} goes to {branch}"));
    }
    match has(&git, branch, &head).await {
        Ok(Standing::Has) if head == checkout.base => nothing_new(&mut verified),
        Ok(Standing::Has) => {
            verified.events.push(format!("origin has {branch} with {}", short(&head)));
            verified.pushed_branch = Some(branch.to_owned());
        }
        Ok(Standing::Lacks) if head == checkout.base => nothing_new(&mut verified),
        Ok(Standing::Lacks) if push => push_branch(&git, branch, &head, &mut verified).await,
        Ok(Standing::Lacks) => {
            verified.remarks.push(format!("origin does not have the last commits of {branch}."));
        }
        Err(error) => verified.remarks.push(format!("Whether origin has {branch} is not known: {error}.")),
    }
    verified
}

enum Standing {
    Has,
    Lacks,
}

async fn has(git: &Git, branch: &str, head: &str) -> Result<Standing, super::git::GitError> {
    let pushed = fetch(git, branch).await?;
    Ok(match pushed {
        Some(pushed) if is_ancestor(git, head, &pushed).await => Standing::Has,
        Some(_) | None => Standing::Lacks,
    })
}

fn nothing_new(verified: &mut Verified) {
    verified.remarks.push("No commit was made.".to_owned());
}

async fn remark_uncommitted(git: &Git, verified: &mut Verified) {
    let status = git.run(["status", "--porcelain", "--untracked-files=normal"]).await.unwrap_or_default();
    let changed = status.lines().count();
    if changed > 0 {
        verified
            .remarks
            .push(format!("{changed} changed files are not committed; they stay in the workspace."));
    }
}

async fn push_branch(git: &Git, branch: &str, head: &str, verified: &mut Verified) {
    let refspec = format!("{head}:refs/heads/{branch}");
    let pushed = git.push(["push", "--quiet", "--no-follow-tags", "origin", &refspec]).await;
    if let Err(error) = pushed {
        verified.events.push(format!("Pushing {branch} failed: {}", error.message));
        verified.remarks.push(format!("The commits could not be pushed to {branch}."));
        return;
    }
    match has(git, branch, head).await {
        Ok(Standing::Has) => {
            verified.events.push(format!("Pushed {} to {branch}: the agent had not", short(head)));
            verified.pushed_branch = Some(branch.to_owned());
        }
        Ok(Standing::Lacks) => {
            verified.remarks.push(format!("origin took the push but does not show {branch}."))
        }
        Err(error) => verified.remarks.push(format!("Whether origin has {branch} is not known: {error}.")),
    }
}

/// The pull request of a branch, asked from the code-hosting CLI where it is installed and origin is on a
/// host at all.
pub async fn pull_request(checkout: &Checkout, branch: &str) -> Option<String> {
    let url = origin_url(&checkout.repo).await?;
    if Path::new(&url).is_absolute() || url.starts_with("file:") {
        return None;
    }
    let gh = find_executable(Path::new("gh"), std::env::var_os("PATH").as_deref())?;
    let mut command = Command::new(gh);
    command
        .args(["pr", "view", "--json", "url", "--jq", ".url", "--", branch])
        .current_dir(&checkout.repo)
        .envs(checkout.access.iter().flat_map(Access::for_gh))
        .env("GH_PROMPT_DISABLED", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true);
    let (child, _registered) = register(|| {
        let child = command.spawn()?;
        let pid = child.id();
        Ok((child, pid))
    })
    .ok()?;
    let output = tokio::time::timeout(CODE_HOST_PATIENCE, child.wait_with_output()).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    last_pull_request(text.trim()).filter(|_| output.status.success())
}

/// The last address of a pull request in a text.
pub fn last_pull_request(text: &str) -> Option<String> {
    let mut last = None;
    for (at, _) in text.match_indices("https://") {
        let rest = &text[at..];
        let end = rest
            .find(|c: char| c.is_whitespace() || c.is_control() || "\"'<>()[]{}|\\^`*,;".contains(c))
            .unwrap_or(rest.len());
        if let Some(url) = as_pull_request(&rest[..end]) {
            last = Some(url);
        }
    }
    last
}

/// `https://host/…/pull/7`, cut after the number.
fn as_pull_request(url: &str) -> Option<String> {
    let path = url.strip_prefix("https://")?;
    let (host, _) = path.split_once('/')?;
    if host.is_empty() || host.contains('@') {
        return None;
    }
    for kind in ["/pull/", "/merge_requests/", "/pull-requests/"] {
        let Some(at) = url.find(kind) else { continue };
        let number = &url[at + kind.len()..];
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            return Some(url[..at + kind.len() + digits].to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::last_pull_request;

    #[test]
    fn the_last_pull_request_of_a_text_is_found() {
        let text =
            "see https://host/a/b/pull/3, then (https://host/a/b/pull/12/files). https://host/a/b/pull/new";
        assert_eq!(last_pull_request(text).as_deref(), Some("https://host/a/b/pull/12"));
        assert_eq!(
            last_pull_request("https://git.example/g/r/-/merge_requests/4\n").as_deref(),
            Some("https://git.example/g/r/-/merge_requests/4")
        );
    }

    #[test]
    fn other_addresses_are_none() {
        for text in
            ["", "http://host/a/b/pull/3", "https://u@host/a/pull/3", "https:///pull/3", "https://host/pull/"]
        {
            assert_eq!(last_pull_request(text), None, "{text}");
        }
    }
}
