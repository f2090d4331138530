//! Finds the clone that a run works from (specification section 4.3, rule 5).
//!
//! A mapping made on the machine wins. A path hint comes from the instance and is trusted only inside roots
//! configured on the machine, after `~/`, `..` and symlinks are resolved; the repository around it must lie
//! inside the same root. What is answered is the resolved path: nothing looks at the hint again.

use std::path::{Component, Path, PathBuf};

use super::git::Git;
use crate::failure::{Failure, FailureReason};
use crate::runner_file::Profile;
use crate::words::shell_word;

/// The top of the clone that a project's runs work from.
///
/// # Errors
/// `no-local-repository`, with what to do about it.
pub async fn locate(
    profile: &Profile,
    project: &str,
    path_hint: Option<&str>,
    home: Option<&Path>,
) -> Result<PathBuf, Failure> {
    if let Some(mapped) = profile.workspaces.get(project) {
        return clone_at(mapped).await.map_err(|why| {
            missing(format!(
                "{project} is mapped to {}, which {why}, or map it again with `svc runner map {project} <path>`",
                mapped.display()
            ))
        });
    }
    let how = format!("map it on the runner with `svc runner map {project} <path>`");
    let Some(hint) = path_hint.filter(|hint| !hint.trim().is_empty()) else {
        return Err(missing(format!("{project} has no local clone here; {how}")));
    };
    if profile.repo_roots.is_empty() {
        return Err(missing(format!(
            "the path hint {hint:?} is not used, because the runner has no repository roots; {how}, or add a root \
            with `svc runner root <dir>`"
        )));
    }
    inside_a_root(hint, &profile.repo_roots, home).await.ok_or_else(|| {
        missing(format!("the path hint {hint:?} is not a git repository inside the runner's roots; {how}"))
    })
}

fn missing(detail: String) -> Failure {
    Failure::new(FailureReason::NoLocalRepository, detail)
}

/// Why runs could not push from a clone.
pub async fn origin_trouble(clone: &Path) -> Option<String> {
    let told = Git::at(clone).run(["remote", "get-url", "origin"]).await;
    told.is_err().then(|| format!("{} has no remote named origin, which runs push to", clone.display()))
}

/// The resolved top of the working tree around a directory, or the bare repository there.
///
/// # Errors
/// What it is instead, and what to do: words that follow its name.
pub async fn clone_at(path: &Path) -> Result<PathBuf, String> {
    let none = || "is not a git repository; clone the project there".to_owned();
    let resolved = resolve(path).await.ok_or_else(none)?;
    let git = Git::at(&resolved);
    let listed = match git.run(["rev-parse", "--is-bare-repository", "--absolute-git-dir"]).await {
        Ok(listed) => listed,
        Err(error) if error.message.contains("dubious ownership") => {
            return Err(format!(
                "belongs to another user, so git does not use it; run `git config --global --add safe.directory {}`",
                shell_word(&resolved)
            ));
        }
        Err(_) => return Err(none()),
    };
    let top = match listed.strip_prefix("true\n") {
        Some(bare) => Ok(bare.to_owned()),
        None => git.run(["rev-parse", "--show-toplevel"]).await,
    };
    let top = top.map_err(|_| none())?;
    resolve(Path::new(&top)).await.ok_or_else(none)
}

async fn inside_a_root(hint: &str, roots: &[PathBuf], home: Option<&Path>) -> Option<PathBuf> {
    let hinted = resolve(&expand(hint, home)?).await?;
    for root in roots {
        let Some(root) = resolve(root).await else { continue };
        // `starts_with` compares whole components: `/repos-other` is not inside `/repos`.
        if !hinted.starts_with(&root) {
            continue;
        }
        let top = clone_at(&hinted).await.ok().filter(|top| top.starts_with(&root));
        let git_directory = git_directory(&hinted).await.filter(|directory| directory.starts_with(&root));
        if let (Some(top), Some(_)) = (top, git_directory) {
            return Some(top);
        }
    }
    None
}

/// Where the repository itself is: a working tree can point elsewhere.
async fn git_directory(path: &Path) -> Option<PathBuf> {
    let directory =
        Git::at(path).run(["rev-parse", "--path-format=absolute", "--git-common-dir"]).await.ok()?;
    resolve(Path::new(&directory)).await
}

