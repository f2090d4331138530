//! Saves what a run leaves, before anything of it is deleted: commits that origin does not have, and changes that
//! were never committed.
//!
//! They become `refs/svc/kept/<run>` of the clone that the checkout came from. A clone of its own from a code host
//! has none: there they become a bundle, `kept/<run>.bundle` in the directory of runs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::commits::{commit, is_ancestor};
use super::git::{Git, GitError};

/// Large trees of files that nobody ignored take long to look through.
const PATIENCE: Duration = Duration::from_secs(60);
/// Who commits what an agent had not.
const OWN_ADDRESS: &str = "runner@localhost";

/// What is to be saved, and where to.
#[derive(Clone, Debug)]
pub struct Leftover<'a> {
    /// The run.
    pub run_id: &'a str,
    /// Its directory, outside the checkout.
    pub directory: &'a Path,
    /// Git in the checkout.
    pub git: Git,
    /// The clone that it came from.
    pub clone: Option<&'a Path>,
    /// Commit that the work started from.
    pub base: &'a str,
    /// Commit that origin is known to have.
    pub at_origin: Option<&'a str>,
}

/// What was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The commit.
    pub commit: String,
    /// Changed files in it that were not committed.
    pub uncommitted: usize,
    /// Where it is, in words.
    pub place: String,
}

/// The name that work of a run is kept under.
pub fn kept_ref(run_id: &str) -> String {
    format!("refs/svc/kept/{run_id}")
}

/// The commits that are kept of a run, without what it had not committed.
pub(super) async fn commits_kept_of(git: &Git, run_id: &str) -> Option<String> {
    let kept = commit(git, &kept_ref(run_id)).await?;
    let by = git.run(["log", "-1", "--no-show-signature", "--format=%ce", &kept]).await.ok()?;
    if by == OWN_ADDRESS { commit(git, &format!("{kept}^")).await } else { Some(kept) }
}

/// Saves what would be lost with the checkout; none when nothing would.
///
/// # Errors
/// Git said no: then nothing may be deleted.
pub async fn keep(left: &Leftover<'_>) -> Result<Option<Kept>, GitError> {
    let git = left.git.clone().within(PATIENCE);
    let Some(head) = commit(&git, "HEAD").await else { return Ok(None) };
    // What a repository inside of the checkout lacks is not asked: git would go by its settings, which are the agent's.
    let status = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty"];
    let changed = git.run(status).await?;
    let uncommitted = changed.lines().count();
    let known = [Some(left.base), left.at_origin].into_iter().flatten().filter(|known| !known.is_empty());
    let mut safe = false;
    for known in known {
        safe = safe || is_ancestor(&git, &head, known).await;
    }
    if uncommitted == 0 && safe {
        return Ok(None);
    }
    let saved = if uncommitted == 0 { head } else { commit_all(left, &git, &head).await? };
    git.run(["update-ref", &kept_ref(left.run_id), &saved]).await?;
    let place = place(left, &git).await?;
    Ok(Some(Kept { commit: saved, uncommitted, place }))
}

/// Commits everything through an index of its own: the checkout stays as it is.
async fn commit_all(left: &Leftover<'_>, git: &Git, head: &str) -> Result<String, GitError> {
    let records = super::records(left.directory);
    let made = std::fs::create_dir_all(&records);
    made.map_err(|error| GitError { command: "add".to_owned(), message: error.to_string() })?;
    let index = records.join("kept.index");
    let _ = std::fs::remove_file(&index);
    let own = git.clone().with_index(index.clone());
    own.run(["read-tree", head]).await?;
    pass_over_submodules(&own).await?;
    own.run(["add", "--all", "--ignore-errors"]).await?;
    let tree = own.run(["write-tree"]).await?;
    let _ = std::fs::remove_file(&index);
    let message = format!("Uncommitted changes of run {}", left.run_id);
    let address = format!("user.email={OWN_ADDRESS}");
    let identity = ["-c", "user.name=svc runner", "-c", &address];
    git.run(identity.into_iter().chain(["commit-tree", &tree, "-p", head, "-m", &message])).await
}

