//! Saves what a run leaves, before anything of it is deleted.
//!
//! | what origin does not have                               | is kept as                                |
//! |---------------------------------------------------------|-------------------------------------------|
//! | the commit that it ended on, with what is not committed | `refs/svc/kept/<run>`                     |
//! | a branch, a tag, another ref such as notes              | `refs/svc/kept/<run>-branch/<name>`, `-tag/<name>`, `-ref/<name>` |
//! | a stash                                                 | `refs/svc/kept/<run>-stash/<number>`      |
//! | another commit that HEAD was on                         | `refs/svc/kept/<run>-reflog/<number>`     |
//! | the same of a repository inside, such as a submodule    | `refs/svc/kept/<run>-in/<path>`, and so on |
//! | files of Git LFS that these commits point to            | beside the clone's own (`lfs/objects`)    |
//!
//! The refs are in the clone that the checkout came from. A repository at a code host has none: there they become a
//! bundle, `kept/<run>.bundle` in the directory of runs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::borrowed::directories;
use super::commits::{commit, is_ancestor, short};
use super::git::{Git, GitError};
use super::inner::{self, Inner, LARGEST_INDEX};
use super::large;
use super::names::{kind_of, pairs, plain_name};
use crate::plain;
use crate::words::counted;

/// Large trees without ignored files take long to look through.
const PATIENCE: Duration = Duration::from_secs(60);
/// Steps of HEAD that are looked at, newest first.
const MOST_STEPS: usize = 500;
/// How deep repositories lie in each other.
const DEEPEST: usize = 3;
/// The author of commits of what an agent left uncommitted.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The commit that the run ended on, with what was not committed, if origin does not have it.
    pub commit: Option<String>,
    /// Changed files in it that were not committed.
    pub uncommitted: usize,
    /// Everything, that commit first.
    pub all: Vec<Saved>,
}

/// A commit that is kept under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What it was to the run, such as `the branch x`.
    pub what: String,
    /// The command that brings it back.
    pub command: String,
    /// Whether the agent replaced it by another, as with `git commit --amend`.
    pub replaced: bool,
    name: String,
    object: String,
}