fn expand(hint: &str, home: Option<&Path>) -> Option<PathBuf> {
    let path = match hint.strip_prefix("~/") {
        Some(rest) => home?.join(rest.trim_start_matches('/')),
        None => PathBuf::from(hint),
    };
    let absolute = path.is_absolute() && path.components().all(|part| !matches!(part, Component::Prefix(_)));
    absolute.then_some(path)
}

async fn resolve(path: &Path) -> Option<PathBuf> {
    tokio::fs::canonicalize(path).await.ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::secret::Secret;

    struct Place {
        directory: tempfile::TempDir,
        profile: Profile,
    }

    /// `repos/` is a root with the clone `repos/app`; `repos-other/app` and `outside/app` lie beside it.
    async fn place() -> Place {
        let directory = tempfile::tempdir().unwrap();
        for clone in ["repos/app", "repos-other/app", "outside/app"] {
            let path = directory.path().join(clone);
            std::fs::create_dir_all(path.join("inner")).unwrap();
            Git::at(&path).run(["init", "-q"]).await.unwrap();
        }
        let profile = Profile {
            organization: "demo".into(),
            url: "u".into(),
            token: Secret::new("t"),
            workspaces: BTreeMap::new(),
            repo_roots: vec![directory.path().join("repos")],
            isolation: crate::isolation::Isolation::default(),
            projects: BTreeMap::new(),
            other: serde_json::Map::new(),
        };
        Place { directory, profile }
    }

    impl Place {
        fn path(&self, relative: &str) -> PathBuf {
            self.directory.path().canonicalize().unwrap().join(relative)
        }

        async fn hint(&self, hint: &str) -> Result<PathBuf, FailureReason> {
            locate(&self.profile, "PRJ", Some(hint), Some(self.directory.path())).await.map_err(|f| f.reason)
        }

        async fn refuses(&self, hint: &str) -> bool {
            self.hint(hint).await == Err(FailureReason::NoLocalRepository)
        }
    }

    #[tokio::test]
    async fn a_hint_inside_a_root_is_accepted() {
        let place = place().await;
        let app = place.path("repos/app");
        assert_eq!(place.hint(app.to_str().unwrap()).await.as_ref(), Ok(&app));
        assert_eq!(place.hint("~/repos/app").await.as_ref(), Ok(&app));
        assert_eq!(place.hint("~/repos/app/inner").await.as_ref(), Ok(&app), "the top of the clone");
        assert_eq!(
            place.hint("~/outside/../repos/app").await.as_ref(),
            Ok(&app),
            "resolved before the check"
        );
    }

    #[tokio::test]
    async fn a_hint_that_leads_out_of_the_roots_is_refused() {
        let place = place().await;
        symlink(place.path("outside/app"), place.path("repos/link")).unwrap();
        for hint in [
            "~/repos/../outside/app",
            "~/repos-other/app",
            "~/repos/link",
            "~/repos/missing",
            "~/repos",
            "repos/app",
            "-x",
            "",
            "~root",
        ] {
            assert!(place.refuses(hint).await, "{hint}");
        }
    }

    #[tokio::test]
    async fn a_directory_whose_repository_lies_outside_the_root_is_refused() {
        let mut place = place().await;
        place.profile.repo_roots = vec![place.path("outside/app/inner")];
        assert!(place.refuses("~/outside/app/inner").await);
    }

    #[tokio::test]
    async fn a_working_tree_that_points_at_a_repository_outside_is_refused() {
        let place = place().await;
        std::fs::create_dir_all(place.path("repos/fake")).unwrap();
        let gitdir = format!("gitdir: {}\n", place.path("outside/app/.git").display());
        std::fs::write(place.path("repos/fake/.git"), gitdir).unwrap();
        assert!(place.refuses("~/repos/fake").await);
    }

    #[tokio::test]
    async fn a_mapping_wins_and_need_not_lie_inside_a_root() {
        let mut place = place().await;
        let outside = place.path("outside/app");
        place.profile.workspaces.insert("PRJ".into(), outside.clone());
        assert_eq!(place.hint("~/repos/app").await, Ok(outside));
        place.profile.workspaces.insert("PRJ".into(), place.path("gone"));
        assert!(place.refuses("~/repos/app").await, "a broken mapping is not passed over");
    }

    #[tokio::test]
    async fn without_roots_no_hint_is_used() {
        let mut place = place().await;
        place.profile.repo_roots.clear();
        assert!(place.refuses("~/repos/app").await);
    }
}
