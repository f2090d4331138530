//! Files of a checkout that are there, or hidden, for one run alone (specification section 4.3, rule 6).
//!
//! ```text
//! 1. What is replaced is written down in the run's directory before it is touched.
//! 2. Git does not see the change: a tracked path is marked `skip-worktree`, any other is excluded.
//! 3. At the end everything is as it was; a run whose runner died is made up for by the next runner.
//! ```
//!
//! No path leads through a link: what the repository links elsewhere is not written through.

use std::fs;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::content::Content;
use super::git::Git;
use super::{RunDirectory, records};
use crate::plain;

/// Name of the record in a run's directory.
const RECORD: &str = "overlay.json";
/// Bytes of the largest file that is replaced, and of the largest record of several.
const LARGEST: u64 = 16 * 1024 * 1024;
const MOST_RECORD: u64 = 8 * LARGEST;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    repo: PathBuf,
    repository: Option<PathBuf>,
    files: Vec<Replaced>,
    /// Directories that were made.
    made: Vec<PathBuf>,
    excluded: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Replaced {
    path: String,
    tracked: bool,
    before: Before,
}

#[derive(Debug, Serialize, Deserialize)]
enum Before {
    Missing,
    File(Content),
    Link(PathBuf),
}

/// Adds a file to a checkout and hides others, until [`restore`].
///
/// # Errors
/// The disk refuses, or a path leads through a link.
pub async fn apply(
    run: &RunDirectory,
    git: &Git,
    repository: Option<&Path>,
    (path, content): (&str, &[u8]),
    hidden: &[&str],
) -> io::Result<()> {
    let repo = git.directory();
    let mut record =
        Record { repo: repo.to_owned(), repository: repository.map(Path::to_owned), ..Record::default() };
    for name in std::iter::once(path).chain(hidden.iter().copied()) {
        let before = before(repo, name)?;
        if name != path && matches!(before, Before::Missing) {
            continue;
        }
        let tracked = git.run(["ls-files", "--error-unmatch", "--", name]).await.is_ok();
        record.files.push(Replaced { path: name.to_owned(), tracked, before });
    }
    let parent = repo.join(path).parent().map(Path::to_owned).unwrap_or_default();
    if !parent.exists() {
        record.made.push(parent.clone());
    }
    record.excluded = record.files.iter().any(|file| !file.tracked);
    run.record(RECORD, &serde_json::to_vec(&record)?)?;
    for file in &record.files {
        if file.tracked {
            mark(git, &file.path, true).await;
        }
        if file.path != path {
            fs::remove_file(repo.join(&file.path))?;
        }
    }
    exclude(git, run.path(), &record).await?;
    fs::create_dir_all(&parent)?;
    let place = repo.join(path);
    let _ = fs::remove_file(&place);
    let mut file = fs::File::options().write(true).create_new(true).mode(0o600).open(place)?;
    io::Write::write_all(&mut file, content)
}

/// Puts everything back. Nothing to do is fine, and so is a second time.
///
/// # Errors
/// The disk refuses.
pub async fn restore(run: &Path) -> io::Result<()> {
    let bytes = match plain::read(&records(run).join(RECORD), MOST_RECORD) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        bytes => bytes?,
    };
    let record: Record = serde_json::from_slice(&bytes)?;
    let git = Git::at(&record.repo).with_repository(record.repository.clone());
    for file in &record.files {
        let place = record.repo.join(&file.path);
        if through_link(&record.repo, &file.path) || !record.repo.is_dir() {
            continue;
        }
        let _ = fs::remove_file(&place);
        if !matches!(file.before, Before::Missing) {
            fs::create_dir_all(place.parent().unwrap_or(&record.repo))?;
        }
        match &file.before {
            Before::Missing => {}
            Before::Link(target) => std::os::unix::fs::symlink(target, &place)?,
            Before::File(content) => content.put(&place)?,
        }
        if file.tracked {
            mark(&git, &file.path, false).await;
        }
    }
    for directory in &record.made {
        // Fails where the agent put something of its own in.
        let _ = fs::remove_dir(directory);
    }
    if record.excluded {
        unexclude(&git, run).await?;
    }
    fs::remove_file(records(run).join(RECORD))
}

fn before(repo: &Path, path: &str) -> io::Result<Before> {
    if through_link(repo, path) {
        return Err(io::Error::other(format!("{path} leads through a link")));
    }
    let place = repo.join(path);
    match fs::symlink_metadata(&place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Before::Missing),
        Err(error) => Err(error),
        Ok(meta) if meta.is_symlink() => Ok(Before::Link(fs::read_link(&place)?)),
        Ok(meta) => {
            let content = Content::read(&place).filter(|_| meta.len() <= LARGEST);
            let too_large = || io::Error::other(format!("{path} is not a file of at most 16 MiB"));
            content.map(Before::File).ok_or_else(too_large)
        }
    }
}

/// Whether a directory on the way to a file is a link.
fn through_link(repo: &Path, path: &str) -> bool {
    let parents = Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    parents.into_iter().any(|parent| repo.join(parent).is_symlink())
}

