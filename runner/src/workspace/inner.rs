//! Repositories inside of a checkout: submodules, repositories that the agent made or cloned there, and further worktrees.
//!
//! Git would go by the settings of each, which are the agent's, and run the programs that they name. So it works in a
//! repository of the runner's own in its stead, a stand-in, which has no settings, reads the objects where they are, and
//! names what the other one names. Whatever leads out of the run's directory is not followed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::borrowed::attach;
use super::commits::commit;
use super::git::{Git, GitError};
use super::names::bounded;
use super::removal::remove_directory;
use super::tree;
use crate::plain;

/// How many are looked at. A run with more is kept as it is.
const MOST: usize = 100;
/// Where a repository says from which others it borrows objects.
const ALTERNATES: &str = "objects/info/alternates";
/// Bytes of an index.
pub(super) const LARGEST_INDEX: u64 = 1 << 30;

/// A repository inside of a checkout.
#[derive(Debug)]
pub(super) struct Inner {
    /// Where its files are, from the checkout.
    pub(super) path: String,
    /// Its name as a part of others, which no other has.
    pub(super) name: String,
    /// Whether git of the checkout knows it as a submodule.
    pub(super) submodule: bool,
    files: PathBuf,
    /// It, and where it has its objects; none where it leads out of the run's directory.
    repository: Option<(PathBuf, PathBuf)>,
}

/// All of a checkout, as its git sees them. `within` is the directory of the run.
///
/// # Errors
/// Git said no, or there are too many.
pub(super) async fn repositories(git: &Git, within: &Path) -> Result<Vec<Inner>, GitError> {
    let listed = git.run(["ls-files", "--stage", "-z"]).await?;
    let submodules = listed.split('\0').filter(|line| line.starts_with("160000 "));
    let mut paths: Vec<(PathBuf, bool)> =
        submodules.filter_map(|line| Some((line.split_once('\t')?.1.into(), true))).collect();
    // One that was not added is listed as a directory.
    let others = git.run(["ls-files", "--others", "--exclude-standard", "-z"]).await?;
    paths.extend(others.split('\0').filter_map(|path| Some((path.strip_suffix('/')?.into(), false))));
    let own = git.run(["rev-parse", "--absolute-git-dir"]).await?;
    let lenders = lenders(Path::new(&own));
    for entry in fs::read_dir(Path::new(&own).join("worktrees")).into_iter().flatten().flatten() {
        let Ok(place) = plain::read_text(&entry.path().join("gitdir"), plain::RECORD) else { continue };
        let Some(files) = Path::new(place.trim()).parent().map(Path::to_owned) else { continue };
        if !paths.iter().any(|(path, _)| git.directory().join(path) == files) {
            paths.push((files, false));
        }
    }
    let mut found: Vec<Inner> = Vec::new();
    for (path, submodule) in paths {
        let files = git.directory().join(&path);
        if !files.canonicalize().is_ok_and(|files| files.starts_with(within)) {
            continue;
        }
        // A submodule that was not checked out.
        if files.join(".git").symlink_metadata().is_err() {
            continue;
        }
        let repository = repository_of(&files, within, &lenders);
        if found.len() == MOST {
            let message = format!("the checkout has more than {MOST} repositories inside");
            return Err(GitError { command: "ls-files".to_owned(), message });
        }
        let path = path.strip_prefix(within).unwrap_or(&path).display().to_string();
        let mut name = name_of(&path);
        if found.iter().any(|other| other.name == name) {
            name = format!("{name}-{}", found.len());
        }
        found.push(Inner { path, name, submodule, files, repository });
    }
    Ok(found)
}

/// Where a repository has its objects, and where it borrows them: those inside may borrow there, too.
fn lenders(own: &Path) -> Vec<PathBuf> {
    let borrowed = plain::read_text(&own.join(ALTERNATES), plain::RECORD).unwrap_or_default();
    let borrowed = borrowed.lines().filter_map(|line| Some(Path::new(line).parent()?.to_owned()));
    borrowed.chain([own.to_owned()]).filter_map(|path| path.canonicalize().ok()).collect()
}

/// The repository of a directory, and where it has its objects; both within a place. From now on it borrows from lenders
/// alone: the agent may have named one that it cannot read itself.
fn repository_of(files: &Path, within: &Path, lenders: &[PathBuf]) -> Option<(PathBuf, PathBuf)> {
    let inside = |path: PathBuf| path.canonicalize().ok().filter(|path| path.starts_with(within));
    let named = files.join(".git");
    let own = match named.symlink_metadata().ok()? {
        meta if meta.is_dir() => named,
        _ => {
            let said = plain::read_text(&named, plain::RECORD).ok()?;
            files.join(said.strip_prefix("gitdir:")?.trim())
        }
    };
    let own = inside(own)?;
    let common = match plain::read_text(&own.join("commondir"), plain::RECORD) {
        Ok(said) => inside(own.join(said.trim()))?,
        Err(_) => own.clone(),
    };
    tree::strip(&own, true).and_then(|_| tree::strip(&common, true)).ok()?;
    let (objects, named) = (common.join("objects"), common.join(ALTERNATES));
    let borrowed = plain::read_text(&named, plain::RECORD).unwrap_or_default();
    let is_known = |line: &&str| {
        let place = objects.join(line).canonicalize();
        place.is_ok_and(|place| lenders.iter().any(|lender| place.starts_with(lender)))
    };
    let known: String = borrowed.lines().filter(is_known).map(|line| format!("{line}\n")).collect();
    if known.lines().count() < borrowed.lines().count() {
        fs::write(named, known).ok()?;
    }
    Some((own, common))
}

