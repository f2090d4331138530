//! One at a time per path, over tasks and processes.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::locking::lock_file;

/// Held as long as the path is worked on.
#[derive(Debug)]
pub(super) struct PathLock {
    _file: File,
}

/// Waits until nobody else works on this path. The lock file lies in the system's directory for temporary
/// files, so that nothing is written into anyone's repository.
///
/// # Errors
/// The lock file cannot be made.
pub(super) async fn lock_path(path: &Path) -> io::Result<PathLock> {
    let digest = hex::encode(Sha256::digest(path.as_os_str().as_encoded_bytes()));
    let user = rustix::process::geteuid().as_raw();
    let directory = std::env::temp_dir().join(format!("svc-runner-{user}"));
    let file = lock_file(directory, format!("{}.lock", &digest[..32])).await?;
    Ok(PathLock { _file: file })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::lock_path;

    #[tokio::test]
    async fn a_second_one_waits_for_the_first() {
        let directory = tempfile::tempdir().unwrap();
        let first = lock_path(directory.path()).await.unwrap();
        let path = directory.path().to_owned();
        let mut second = tokio::spawn(async move { lock_path(&path).await });
        assert!(tokio::time::timeout(Duration::from_millis(200), &mut second).await.is_err());
        drop(first);
        tokio::time::timeout(Duration::from_secs(60), second).await.unwrap().unwrap().unwrap();
    }
}
