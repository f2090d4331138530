//! Removing directory trees, and what a runner that was killed left by half. Follows no link.

use std::path::Path;

use super::{AGENT, ARTIFACTS, ATTACHMENTS, CONFIG, MANIFEST, records};

/// What is made in the directory of a run before anything else, and is empty then.
const EMPTY: [&str; 4] = [ATTACHMENTS, ARTIFACTS, CONFIG, AGENT];

/// Removes the locks that git left in a repository of a run when it was killed. Nothing works there any more.
pub(crate) fn remove_locks(repository: &Path) {
    for entry in std::fs::read_dir(repository).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|kind| kind == "lock") && std::fs::remove_file(&path).is_ok() {
            tracing::warn!("removed {}, which git left when it was killed", path.display());
        }
    }
}

/// Removes the directories of runs that a runner had only begun to make when it was killed: they say nothing of a run,
/// and hold nothing.
pub(crate) fn remove_unborn(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_unborn(&path) {
            for name in EMPTY {
                let _ = std::fs::remove_dir(path.join(name));
            }
            let _ = std::fs::remove_dir_all(records(&path));
            // Fails if there is anything in it after all.
            let _ = std::fs::remove_dir(path);
        }
    }
}

fn is_unborn(directory: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return false };
    let known = |entry: std::fs::DirEntry| EMPTY.iter().any(|name| *name == entry.file_name());
    entries.flatten().all(known) && !records(directory).join(MANIFEST).exists()
}

/// Removes a directory tree without following links; one that is not there is fine. Directories that may not be
/// written, such as the caches of some tools, are made writable first.
///
/// # Errors
/// Something cannot be removed.
pub(super) async fn remove_directory(path: &Path) -> std::io::Result<()> {
    let path = path.to_owned();
    let remove = move || {
        let removed = match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_dir() => std::fs::remove_dir_all(&path).or_else(|_| {
                make_writable(&path);
                std::fs::remove_dir_all(&path)
            }),
            Ok(_) => std::fs::remove_file(&path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    };
    tokio::task::spawn_blocking(remove).await.map_err(std::io::Error::other)?
}

/// Lets the owner write every directory of a tree. Root may write there anyway, and must not change a mode by its path in
/// a tree where another user may exchange directories for links.
fn make_writable(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() {
        return;
    }
    let _ = std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::RunDirectory;

    #[test]
    fn a_directory_that_says_nothing_of_a_run_goes_and_every_other_stays() {
        let root = tempfile::tempdir().unwrap();
        let (begun, whole, foreign) =
            (root.path().join("run-1"), root.path().join("run-2"), root.path().join("kept"));
        std::fs::create_dir_all(begun.join(ATTACHMENTS)).unwrap();
        RunDirectory::create(root.path(), "run-2").unwrap().record(MANIFEST, b"{}").unwrap();
        std::fs::create_dir_all(foreign.join(CONFIG)).unwrap();
        std::fs::write(foreign.join(CONFIG).join("file"), "theirs").unwrap();
        remove_unborn(root.path());
        assert!(!begun.exists() && whole.exists() && foreign.join(CONFIG).join("file").exists());
    }

    #[test]
    fn locks_of_git_go_and_nothing_else() {
        let repository = tempfile::tempdir().unwrap();
        for name in ["index.lock", "HEAD", "locked"] {
            std::fs::write(repository.path().join(name), "").unwrap();
        }
        remove_locks(repository.path());
        assert!(!repository.path().join("index.lock").exists());
        assert!(repository.path().join("HEAD").exists() && repository.path().join("locked").exists());
    }
}
