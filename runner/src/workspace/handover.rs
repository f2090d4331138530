//! Gives a run's files to the user that runs its harness, and takes the checkout back.
//!
//! ```text
//! 1. The run's directory, its manifest, its records and its log stay the runner's: the user may pass through, no more.
//! 2. The checkout and the directories that the agent writes into become the user's, and so do the few files that it
//!    reads. No other user may read them.
//! 3. A mark says that the checkout is being given, until it is wholly taken back.
//! 4. Before the runner uses git in the checkout again, all its directories and its `.git` are the runner's, closed to
//!    everyone else.
//!    One that cannot be taken back whole is left to a person: the runner uses no git in it, and does not remove it.
//! 5. An agent of the same user may be at work in another run meanwhile: see `tree.rs` for what it cannot do.
//! ```

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::RunDirectory;
use super::access::CREDENTIAL;
use super::tree::{self, Owner};
use crate::process::Account;

/// Passing through, and nothing else, is for everyone.
const PASSAGE: u32 = 0o711;
/// Lies beside a checkout that was given away, and holds the number of the user.
const MARK: &str = "given";

/// Gives a checkout, and what the harness needs of the run's directory, to a user. Answers how many files stayed the
/// runner's because they have several names.
///
/// # Errors
/// The disk refuses.
pub async fn hand_over(run: &RunDirectory, repo: &Path, account: &Account) -> io::Result<u64> {
    let own = Owner { uid: account.uid, gid: account.gid };
    let path = run.path().to_owned();
    let passages = [path.parent().map(Path::to_owned), Some(path.clone()), repo.parent().map(Path::to_owned)];
    let mut given = vec![repo.to_owned(), run.attachments(), run.artifacts(), run.config_home(), run.agent()];
    given.extend(["prompt.md", "mcp.json", "bin", CREDENTIAL].map(|name| path.join(name)));
    let mark = mark(repo);
    let blocking = move || {
        std::fs::write(mark, own.uid.to_string())?;
        for place in passages.into_iter().flatten() {
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(PASSAGE))?;
        }
        let present = given.iter().filter(|place| place.symlink_metadata().is_ok());
        present.map(|place| tree::give(place, own)).sum()
    };
    tokio::task::spawn_blocking(blocking).await.map_err(io::Error::other)?
}

/// Whether a checkout belongs to another user, at least in part: the runner's git may not go by what it says.
pub fn is_given(repo: &Path) -> bool {
    mark(repo).exists()
}

/// Takes a checkout back from its user. One that was never given away stays as it is.
///
/// # Errors
/// The disk refuses.
pub async fn take_back(repo: &Path) -> io::Result<()> {
    let (repo, mark): (PathBuf, PathBuf) = (repo.to_owned(), mark(repo));
    let blocking = move || match repo.symlink_metadata() {
        Ok(meta) if meta.is_dir() => {
            let given = std::fs::read_to_string(&mark).ok().and_then(|uid| uid.parse().ok());
            // A runner that was killed may have given or taken a part; an older one left no mark.
            let from = given.or((meta.uid() != Owner::me().uid).then_some(meta.uid()));
            let Some(from) = from else { return Ok(()) };
            tree::take(&repo, from)?;
            match std::fs::remove_file(mark) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    tokio::task::spawn_blocking(blocking).await.map_err(io::Error::other)?
}

fn mark(repo: &Path) -> PathBuf {
    repo.with_file_name(MARK)
}
