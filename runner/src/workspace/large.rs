//! Files that Git LFS keeps: git has a pointer to each, and the files themselves are uploaded by a hook of `git push`, which
//! the runner's own pushes do not run.

use std::collections::BTreeSet;

use super::git::{Git, GitError};
use super::origin::Remote;
use crate::failure::{Failure, FailureReason};

/// How the pointer to a file begins.
const POINTER: &str = "version https://git-lfs.github.com/spec/";
/// Where its name is.
const NAME: &str = "+oid sha256:";
/// Names that fit into one command.
const AT_ONCE: usize = 500;

/// Refuses a repository whose large files could not be had or delivered here.
///
/// # Errors
/// `workspace-failed`, with what to do.
pub async fn check(git: &Git, commit: &str) -> Result<(), Failure> {
    let attributes = ":(glob)**/.gitattributes";
    let used = git.run(["grep", "--quiet", "-e", "filter=lfs", commit, "--", attributes]).await.is_ok();
    if !used || git.run(["lfs", "version"]).await.is_ok() {
        return Ok(());
    }
    let detail = "the repository keeps files with Git LFS, which is not installed here: install git-lfs, and run \
                  `git lfs install` as the user of the runner";
    Err(Failure::new(FailureReason::WorkspaceFailed, detail.to_owned()))
}

/// Uploads the files that commits point to; those that are there already are not sent again.
///
/// # Errors
/// Not all of them could be uploaded.
pub async fn upload(git: &Git, remote: &Remote, base: &str, head: &str) -> Result<(), GitError> {
    let names = pointed_to(git, base, head).await?;
    // By its name, git-lfs finds the settings for a remote.
    let named = git.run(["remote", "get-url", "--push", "origin"]).await.is_ok_and(|url| url == remote.push);
    let place = if named { "origin" } else { &remote.push };
    for names in names.iter().map(String::as_str).collect::<Vec<_>>().chunks(AT_ONCE) {
        let args = ["lfs", "push", "--object-id", "--", place];
        git.network(args.iter().chain(names)).await?;
    }
    Ok(())
}

/// The files that commits begin to point to.
async fn pointed_to(git: &Git, base: &str, head: &str) -> Result<BTreeSet<String>, GitError> {
    let range = if base.is_empty() { head.to_owned() } else { format!("{base}..{head}") };
    let pattern = format!("-G{}", NAME.trim_start_matches('+'));
    let args = [
        "log",
        "-p",
        "-m",
        "--format=",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        &pattern,
        &range,
        "--",
    ];
    let (mut names, mut pending, mut pointer) = (BTreeSet::new(), Vec::new(), false);
    let mut line = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        if line.get(1..).is_some_and(|text| text.starts_with(POINTER)) {
            pointer = true;
        } else if let Some(name) = line.strip_prefix(NAME).filter(|_| pointer) {
            names.insert(name.trim().to_owned());
        } else if !line.starts_with('-') {
            pointer = false;
        }
    };
    git.read(args, |bytes| {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            pending.extend_from_slice(&part[..part.len().min(LONGEST)]);
            if part.ends_with(b"\n") {
                line(&pending);
                pending.clear();
            } else {
                // No line of a pointer is so long.
                pending.truncate(LONGEST);
            }
        }
    })
    .await?;
    Ok(names)
}

/// Bytes of a line that are looked at.
const LONGEST: usize = 1_000;
