//! What an agent must not change in the repository of its run, because the runner's own git goes by it.
//!
//! ```text
//! 1. Before the agent starts, the runner records configuration, hooks, attributes, alternates, grafts and replaced
//!    objects. The configuration includes nothing from within the repository.
//! 2. Before the runner uses its own git again, it restores what differs and says so. The replaced configuration
//!    is kept beside it in `svc-replaced/`.
//! 3. HEAD, index, branches and their settings are the agent's to move.
//! 4. The record is also on disk, so that the next runner can restore after one that died.
//! 5. Lines that hide history (`shallow`) may go, as in a deeper fetch; added ones are taken away.
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::content::Content;
use super::git::Git;
use super::records;
use crate::plain;

/// Name of the record.
const RECORD: &str = "guard-own.json";
/// Files of a repository, besides its hooks, that decide what git does.
const FILES: [&str; 8] = [
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "info/attributes",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/http-alternates",
];
/// A hook that is larger is recorded by its size alone.
const LARGEST: u64 = 1 << 20;

/// The record of one repository.
#[derive(Debug, Serialize, Deserialize)]
pub struct Guard {
    git_dir: PathBuf,
    files: BTreeMap<PathBuf, Content>,
    settings: Vec<String>,
    /// For a repository that has none any more.
    head: Option<Content>,
    /// What `refs/replace/` holds, `commit name`.
    replaced: Vec<String>,
    shallow: Option<Content>,
}

impl Guard {
    /// The record of a repository.
    pub async fn of(git_dir: &Path) -> Self {
        let mut files: BTreeMap<PathBuf, Content> = BTreeMap::new();
        for path in watched(git_dir) {
            if let Some(content) = Content::read(&git_dir.join(&path)) {
                files.insert(path, content);
            }
        }
        Self {
            settings: settings(git_dir).await,
            head: Content::read(&git_dir.join("HEAD")),
            replaced: replaced(git_dir).await,
            shallow: Content::read(&git_dir.join("shallow")),
            git_dir: git_dir.to_owned(),
            files,
        }
    }

