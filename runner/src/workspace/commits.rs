//! Commits of a repository: which a name means, and which came before which.

use super::git::Git;

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
