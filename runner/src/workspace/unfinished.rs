//! What git had in progress when a run ended.
//!
//! | in progress                         | no file is in conflict                       | otherwise, or after a failed run |
//! |-------------------------------------|----------------------------------------------|----------------------------------|
//! | merge, cherry-pick, revert          | is committed                                 | counts as aborted                |
//! | rebase that only picks commits      | goes on; counts as aborted if it stops again | counts as aborted                |
//! | rebase of another kind, `git am`, bisect | counts as aborted                       | counts as aborted                |
//!
//! What counts as aborted is left as it is: a continued run finds it. The work is then the commit from before it, and the
//! files are kept as changes that were not committed. Nothing here runs a command that an agent wrote into a list of
//! steps.

use std::path::{Path, PathBuf};

use super::commits::commit;
use super::git::Git;
use crate::plain;

/// What the work in a checkout ended on.
pub(super) struct Ended {
    /// The commit.
    pub(super) head: String,
    /// What was done about something in progress, in words.
    pub(super) told: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rebase,
    Apply,
    Patches,
    Bisect,
    Merge,
    CherryPick,
    Revert,
}

/// Where git notes each, and a file in it that has what was there before.
const NOTED: [(Kind, &str); 7] = [
    (Kind::Rebase, "rebase-merge/orig-head"),
    (Kind::Patches, "rebase-apply/applying"),
    (Kind::Apply, "rebase-apply/orig-head"),
    (Kind::Merge, "MERGE_HEAD"),
    (Kind::CherryPick, "CHERRY_PICK_HEAD"),
    (Kind::Revert, "REVERT_HEAD"),
    (Kind::Bisect, "BISECT_START"),
];
/// Patches of a series.
const MOST_PATCHES: usize = 1_000;
/// Files by which a rebase runs more than git itself.
const PROGRAMS: [&str; 3] = ["strategy", "strategy_opts", "gpg_sign_opt"];

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Rebase | Self::Apply => "rebase",
            Self::Patches => "git am",
            Self::Bisect => "bisect",
            Self::Merge => "merge",
            Self::CherryPick => "cherry-pick",
            Self::Revert => "revert",
        }
    }
}

/// The commit that the work ended on, as things are. None without a repository that has one.
pub(super) async fn ended_on(git: &Git) -> Option<Ended> {
    let Some((kind, noted)) = in_progress(git).await else {
        return Some(Ended { head: commit(git, "HEAD").await?, told: None });
    };
    let before = match kind {
        Kind::Rebase | Kind::Apply | Kind::Bisect => commit(git, noted.trim()).await,
        Kind::Patches => commit(git, "ORIG_HEAD").await,
        Kind::Merge | Kind::CherryPick | Kind::Revert => None,
    };
    let head = match before {
        Some(before) => before,
        None => commit(git, "HEAD").await?,
    };
    let told = format!("A {} was not finished: the work counts as it was before.", kind.name());
    Some(Ended { head, told: Some(told) })
}

/// The same, after what can be finished is finished.
pub(super) async fn finished_on(git: &Git) -> Option<Ended> {
    let kind = in_progress(git).await.map(|(kind, _)| kind);
    let done = match kind {
        Some(kind) if is_resolved(git).await => finish(git, kind).await,
        _ => false,
    };
    let mut ended = ended_on(git).await?;
    if let (true, None, Some(kind)) = (done, &ended.told, kind) {
        ended.told = Some(format!("A {} was in progress; it was finished.", kind.name()));
    }
    Some(ended)
}

/// The patches that a stopped `git am` has not applied, as a mailbox.
pub(super) fn patches_left(own: &Path) -> Option<Vec<u8>> {
    let place = own.join("rebase-apply");
    place.join("applying").symlink_metadata().ok()?;
    let number =
        |name: &str| plain::read_text(&place.join(name), plain::RECORD).ok()?.trim().parse::<usize>().ok();
    let mut mailbox = Vec::new();
    for number in (number("next")?..=number("last")?).take(MOST_PATCHES) {
        let Ok(patch) = plain::read(&place.join(format!("{number:04}")), plain::RECORD) else { continue };
        if !patch.starts_with(b"From ") {
            mailbox.extend_from_slice(b"From git-am Mon Sep 17 00:00:00 2001\n");
        }
        mailbox.extend(patch);
    }
    (!mailbox.is_empty()).then_some(mailbox)
}

async fn in_progress(git: &Git) -> Option<(Kind, String)> {
    let directory = directory(git).await?;
    // An abandoned rebase has left its notes behind, and a branch checked out.
    let on_branch = git.run(["symbolic-ref", "--quiet", "HEAD"]).await.is_ok();
    let noted = |(kind, name): (Kind, &str)| {
        let counts = !on_branch || !matches!(kind, Kind::Rebase | Kind::Apply);
        let text = plain::read_text(&directory.join(name), plain::RECORD).ok().filter(|_| counts)?;
        Some((kind, text))
    };
    NOTED.into_iter().find_map(noted)
}

async fn directory(git: &Git) -> Option<PathBuf> {
    git.run(["rev-parse", "--absolute-git-dir"]).await.ok().map(PathBuf::from)
}

async fn is_resolved(git: &Git) -> bool {
    git.run(["ls-files", "--unmerged"]).await.is_ok_and(|unmerged| unmerged.is_empty())
}

