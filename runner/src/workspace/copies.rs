//! Copies files of the mapped clone into the checkout of a run that git does not carry, such as `.env`: which ones, the
//! operator says with `svc runner map --copy`.
//!
//! Only what git ignores is copied, so that no agent commits it by accident, and only into the checkout, whatever links
//! the repository has. The values of such files are secrets: they are taken out of the log.

use std::path::{Component, Path, PathBuf};

use super::git::Git;
use super::values::Values;
use crate::plain;

/// Bytes of a file at most.
const LARGEST: u64 = 1024 * 1024;

/// What became of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// What to tell.
    pub events: Vec<String>,
    /// What must not show in the log.
    pub values: Values,
}

/// Whether a name is one of a file below a directory.
pub fn is_below(name: &Path) -> bool {
    let mut parts = name.components();
    name.is_relative()
        && parts.clone().next().is_some()
        && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Copies files from `clone` to `repo`. What cannot be copied is told; the run goes on without.
pub async fn copy(clone: &Path, repo: &Path, names: &[String]) -> Copied {
    let mut copied = Copied::default();
    for name in names {
        match copy_one(clone, repo, name).await {
            Ok(text) => {
                copied.events.push(format!("Copied {name} from the mapped clone"));
                copied.values.read(&text);
            }
            Err(why) => copied.events.push(format!("Not copied: {name} {why}")),
        }
    }
    copied
}

/// What must not show in the log of a run that goes on in a checkout with copied files. They are read wherever they are:
/// the agent may have changed its own, and the operator the clone's.
pub fn values(places: &[&Path], names: &[String]) -> Values {
    let mut values = Values::default();
    for path in names.iter().map(Path::new).filter(|name| is_below(name)) {
        for place in places.iter().map(|place| place.join(path)) {
            if let Ok(bytes) = plain::read(&place, LARGEST) {
                values.read(&bytes);
            }
        }
    }
    values
}

async fn copy_one(clone: &Path, repo: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = Path::new(name);
    if !is_below(path) {
        return Err("is not a path inside the clone".to_owned());
    }
    if Git::at(repo).run(["check-ignore", "--quiet", "--", name]).await.is_err() {
        return Err("is not ignored by git, and could be committed; add it to .gitignore".to_owned());
    }
    let (from, to) = (clone.join(path), repo.join(path));
    let meta = from.symlink_metadata().map_err(|error| format!("cannot be read: {error}"))?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err("is not a file of at most 1 MiB".to_owned());
    }
    let parent = to.parent().unwrap_or(repo);
    inside(repo, parent).map_err(|error| format!("cannot be written: {error}"))?;
    let bytes = plain::read(&from, LARGEST).map_err(|error| format!("cannot be read: {error}"))?;
    write(parent, &to, &bytes).map_err(|error| format!("cannot be written: {error}"))?;
    Ok(bytes)
}

/// Makes a directory, which must lie in the checkout without any link on the way.
fn inside(repo: &Path, directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    let (repo, real): (PathBuf, PathBuf) = (repo.canonicalize()?, directory.canonicalize()?);
    if real.starts_with(&repo) {
        Ok(())
    } else {
        Err(std::io::Error::other("a link leads out of the checkout"))
    }
}

/// Writes a file that only its owner reads, in place of whatever has its name.
fn write(directory: &Path, to: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(to).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::{copy, is_below, values};
    use crate::workspace::git::Git;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    #[test]
    fn only_paths_inside_of_a_clone_are_names() {
        for name in [".env", "config/local.json"] {
            assert!(is_below(Path::new(name)), "{name}");
        }
        for name in ["", "/etc/passwd", "../x", "a/../../x", "./x/.."] {
            assert!(!is_below(Path::new(name)), "{name}");
        }
    }

    #[tokio::test]
    async fn ignored_files_are_copied_privately_and_nothing_else_is() {
        let directory = tempfile::tempdir().unwrap();
        let (clone, repo) = (directory.path().join("clone"), directory.path().join("repo"));
        for path in [clone.join("config"), repo.clone()] {
            std::fs::create_dir_all(path).unwrap();
        }
        Git::at(&repo).run(["init", "--quiet"]).await.unwrap();
        std::fs::write(repo.join(".gitignore"), ".env\nconfig/\nout/\n").unwrap();
        std::fs::write(clone.join(".env"), "API_TOKEN=\"abcdef-0123456789\"\nMODE=fast\n").unwrap();
        std::fs::write(clone.join("config/local"), "x").unwrap();
        std::fs::write(clone.join("README.md"), "x").unwrap();
        // A repository that would have the copy written elsewhere.
        std::os::unix::fs::symlink(directory.path(), repo.join("out")).unwrap();
        std::fs::create_dir(clone.join("out")).unwrap();
        std::fs::write(clone.join("out/file"), "x").unwrap();
        let names = [".env", "config/local", "README.md", "missing", "out/file", "../x"].map(str::to_owned);
        let copied = copy(&clone, &repo, &names).await;
        assert_eq!(copied.values.secrets.iter().collect::<Vec<_>>(), ["abcdef-0123456789"]);
        std::fs::write(repo.join(".env"), "PIN=hunter2\n").unwrap();
        let again = values(&[repo.as_path(), clone.as_path()], &names);
        assert!(again.plain.contains("hunter2") && again.secrets == copied.values.secrets, "{again:?}");
        assert_eq!(
            copied.events.iter().filter(|told| told.starts_with("Copied")).count(),
            2,
            "{:?}",
            copied.events
        );
        let meta = repo.join(".env").metadata().unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, 0o600);
        assert!(repo.join("config/local").exists() && !repo.join("README.md").exists());
        assert!(!directory.path().join("file").exists());
    }
}
