//! Saves what a run leaves, before anything of it is deleted.
//!
//! | what origin does not have                              | is kept as                                |
//! |--------------------------------------------------------|-------------------------------------------|
//! | the commit that it ended on, with what is not committed | `refs/svc/kept/<run>`                     |
//! | a branch, a tag                                        | `refs/svc/kept/<run>-branch/<name>`, `-tag/<name>` |
//! | a stash                                                | `refs/svc/kept/<run>-stash/<number>`      |
//! | another commit that HEAD was on                        | `refs/svc/kept/<run>-reflog/<number>`     |
//!
//! The refs are in the clone that the checkout came from. A repository at a code host has none: there they become a
//! bundle, `kept/<run>.bundle` in the directory of runs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::commits::{commit, is_ancestor};
use super::git::{Git, GitError};
use crate::plain;

/// Large trees of files that nobody ignored take long to look through.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of an index.
const LARGEST_INDEX: u64 = 1 << 30;
/// Steps of HEAD that are looked at, newest first.
const MOST_STEPS: usize = 500;
/// Commits that are safe before anything beside is kept, at most: base, origin's, and the last.
const SAFE: usize = 3;
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
    /// Whether its refs are those of a person's clone, as older runners made checkouts.
    pub shared: bool,
    /// Commit that the work started from.
    pub base: &'a str,
    /// Commit that origin is known to have.
    pub at_origin: Option<&'a str>,
}

/// What was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The commit that the run ended on, with what was not committed, if origin does not have it.
    pub commit: Option<String>,
    /// Changed files in it that were not committed.
    pub uncommitted: usize,
    /// Where it is, in words.
    pub place: String,
    /// What else there is.
    pub beside: Vec<Beside>,
}

/// A commit beside the one that the run ended on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// What it was to the run, such as `the branch x`.
    pub what: String,
    /// The command that brings it back.
    pub command: String,
    /// Whether the agent replaced it by another, as with `git commit --amend`.
    pub replaced: bool,
    name: String,
    object: String,
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
    let saved = match uncommitted {
        0 if safe => None,
        0 => Some(head.clone()),
        _ => Some(commit_all(left, &git, &head).await?),
    };
    let mut beside = if left.shared { Vec::new() } else { beside(left, &git, &head).await? };
    if saved.is_none() && beside.is_empty() {
        return Ok(None);
    }
    let name = kept_ref(left.run_id);
    let others = beside.iter().map(|one| (&one.name, &one.object));
    for (name, object) in saved.iter().map(|saved| (&name, saved)).chain(others) {
        git.run(["update-ref", name, object]).await?;
    }
    let place = place(left, &git).await?;
    for one in &mut beside {
        one.command = match left.clone {
            Some(clone) => format!("`{}` in {}", one.command, clone.display()),
            None => format!(
                "`git fetch {place} {}:{}`",
                one.name,
                one.name.replace("refs/svc/kept", "refs/heads")
            ),
        };
    }
    let place = if left.clone.is_some() { format!("{name} in {place}") } else { place };
    Ok(Some(Kept { commit: saved, uncommitted, place, beside }))
}

