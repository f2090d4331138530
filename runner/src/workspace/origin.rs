//! Origin as a clone names it: its addresses, and its branches.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::git::Git;

/// The addresses of origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remote {
    /// What is fetched from.
    pub fetch: String,
    /// What is pushed to: `branch.*.pushRemote`, `remote.pushDefault`, or origin's `pushurl`, where a person works with a
    /// fork.
    pub push: String,
}

impl Remote {
    /// One address for both.
    pub fn at(url: &str) -> Self {
        Self { fetch: url.to_owned(), push: url.to_owned() }
    }

    /// The addresses of origin in a clone, absolute where they are paths, for a branch.
    pub async fn of(clone: &Path, branch: &str) -> Option<Self> {
        let git = Git::at(clone);
        let address = async |args: &[&str]| {
            let url = git.run(["remote", "get-url"].iter().chain(args)).await.ok()?;
            Some(absolute(clone, &url))
        };
        let fetch = address(&["origin"]).await?;
        let set = async |name: &str| git.run(["config", name]).await.ok();
        let named = match set(&format!("branch.{branch}.pushRemote")).await {
            None => set("remote.pushDefault").await,
            named => named,
        };
        let elsewhere = match named.filter(|name| !name.starts_with('-')) {
            Some(name) => address(&["--push", &name]).await,
            None => None,
        };
        let push = match elsewhere {
            Some(elsewhere) => elsewhere,
            None => address(&["--push", "origin"]).await?,
        };
        Some(Self { fetch, push })
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

/// The host of a repository's address; none for a path.
pub(super) fn host_of(url: &str) -> Option<&str> {
    let authority = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split('/').next()?,
        // `user@host:path`
        None => url.split_once(':').map(|(before, _)| before).filter(|before| !before.contains('/'))?,
    };
    let host = authority.rsplit('@').next()?;
    let host =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(host, _)| host);
    (!host.is_empty()).then_some(host)
}