    /// Writes the record down.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn keep(&self, run: &super::RunDirectory) -> io::Result<()> {
        run.record(RECORD, &serde_json::to_vec(self)?)
    }

    /// The record that a run's directory holds, if it is of this repository.
    pub fn kept(run: &Path, git_dir: &Path) -> Option<Self> {
        let record: Self =
            serde_json::from_slice(&plain::read(&records(run).join(RECORD), plain::RECORD).ok()?).ok()?;
        (record.git_dir == git_dir).then_some(record)
    }

    /// Puts back what was changed; answers what to tell of it. `run` names what is replaced.
    pub async fn put_back(&self, run: &str) -> Vec<String> {
        if !self.git_dir.is_dir() {
            return vec![format!("{} is gone", self.git_dir.display())];
        }
        let mut told = Vec::new();
        let place = self.git_dir.join("HEAD");
        if let Some(head) = self.head.as_ref().filter(|_| !place.exists()) {
            let _ = head.put(&place);
        }
        // First what says where the repository is: the next ones ask git.
        self.put_back_files(&mut told);
        self.put_back_settings(run, &mut told).await;
        self.put_back_shallow(&mut told);
        self.put_back_replaced(&mut told).await;
        told
    }

    async fn put_back_settings(&self, run: &str, told: &mut Vec<String>) {
        let now = settings(&self.git_dir).await;
        let readable = Git::at(&self.git_dir).run(["rev-parse", "--git-dir"]).await.is_ok();
        let (gone, new) = (difference(&self.settings, &now), difference(&now, &self.settings));
        let mut names: Vec<&str> = gone.chain(new).map(name_of).collect();
        if names.is_empty() && readable {
            return;
        }
        names.sort_unstable();
        names.dedup();
        let path = self.git_dir.join("config");
        if let Some(found) = Content::read(&path) {
            let _ = found.put(&self.git_dir.join("svc-replaced").join(run));
        }
        let Some(config) = self.files.get(Path::new("config")) else { return };
        let shown = self.shown();
        let what = match names.join(", ") {
            names if names.is_empty() => format!("The configuration of {shown} was"),
            names => format!("The settings {names} of {shown} were"),
        };
        told.push(match config.put(&path) {
            Ok(()) => format!("{what} changed while the run worked, and restored"),
            Err(error) => format!("{what} changed and cannot be restored: {error}"),
        });
    }

    fn put_back_files(&self, told: &mut Vec<String>) {
        let now = watched(&self.git_dir);
        let mut paths: Vec<PathBuf> = self.files.keys().cloned().chain(now).collect();
        paths.sort();
        paths.dedup();
        for path in paths.iter().filter(|path| path.as_os_str() != "config") {
            let place = self.git_dir.join(path);
            let done = match (self.files.get(path), Content::read(&place)) {
                (Some(known), now) if now.as_ref() != Some(known) => known.put(&place),
                (None, _) if fs::symlink_metadata(&place).is_ok_and(|meta| !meta.is_dir()) => {
                    fs::remove_file(&place)
                }
                (Some(_) | None, _) => continue,
            };
            let path = path.display();
            told.push(match done {
                Ok(()) => {
                    format!("{path} of {} was changed while the run worked; it is put back", self.shown())
                }
                Err(error) => {
                    format!("{path} of {} was changed and cannot be put back: {error}", self.shown())
                }
            });
        }
    }

    fn put_back_shallow(&self, told: &mut Vec<String>) {
        let place = self.git_dir.join("shallow");
        let lines = |content: Option<&Content>| -> Vec<String> {
            let bytes = content.and_then(|content| STANDARD.decode(&content.bytes).ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        };
        let known = lines(self.shallow.as_ref());
        let added = !lines(Content::read(&place).as_ref()).iter().all(|line| known.contains(line));
        if !added && fs::symlink_metadata(&place).map_or(true, |meta| meta.is_file()) {
            return;
        }
        let done = match &self.shallow {
            Some(content) => content.put(&place),
            None => fs::remove_file(&place),
        };
        told.push(match done {
            Ok(()) => {
                format!(
                    "The history of {} was hidden while the run worked; it is visible again",
                    self.shown()
                )
            }
            Err(error) => {
                format!("The history of {} is hidden and cannot be restored: {error}", self.shown())
            }
        });
    }

    async fn put_back_replaced(&self, told: &mut Vec<String>) {
        let (git, known) = (Git::at(&self.git_dir), &self.replaced);
        let now = replaced(&self.git_dir).await;
        let mut changed = 0;
        for (_, name) in now.iter().filter(|one| !known.contains(one)).filter_map(|one| one.split_once(' ')) {
            changed += usize::from(git.run(["update-ref", "--no-deref", "-d", name]).await.is_ok());
        }
        for (object, name) in
            known.iter().filter(|one| !now.contains(one)).filter_map(|one| one.split_once(' '))
        {
            changed += usize::from(git.run(["update-ref", "--no-deref", name, object]).await.is_ok());
        }
        if changed > 0 {
            let shown = self.shown();
            told.push(format!(
                "Objects of {shown} were replaced (refs/replace) while the run worked; they are put back"
            ));
        }
    }

    fn shown(&self) -> String {
        let work_tree = self.git_dir.parent().filter(|_| self.git_dir.ends_with(".git"));
        work_tree.unwrap_or(&self.git_dir).display().to_string()
    }
}

/// The watched files of a repository, with the hooks that it has now.
fn watched(git_dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = FILES.iter().map(PathBuf::from).collect();
    for entry in fs::read_dir(git_dir.join("hooks")).into_iter().flatten().flatten() {
        let small = entry.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
        let sample = entry.path().extension().is_some_and(|extension| extension == "sample");
        if small && !sample {
            paths.push(Path::new("hooks").join(entry.file_name()));
        }
    }
    paths
}

/// What `refs/replace/` holds, `commit name`.
async fn replaced(git_dir: &Path) -> Vec<String> {
    let args = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/replace/"];
    let listed = Git::at(git_dir).run(args).await.unwrap_or_default();
    listed.lines().map(str::to_owned).collect()
}

/// Every setting of the repository's own file as `name\nvalue`, but for those of branches. Sorted.
async fn settings(git_dir: &Path) -> Vec<String> {
    let file = git_dir.join("config");
    let args = ["config".as_ref(), "--file".as_ref(), file.as_os_str(), "--list".as_ref(), "-z".as_ref()];
    // From another place: the file may say that the repository is elsewhere.
    let listed = Git::at("/").run(args).await.unwrap_or_default();
    let mut settings: Vec<String> = listed
        .split('\0')
        .filter(|one| !one.is_empty() && !one.starts_with("branch."))
        .map(str::to_owned)
        .collect();
    settings.sort_unstable();
    settings
}

