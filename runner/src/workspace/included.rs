//! Files within a repository, besides its own configuration, that hold settings: those that the configuration includes,
//! and those of worktrees that no run made. Nothing outside the repository counts: that is the person's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::MANIFEST;
use super::git::Git;
use crate::plain;

/// Git follows includes no deeper.
const DEPTH: usize = 10;

/// All of them, relative to the repository, whether they are there or not.
pub(super) async fn files_with_settings(git_dir: &Path) -> Vec<PathBuf> {
    let mut found = worktrees(git_dir);
    let mut next = vec![PathBuf::from("config")];
    for _ in 0..DEPTH {
        let mut included = Vec::new();
        for file in &next {
            included.extend(includes(git_dir, file).await);
        }
        next = included.into_iter().filter(|path| found.insert(path.clone())).collect();
    }
    found.into_iter().collect()
}

/// What a file includes from within the repository.
async fn includes(git_dir: &Path, file: &Path) -> Vec<PathBuf> {
    let place = git_dir.join(file);
    let pattern = r"^include(if\..*)?\.path$";
    let mut args: Vec<&std::ffi::OsStr> = ["config", "--file"].map(AsRef::as_ref).into();
    args.push(place.as_os_str());
    args.extend(["-z", "--get-regexp", pattern].map(std::ffi::OsStr::new));
    // From another place: the file may say that the repository is elsewhere. Fails where nothing is included.
    let listed = Git::at("/").run(args).await.unwrap_or_default();
    let values = listed.split('\0').filter_map(|one| Some(one.split_once('\n')?.1));
    let places = values.map(|value| place.parent().unwrap_or(git_dir).join(value));
    places.filter_map(|place| within(git_dir, &place)).collect()
}

fn within(git_dir: &Path, place: &Path) -> Option<PathBuf> {
    let path = place.strip_prefix(git_dir).ok()?;
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && path.as_os_str() != "config").then(|| path.to_owned())
}

/// Settings of worktrees. Those of runs are recorded by themselves.
fn worktrees(git_dir: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(git_dir.join("worktrees")).into_iter().flatten().flatten();
    let foreign = entries.filter(|entry| {
        let link = plain::read_text(&entry.path().join("gitdir"), plain::RECORD).unwrap_or_default();
        let run = Path::new(link.trim_end()).ancestors().nth(2);
        run.is_none_or(|run| !run.join(MANIFEST).exists())
    });
    foreign.map(|entry| Path::new("worktrees").join(entry.file_name()).join("config.worktree")).collect()
}