impl Saved {
    /// What is kept, and how it comes back.
    pub fn words(&self) -> String {
        format!("Kept: {}. Bring back: {}.", self.what, self.command)
    }
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
    let within = left.git.directory().parent().and_then(|parent| parent.canonicalize().ok());
    let within = within.as_deref().unwrap_or(left.directory);
    let gone = left.git.run(["rev-parse", "--absolute-git-dir"]).await.is_err();
    let kept = match left.clone {
        Some(clone) if gone && left.git.directory().is_dir() => {
            let stand_in = super::records(left.directory).join("inner.git");
            let git = inner::instead(clone, left.git.directory(), &stand_in, left.base).await?;
            let kept = one(&Leftover { git, ..left.clone() }, within, None, 0).await;
            let _ = super::removal::remove_directory(&stand_in).await;
            kept?
        }
        _ if gone && left.git.directory().is_dir() => {
            let message = "its repository is gone".to_owned();
            return Err(GitError { command: "status".to_owned(), message });
        }
        _ => one(left, within, None, DEEPEST).await?,
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
    let head = commit(&git, "HEAD").await;
    let inner = if depth > 0 { inner::repositories(&git, within).await? } else { Vec::new() };
    // What a repository inside of the checkout lacks is not asked: git would go by its settings, which are the agent's.
    let status = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty"];
    let changed = git.run(status).await?;
    let nested: Vec<&str> = inner.iter().filter(|one| !one.submodule).map(|one| one.path.as_str()).collect();
    let is_nested =
        |line: &str| nested.iter().any(|path| line.strip_prefix("?? ") == Some(&format!("{path}/")));
    let uncommitted = changed.lines().filter(|line| !is_nested(line)).count();
    let mut known: Vec<&str> = [Some(left.base), left.at_origin].into_iter().flatten().collect();
    known.retain(|known| !known.is_empty());
    let everything = match uncommitted {
        0 => None,
        _ => commit_all(left, &git, head.as_deref(), &nested).await?,
    };
    let uncommitted = everything.as_ref().map_or(0, |_| uncommitted);
    let saved = match (everything, &head) {
        (Some(saved), _) => Some(saved),
        (None, Some(head)) if !is_safe(&git, head, &known, inside.is_some()).await? => Some(head.clone()),
        (None, _) => None,
    };
    let name = kept_ref(left.run_id);
    let mut all = Vec::new();
    if let Some(object) = saved.clone() {
        let what = match uncommitted {
            0 => "commits that origin does not have".to_owned(),
            count => format!("changes in {} that were not committed", counted(count as u64, "file")),
        };
        let command = format!("git branch kept-{} {name}", left.run_id);
        all.push(Saved { what, command, replaced: false, name, object });
    }
    if !left.shared {
        known.extend(head.as_deref());
        all.extend(beside(left, &git, known).await?);
    }
    if !all.is_empty() {
        place(left, &git, Path::new(&own), inside, &mut all).await?;
    }
    for one in inner {
        all.extend(of_inner(left, within, &one, Path::new(&own), depth).await?);
    }
    Ok(Kept { commit: saved, uncommitted, all })
}

/// Saves what is left in a repository inside of another.
async fn of_inner(
    left: &Leftover<'_>,
    within: &Path,
    inner: &Inner,
    outer: &Path,
    depth: usize,
) -> Result<Vec<Saved>, GitError> {
    let stand_in = super::records(left.directory).join(format!("inner-{depth}.git"));
    let git = inner.stand_in(&stand_in, outer).await?;
    let run_id = format!("{}-in/{}", left.run_id, inner.name);
    let left = Leftover { run_id: &run_id, git, shared: false, base: "", at_origin: None, ..left.clone() };
    let kept = Box::pin(one(&left, within, Some(inner), depth - 1)).await;
    let _ = super::removal::remove_directory(&stand_in).await;
    Ok(kept?.all)
}

/// Whether a commit is known elsewhere.
async fn is_safe(git: &Git, object: &str, known: &[&str], remotes: bool) -> Result<bool, GitError> {
    for known in known {
        if is_ancestor(git, object, known).await {
            return Ok(true);
        }
    }
    Ok(remotes && git.run(["rev-list", "--max-count=1", object, "--not", "--remotes"]).await?.is_empty())
}

/// What the run made beside the commit that it ended on, and origin does not have. `safe` is what need not be kept.
async fn beside(left: &Leftover<'_>, git: &Git, mut safe: Vec<&str>) -> Result<Vec<Saved>, GitError> {
    let list = ["for-each-ref", "--format=%(objectname) %(refname)"];
    let refs = git.run(list).await?;
    // Tags were copied from the clone: they are the person's.
    let theirs = match left.clone {
        Some(clone) => Git::at(clone).run(list.iter().chain(&["refs/heads", "refs/tags"])).await?,
        None => String::new(),
    };
    let theirs: BTreeMap<&str, &str> = pairs(&theirs).map(|(object, name)| (name, object)).collect();
    let log = async |name: &str| {
        let args = ["log", "-g", "--no-show-signature", "--format=%H %gs", name, "--"];
        git.run(args).await.unwrap_or_default()
    };
    let (stashes, steps) = (log("refs/stash").await, log("HEAD").await);
    let mut found: Vec<(&str, String, &str, bool)> = Vec::new();
    for (object, full) in pairs(&refs) {
        let Some((kind, name)) = kind_of(full) else { continue };
        if kind == "tag" && theirs.get(full) == Some(&object) {
            continue;
        }
        found.push((kind, name.to_owned(), object, false));
    }
    found.extend(pairs(&stashes).enumerate().map(|(n, (object, _))| ("stash", n.to_string(), object, false)));
    let mut next = "";
    for (object, step) in pairs(&steps).take(MOST_STEPS) {
        let replaced = next.starts_with("commit (amend)") || next.starts_with("rebase");
        found.push(("reflog", String::new(), object, replaced));
        next = step;
    }
    let before = safe.len();
    let (mut kept, mut steps) = (Vec::new(), 0);
    for (kind, name, object, replaced) in found {
        // Names are kept even where two have the same commit.
        let known = if kind == "reflog" { &safe[..] } else { &safe[..before] };
        let args = ["rev-list", "--max-count=1", object, "--not", "--remotes"];
        if git.run(args.iter().chain(known)).await?.is_empty() {
            continue;
        }
        safe.push(object);
        let name = if kind == "reflog" { steps.to_string() } else { name };
        steps += u32::from(kind == "reflog");
        let plain = plain_name(&name);
        let place = format!("{}-{kind}/{plain}", kept_ref(left.run_id));
        // A name that the clone has by now would be refused.
        let taken = theirs
            .contains_key(format!("refs/{}/{name}", if kind == "tag" { "tags" } else { "heads" }).as_str());
        let free = if taken { format!("{plain}-{}", left.run_id) } else { plain };
        let (what, command) = match kind {
            "ref" => (format!("the ref refs/{name}"), format!("git update-ref refs/{free} {place}")),
            "stash" => (format!("the stash {name}"), format!("git stash apply {place}")),
            "reflog" => {
                let what = format!("the commit {}", short(object));
                (what, format!("git branch {}-reflog-{name} {place}", left.run_id))
            }
            _ => (format!("the {kind} {name}"), format!("git {kind} {free} {place}")),
        };
        kept.push(Saved { what, command, replaced, name: place, object: object.to_owned() });
    }
    Ok(kept)
}

/// Commits everything through an index of its own: the checkout stays as it is. None where nothing differs but what is
/// nested.
async fn commit_all(
    left: &Leftover<'_>,
    git: &Git,
    head: Option<&str>,
    nested: &[&str],
) -> Result<Option<String>, GitError> {
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
        own.run(["read-tree", head.unwrap_or("--empty")]).await?;
    }
    pass_over_submodules(&own).await?;
    let but = nested.iter().map(|path| format!(":(exclude,top,literal){path}"));
    let add = ["add", "--all", "--sparse", "--ignore-errors", "--", "."].map(str::to_owned);
    own.run(add.into_iter().chain(but)).await?;
    let tree = own.run(["write-tree"]).await?;
    let _ = std::fs::remove_file(&index);
    let before = match head {
        Some(head) => git.run(["rev-parse", &format!("{head}^{{tree}}")]).await?,
        None => own.run(["hash-object", "-t", "tree", "/dev/null"]).await?,
    };
    if tree == before {
        return Ok(None);
    }
    let message = format!("Uncommitted changes of run {}", left.run_id);
    let address = format!("user.email={OWN_ADDRESS}");
    let identity = ["-c", "user.name=svc runner", "-c", &address, "commit-tree", &tree, "-m", &message];
    git.run(identity.into_iter().chain(head.iter().flat_map(|head| ["-p", head]))).await.map(Some)
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

/// Brings what is saved to where it stays, and says in each command where that is.
async fn place(
    left: &Leftover<'_>,
    git: &Git,
    own: &Path,
    inside: Option<&Inner>,
    all: &mut [Saved],
) -> Result<(), GitError> {
    for one in all.iter() {
        git.run(["update-ref", &one.name, &one.object]).await?;
    }
    let format = async |git: &Git| git.run(["rev-parse", "--show-object-format"]).await.ok();
    let clone = match left.clone {
        Some(clone) if inside.is_none() || format(&Git::at(clone)).await == format(git).await => Some(clone),
        Some(_) | None => None,
    };
    let folder = left.directory.parent().unwrap_or(left.directory).join("kept");
    let title = left.run_id.replace('/', "-");
    let names = format!("{}*", kept_ref(left.run_id));
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
                    "`git fetch {shown} {}:{}`",
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
