//! Saves what a run leaves, before anything of it is deleted.
//!
//! | what origin does not have                               | is kept as                                |
//! |---------------------------------------------------------|-------------------------------------------|
//! | the commit that it ended on, with what is not committed | `refs/svc/kept/<run>`                     |
//! | a branch, a tag, another ref such as notes              | `refs/svc/kept/<run>-branch/<name>`, `-tag/<name>`, `-ref/<name>` |
//! | a stash, or changes that a rebase put aside             | `refs/svc/kept/<run>-stash/<number>`      |
//! | patches that a stopped `git am` did not apply           | `refs/svc/kept/<run>-patches/rest`        |
//! | another commit that HEAD was on, or that nothing leads to | `refs/svc/kept/<run>-reflog/<number>`, `-lost/<number>` |
//! | the same of a repository inside, such as a submodule    | `refs/svc/kept/<run>-in/<path>`, and so on |
//! | files of Git LFS that these commits point to            | beside the clone's own (`lfs/objects`)    |
//!
//! The refs are in the clone that the checkout came from. A repository at a code host has none: there they become a
//! bundle, `kept/<run>.bundle` in the directory of runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::beside::beside;
use super::borrowed::directories;
use super::commits::commit;
use super::git::{Git, GitError};
use super::inner::{self, Inner};
use super::large;
pub use super::leftover::{Leftover, Saved, kept_ref};
use super::uncommitted::{OWN_ADDRESS, uncommitted};
use crate::words::{counted, shell_word};

/// How long a command may take: large trees, and large files, take long.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// How deep repositories lie in each other.
const DEEPEST: usize = 3;
/// How many are told one by one.
const MOST_TOLD: usize = 40;

/// What was saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The commit that the run ended on, with what was not committed, if origin does not have it.
    pub commit: Option<String>,
    /// Changed files in it that were not committed.
    pub uncommitted: usize,
    /// Everything, that commit first.
    pub all: Vec<Saved>,
}

impl Kept {
    /// What is kept, and how it comes back, with or without what the agent replaced. Of very many, how all are listed.
    pub fn words(&self, run_id: &str, replaced: bool) -> Vec<String> {
        let told: Vec<&Saved> = self.all.iter().filter(|one| replaced || !one.replaced).collect();
        let (first, rest) = told.split_at(told.len().min(MOST_TOLD));
        let mut words: Vec<String> = first.iter().map(|one| one.words()).collect();
        if !rest.is_empty() {
            let names = format!("{}*/**", kept_ref(run_id));
            words.push(format!("{} more are kept: `git for-each-ref '{names}'` lists them.", rest.len()));
        }
        words
    }
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
    let within = left.git.directory().parent().and_then(|parent| parent.canonicalize().ok());
    let within = within.as_deref().unwrap_or(left.directory);
    let failed = |message: String| GitError { command: "status".to_owned(), message };
    std::fs::create_dir_all(super::records(left.directory)).map_err(|error| failed(error.to_string()))?;
    let files = left.git.directory();
    if !files.is_dir() {
        return Err(failed("the checkout is gone".to_owned()));
    }
    let kept = if left.git.run(["rev-parse", "--absolute-git-dir"]).await.is_ok() {
        one(left, within, None, DEEPEST).await?
    } else {
        // Its repository is gone: what it began from is in the clone.
        let stand_in = super::records(left.directory).join("inner.git");
        let (git, has_base) = inner::instead(left.clone, files, &stand_in, left.base).await?;
        let base = if has_base { left.base } else { "" };
        let kept = one(&Leftover { git, base, ..left.clone() }, within, None, DEEPEST).await;
        let _ = super::removal::remove_directory(&stand_in).await;
        kept?
    };
    Ok(Some(kept).filter(|kept| !kept.all.is_empty()))
}

/// Saves what is left in one repository, and in those inside of it. `inside` is where it is, unless it is the checkout.
async fn one(
    left: &Leftover<'_>,
    within: &Path,
    inside: Option<&Inner>,
    depth: usize,
) -> Result<Kept, GitError> {
    let git = left.git.clone().within(PATIENCE);
    let Ok(own) = git.run(["rev-parse", "--absolute-git-dir"]).await else { return Ok(Kept::default()) };
    let own = Path::new(&own);
    let head = commit(&git, "HEAD").await;
    let inner = if depth > 0 { inner::repositories(&git, within).await? } else { Vec::new() };
    let mut of_inner = Vec::new();
    for one in &inner {
        of_inner.extend(saved_of(left, within, one, own, depth).await?);
    }
    let nested: Vec<&str> = inner.iter().filter(|one| !one.submodule).map(|one| one.path.as_str()).collect();
    let mut known: Vec<&str> = [Some(left.base), left.at_origin].into_iter().flatten().collect();
    known.retain(|known| !known.is_empty());
    let (commit, uncommitted) = match (uncommitted(left, &git, head.as_deref(), &nested).await?, &head) {
        (Some((commit, files)), _) => (Some(commit), files),
        (None, Some(head)) if !is_safe(&git, head, &known, inside.is_some()).await? => {
            (Some(head.clone()), 0)
        }
        (None, _) => (None, 0),
    };
    let name = kept_ref(left.run_id);
    let mut all = Vec::new();
    if let Some(object) = commit.clone() {
        let what = match uncommitted {
            0 => "commits that origin does not have".to_owned(),
            count => format!("changes in {} that were not committed", counted(count as u64, "file")),
        };
        let command = format!("git branch kept-{} {name}", left.run_id);
        all.push(Saved { what, command, replaced: false, name, object });
    }
    known.extend(head.as_deref());
    known.extend(of_inner.iter().map(|one: &Saved| one.object.as_str()));
    all.extend(beside(left, &git, own, &known).await?);
    if !all.is_empty() {
        place(left, &git, own, inside, &mut all).await?;
    }
    all.extend(of_inner);
    Ok(Kept { commit, uncommitted, all })
}

