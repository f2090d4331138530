//! Submodules, of which a branch has only the names of commits: they count as delivered once their own remote has them.

use super::commits::short;
use super::git::{Git, GitError};
use super::origin::Remote;
use super::prepare::Checkout;

/// How git says that a remote does not have a commit.
const MISSING: [&str; 3] = ["not our ref", "no such remote ref", "couldn't find remote ref"];

/// Why the commits of submodules that work begins to point to cannot be fetched; none where all can.
pub(super) async fn missing(checkout: &Checkout, remote: &Remote, head: &str) -> Option<String> {
    let git = checkout.git();
    let pointers = match pointers(&git, &checkout.base, head).await {
        Ok(pointers) => pointers,
        Err(error) => return Some(error.to_string()),
    };
    if pointers.is_empty() {
        return None;
    }
    let addresses = addresses(&git, head).await;
    for (path, object) in pointers {
        let Some((_, address)) = addresses.iter().find(|(known, _)| *known == path) else {
            return Some(format!(
                "{path} is a repository of its own, of which the branch has only the name of a commit; add its files, or \
                 make it a submodule"
            ));
        };
        let address = resolved(&remote.fetch, address);
        match arrives(checkout, &address, &object).await {
            Ok(true) => {}
            Ok(false) => {
                let object = short(&object);
                return Some(format!(
                    "the commit {object} of the submodule {path} is not at its remote; push it there"
                ));
            }
            Err(error) => {
                return Some(format!(
                    "cannot find out whether the submodule {path} is at its remote: {error}"
                ));
            }
        }
    }
    None
}

/// Submodules that point elsewhere than before, with the commit.
async fn pointers(git: &Git, base: &str, head: &str) -> Result<Vec<(String, String)>, GitError> {
    let args = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", base, head, "--"];
    let listed = git.run(args).await?;
    let mut parts = listed.split('\0');
    let mut found = Vec::new();
    while let (Some(change), Some(path)) = (parts.next(), parts.next()) {
        let words: Vec<&str> = change.split(' ').collect();
        if let [_, "160000", _, object, _] = words.as_slice() {
            found.push((path.to_owned(), (*object).to_owned()));
        }
    }
    Ok(found)
}

/// Paths of submodules, with the addresses that a commit gives for them.
async fn addresses(git: &Git, head: &str) -> Vec<(String, String)> {
    let blob = format!("{head}:.gitmodules");
    let listed = git.run(["config", "--blob", &blob, "--list", "-z"]).await.unwrap_or_default();
    let settings: Vec<(&str, &str)> = listed.split('\0').filter_map(|one| one.split_once('\n')).collect();
    let of = |(name, path): &(&str, &str)| {
        let own = format!("{}.url", name.strip_suffix(".path")?);
        let (_, address) = settings.iter().rfind(|(name, _)| *name == own)?;
        Some(((*path).to_owned(), (*address).to_owned()))
    };
    settings.iter().filter_map(of).collect()
}

/// The address of a submodule, which may be given from that of the repository.
fn resolved(origin: &str, address: &str) -> String {
    if !(address.starts_with("./") || address.starts_with("../")) {
        return address.to_owned();
    }
    let (mut from, mut rest, mut separator) = (origin.trim_end_matches('/'), address, "/");
    loop {
        if let Some(shorter) = rest.strip_prefix("./") {
            rest = shorter;
        } else if let Some(shorter) = rest.strip_prefix("../") {
            rest = shorter;
            let at = from.rfind(['/', ':']).unwrap_or(0);
            separator = if from[at..].starts_with(':') { ":" } else { "/" };
            from = &from[..at];
        } else {
            return format!("{from}{separator}{rest}");
        }
    }
}

/// Whether a remote has a commit, tried in a repository that is thrown away.
async fn arrives(checkout: &Checkout, address: &str, object: &str) -> Result<bool, GitError> {
    let failed = |error: std::io::Error| GitError { command: "init".to_owned(), message: error.to_string() };
    let place = tempfile::tempdir().map_err(failed)?;
    let git = Git::at(place.path()).with_access(checkout.access.clone()).like(checkout.clone.as_deref());
    let format = if object.len() == 64 { "--object-format=sha256" } else { "--object-format=sha1" };
    git.run(["init", "--quiet", "--bare", "--template=", format]).await?;
    let (git, remote) = git.toward(address);
    let listed = git.network(["ls-remote", "--quiet", "--end-of-options", &remote]).await?;
    if listed.lines().any(|line| line.split('\t').next() == Some(object)) {
        return Ok(true);
    }
    let fetch = ["fetch", "--quiet", "--no-tags", "--depth=1", "--filter=tree:0", "--no-write-fetch-head"];
    match git.network(fetch.iter().chain(&["--end-of-options", &remote, object])).await {
        Ok(_) => Ok(true),
        Err(error) if MISSING.iter().any(|told| error.message.contains(told)) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn addresses_are_resolved_as_git_does() {
        for (origin, address, expected) in [
            ("https://h/o/r.git", "../lib.git", "https://h/o/lib.git"),
            ("https://h/o/r.git/", "../../x/lib", "https://h/x/lib"),
            ("git@h:o/r.git", "../lib.git", "git@h:o/lib.git"),
            ("git@h:r.git", "../lib.git", "git@h:lib.git"),
            ("/srv/r.git", "./lib", "/srv/r.git/lib"),
            ("/srv/r.git", "https://h/lib", "https://h/lib"),
        ] {
            assert_eq!(resolved(origin, address), expected, "{origin} {address}");
        }
    }
}