/// The settings of one list that the other does not have so.
fn difference<'a>(these: &'a [String], those: &[String]) -> impl Iterator<Item = &'a str> {
    these
        .iter()
        .map(String::as_str)
        .filter(|one| those.binary_search_by(|known| known.as_str().cmp(one)).is_err())
}

/// The name of a setting, given as `name\nvalue`.
fn name_of(setting: &str) -> &str {
    setting.split_once('\n').map_or(setting, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::workspace::straight::straighten;

    struct Place {
        directory: tempfile::TempDir,
    }

    impl Place {
        async fn new() -> (Self, Guard) {
            let place = Self { directory: tempfile::tempdir().unwrap() };
            let git = place.git();
            git.run(["init", "-q", "-b", "main"]).await.unwrap();
            git.run(["config", "remote.origin.url", "/theirs"]).await.unwrap();
            let commit =
                ["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-q", "--allow-empty", "-m", "a"];
            git.run(commit).await.unwrap();
            let guard = Guard::of(&place.file("")).await;
            (place, guard)
        }

        fn git(&self) -> Git {
            Git::at(self.directory.path())
        }

        fn file(&self, name: &str) -> PathBuf {
            self.directory.path().join(".git").join(name)
        }

        async fn setting(&self, name: &str) -> Option<String> {
            self.git().run(["config", "--local", name]).await.ok()
        }
    }

    #[tokio::test]
    async fn settings_that_the_agent_changed_are_put_back_and_named() {
        let (place, guard) = Place::new().await;
        for (name, value) in [
            ("remote.origin.url", "/mine"),
            ("core.worktree", "/nowhere"),
            ("user.name", "X"),
            ("core.fsmonitor", "/x"),
        ] {
            Git::at("/")
                .run(["config", "--file", place.file("config").to_str().unwrap(), name, value])
                .await
                .unwrap();
        }
        let told = guard.put_back("r1").await;
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
        assert_eq!((place.setting("core.worktree").await, place.setting("user.name").await), (None, None));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("core.fsmonitor, core.worktree, remote.origin.url, user.name"), "{told:?}");
        assert!(place.file("svc-replaced/r1").exists());
        assert!(guard.put_back("r1").await.is_empty());
    }

    #[tokio::test]
    async fn a_broken_configuration_is_put_back() {
        let (place, guard) = Place::new().await;
        fs::write(place.file("config"), "[core\n").unwrap();
        assert_eq!(guard.put_back("r1").await.len(), 1);
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
    }

    #[tokio::test]
    async fn what_a_push_notes_of_its_branch_stays() {
        let (place, guard) = Place::new().await;
        place.git().run(["config", "branch.topic.remote", "origin"]).await.unwrap();
        assert!(guard.put_back("r1").await.is_empty());
        assert!(place.setting("branch.topic.remote").await.is_some());
    }

    #[tokio::test]
    async fn hooks_are_put_back() {
        let (place, _) = Place::new().await;
        let hook = place.file("hooks/pre-push");
        fs::create_dir_all(place.file("hooks")).unwrap();
        fs::write(&hook, "theirs").unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        let guard = Guard::of(&place.file("")).await;
        fs::write(&hook, "mine").unwrap();
        fs::write(place.file("hooks/post-checkout"), "mine").unwrap();
        assert_eq!(guard.put_back("r1").await.len(), 2);
        assert_eq!(fs::read_to_string(&hook).unwrap(), "theirs");
        assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o755);
        assert!(!place.file("hooks/post-checkout").exists());
    }

    #[tokio::test]
    async fn replaced_objects_grafts_and_hidden_history_are_put_back() {
        let (place, guard) = Place::new().await;
        let git = place.git();
        let head = git.run(["rev-parse", "HEAD"]).await.unwrap();
        let tree = git.run(["rev-parse", "HEAD^{tree}"]).await.unwrap();
        git.run(["update-ref", &format!("refs/replace/{head}"), &tree]).await.unwrap();
        fs::create_dir_all(place.file("info")).unwrap();
        fs::write(place.file("info/grafts"), format!("{head}\n")).unwrap();
        fs::write(place.file("shallow"), format!("{head}\n")).unwrap();
        let told = guard.put_back("r1").await;
        assert_eq!(told.len(), 3, "{told:?}");
        assert_eq!(git.run(["for-each-ref", "refs/replace/"]).await.unwrap(), "");
        assert!(!place.file("info/grafts").exists() && !place.file("shallow").exists());
        assert!(guard.put_back("r1").await.is_empty());
    }

    #[tokio::test]
    async fn a_persons_replaced_objects_and_shallow_history_stay() {
        let (place, _) = Place::new().await;
        let git = place.git();
        let head = git.run(["rev-parse", "HEAD"]).await.unwrap();
        let name = format!("refs/replace/{head}");
        git.run(["update-ref", &name, &head]).await.unwrap();
        fs::write(place.file("shallow"), format!("{head}\n")).unwrap();
        let guard = Guard::of(&place.file("")).await;
        git.run(["update-ref", "-d", &name]).await.unwrap();
        assert_eq!(guard.put_back("r1").await.len(), 1);
        assert_eq!(git.run(["rev-parse", &name]).await.unwrap(), head);
        assert!(place.file("shallow").exists());
        // As a fetch of the whole history does.
        fs::remove_file(place.file("shallow")).unwrap();
        assert!(guard.put_back("r1").await.is_empty());
    }

    /// The runner once waited for a writer.
    #[tokio::test]
    async fn pipes_in_the_place_of_files_are_not_waited_for() {
        let (place, guard) = Place::new().await;
        fs::write(place.file("index"), "").unwrap();
        let read = ["config", "HEAD", "index", "packed-refs", "logs/HEAD", "refs/heads/x", "info/exclude"];
        for name in read.into_iter().chain(["info/attributes", "hooks/pre-push", "shallow"]) {
            fs::create_dir_all(place.file(name).parent().unwrap()).unwrap();
            let _ = fs::remove_file(place.file(name));
            crate::testing::pipe(&place.file(name));
        }
        straighten(place.directory.path(), Some(&place.file(""))).await.unwrap();
        guard.put_back("r1").await;
        assert!(!place.file("hooks/pre-push").exists());
        place.git().within(std::time::Duration::from_secs(60)).run(["log", "-1"]).await.unwrap();
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
        let root = tempfile::tempdir().unwrap();
        let run = crate::workspace::RunDirectory::create(root.path(), "r1").unwrap();
        crate::testing::pipe(&records(run.path()).join(RECORD));
        assert!(Guard::kept(run.path(), &place.file("")).is_none());
    }

    #[tokio::test]
    async fn a_checkouts_own_repository_keeps_where_the_agent_left_it() {
        let (place, _) = Place::new().await;
        let guard = Guard::of(&place.file("")).await;
        place.git().run(["checkout", "-q", "-b", "other"]).await.unwrap();
        let rule = ["config", "url./evil.insteadOf", "/theirs"];
        place.git().run(rule).await.unwrap();
        let told = guard.put_back("r1").await;
        assert!(told.len() == 1 && told[0].contains("url./evil.insteadof"), "{told:?}");
        assert!(fs::read_to_string(place.file("HEAD")).unwrap().contains("other"));
    }

    #[tokio::test]
    async fn a_repository_that_leads_to_another_one_is_put_back() {
        let (place, guard) = Place::new().await;
        fs::write(place.file("elsewhere"), "/elsewhere\n").unwrap();
        std::os::unix::fs::symlink("elsewhere", place.file("commondir")).unwrap();
        let told = guard.put_back("r1").await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(place.file("commondir").symlink_metadata().is_err());
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
    }

    /// Its record was believed wherever it led: files of an agent's choice were written.
    #[tokio::test]
    async fn a_record_of_another_repository_is_not_believed() {
        let (place, guard) = Place::new().await;
        let root = tempfile::tempdir().unwrap();
        let run = crate::workspace::RunDirectory::create(root.path(), "r1").unwrap();
        guard.keep(&run).unwrap();
        assert!(Guard::kept(run.path(), &place.file("")).is_some());
        assert!(Guard::kept(run.path(), Path::new("/elsewhere")).is_none());
    }
}
