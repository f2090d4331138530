//! The refs of a run: what each is to people, the name that it is kept under, and the one that it comes back to.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::git::{Git, GitError};

/// Bytes of a name: file systems take 255 for each of its parts, and the name becomes longer.
const LONGEST: usize = 160;

/// Every ref of a repository with its object, by its full name.
pub(super) async fn refs_of(git: &Git) -> Result<BTreeMap<String, String>, GitError> {
    let listed = git.run(["for-each-ref", "--format=%(objectname) %(refname)"]).await?;
    Ok(pairs(&listed).map(|(object, name)| (name.to_owned(), object.to_owned())).collect())
}

/// The pairs of a listing, `object text`.
pub(super) fn pairs(listed: &str) -> impl Iterator<Item = (&str, &str)> {
    listed.lines().filter_map(|line| line.split_once(' '))
}

/// What a ref is to people, and its name as that; none for what is copied, or no work of its own.
pub(super) fn kind_of(full: &str) -> Option<(&'static str, &str)> {
    const OTHERS: [&str; 7] = ["remotes/", "svc/", "stash", "replace/", "bisect/", "rewritten/", "worktree/"];
    let name = full.strip_prefix("refs/")?;
    if let Some(branch) = name.strip_prefix("heads/") {
        return Some(("branch", branch));
    }
    if let Some(tag) = name.strip_prefix("tags/") {
        return Some(("tag", tag));
    }
    (!OTHERS.iter().any(|other| name.starts_with(other))).then_some(("ref", name))
}

/// A name as a part of a ref and of a command that people copy: other characters than these are written `%C3%A4`.
pub(super) fn plain_name(name: &str) -> String {
    let is_plain = |(at, byte): (usize, u8)| {
        byte.is_ascii_alphanumeric() || b"._/".contains(&byte) || (byte == b'-' && at > 0)
    };
    let write = |(at, byte)| {
        if is_plain((at, byte)) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    bounded(name.bytes().enumerate().map(write).collect(), name)
}

/// What is written for a name. Where it is too long it is cut off, and told from others by the digest of the name.
pub(super) fn bounded(mut plain: String, name: &str) -> String {
    if plain.len() > LONGEST {
        plain.truncate(LONGEST);
        plain = format!("{}-{}", plain.trim_end_matches(['/', '.']), &hex::encode(Sha256::digest(name))[..8]);
    }
    plain
}

/// The name under which a ref comes back, below this directory of a clone that has these refs already.
pub(super) fn free_name(
    directory: &str,
    plain: &str,
    run_id: &str,
    theirs: &BTreeMap<String, String>,
) -> String {
    let is_free = |name: &String| {
        let full = format!("{directory}{name}");
        let within = format!("{full}/");
        let parents = full.match_indices('/').map(|(end, _)| &full[..end]);
        !theirs.contains_key(&full)
            && !parents.into_iter().any(|parent| theirs.contains_key(parent))
            && theirs.range(within.clone()..).next().is_none_or(|(name, _)| !name.starts_with(&within))
    };
    let flat = plain.replace('/', "-");
    let names = [plain.to_owned(), format!("{plain}-{run_id}"), format!("{flat}-{run_id}")];
    names.into_iter().find(is_free).unwrap_or_else(|| format!("{run_id}-{flat}"))
}

/// A name that differs from those before it in more than capitals, which some file systems do not tell apart.
pub(super) fn distinct(mut name: String, before: &mut BTreeSet<String>) -> String {
    while !before.insert(name.to_lowercase()) {
        name.push_str("-2");
    }
    name
}
