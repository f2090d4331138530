//! Commits of a repository: which a name means, and which came before which.

use super::git::Git;
use crate::plain;

/// Where git notes what was there before a rebase.
const BEFORE_REBASE: [&str; 2] = ["rebase-merge/orig-head", "rebase-apply/orig-head"];

/// The commit that the work in a checkout ended on, and whether a rebase was not finished: then it is the one from before
/// that, as if it were aborted.
pub(super) async fn ended_on(git: &Git) -> Option<(String, bool)> {
    if git.run(["symbolic-ref", "--quiet", "HEAD"]).await.is_err() {
        for name in BEFORE_REBASE {
            let place = git.run(["rev-parse", "--path-format=absolute", "--git-path", name]).await.ok()?;
            let Ok(noted) = plain::read_text(place.as_ref(), plain::RECORD) else { continue };
            if let Some(before) = commit(git, noted.trim()).await {
                return Some((before, true));
            }
        }
    }
    Some((commit(git, "HEAD").await?, false))
}

/// The commit that a name means, if there is one.
pub(super) async fn commit(git: &Git, reference: &str) -> Option<String> {
    let name = format!("{reference}^{{commit}}");
    git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", &name]).await.ok()
}

/// Whether a commit came before another, or is the same.
pub(super) async fn is_ancestor(git: &Git, older: &str, newer: &str) -> bool {
    git.run(["merge-base", "--is-ancestor", older, newer]).await.is_ok()
}

/// A commit as people read it.
pub fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