async fn mark(git: &Git, path: &str, skip: bool) {
    let flag = if skip { "--skip-worktree" } else { "--no-skip-worktree" };
    if let Err(error) = git.run(["update-index", flag, "--", path]).await {
        tracing::warn!(%error, path, "git cannot be told to pass over a file");
    }
}

async fn exclude_file(git: &Git) -> Option<PathBuf> {
    let path = git.run(["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"]).await.ok()?;
    Some(PathBuf::from(path))
}

/// The file, unless it lies in the checkout and a link that an agent may have made leads elsewhere. The links of the mapped
/// clone are the operator's.
fn own_file(git: &Git, file: PathBuf) -> io::Result<PathBuf> {
    let inside = file.strip_prefix(git.directory()).ok().and_then(Path::to_str);
    match inside {
        Some(inside) if file.is_symlink() || through_link(git.directory(), inside) => {
            Err(io::Error::other(format!("{inside} leads through a link")))
        }
        _ => Ok(file),
    }
}

fn note(run: &Path) -> String {
    format!("# run {}", run.file_name().unwrap_or_default().to_string_lossy())
}

async fn exclude(git: &Git, run: &Path, record: &Record) -> io::Result<()> {
    let Some(file) = exclude_file(git).await.filter(|_| record.excluded) else { return Ok(()) };
    let file = own_file(git, file)?;
    let mut text = match plain::read_linked(&file, LARGEST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        bytes => String::from_utf8_lossy(&bytes?).into_owned(),
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for one in record.files.iter().filter(|one| !one.tracked) {
        text.push_str(&format!("/{}\n{}\n", one.path, note(run)));
    }
    fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    fs::write(file, text)
}

async fn unexclude(git: &Git, run: &Path) -> io::Result<()> {
    let Some(file) = exclude_file(git).await else { return Ok(()) };
    let file = own_file(git, file)?;
    let text = String::from_utf8_lossy(&plain::read_linked(&file, LARGEST)?).into_owned();
    let note = note(run);
    let lines: Vec<&str> = text.lines().collect();
    let ours = |at: usize| lines[at] == note || lines.get(at + 1) == Some(&note.as_str());
    let left: String =
        (0..lines.len()).filter(|&at| !ours(at)).map(|at| format!("{}\n", lines[at])).collect();
    fs::write(file, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MCP: &str = ".cursor/mcp.json";
    const HOOKS: &str = ".cursor/hooks.json";

    async fn place() -> (tempfile::TempDir, RunDirectory, Git) {
        let directory = tempfile::tempdir().unwrap();
        let git = Git::at(directory.path().join("repo"));
        fs::create_dir(git.directory()).unwrap();
        git.run(["init", "-q"]).await.unwrap();
        let run = RunDirectory::create(&directory.path().join("runs"), "r1").unwrap();
        (directory, run, git)
    }

    async fn status(git: &Git) -> String {
        git.run(["status", "--porcelain", "--untracked-files=all"]).await.unwrap()
    }

    #[tokio::test]
    async fn a_file_is_there_for_the_run_and_gone_after_it() {
        let (_directory, run, git) = place().await;
        let exclude = fs::read_to_string(git.directory().join(".git/info/exclude")).unwrap();
        apply(&run, &git, None, (MCP, b"{}"), &[HOOKS]).await.unwrap();
        assert_eq!(fs::read_to_string(git.directory().join(MCP)).unwrap(), "{}");
        assert_eq!(status(&git).await, "");
        for _ in 0..2 {
            restore(run.path()).await.unwrap();
        }
        assert!(!git.directory().join(".cursor").exists());
        assert_eq!(fs::read_to_string(git.directory().join(".git/info/exclude")).unwrap(), exclude);
    }

    #[tokio::test]
    async fn files_that_are_tracked_come_back_as_they_were() {
        let (_directory, run, git) = place().await;
        fs::create_dir(git.directory().join(".cursor")).unwrap();
        for name in [MCP, HOOKS] {
            fs::write(git.directory().join(name), "theirs").unwrap();
        }
        git.run(["add", "--all"]).await.unwrap();
        git.run(["-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", "a"]).await.unwrap();
        apply(&run, &git, None, (MCP, b"{}"), &[HOOKS]).await.unwrap();
        assert!(!git.directory().join(HOOKS).exists());
        assert_eq!(status(&git).await, "", "git does not see it");
        restore(run.path()).await.unwrap();
        for name in [MCP, HOOKS] {
            assert_eq!(fs::read_to_string(git.directory().join(name)).unwrap(), "theirs");
        }
        fs::write(git.directory().join(MCP), "changed").unwrap();
        assert_eq!(status(&git).await, " M .cursor/mcp.json", "git looks again");
    }

    #[tokio::test]
    async fn nothing_is_written_through_a_link() {
        let (directory, run, git) = place().await;
        let outside = directory.path().join("outside");
        fs::create_dir(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, git.directory().join(".cursor")).unwrap();
        assert!(apply(&run, &git, None, (MCP, b"{}"), &[]).await.is_err());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}
