//! Files that Git LFS keeps: git has a pointer to each, and the files themselves are uploaded by a hook of `git push`, which
//! the runner's own pushes do not run.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::git::{Git, GitError};
use super::origin::Remote;
use crate::failure::{Failure, FailureReason};
use crate::plain;

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
    let names = pointed_to(git, &[&range(base, head)]).await?;
    if !names.is_empty() && goes_elsewhere(git, base).await {
        let message = "the run changed .lfsconfig, which says where large files go; push the branch yourself";
        return Err(GitError { command: "lfs".to_owned(), message: message.to_owned() });
    }
    // By its name, git-lfs finds the settings for a remote.
    let named = git.run(["remote", "get-url", "--push", "origin"]).await.is_ok_and(|url| url == remote.push);
    let place = if named { "origin" } else { &remote.push };
    for names in names.iter().map(String::as_str).collect::<Vec<_>>().chunks(AT_ONCE) {
        let args = ["lfs", "push", "--object-id", "--", place];
        git.network(args.iter().chain(names)).await?;
    }
    Ok(())
}

/// Whether git-lfs would go by a `.lfsconfig` that the run changed. Files would leave the machine where its sandbox lets
/// nothing out.
async fn goes_elsewhere(git: &Git, base: &str) -> bool {
    const NAME: &str = ".lfsconfig";
    let place = git.directory().join(NAME);
    let committed = async |place: &str| git.run(["show", &format!("{place}:{NAME}")]).await.ok();
    let before = committed(base).await.unwrap_or_default();
    let file =
        plain::read_text(&place, plain::RECORD).ok().map(|text| text.trim_end_matches('\n').to_owned());
    let now = [committed("").await, committed("HEAD").await, file];
    place.is_symlink() || now.into_iter().flatten().any(|text| text != before)
}

fn range(base: &str, head: &str) -> String {
    if base.is_empty() { head.to_owned() } else { format!("{base}..{head}") }
}

/// Copies the files that commits point to, and that a repository has here, into a directory.
///
/// # Errors
/// Git said no, or the disk.
pub(super) async fn keep(
    git: &Git,
    objects: impl Iterator<Item = &str>,
    base: &str,
    to: &Path,
) -> Result<(), GitError> {
    let failed = |error: std::io::Error| GitError { command: "lfs".to_owned(), message: error.to_string() };
    let own = git.run(["rev-parse", "--path-format=absolute", "--git-common-dir"]).await?;
    let from = Path::new(&own).join("lfs/objects");
    if !from.is_dir() {
        return Ok(());
    }
    let mut revisions: Vec<&str> = objects.collect();
    revisions.push("--not");
    revisions.extend(Some(base).filter(|base| !base.is_empty()));
    for name in pointed_to(git, &revisions).await? {
        let (Some(first), Some(second)) = (name.get(..2), name.get(2..4)) else { continue };
        let place = Path::new(first).join(second).join(&name);
        let to = to.join(&place);
        let Ok(mut content) = plain::open(&from.join(place)) else { continue };
        if !to.exists() {
            let directory = to.parent().unwrap_or(&to);
            std::fs::create_dir_all(directory).map_err(failed)?;
            let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
            std::io::copy(&mut content, &mut file).map_err(failed)?;
            // The clone believes names: an agent must not give it another content for one.
            if digest(file.reopen().map_err(failed)?).map_err(failed)? == name {
                file.persist(&to).map_err(|error| failed(error.error))?;
            }
        }
    }
    Ok(())
}

fn digest(mut file: std::fs::File) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    let mut part = vec![0; 64 * 1024];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hex::encode(digest.finalize())),
            read => digest.update(&part[..read]),
        }
    }
}

/// The files that commits begin to point to.
async fn pointed_to(git: &Git, revisions: &[&str]) -> Result<BTreeSet<String>, GitError> {
    let pattern = format!("-G{}", NAME.trim_start_matches('+'));
    let args = ["log", "-p", "-m", "--format=", "--no-color", "--no-ext-diff", "--no-textconv", &pattern];
    let args = args.iter().chain(revisions).chain(&["--"]);
    let (mut names, mut pending, mut pointer) = (BTreeSet::new(), Vec::new(), false);
    let mut line = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        if line.get(1..).is_some_and(|text| text.starts_with(POINTER)) {
            pointer = true;
        } else if let Some(name) = line.strip_prefix(NAME).filter(|_| pointer) {
            let name = name.trim();
            // It becomes a part of a path.
            if name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                names.insert(name.to_owned());
            }
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
