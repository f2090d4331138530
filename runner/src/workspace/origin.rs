//! Origin as a clone names it: its addresses, and its branches.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::git::Git;

/// The addresses of origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remote {
    /// What is fetched from.
    pub fetch: String,
    /// What is pushed to.
    pub push: String,
}

impl Remote {
    /// One address for both.
    pub fn at(url: &str) -> Self {
        Self { fetch: url.to_owned(), push: url.to_owned() }
    }

    /// The addresses of origin in a clone, absolute where they are paths.
    pub async fn of(clone: &Path) -> Option<Self> {
        let git = Git::at(clone);
        let address = async |args: &[&str]| {
            let url = git.run(["remote", "get-url"].iter().chain(args).chain(&["origin"])).await.ok()?;
            Some(absolute(clone, &url))
        };
        Some(Self { fetch: address(&[]).await?, push: address(&["--push"]).await? })
    }
}

/// The address of a remote, absolute where it is a path below or beside the clone.
pub(super) fn absolute(clone: &Path, url: &str) -> String {
    let host = url.find(':').is_some_and(|colon| url.find('/').is_none_or(|slash| colon < slash));
    if host || Path::new(url).is_absolute() {
        url.to_owned()
    } else {
        clone.join(url).to_string_lossy().into_owned()
    }
}

/// The name under which a clone has a branch of origin.
pub(super) fn remote_ref(branch: &str) -> String {
    format!("refs/remotes/origin/{branch}")
}