/// Saves what is left in a repository inside of another.
async fn saved_of(
    left: &Leftover<'_>,
    within: &Path,
    inner: &Inner,
    outer: &Path,
    depth: usize,
) -> Result<Vec<Saved>, GitError> {
    let stand_in = super::records(left.directory).join(format!("inner-{depth}.git"));
    let git = inner.stand_in(&stand_in, outer).await?;
    let run_id = format!("{}-in/{}", left.run_id, inner.name);
    let left = Leftover { run_id: &run_id, git, base: "", at_origin: None, ..left.clone() };
    let kept = Box::pin(one(&left, within, Some(inner), depth - 1)).await;
    let _ = super::removal::remove_directory(&stand_in).await;
    Ok(kept?.all)
}

/// Whether a commit is known elsewhere.
async fn is_safe(git: &Git, object: &str, known: &[&str], remotes: bool) -> Result<bool, GitError> {
    let list = ["rev-list", "--max-count=1", "--ignore-missing", object, "--not"];
    let remotes = remotes.then_some(&"--remotes");
    Ok(git.run(list.iter().chain(remotes).chain(known)).await?.is_empty())
}

/// Brings what is saved to where it stays, and says in each command where that is.
async fn place(
    left: &Leftover<'_>,
    git: &Git,
    own: &Path,
    inside: Option<&Inner>,
    all: &mut [Saved],
) -> Result<(), GitError> {
    let names = format!("{}*", kept_ref(left.run_id));
    // The agent may have names of its own there, which would be in the way.
    let old = ["for-each-ref", "--format=delete %(refname)", &names, &format!("{names}/**")];
    let old = git.run(old).await? + "\n";
    let new: String = all.iter().map(|one| format!("update {} {}\n", one.name, one.object)).collect();
    for steps in [old, new] {
        git.told(&["update-ref", "--no-deref", "--stdin"], steps.trim_start().as_bytes()).await?;
    }
    let format = async |git: &Git| git.run(["rev-parse", "--show-object-format"]).await.ok();
    let clone = match left.clone {
        Some(clone) if inside.is_none() || format(&Git::at(clone)).await == format(git).await => Some(clone),
        Some(_) | None => None,
    };
    let folder = left.directory.parent().unwrap_or(left.directory).join("kept");
    let title = left.run_id.replace('/', "-");
    let (place, large) = match clone {
        Some(clone) => {
            let refspec = format!("+{names}:{names}");
            let args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options"];
            let args = args.iter().map(AsRef::as_ref).chain([own.as_os_str(), refspec.as_ref()]);
            Git::at(clone).within(PATIENCE).run(args).await?;
            let [common, _] = directories(clone).await?;
            (clone.to_owned(), common.join("lfs/objects"))
        }
        None => (
            bundle(left, git, &folder.join(format!("{title}.bundle")), &names).await?,
            folder.join("lfs/objects"),
        ),
    };
    let objects = all.iter().map(|one| one.object.as_str());
    large::keep(git, objects, left.base, &large).await?;
    for one in all {
        if let Some(inner) = inside {
            let kind = if inner.submodule { "submodule" } else { "repository" };
            one.what = format!("{} of the {kind} {}", one.what, inner.path);
            let files = one.name.trim_start_matches("refs/svc/kept/").replace('/', "-");
            one.command = format!("git worktree add --detach ../{files} {}", one.name);
        }
        let shown = place.display();
        one.command = match clone {
            Some(_) => format!("`{}` in {shown}", one.command),
            None => {
                format!(
                    "`git fetch {} {}:{}`",
                    shell_word(&place),
                    one.name,
                    one.name.replace("refs/svc/kept", "refs/heads")
                )
            }
        };
    }
    Ok(())
}

async fn bundle(left: &Leftover<'_>, git: &Git, file: &Path, names: &str) -> Result<PathBuf, GitError> {
    let made = std::fs::create_dir_all(file.parent().unwrap_or(file));
    made.map_err(|error| GitError { command: "bundle".to_owned(), message: error.to_string() })?;
    let mut args: Vec<OsString> = ["bundle", "create", "--quiet"].map(Into::into).into();
    args.extend([file.into(), format!("--glob={names}").into()]);
    args.extend((!left.base.is_empty()).then(|| format!("^{}", left.base).into()));
    git.run(args).await?;
    Ok(file.to_owned())
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
            agent: "",
            begun: std::time::UNIX_EPOCH,
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
