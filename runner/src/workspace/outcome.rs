//! Verifies what a run delivered: asks git and origin, not the agent.
//!
//! | what there is                                          | delivered                               |
//! |--------------------------------------------------------|-----------------------------------------|
//! | commits, and origin's branch shows the last one        | yes, with their files of Git LFS and the commits of submodules |
//! | commits that origin lacks                              | once they are pushed and origin shows them |
//! | commits that the agent merged, and no branch any more  | yes; the branch is not pushed again     |
//! | no commit on the branch, but another branch was pushed | no; it is told as that                  |
//! | no commit, but the branch had unmerged work before     | yes: the work is on origin              |
//! | no commit                                              | no; nothing is missing from a follow-up |
//! | commits, and no origin                                 | once the clone has them as its branch   |
//! | a rebase or merge that was not finished                | as [`unfinished`](super::unfinished) says |
//! | a push that is refused, an origin that cannot be asked, no repository any more | no                |
//!
//! Nothing is ever pushed by force, or to any address but the one that origin had before the agent started.

use std::path::Path;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::sleep;

use super::access::Access;
use super::borrowed::{deliver, forget_collected};
use super::commits::{commit, is_ancestor, short};
use super::fetches::{fetch, fetch_pushed};
use super::git::{Git, GitError, output_of};
use super::large;
use super::origin::{Remote, host_of};
use super::pointers;
use super::prepare::Checkout;
use super::unfinished::{ended_on, finished_on};
use crate::process::find_executable;

const CODE_HOST_PATIENCE: Duration = Duration::from_secs(20);
/// Pauses before an origin that did not answer is asked again.
const ASK_AGAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// What a run is to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Whether commits that origin lacks are pushed.
    pub push: bool,
    /// Whether a run without a commit has failed.
    pub commits: bool,
    /// Whether a merge or rebase in progress is finished, if it can be. A run that failed may go on with it.
    pub finish: bool,
}

impl Expectation {
    /// A piece of work: commits, pushed.
    pub const WORK: Self = Self { push: true, commits: true, finish: true };
    /// An answer, with or without commits.
    pub const ANSWER: Self = Self { push: true, commits: false, finish: true };
}

/// What is true after a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Branch of origin that has the work.
    pub pushed_branch: Option<String>,
    /// Whether origin has the commit that the checkout ended on, or all that it changed.
    pub delivered: bool,
    /// Commit that the checkout ended on.
    pub local_head: Option<String>,
    /// Commit that origin's branch has.
    pub remote_head: Option<String>,
    /// Why nothing was delivered, where something should have been.
    pub missing: Option<String>,
    /// What was done and found, for the log.
    pub events: Vec<String>,
    /// What people must know about the result besides the agent's words.
    pub remarks: Vec<String>,
}

impl Verified {
    fn arrived_on(&mut self, branch: &str) {
        self.pushed_branch = Some(branch.to_owned());
        self.delivered = true;
    }

    fn lacks(&mut self, why: impl Into<String>, remark: &str) {
        let why = why.into();
        self.events.push(format!("Not delivered: {why}"));
        self.remarks.push(remark.to_owned());
        self.missing = Some(why);
    }
}

/// Finds out what came of the work in a checkout, and pushes what is expected. `default` is the repository's default branch.
pub async fn verify(checkout: &Checkout, default: &str, expected: &Expectation) -> Verified {
    let mut verified = Verified::default();
    let git = checkout.git();
    let Some(branch) = checkout.branch.as_deref() else { return verified };
    if let Some(clone) = checkout.clone.as_ref().filter(|clone| checkout.borrows && !clone.exists()) {
        let why = format!(
            "the mapped clone {} is gone, where the run's repository reads its objects; put it back, or map it where it is \
             now with `svc runner map`, then continue the run",
            clone.display()
        );
        verified.lacks(why, "The mapped clone was moved or removed while the run worked.");
        return verified;
    }
    if checkout.borrows {
        forget_collected(&git).await;
    }
    let ended = if expected.finish { finished_on(&git).await } else { ended_on(&git).await };
    let Some(ended) = ended else {
        let why = "the checkout is not a git repository with a commit any more";
        verified.lacks(why, "The run's checkout was destroyed.");
        return verified;
    };
    let mut head = ended.head;
    // A checkout that went back to an earlier commit, or to another branch, does not undo what the branch has.
    if let Some(tip) = commit(&git, &format!("refs/heads/{branch}")).await.filter(|tip| *tip != head)
        && ended.told.is_none()
        && is_ancestor(&git, &head, &tip).await
    {
        verified.events.push(format!("The checkout ended on {}, which {branch} is ahead of", short(&head)));
        head = tip;
    }
    verified.local_head = Some(head.clone());
    if let Some(told) = ended.told {
        verified.events.push(told.clone());
        verified.remarks.push(told);
    }
    // The agent may have changed branches: what counts is the commit that it ended on.
    let current = git.run(["symbolic-ref", "--quiet", "--short", "HEAD"]).await.unwrap_or_default();
    if !current.is_empty() && current != branch {
        verified.events.push(format!("The local branch {current} is pushed to {branch}"));
    }
    let Some(remote) = &checkout.remote else {
        if head == checkout.base && expected.commits {
            verified.lacks("no commit was made", "No commit was made.");
        } else if head != checkout.base {
            to_the_clone(checkout, branch, &head, &mut verified).await;
        }
        return verified;
    };
    let work = Work { git, remote, branch, default, head: &head, checkout };
    work.judge(expected, &mut verified).await;
    verified
}

