//! Removing checkouts: a worktree, or a directory tree. Follows no link, and touches no other worktree.

use std::path::Path;

use super::git::Git;

/// Takes away a worktree of `clone`, and nothing else: no other worktree is pruned, no link followed.
///
/// # Errors
/// The directory cannot be removed.
pub(super) async fn remove_worktree(clone: &Path, repo: &Path) -> std::io::Result<()> {
    let git = Git::at(clone);
    let removed = git
        .run(["worktree".as_ref(), "remove".as_ref(), "--force".as_ref(), "--".as_ref(), repo.as_os_str()])
        .await;
    if removed.is_err() {
        // Not a worktree of this clone, or half made.
        remove_directory(repo).await?;
        let _ = git
            .run([
                "worktree".as_ref(),
                "remove".as_ref(),
                "--force".as_ref(),
                "--".as_ref(),
                repo.as_os_str(),
            ])
            .await;
    }
    Ok(())
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

/// Lets the owner write every directory of a tree.
fn make_writable(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}
