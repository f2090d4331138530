//! The repository of a run: one of its own, which borrows the objects of the mapped clone.
//!
//! | in the clone                                    | in the run's repository                              |
//! |-------------------------------------------------|------------------------------------------------------|
//! | objects                                         | read where they are (`objects/info/alternates`)      |
//! | branches of remotes, tags                       | copied                                               |
//! | settings, with those that they include, and those that hold there alone (`includeIf`) | copied, but for the clone's own place and its branches' |
//! | hooks, excluded files, attributes, sparse files, keys of git-crypt, where a shallow history ends | copied |
//! | HEAD, index, branches, stash, reflogs, worktrees | not there: they are the person's alone              |
//!
//! A repository that is kept apart gets of the settings only those that decide what commits and pushes are like.
//!
//! So there is nothing to guard in the clone, and nothing to put back. The runner itself writes there only below
//! `refs/svc/`: what it fetched (`origin/`), what runs began from and must not be collected (`runs/`), what they left
//! (`kept/`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::commits::{commit, short};
use super::content::Content;
use super::fetches::{coalesced, fetch_to};
use super::git::{Git, GitError};
use super::origin::{Remote, remote_ref};
use super::settings::take;

/// Files and directories of a repository that concern every checkout of it.
const SHARED: [&str; 5] = ["hooks", "info/exclude", "info/attributes", "git-crypt", "shallow"];
/// Those of one checkout.
const OWN: [&str; 1] = ["info/sparse-checkout"];

/// The commit of a branch of origin, fetched into the clone; none where origin has no such branch. Runs that begin at
/// once share the fetch.
pub(super) async fn fetched(clone: &Path, remote: &Remote, branch: &str) -> Result<Option<String>, GitError> {
    let key = format!("{} {} {branch}", clone.display(), remote.fetch);
    // A flat name: a branch `a` may have gone, and `a/b` come.
    let name = format!("refs/svc/origin/{}", branch.replace('%', "%25").replace('/', "%2F"));
    coalesced(key, fetch_to(&Git::at(clone), &remote.fetch, branch, &name, &[])).await
}

/// Makes the repository at `repo`, without anything checked out. `base` is what the run begins from.
pub(super) async fn borrow(clone: &Path, repo: &Path, run_id: &str, base: &str) -> Result<(), GitError> {
    let theirs = Git::at(clone);
    theirs.run(["update-ref", &begun_ref(run_id), base]).await?;
    let format = theirs.run(["rev-parse", "--show-object-format"]).await?;
    let format = format!("--object-format={format}");
    // Refs are written as a file below.
    let settings = ["-c", "init.defaultRefFormat=files", "init", "--quiet", "--template=", &format, "--"];
    let place = [repo.as_os_str()];
    Git::at(clone).run(settings.iter().map(AsRef::as_ref).chain(place)).await?;
    let own = repo.join(".git");
    let [common, checkout] = directories(clone).await?;
    for (from, names) in [(common, &SHARED[..]), (checkout, &OWN[..])] {
        for name in names {
            copy(&from.join(name), &own.join(name)).map_err(failed)?;
        }
    }
    attach(clone, &own).await?;
    fs::write(own.join("packed-refs"), refs(&theirs).await?).map_err(failed)?;
    take(clone, repo, |name| !is_of_the_place(name)).await
}

/// Copies settings that decide what commits and pushes are like, for a repository that is kept apart from the clone.
pub(super) async fn work_as_in(clone: &Path, repo: &Path) -> Result<(), GitError> {
    const WORK: [&str; 4] = ["core.autocrlf", "core.eol", "core.safecrlf", "core.hookspath"];
    take(clone, repo, |name| WORK.contains(&name) || name.starts_with("filter.")).await
}

/// Copies how commits are signed. It takes access to the user's keys to sign so.
///
/// # Errors
/// Git said no, or the disk.
pub async fn sign_as_in(clone: &Path, repo: &Path) -> Result<(), GitError> {
    const SIGNING: [&str; 3] = ["user.signingkey", "commit.gpgsign", "tag.gpgsign"];
    take(clone, repo, |name| SIGNING.contains(&name) || name.starts_with("gpg.")).await
}

/// Says in a run's repository where the clone has its objects: it may have been moved. Answers the first of these that has
/// what the run began from.
pub async fn attach_to(
    clones: impl IntoIterator<Item = PathBuf>,
    repository: &Path,
    base: &str,
) -> Option<PathBuf> {
    for clone in clones {
        if commit(&Git::at(&clone), base).await.is_some() && attach(&clone, repository).await.is_ok() {
            return Some(clone);
        }
    }
    None
}

pub(super) async fn attach(clone: &Path, repository: &Path) -> Result<(), GitError> {
    let [common, _] = directories(clone).await?;
    let objects = format!("{}\n", common.join("objects").display());
    let info = repository.join("objects/info");
    let content = Content { mode: 0o644, bytes: STANDARD.encode(objects) };
    content.put(&info.join("alternates")).map_err(failed)
}