/// Delivers to the clone itself, which has no origin.
async fn to_the_clone(checkout: &Checkout, branch: &str, head: &str, verified: &mut Verified) {
    let Some(clone) = &checkout.clone else { return };
    match deliver(clone, &checkout.repo, branch, head).await {
        Ok(name) => verified.remarks.push(format!(
            "The work is in the local branch {name} of {}: it has no origin.",
            clone.display()
        )),
        Err(error) => {
            let why = format!("{} did not take the branch {branch}: {error}", clone.display());
            verified.lacks(why, &format!("The commits could not be brought to {branch}."));
        }
    }
}

struct Work<'a> {
    git: Git,
    remote: &'a Remote,
    branch: &'a str,
    default: &'a str,
    head: &'a str,
    checkout: &'a Checkout,
}

impl Work<'_> {
    async fn judge(&self, expected: &Expectation, verified: &mut Verified) {
        let (head, branch) = (self.head, self.branch);
        let new = head != self.checkout.base;
        let standing = self.ask_patiently(verified).await;
        match standing {
            Ok(true) if new => {
                if !self.uploads(verified).await {
                    return;
                }
                verified.events.push(format!("origin has {branch} with {}", short(head)));
                verified.arrived_on(branch);
            }
            Ok(_) if is_ancestor(&self.git, head, &self.checkout.default_head).await => {
                match (self.pushed_elsewhere().await, expected.commits) {
                    (Some(other), true) => {
                        let why = format!("the work was pushed to {other}, not to {branch}");
                        verified.lacks(why, &format!("The work was pushed to {other}, not to {branch}."));
                    }
                    (None, true) => verified.lacks("no commit was made", "No commit was made."),
                    (Some(other), false) => verified.remarks.push(format!("The agent pushed to {other}.")),
                    (None, false) => {}
                }
            }
            // A branch that was gone on from has work already.
            Ok(true) => {
                verified.remarks.push("No new commit was made.".to_owned());
                verified.arrived_on(branch);
            }
            Ok(false) if self.is_merged(verified).await => {
                let told = format!("The work is merged into {}.", self.default);
                verified.events.push(told.clone());
                verified.remarks.push(told);
                verified.delivered = true;
            }
            Ok(_) if expected.push => self.push(verified).await,
            Ok(_) => {
                let remark = format!("origin does not have the last commits of {branch}.");
                verified.lacks("the last commits were not pushed", &remark);
            }
            Err(error) => unknown(verified, branch, &error),
        }
    }

    /// Whether origin's branch has the commit, asked more than once.
    async fn ask_patiently(&self, verified: &mut Verified) -> Result<bool, GitError> {
        let mut pauses = ASK_AGAIN.into_iter();
        loop {
            match (self.ask(verified).await, pauses.next()) {
                (Err(error), Some(pause)) => {
                    verified.events.push(format!("Asking origin for {}: {error}; asking again", self.branch));
                    sleep(pause).await;
                }
                (answer, _) => return answer,
            }
        }
    }

    async fn ask(&self, verified: &mut Verified) -> Result<bool, GitError> {
        let pushed = fetch_pushed(&self.git, self.remote, self.branch).await?;
        verified.remote_head.clone_from(&pushed);
        Ok(match pushed {
            Some(pushed) => is_ancestor(&self.git, self.head, &pushed).await,
            None => false,
        })
    }

    /// Whether the agent merged the branch and deleted it: origin's default branch has all that it changed.
    async fn is_merged(&self, verified: &Verified) -> bool {
        let (head, git, base) = (self.head, &self.git, &self.checkout.base);
        if verified.remote_head.is_some() || self.branch == self.default || head == base {
            return false;
        }
        let Ok(Some(now)) = fetch(git, self.remote, self.default).await else { return false };
        if is_ancestor(git, head, &now).await {
            return true;
        }
        // As one commit, or rebased: merging it once more would change nothing.
        let tree = async |commit: &str| git.run(["rev-parse", &format!("{commit}^{{tree}}")]).await.ok();
        let merged = git.run(["merge-tree", "--write-tree", &now, head]).await.ok();
        merged.is_some() && merged == tree(&now).await && tree(head).await != tree(base).await
    }

    /// Another branch that has commits of the run, and that origin has.
    async fn pushed_elsewhere(&self) -> Option<String> {
        let listed =
            self.git.run(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads"]).await.ok()?;
        let (git, origin) = self.git.clone().toward(&self.remote.push);
        let there =
            git.network(["ls-remote", "--quiet", "--heads", "--end-of-options", &origin]).await.ok()?;
        for (object, name) in listed.lines().filter_map(|line| line.split_once(' ')) {
            let known =
                there.lines().filter_map(|line| line.split_once('\t')).find(|(there, _)| *there == object);
            let Some((_, other)) = known.filter(|(_, other)| *other == name) else { continue };
            if other.strip_prefix("refs/heads/") == Some(self.branch) {
                continue;
            }
            let is_new = !is_ancestor(&self.git, object, &self.checkout.default_head).await
                && !is_ancestor(&self.git, object, &self.checkout.base).await;
            if is_new {
                return other.strip_prefix("refs/heads/").map(str::to_owned);
            }
        }
        None
    }

    /// Whether all that the commits only name is there: files of Git LFS, which are uploaded here, because the hook that
    /// does so does not run, and commits of submodules.
    async fn uploads(&self, verified: &mut Verified) -> bool {
        if let Some(why) = pointers::missing(self.checkout, self.remote, self.head).await {
            verified.lacks(why.clone(), &format!("A submodule was not delivered: {why}."));
            return false;
        }
        let uploaded = large::upload(&self.git, self.remote, &self.checkout.base, self.head).await;
        if let Err(error) = &uploaded {
            let why = format!("uploading the files of {} that Git LFS keeps failed: {error}", self.branch);
            verified.lacks(why, "The large files of the commits (Git LFS) could not be uploaded.");
        }
        uploaded.is_ok()
    }

    async fn push(&self, verified: &mut Verified) {
        let (head, branch) = (self.head, self.branch);
        if !self.uploads(verified).await {
            return;
        }
        let refspec = format!("{head}:refs/heads/{branch}");
        let (git, origin) = self.git.clone().toward(&self.remote.push);
        let args =
            ["push", "--quiet", "--no-verify", "--no-follow-tags", "--end-of-options", &origin, &refspec];
        let pushed = git.network(args).await;
        if let Err(error) = pushed {
            let why = format!("pushing {branch} failed: {}", error.message);
            verified.lacks(why, &format!("The commits could not be pushed to {branch}."));
            return;
        }
        match self.ask_patiently(verified).await {
            Ok(true) => {
                verified
                    .events
                    .push(format!("Pushed {} to {branch}, because the agent had not", short(head)));
                verified.arrived_on(branch);
                if let Some(other) = self.pushed_elsewhere().await {
                    verified.remarks.push(format!("The agent pushed to {other}, too."));
                }
            }
            Ok(false) => {
                let why = format!("origin took the push, but its {branch} does not have {}", short(head));
                verified.lacks(why, &format!("origin took the push but does not show {branch}."));
            }
            Err(error) => unknown(verified, branch, &error),
        }
    }
}