/// What the run made beside the commit that it ended on, and origin does not have.
async fn beside(left: &Leftover<'_>, git: &Git, head: &str) -> Result<Vec<Beside>, GitError> {
    let refs =
        git.run(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]).await?;
    let log = async |name: &str| {
        let args = ["log", "-g", "--no-show-signature", "--format=%H %gs", name, "--"];
        git.run(args).await.unwrap_or_default()
    };
    let (stashes, steps) = (log("refs/stash").await, log("HEAD").await);
    let mut found: Vec<(&str, String, &str, bool)> = Vec::new();
    for (number, (object, name)) in refs.lines().filter_map(|line| line.split_once(' ')).enumerate() {
        let (kind, name) = match (name.strip_prefix("refs/heads/"), name.strip_prefix("refs/tags/")) {
            (Some(name), _) => ("branch", name),
            (None, Some(name)) => ("tag", name),
            (None, None) => continue,
        };
        // The name becomes a part of a command that people copy.
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte));
        found.push((kind, if plain { name.to_owned() } else { format!("x{number}") }, object, false));
    }
    let objects = |text| str::lines(text).filter_map(|line| line.split_once(' '));
    found.extend(
        objects(&stashes).enumerate().map(|(n, (object, _))| ("stash", n.to_string(), object, false)),
    );
    let mut next = "";
    for (object, step) in objects(&steps).take(MOST_STEPS) {
        let replaced = next.starts_with("commit (amend)") || next.starts_with("rebase");
        found.push(("reflog", String::new(), object, replaced));
        next = step;
    }
    let mut safe: Vec<&str> = [Some(left.base), left.at_origin, Some(head)].into_iter().flatten().collect();
    safe.retain(|commit| !commit.is_empty());
    let (mut kept, mut steps) = (Vec::new(), 0);
    for (kind, name, object, replaced) in found {
        // Names are kept even where two have the same commit.
        let known = if kind == "reflog" { &safe[..] } else { &safe[..safe.len().min(SAFE)] };
        let args = ["rev-list", "--max-count=1", object, "--not", "--remotes"];
        if git.run(args.iter().chain(known)).await?.is_empty() {
            continue;
        }
        safe.push(object);
        let name = if kind == "reflog" { steps.to_string() } else { name };
        steps += u32::from(kind == "reflog");
        let place = format!("{}-{kind}/{name}", kept_ref(left.run_id));
        let (what, command) = match kind {
            "stash" => (format!("the stash {name}"), format!("git stash apply {place}")),
            "reflog" => {
                let what = format!("the commit {}", super::commits::short(object));
                (what, format!("git branch {}-reflog-{name} {place}", left.run_id))
            }
            _ => (format!("the {kind} {name}"), format!("git {kind} {name} {place}")),
        };
        kept.push(Beside { what, command, replaced, name: place, object: object.to_owned() });
    }
    Ok(kept)
}

/// Commits everything through an index of its own: the checkout stays as it is.
async fn commit_all(left: &Leftover<'_>, git: &Git, head: &str) -> Result<String, GitError> {
    let records = super::records(left.directory);
    let made = std::fs::create_dir_all(&records);
    made.map_err(|error| GitError { command: "add".to_owned(), message: error.to_string() })?;
    let index = records.join("kept.index");
    let _ = std::fs::remove_file(&index);
    let own = git.clone().with_index(index.clone());
    // The checkout's own index knows which files a sparse checkout leaves out.
    let theirs = git.run(["rev-parse", "--path-format=absolute", "--git-path", "index"]).await?;
    let copied =
        plain::read(Path::new(&theirs), LARGEST_INDEX).and_then(|bytes| std::fs::write(&index, bytes));
    if copied.is_err() || own.run(["ls-files", "--stage"]).await.is_err() {
        let _ = std::fs::remove_file(&index);
        own.run(["read-tree", head]).await?;
    }
    pass_over_submodules(&own).await?;
    own.run(["add", "--all", "--sparse", "--ignore-errors"]).await?;
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
    let names = format!("{}*", kept_ref(left.run_id));
    let Some(clone) = left.clone else {
        let folder = left.directory.parent().unwrap_or(left.directory).join("kept");
        let bundle = folder.join(format!("{}.bundle", left.run_id));
        let made = std::fs::create_dir_all(&folder);
        made.map_err(|error| GitError { command: "bundle".to_owned(), message: error.to_string() })?;
        let mut args: Vec<std::ffi::OsString> = ["bundle", "create", "--quiet"].map(Into::into).into();
        args.extend([bundle.clone().into(), format!("--glob={names}").into()]);
        args.extend((!left.base.is_empty()).then(|| format!("^{}", left.base).into()));
        git.run(args).await?;
        return Ok(bundle.display().to_string());
    };
    let refspec = format!("+{names}:{names}");
    let from: PathBuf = left.git.directory().to_owned();
    let mut args: Vec<std::ffi::OsString> =
        ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options"].map(Into::into).into();
    args.extend([from.into(), refspec.into()]);
    Git::at(clone).within(PATIENCE).run(args).await?;
    Ok(clone.display().to_string())
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
            shared: false,
            base: &base,
            at_origin: None,
        };
        let kept = keep(&left).await.unwrap().unwrap();
        assert!(!ran.exists());
        assert_eq!(
            kept.uncommitted, 3,
            "the file, the submodule that is gone, and the later commit of the other"
        );
        let tree = git(&repo, &["ls-tree", "-r", &kept.commit.unwrap()]).await;
        let inner = git(&sub, &["rev-parse", "HEAD"]).await;
        assert!(tree.contains("\tnew") && tree.contains(&format!("commit {inner}\tsub")), "{tree}");
        assert!(!tree.contains("\tgone"), "{tree}");
    }
}
