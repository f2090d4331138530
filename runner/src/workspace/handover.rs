//! Gives a run's files to the user who runs its harness, and takes the checkout back.
//!
//! ```text
//! 1. The run's directory, its manifest, its records and its log stay the runner's: the user may pass through, no more.
//! 2. The checkout and the directories that the agent writes into become the user's, and so do the few files that it
//!    reads. Nobody else may read them.
//! 3. Before the runner uses git in the checkout again, the checkout and its `.git` are the runner's, closed to
//!    everyone else. No link is followed.
//! ```

use std::io;
use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use super::RunDirectory;
use super::access::CREDENTIAL;
use crate::process::Account;

/// Passing through, and nothing else, is for everyone.
const PASSAGE: u32 = 0o711;

/// Gives a checkout, and what the harness needs of the run's directory, to a user.
///
/// # Errors
/// The disk refuses.
pub async fn hand_over(run: &RunDirectory, repo: &Path, account: &Account) -> io::Result<()> {
    let own = (account.uid, account.gid);
    let path = run.path().to_owned();
    let passages = [path.parent().map(Path::to_owned), Some(path.clone()), repo.parent().map(Path::to_owned)];
    let mut given = vec![repo.to_owned(), run.attachments(), run.artifacts(), run.config_home(), run.agent()];
    given.extend(["prompt.md", "mcp.json", "bin", CREDENTIAL].map(|name| path.join(name)));
    let repo = repo.to_owned();
    let blocking = move || {
        for place in passages.into_iter().flatten() {
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(PASSAGE))?;
        }
        std::fs::set_permissions(&repo, std::fs::Permissions::from_mode(0o700))?;
        given.iter().filter(|place| place.symlink_metadata().is_ok()).try_for_each(|place| give(place, own))
    };
    tokio::task::spawn_blocking(blocking).await.map_err(io::Error::other)?
}

/// Takes a checkout back from whoever has it. One that was never given away stays as it is.
///
/// # Errors
/// The disk refuses.
pub async fn take_back(repo: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let me = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let repo: PathBuf = repo.to_owned();
    let blocking = move || match repo.symlink_metadata() {
        Ok(meta) if meta.uid() == me.0 || !meta.is_dir() => Ok(()),
        Ok(_) => {
            lchown(&repo, Some(me.0), Some(me.1))?;
            std::fs::set_permissions(&repo, std::fs::Permissions::from_mode(0o700))?;
            let git = repo.join(".git");
            if git.symlink_metadata().is_ok() { give(&git, me) } else { Ok(()) }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    tokio::task::spawn_blocking(blocking).await.map_err(io::Error::other)?
}

fn give(place: &Path, (uid, gid): (u32, u32)) -> io::Result<()> {
    lchown(place, Some(uid), Some(gid))?;
    if place.symlink_metadata()?.is_dir() {
        for entry in std::fs::read_dir(place)? {
            give(&entry?.path(), (uid, gid))?;
        }
    }
    Ok(())
}