fn unknown(verified: &mut Verified, branch: &str, error: &GitError) {
    let why = format!("cannot find out whether origin has {branch}: {error}");
    verified.lacks(why, &format!("Could not find out whether origin has {branch}."));
}

/// The pull request of a branch, asked from the code-hosting CLI where it is installed and origin is on a
/// host at all.
pub async fn pull_request(checkout: &Checkout, branch: &str) -> Option<String> {
    let host = host_of(&checkout.remote.as_ref()?.push)?.to_owned();
    let gh = find_executable(Path::new("gh"), std::env::var_os("PATH").as_deref())?;
    let mut command = Command::new(gh);
    command
        .args(["pr", "view", "--json", "url", "--jq", ".url", "--", branch])
        .current_dir(&checkout.repo)
        .envs(checkout.access.iter().flat_map(Access::for_gh))
        .env("GH_PROMPT_DISABLED", "1");
    let output = tokio::time::timeout(CODE_HOST_PATIENCE, output_of(command)).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    last_pull_request(text.trim()).filter(|url| output.status.success() && is_on(url, &host))
}

/// Whether a printed pull request can be one of this checkout: it is on the host of origin, where origin has one.
pub fn belongs(checkout: &Checkout, url: &str) -> bool {
    checkout.remote.as_ref().and_then(|remote| host_of(&remote.push)).is_none_or(|host| is_on(url, host))
}

/// Whether an address is on a host. `ssh.host` is a way into `host`.
fn is_on(url: &str, host: &str) -> bool {
    host_of(url).is_some_and(|named| {
        named.eq_ignore_ascii_case(host)
            || host.to_ascii_lowercase() == format!("ssh.{}", named.to_ascii_lowercase())
    })
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
    use super::{host_of, is_on, last_pull_request};

    #[test]
    fn a_pull_request_is_on_the_host_of_origin() {
        for (origin, host) in [
            ("git@github.com:o/r.git", Some("github.com")),
            ("ssh://git@ssh.github.com:443/o/r", Some("ssh.github.com")),
            ("https://u:p@code.example:8443/o/r", Some("code.example")),
            ("/srv/r.git", None),
            ("file:///srv/r.git", None),
            ("../r.git", None),
        ] {
            assert_eq!(host_of(origin), host, "{origin}");
        }
        assert!(is_on("https://GitHub.com/o/r/pull/1", "github.com"));
        assert!(is_on("https://github.com/o/r/pull/1", "ssh.github.com"));
        assert!(!is_on("https://github.com.evil.example/o/r/pull/1", "github.com"));
    }

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
