//! The branches that runs made in a person's clone: marked when they are made, and taken away when origin has all
//! of them, or has merged or deleted them.
//!
//! | local branch                                   | becomes                            |
//! |------------------------------------------------|------------------------------------|
//! | origin's branch has all its commits            | deleted, once no checkout needs it |
//! | merged into the default branch                 | deleted                            |
//! | was pushed, and origin has deleted its branch  | deleted, and the note of origin's  |
//! | has commits that origin never had              | stays                              |
//! | is checked out by a person                     | stays                              |

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::commits::{commit, is_ancestor};
use super::git::{Git, GitError};
use super::lock::lock_path;
use super::origin::{Remote, remote_ref};

const MARKS: &str = "refs/svc/branches/";

/// Notes that a run made this branch.
pub(super) async fn mark(git: &Git, branch: &str, start: &str) {
    if let Err(error) = git.run(["update-ref", &format!("{MARKS}{branch}"), start]).await {
        tracing::warn!(%error, branch, "the branch of a run cannot be marked; it will not be cleaned up");
    }
}

/// Takes away the marked branches of a clone that nobody needs any more. `root` is where runs have their checkouts.
///
/// # Errors
/// Origin cannot be asked.
pub async fn tidy(clone: &Path, remote: &Remote, default: &str, root: &Path) -> Result<(), GitError> {
    let git = Git::at(clone);
    let marked = git.run(["for-each-ref", "--format=%(refname)", MARKS]).await?;
    if marked.is_empty() {
        return Ok(());
    }
    let heads = heads(&git, remote).await?;
    let Ok(_lock) = lock_path(clone).await else { return Ok(()) };
    let worktrees = git.run(["worktree", "list", "--porcelain"]).await?;
    for name in marked.lines().filter_map(|line| line.strip_prefix(MARKS)) {
        let Some(tip) = commit(&git, &format!("refs/heads/{name}")).await else {
            forget(&git, name).await;
            continue;
        };
        let standing = standing(&git, name, &tip, &heads, default).await;
        let checkout = checkout_of(&worktrees, name);
        let gone = match (standing, checkout) {
            (Standing::Needed, _) => false,
            (Standing::AtOrigin | Standing::Over, None) => true,
            // A kept workspace stays where it is, without the name.
            (Standing::Over, Some(path)) if path.starts_with(root) => {
                Git::at(path).run(["update-ref", "--no-deref", "HEAD", &tip]).await.is_ok()
            }
            (Standing::AtOrigin | Standing::Over, Some(_)) => false,
        };
        if gone && git.run(["update-ref", "-d", &format!("refs/heads/{name}"), &tip]).await.is_ok() {
            forget(&git, name).await;
        }
        if gone && !heads.contains_key(name) {
            let _ = git.run(["update-ref", "-d", &remote_ref(name)]).await;
        }
    }
    Ok(())
}

enum Standing {
    /// Origin never had all of it.
    Needed,
    /// Origin has it.
    AtOrigin,
    /// It is merged, or origin had it and deleted it.
    Over,
}

async fn standing(
    git: &Git,
    name: &str,
    tip: &str,
    heads: &HashMap<String, String>,
    default: &str,
) -> Standing {
    if is_ancestor(git, tip, &remote_ref(default)).await {
        return Standing::Over;
    }
    let known = commit(git, &remote_ref(name)).await;
    match heads.get(name) {
        Some(head) if head == tip || is_ancestor(git, tip, head).await => Standing::AtOrigin,
        Some(_) => Standing::Needed,
        None if heads.values().any(|head| head == tip) => Standing::AtOrigin,
        None => match known {
            Some(known) if is_ancestor(git, tip, &known).await => Standing::Over,
            Some(_) | None => Standing::Needed,
        },
    }
}

async fn forget(git: &Git, name: &str) {
    let _ = git.run(["update-ref", "-d", &format!("{MARKS}{name}")]).await;
}

/// The branches of origin and their commits.
async fn heads(git: &Git, remote: &Remote) -> Result<HashMap<String, String>, GitError> {
    let (git, origin) = git.clone().toward(&remote.fetch);
    let listed = git.network(["ls-remote", "--quiet", "--heads", "--end-of-options", &origin]).await?;
    let heads = listed.lines().filter_map(|line| {
        let (commit, name) = line.split_once('\t')?;
        Some((name.strip_prefix("refs/heads/")?.to_owned(), commit.to_owned()))
    });
    Ok(heads.collect())
}

/// Where a branch is checked out.
fn checkout_of(worktrees: &str, branch: &str) -> Option<PathBuf> {
    let line = format!("branch refs/heads/{branch}");
    let block = worktrees.split("\n\n").find(|block| block.lines().any(|one| one == line))?;
    block.lines().find_map(|one| one.strip_prefix("worktree ")).map(PathBuf::from)
}
