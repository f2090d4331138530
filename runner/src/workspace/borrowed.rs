//! The repository of a run: one of its own, which borrows the objects of the mapped clone.
//!
//! | in the clone                                    | in the run's repository                              |
//! |-------------------------------------------------|------------------------------------------------------|
//! | objects                                         | read where they are (`objects/info/alternates`)      |
//! | branches of remotes, tags                       | copied                                               |
//! | settings, with those that they include          | copied, but for `branch.*` and the clone's own place |
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
use super::origin::{Remote, absolute, remote_ref};

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
    take_settings(clone, repo, |name| !is_of_the_place(name)).await
}

/// Copies settings that decide what commits and pushes are like, for a repository that is kept apart from the clone.
pub(super) async fn work_as_in(clone: &Path, repo: &Path) -> Result<(), GitError> {
    const WORK: [&str; 4] = ["core.autocrlf", "core.eol", "core.safecrlf", "core.hookspath"];
    take_settings(clone, repo, |name| WORK.contains(&name) || name.starts_with("filter.")).await
}

/// Copies how commits are signed. It takes access to the user's keys to sign so.
///
/// # Errors
/// Git said no, or the disk.
pub async fn sign_as_in(clone: &Path, repo: &Path) -> Result<(), GitError> {
    const SIGNING: [&str; 3] = ["user.signingkey", "commit.gpgsign", "tag.gpgsign"];
    take_settings(clone, repo, |name| SIGNING.contains(&name) || name.starts_with("gpg.")).await
}

async fn take_settings(clone: &Path, repo: &Path, taken: impl Fn(&str) -> bool) -> Result<(), GitError> {
    let place = repo.join(".git/config");
    let mut config = fs::read_to_string(&place).map_err(failed)?;
    config.push_str(&settings_of(clone, taken).await?);
    fs::write(place, config).map_err(failed)
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

/// The clone's own settings as lines of a file. Paths of remotes become absolute.
async fn settings_of(clone: &Path, taken: impl Fn(&str) -> bool) -> Result<String, GitError> {
    let listed = Git::at(clone).run(["config", "--list", "--show-scope", "--includes", "-z"]).await?;
    let mut parts = listed.split('\0');
    let mut lines = String::new();
    while let (Some(scope), Some(setting)) = (parts.next(), parts.next()) {
        let (name, value) = setting.split_once('\n').map_or((setting, None), |(name, v)| (name, Some(v)));
        if !matches!(scope, "local" | "worktree") || !taken(name) {
            continue;
        }
        let of_remote = name.starts_with("remote.") && (name.ends_with(".url") || name.ends_with(".pushurl"));
        let value = value.map(|value| if of_remote { absolute(clone, value) } else { value.to_owned() });
        lines.push_str(&line(name, value.as_deref()));
    }
    Ok(lines)
}

/// Whether a setting says where a repository is and what it is made of, or where a person's branches go.
fn is_of_the_place(name: &str) -> bool {
    const PLACE: [&str; 4] =
        ["core.bare", "core.worktree", "core.repositoryformatversion", "core.logallrefupdates"];
    let format = name.starts_with("extensions.") && name != "extensions.partialclone";
    format || PLACE.contains(&name) || name.starts_with("branch.") || name.starts_with("include")
}

/// A setting as a line of a file, under a headline of its own.
fn line(name: &str, value: Option<&str>) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let (section, key) = name.rsplit_once('.').unwrap_or((name, ""));
    let section = match section.split_once('.') {
        Some((section, sub)) => format!("{section} \"{}\"", quoted(sub)),
        None => section.to_owned(),
    };
    let value =
        value.map(|value| format!(" = \"{}\"", quoted(value).replace('\n', "\\n").replace('\t', "\\t")));
    format!("[{section}]\n\t{key}{}\n", value.unwrap_or_default())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn settings_are_read_back_as_they_were() {
        let place = tempfile::tempdir().unwrap();
        let (file, text) = (place.path().join("config"), "a \"quoted\" \\ text\nof two\tlines # and ; more ");
        let name = "url.https://me@host/\"x\".y/.insteadof";
        fs::write(&file, line(name, Some(text)) + &line("core.flag", None)).unwrap();
        let listed = Git::at("/")
            .run(["config".as_ref(), "--file".as_ref(), file.as_os_str(), "--list".as_ref(), "-z".as_ref()])
            .await
            .unwrap();
        assert_eq!(listed, format!("{name}\n{text}\0core.flag\0"));
    }
}
