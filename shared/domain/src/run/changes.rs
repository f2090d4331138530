//! What a run changed in its repository, as its runner reports it.
//!
//! Nothing of it decides anything: it is kept beside the run for people to look at.

use serde::{Deserialize, Serialize};

use crate::refusal::{FieldErrors, Refusal};

/// Most commits that are listed.
pub const MAX_COMMITS: usize = 500;
/// Most files that are listed.
pub const MAX_FILES: usize = 2_000;
/// Most bytes of the patch.
pub const MAX_PATCH_BYTES: usize = 1024 * 1024;
/// Most characters of a title or a path.
const MAX_TEXT: usize = 4_096;

/// Commits, changed files and the patch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Changes {
    /// Commit that the run began with.
    pub base: Option<String>,
    /// Commit that it ended with.
    pub head: Option<String>,
    /// Commits between the two, newest first.
    pub commits: Vec<Commit>,
    /// How many there are.
    pub commit_count: u64,
    /// Changed files.
    pub files: Vec<File>,
    /// How many there are.
    pub file_count: u64,
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
    /// The patch, of whole files.
    pub patch: String,
    /// Whether something is left out.
    pub truncated: bool,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commit {
    /// Hash.
    pub hash: String,
    /// First line of its message.
    pub title: String,
}

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// Where it is.
    pub path: String,
    /// Where it was before it was renamed.
    #[serde(default)]
    pub previous_path: Option<String>,
    /// Lines added; none for a binary file.
    #[serde(default)]
    pub additions: Option<u64>,
    /// Lines removed.
    #[serde(default)]
    pub deletions: Option<u64>,
    /// Whether the patch contains it.
    #[serde(default)]
    pub in_patch: bool,
}

impl Changes {
    /// What is within the limits.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] with the fields that are too large.
    pub fn checked(self) -> Result<Self, Refusal> {
        let mut errors = FieldErrors::default();
        let mut too_many = |field: &str, has: usize, most: usize, what: &str| {
            if has > most {
                errors.add(field, format!("Send at most {most} {what}, and say that it is truncated."));
            }
        };
        too_many("changes.commits", self.commits.len(), MAX_COMMITS, "commits");
        too_many("changes.files", self.files.len(), MAX_FILES, "files");
        too_many("changes.patch", self.patch.len(), MAX_PATCH_BYTES, "bytes");
        let titles = self.commits.iter().flat_map(|commit| [commit.hash.len(), commit.title.len()]);
        too_many("changes.commits", titles.max().unwrap_or_default(), MAX_TEXT, "bytes of a title");
        let paths = self.files.iter().flat_map(|file| [&file.path].into_iter().chain(&file.previous_path));
        too_many(
            "changes.files",
            paths.map(String::len).max().unwrap_or_default(),
            MAX_TEXT,
            "bytes of a path",
        );
        let hashes = self.base.iter().chain(&self.head).map(String::len);
        too_many("changes.head", hashes.max().unwrap_or_default(), MAX_TEXT, "bytes of a hash");
        errors.into_result()?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Changes, Commit, MAX_COMMITS, MAX_PATCH_BYTES, Refusal};

    #[test]
    fn what_is_too_large_is_named() {
        let commit = Commit { hash: "a".into(), title: "b".into() };
        let most = Changes {
            commits: vec![commit.clone(); MAX_COMMITS],
            patch: "x".repeat(MAX_PATCH_BYTES),
            ..Changes::default()
        };
        assert_eq!(most.clone().checked(), Ok(most.clone()));
        let more = Changes { commits: vec![commit; MAX_COMMITS + 1], patch: most.patch + "x", ..most };
        let Err(Refusal::Invalid(errors)) = more.checked() else { panic!("it is too large") };
        assert_eq!(errors.0.into_keys().collect::<Vec<_>>(), ["changes.commits", "changes.patch"]);
    }
}