/// Lets `git add` pass over submodules, of which only the commit counts. It would run git in each, and with it whatever
/// program the settings there name, which are the agent's.
async fn pass_over_submodules(git: &Git) -> Result<(), GitError> {
    let listed = git.run(["ls-files", "--stage", "-z"]).await?;
    let submodules = listed.split('\0').filter(|line| line.starts_with("160000 "));
    let paths = submodules.filter_map(|line| Some(line.split_once('\t')?.1));
    // One that is gone, or a file now, has no settings.
    let is_there =
        |path: &&str| git.directory().join(path).symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let paths: Vec<&str> = paths.filter(is_there).collect();
    for paths in paths.chunks(500) {
        // Where one cannot be read, the earlier commits count.
        let _ = git.run(["update-index", "--"].iter().chain(paths)).await;
        git.run(["update-index", "--skip-worktree", "--"].iter().chain(paths)).await?;
    }
    Ok(())
}

async fn place(left: &Leftover<'_>, git: &Git) -> Result<String, GitError> {
    let name = kept_ref(left.run_id);
    let Some(clone) = left.clone else {
        let folder = left.directory.parent().unwrap_or(left.directory).join("kept");
        let bundle = folder.join(format!("{}.bundle", left.run_id));
        let made = std::fs::create_dir_all(&folder);
        made.map_err(|error| GitError { command: "bundle".to_owned(), message: error.to_string() })?;
        let mut args: Vec<std::ffi::OsString> = ["bundle", "create", "--quiet"].map(Into::into).into();
        args.extend([bundle.clone().into(), name.into()]);
        args.extend((!left.base.is_empty()).then(|| format!("^{}", left.base).into()));
        git.run(args).await?;
        return Ok(bundle.display().to_string());
    };
    let own = Git::at(clone).within(PATIENCE);
    if commit(&own, &name).await.is_none() {
        // A clone of its own: the mapped one gets what it lacks.
        let refspec = format!("+{name}:{name}");
        let from: PathBuf = left.git.directory().to_owned();
        let mut args: Vec<std::ffi::OsString> =
            ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options"]
                .map(Into::into)
                .into();
        args.extend([from.into(), refspec.into()]);
        own.run(args).await?;
    }
    Ok(format!("{name} in {}", clone.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    async fn git(directory: &Path, args: &[&str]) -> String {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@x"];
        Git::at(directory).run(identity.iter().chain(args)).await.unwrap()
    }

    /// A runner that root started would run it as root.
    #[tokio::test]
    async fn no_program_of_a_repository_inside_of_the_checkout_is_run() {
        let place = tempfile::tempdir().unwrap();
        let (repo, ran) = (place.path().join("run/repo"), place.path().join("ran"));
        let sub = repo.join("sub");
        fs::create_dir_all(&sub).unwrap();
        git(&repo, &["init", "-q"]).await;
        git(&repo, &["commit", "-q", "--allow-empty", "-m", "base"]).await;
        let base = git(&repo, &["rev-parse", "HEAD"]).await;
        git(&sub, &["init", "-q"]).await;
        fs::write(sub.join("file"), "x").unwrap();
        fs::write(sub.join(".gitattributes"), "file filter=own\n").unwrap();
        git(&sub, &["add", "."]).await;
        git(&sub, &["commit", "-q", "-m", "inner"]).await;
        git(&repo, &["add", "sub"]).await;
        let gone = format!("160000,{base},gone");
        git(&repo, &["update-index", "--add", "--cacheinfo", &gone]).await;
        git(&repo, &["commit", "-q", "-m", "with it"]).await;
        git(&sub, &["commit", "-q", "--allow-empty", "-m", "later"]).await;
        git(&sub, &["config", "filter.own.clean", &format!("touch '{}'; cat", ran.display())]).await;
        let file = fs::File::options().write(true).open(sub.join("file")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        fs::write(repo.join("new"), "work").unwrap();
        let directory = repo.parent().unwrap();
        let left = Leftover {
            run_id: "run-1",
            directory,
            git: Git::at(&repo),
            clone: None,
            base: &base,
            at_origin: None,
        };
        let kept = keep(&left).await.unwrap().unwrap();
        assert!(!ran.exists());
        assert_eq!(
            kept.uncommitted, 3,
            "the file, the submodule that is gone, and the later commit of the other"
        );
        let tree = git(&repo, &["ls-tree", "-r", &kept.commit]).await;
        let inner = git(&sub, &["rev-parse", "HEAD"]).await;
        assert!(tree.contains("\tnew") && tree.contains(&format!("commit {inner}\tsub")), "{tree}");
        assert!(!tree.contains("\tgone"), "{tree}");
    }
}