async fn finish(git: &Git, kind: Kind) -> bool {
    let Some(directory) = directory(git).await else { return false };
    let (name, address) = identity(git).await;
    let (name, address) = (format!("user.name={name}"), format!("user.email={address}"));
    let mut args = vec!["-c", "core.editor=true", "-c", &name, "-c", &address];
    match kind {
        Kind::Merge | Kind::CherryPick | Kind::Revert => {
            if directory.join("sequencer").exists() {
                return false;
            }
            args.extend(["commit", "--quiet", "--no-edit", "--no-verify", "--allow-empty"]);
            if is_signed(git).await {
                args.push("--gpg-sign");
            }
        }
        Kind::Rebase if only_picks(&directory.join("rebase-merge")) => args.extend(["rebase", "--continue"]),
        Kind::Rebase | Kind::Apply | Kind::Patches | Kind::Bisect => return false,
    }
    git.run(args).await.is_ok()
}

/// Whether every step that is left applies a commit, and nothing else.
fn only_picks(place: &Path) -> bool {
    let todo = plain::read_text(&place.join("git-rebase-todo"), plain::RECORD).unwrap_or_default();
    let is_pick = |line: &str| {
        let mut words = line.split_whitespace();
        let named = words.next() == Some("pick");
        named && words.next().is_some_and(|commit| commit.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let steps = todo.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    PROGRAMS.iter().all(|name| place.join(name).symlink_metadata().is_err()) && steps.into_iter().all(is_pick)
}

/// The author of the last commit: the agent, or a person before it.
async fn identity(git: &Git) -> (String, String) {
    let args = ["log", "-1", "--no-show-signature", "--format=%cn%n%ce"];
    let said = git.run(args).await.unwrap_or_default();
    let (name, address) = said.split_once('\n').unwrap_or(("svc runner", "runner@localhost"));
    (name.to_owned(), address.to_owned())
}

/// Whether the last commit has a signature: then the next needs one.
async fn is_signed(git: &Git) -> bool {
    let told = git.run(["cat-file", "commit", "HEAD"]).await.unwrap_or_default();
    told.lines().take_while(|line| !line.is_empty()).any(|line| line.starts_with("gpgsig"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        async fn new() -> Self {
            let place = Self(tempfile::tempdir().unwrap());
            place.git(&["init", "-q", "-b", "main"]).await;
            place.commit("file", "base").await;
            place.git(&["checkout", "-q", "-b", "work"]).await;
            place.commit("file", "mine").await;
            place.git(&["checkout", "-q", "main"]).await;
            place.commit("file", "theirs").await;
            place.git(&["checkout", "-q", "work"]).await;
            place
        }

        fn at(&self) -> Git {
            Git::at(self.0.path())
        }

        async fn git(&self, args: &[&str]) -> bool {
            let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@x"];
            self.at().run(identity.iter().chain(args)).await.is_ok()
        }

        async fn commit(&self, file: &str, text: &str) {
            std::fs::write(self.0.path().join(file), text).unwrap();
            assert!(self.git(&["add", "."]).await && self.git(&["commit", "-q", "-m", text]).await);
        }

        async fn resolve(&self) {
            std::fs::write(self.0.path().join("file"), "both").unwrap();
            assert!(self.git(&["add", "file"]).await);
        }

        async fn head(&self) -> String {
            self.at().run(["rev-parse", "HEAD"]).await.unwrap()
        }
    }

    #[tokio::test]
    async fn what_is_in_conflict_counts_as_it_was_before() {
        for (args, told) in [(["merge", "main"], "A merge was not"), (["rebase", "main"], "A rebase was not")]
        {
            let place = Place::new().await;
            let before = place.head().await;
            assert!(!place.git(&args).await);
            let ended = finished_on(&place.at()).await.unwrap();
            assert_eq!(ended.head, before);
            assert!(ended.told.unwrap().starts_with(told));
        }
    }

    #[tokio::test]
    async fn what_is_resolved_is_finished_in_the_name_that_began_it() {
        for args in [["merge", "main"], ["rebase", "main"], ["cherry-pick", "main"]] {
            let place = Place::new().await;
            assert!(!place.git(&args).await);
            place.resolve().await;
            let left = ended_on(&place.at()).await.unwrap();
            assert!(left.told.unwrap().contains("not finished"), "a run that failed is left as it is");
            let ended = finished_on(&place.at()).await.unwrap();
            assert!(ended.told.as_ref().unwrap().contains("it was finished"), "{args:?} {:?}", ended.told);
            assert_eq!(ended.head, place.head().await);
            let show = ["show", "-s", "--format=%cn", "HEAD"];
            assert_eq!(place.at().run(show).await.unwrap(), "Ada", "{args:?}");
            assert!(in_progress(&place.at()).await.is_none());
        }
    }

    /// The runner would run it, as root where it keeps agents apart.
    #[tokio::test]
    async fn no_command_of_a_list_of_steps_is_run() {
        for (file, text) in [("git-rebase-todo", "exec touch ran\n"), ("strategy", "mine")] {
            let place = Place::new().await;
            assert!(!place.git(&["rebase", "main"]).await);
            place.resolve().await;
            std::fs::write(place.0.path().join(".git/rebase-merge").join(file), text).unwrap();
            let ended = finished_on(&place.at()).await.unwrap();
            assert!(ended.told.unwrap().contains("not finished") && !place.0.path().join("ran").exists());
        }
    }
}