/// Git in a checkout whose repository is gone, through a stand-in at `place`, as if nothing were committed since `base`, where
/// the clone has that; answers whether it does.
///
/// # Errors
/// Git said no, or the disk.
pub(super) async fn instead(
    clone: Option<&Path>,
    files: &Path,
    place: &Path,
    base: &str,
) -> Result<(Git, bool), GitError> {
    init(place, base.len()).await?;
    if let Some(clone) = clone {
        attach(clone, place).await?;
    }
    let git = Git::at(files).with_repository(Some(place.to_owned()));
    let has_base = commit(&git, base).await.is_some();
    if has_base {
        git.run(["update-ref", "--no-deref", "HEAD", base]).await?;
        git.run(["read-tree", base]).await?;
    }
    Ok((git, has_base))
}

/// An empty stand-in for a repository whose objects have names of this length.
async fn init(place: &Path, length: usize) -> Result<(), GitError> {
    remove_directory(place).await.map_err(failed)?;
    let format = if length == 64 { "--object-format=sha256" } else { "--object-format=sha1" };
    let init =
        ["-c", "init.defaultRefFormat=files", "init", "--quiet", "--bare", "--template=", format, "--"];
    let at = Git::at(place.parent().unwrap_or(place));
    at.run(init.iter().map(AsRef::as_ref).chain([place.as_os_str()])).await.map(drop)
}

fn failed(error: io::Error) -> GitError {
    GitError { command: "init".to_owned(), message: error.to_string() }
}

fn name_of(path: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = path.chars().map(plain).collect();
    let name = name.trim_matches(['.', '-']).replace("..", "-").trim_end_matches(".lock").to_owned();
    if name.is_empty() { "repository".to_owned() } else { bounded(name, path) }
}

impl Inner {
    /// Git in it, through a stand-in at `place`. `outer` is the repository of the checkout.
    ///
    /// # Errors
    /// Git said no, or the disk.
    pub(super) async fn stand_in(&self, place: &Path, outer: &Path) -> Result<Git, GitError> {
        let git = Git::at(&self.files).with_repository(Some(place.to_owned()));
        let at = Git::at(place.parent().unwrap_or(place));
        let Some((own, common)) = &self.repository else {
            let format = Git::at(outer).run(["rev-parse", "--show-object-format"]).await?;
            init(place, if format == "sha256" { 64 } else { 40 }).await?;
            return Ok(git);
        };
        // What answers here is made for repositories of strangers, and runs nothing that they name.
        let listed = at.run(["ls-remote".as_ref(), "--".as_ref(), own.as_os_str()]).await?;
        init(place, listed.find('\t').unwrap_or(40)).await?;
        // Its branches are the checkout's too: they are kept there.
        let shares = common == outer;
        let (mut refs, mut head) = (String::new(), None);
        for (object, name) in listed.lines().filter_map(|line| line.split_once('\t')) {
            match name {
                "HEAD" => head = Some(object),
                _ if name.ends_with("^{}") || name.starts_with("refs/svc/") => {}
                _ if shares => refs += &format!("{object} refs/remotes/own/{}\n", name.replace('/', "-")),
                _ => refs += &format!("{object} {name}\n"),
            }
        }
        let objects = format!("{}\n", common.join("objects").display());
        let written = fs::create_dir_all(place.join("objects/info"))
            .and_then(|()| fs::write(place.join("objects/info/alternates"), objects))
            .and_then(|()| fs::write(place.join("packed-refs"), refs));
        written.map_err(failed)?;
        if let Some(head) = head {
            fs::write(place.join("HEAD"), format!("{head}\n")).map_err(failed)?;
        }
        let large = common.join("lfs");
        if large.is_dir() {
            std::os::unix::fs::symlink(large, place.join("lfs")).map_err(failed)?;
        }
        for name in ["logs/HEAD", "logs/refs/stash", "shallow", "index"] {
            let from = if name == "shallow" { common } else { own };
            let Ok(bytes) = plain::read(&from.join(name), LARGEST_INDEX) else { continue };
            let to = place.join(name);
            fs::create_dir_all(to.parent().unwrap_or(place))
                .and_then(|()| fs::write(to, bytes))
                .map_err(failed)?;
        }
        if git.run(["ls-files", "--stage"]).await.is_err() {
            fs::remove_file(place.join("index")).map_err(failed)?;
        }
        Ok(git)
    }
}