/// Lets a run's repository forget branches of remotes and tags whose objects are gone: they were copied, and the clone may
/// have lost its own and collected them meanwhile. Git would refuse to work because of them.
pub(crate) async fn forget_collected(git: &Git) {
    let list = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/remotes", "refs/tags"];
    let Ok(refs) = git.run(list).await else { return };
    let objects: String =
        refs.lines().filter_map(|line| Some(format!("{}\n", line.split_once(' ')?.0))).collect();
    let Ok(answers) = git.told(&["cat-file", "--batch-check"], objects.as_bytes()).await else { return };
    let gone = refs.lines().zip(answers.lines()).filter(|(_, answer)| answer.ends_with(" missing"));
    let deletions: String =
        gone.filter_map(|(line, _)| Some(format!("delete {}\n", line.split_once(' ')?.1))).collect();
    if !deletions.is_empty() {
        let _ = git.told(&["update-ref", "--no-deref", "--stdin"], deletions.as_bytes()).await;
    }
}

/// Where a repository is, and where what belongs to this checkout of it.
pub(super) async fn directories(clone: &Path) -> Result<[PathBuf; 2], GitError> {
    let args = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir"];
    let listed = Git::at(clone).run(args).await?;
    let (common, own) = listed.split_once('\n').unwrap_or((&listed, &listed));
    Ok([common.into(), own.into()])
}

fn failed(error: io::Error) -> GitError {
    GitError { command: "init".to_owned(), message: error.to_string() }
}

/// Lets the clone forget what a run began from.
pub(super) async fn forget(clone: &Path, run_id: &str) {
    let _ = Git::at(clone).run(["update-ref", "-d", &begun_ref(run_id)]).await;
}

/// Keeps the clone from collecting what a run began from.
fn begun_ref(run_id: &str) -> String {
    format!("refs/svc/runs/{run_id}")
}

/// Names a branch of origin as every clone does: locally, and with where it is pushed to.
pub(super) async fn name_branch(
    repo: &Path,
    branch: &str,
    base: &str,
    has_origin: bool,
) -> Result<(), GitError> {
    let git = Git::at(repo);
    git.run(["update-ref", &format!("refs/heads/{branch}"), base]).await?;
    if has_origin {
        git.run(["update-ref", &remote_ref(branch), base]).await?;
        git.run(["symbolic-ref", "refs/remotes/origin/HEAD", &remote_ref(branch)]).await?;
        git.run(["config", &format!("branch.{branch}.remote"), "origin"]).await?;
        git.run(["config", &format!("branch.{branch}.merge"), &format!("refs/heads/{branch}")]).await?;
    }
    Ok(())
}

/// The branches of remotes and the tags, as git packs them.
async fn refs(clone: &Git) -> Result<String, GitError> {
    let format = "--format=%(objectname) %(refname) %(symref)";
    let listed = clone.run(["for-each-ref", format, "refs/remotes", "refs/tags"]).await?;
    let plain = listed.lines().filter_map(|line| line.strip_suffix(' '));
    Ok(plain.map(|line| format!("{line}\n")).collect())
}

/// Whether a setting says where a repository is and what it is made of, or where a person's branches go.
fn is_of_the_place(name: &str) -> bool {
    const PLACE: [&str; 4] =
        ["core.bare", "core.worktree", "core.repositoryformatversion", "core.logallrefupdates"];
    let format = name.starts_with("extensions.") && name != "extensions.partialclone";
    let of_branch = name.starts_with("branch.") && !name.ends_with(".pushremote");
    // A push to a mirror takes away what is not here.
    let mirrors = name.starts_with("remote.") && name.ends_with(".mirror");
    format || PLACE.contains(&name) || of_branch || mirrors || name.starts_with("include")
}

/// Copies a file, or a directory with all that it holds, links as they are. What is not there is not copied.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let Ok(meta) = from.symlink_metadata() else { return Ok(()) };
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    if meta.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from)?, to)
    } else if meta.is_file() {
        fs::copy(from, to).map(drop)
    } else if meta.is_dir() {
        fs::create_dir_all(to)?;
        let copies = fs::read_dir(from)?.map(|entry| {
            let entry = entry?;
            let sample = entry.path().extension().is_some_and(|extension| extension == "sample");
            if sample { Ok(()) } else { copy(&entry.path(), &to.join(entry.file_name())) }
        });
        copies.collect()
    } else {
        Ok(())
    }
}

/// Brings a commit into the clone as a branch that a person finds there: where the clone has no origin, that is the
/// delivery. Answers the name that it has; the branch's own never goes to other work.
pub(super) async fn deliver(clone: &Path, repo: &Path, branch: &str, head: &str) -> Result<String, GitError> {
    let theirs = Git::at(clone);
    let other = format!("{branch}-{}", short(head));
    for name in [branch, &other] {
        let target = format!("refs/heads/{name}");
        if commit(&theirs, &target).await.as_deref() == Some(head) {
            return Ok(name.to_owned());
        }
        let refspec = format!("HEAD:{target}");
        let args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options"];
        let args = args.iter().map(AsRef::as_ref).chain([repo.as_os_str(), refspec.as_ref()]);
        match theirs.run(args).await {
            // It is checked out elsewhere, or holds other work.
            Err(_) if name == branch => {}
            fetched => return fetched.map(|_| name.to_owned()),
        }
    }
    Ok(other)
}
