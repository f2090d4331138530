//! What an agent must not change in the repository that it works from.
//!
//! ```text
//! 1. Before the first run in a repository starts its agent, the runner records configuration with what it includes from
//!    within the repository, the settings of other worktrees, hooks, attributes, alternates, grafts and replaced objects,
//!    HEAD and index. Runs at the same time in the same repository share that
//!    record.
//! 2. Before the runner uses its own git again, it restores what differs and says so. The replaced configuration
//!    is kept beside it in `svc-replaced/`.
//! 3. Of the settings of branches (`branch.*`), those that say where a later `git push` or `git pull` goes may only be
//!    added as `git push -u` writes them, for a branch that had none. Others may change, and all may go with a branch.
//! 4. HEAD, and the index with it, is restored if the agent moved it, that is, if the reflog names the agent or
//!    nobody. If a person checks out another branch meanwhile, it is left alone. So is an index that changed
//!    without HEAD.
//! 5. The record is also on disk, in the run's directory, so that the next runner can restore after one that
//!    died.
//! 6. The repository of the checkout itself, a clone of its own or the part of a worktree, has a second record. HEAD
//!    and index there are the agent's to move.
//! 7. Lines that hide history (`shallow`) may go, as in a deeper fetch; added ones are taken away.
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::content::Content;
use super::directions::{counts, is_usual, name_of};
use super::git::Git;
use super::included::files_with_settings;
use crate::locking::lock;
use crate::plain;

/// Name of the record in a run's directory.
pub const RECORD: &str = "guard.json";
/// The same, of the checkout's own repository.
const OWN_RECORD: &str = "guard-own.json";
/// Files of a repository, besides its hooks, that decide what git does.
const FILES: [&str; 4] = ["config", "config.worktree", "info/attributes", "objects/info/alternates"];
/// More of them, which an older runner's record does not have.
const MORE_FILES: [&str; 4] = ["commondir", "gitdir", "info/grafts", "objects/info/http-alternates"];
/// Files that git reads whatever it is asked.
const READ_BY_GIT: [&str; 5] = ["config", "HEAD", "index", "packed-refs", "logs/HEAD"];
/// Bytes of the largest record: it holds the index.
const MOST_RECORD: u64 = 1 << 30;
/// Where a worktree says that the repository is.
const COMMON: &str = "../..\n";
/// A hook that is larger is recorded by its size alone.
const LARGEST: u64 = 1 << 20;

/// The record of one repository.
#[derive(Debug, Serialize, Deserialize)]
pub struct Guard {
    git_dir: PathBuf,
    files: BTreeMap<PathBuf, Content>,
    settings: Vec<String>,
    head: Option<Content>,
    index: Option<Content>,
    staged: Option<String>,
    reflog: u64,
    /// Whether the repository is the checkout's own.
    #[serde(default)]
    own: bool,
    /// What `refs/replace/` holds, `commit name`; none in the record of an older runner.
    #[serde(default)]
    replaced: Option<Vec<String>>,
    #[serde(default)]
    shallow: Option<Content>,
    /// More files with settings, whether they were there or not; none in the record of an older runner.
    #[serde(default)]
    included: Vec<PathBuf>,
}

/// Records that are in use, by repository.
static RECORDS: Mutex<Option<HashMap<PathBuf, Weak<Guard>>>> = Mutex::new(None);

impl Guard {
    /// The record of the repository around a directory: the one in use, or a new one.
    pub async fn of(directory: &Path) -> Option<Arc<Self>> {
        let args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
        let git_dir = PathBuf::from(Git::at(directory).run(args).await.ok()?);
        if let Some(known) = Self::in_use(&git_dir) {
            return Some(known);
        }
        let new = Arc::new(Self::record(git_dir.clone(), false).await);
        let mut records = lock(&RECORDS);
        let records = records.get_or_insert_default();
        if let Some(known) = records.get(&git_dir).and_then(Weak::upgrade) {
            return Some(known);
        }
        records.retain(|_, record| record.strong_count() > 0);
        records.insert(git_dir, Arc::downgrade(&new));
        Some(new)
    }

    /// The record of a checkout's own repository. A checkout is one run's at a time.
    pub async fn of_own(git_dir: &Path) -> Arc<Self> {
        Arc::new(Self::record(git_dir.to_owned(), true).await)
    }

    fn in_use(git_dir: &Path) -> Option<Arc<Self>> {
        let records = lock(&RECORDS);
        records.as_ref()?.get(git_dir)?.upgrade()
    }

    async fn record(git_dir: PathBuf, own: bool) -> Self {
        let mut files: BTreeMap<PathBuf, Content> = BTreeMap::new();
        let included = files_with_settings(&git_dir).await;
        for path in watched(&git_dir, true).into_iter().chain(included.iter().cloned()) {
            if let Some(content) = Content::read(&git_dir.join(&path)) {
                files.insert(path, content);
            }
        }
        Self {
            settings: settings(&git_dir).await,
            head: if own { None } else { Content::read(&git_dir.join("HEAD")) },
            index: if own { None } else { Content::read(&git_dir.join("index")) },
            staged: if own { None } else { staged(&git_dir).await },
            reflog: fs::metadata(git_dir.join("logs/HEAD")).map_or(0, |meta| meta.len()),
            own,
            replaced: Some(replaced(&git_dir).await),
            shallow: Content::read(&git_dir.join("shallow")),
            git_dir,
            files,
            included,
        }
    }

    /// Writes the record into a run's directory.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn keep(&self, run: &super::RunDirectory) -> io::Result<()> {
        run.write(if self.own { OWN_RECORD } else { RECORD }, &serde_json::to_vec(self)?)
    }

    /// The records that a run's directory holds.
    pub fn kept(run: &Path) -> Vec<Self> {
        let read = |name: &str| serde_json::from_slice(&plain::read(&run.join(name), MOST_RECORD).ok()?).ok();
        [RECORD, OWN_RECORD].into_iter().filter_map(read).collect()
    }

    /// Puts back what was changed; answers what to tell of it. `agent` is the address that commits of the agent
    /// carry, `run` names what is replaced.
    pub async fn put_back(&self, agent: &str, run: &str) -> Vec<String> {
        if !self.git_dir.is_dir() {
            return vec![format!("{} is gone", self.git_dir.display())];
        }
        let mut told = Vec::new();
        self.remove_pipes(&mut told);
        // First what says where the repository is: the next ones ask git.
        self.put_back_files(&mut told);
        self.put_back_settings(run, &mut told).await;
        if let Some(replaced) = &self.replaced {
            self.put_back_worktrees(&mut told);
            self.put_back_shallow(&mut told);
            self.put_back_replaced(replaced, &mut told).await;
        }
        if !self.own {
            self.put_back_head(agent, &mut told).await;
        }
        told
    }

    /// Git reads some files whatever it is asked, and waits where one of them is a pipe.
    fn remove_pipes(&self, told: &mut Vec<String>) {
        for name in READ_BY_GIT {
            let place = self.git_dir.join(name);
            let waits = fs::metadata(&place).is_ok_and(|meta| !meta.is_file() && !meta.is_dir());
            if waits && fs::remove_file(&place).is_ok() {
                told.push(format!("{name} of {} was no file any more; it is removed", self.shown()));
            }
        }
    }

    async fn put_back_settings(&self, run: &str, told: &mut Vec<String>) {
        let now = settings(&self.git_dir).await;
        let readable = Git::at(&self.git_dir).run(["rev-parse", "--git-dir"]).await.is_ok();
        let gone = difference(&self.settings, &now).filter(|one| !one.starts_with("branch."));
        let new = difference(&now, &self.settings).filter(|one| !is_usual(one, &self.settings));
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
        let what = match names.join(", ") {
            names if names.is_empty() => "configuration".to_owned(),
            names => format!("settings {names}"),
        };
        told.push(match config.put(&path) {
            Ok(()) => {
                format!("The {what} of {} were changed while the run worked; they are put back", self.shown())
            }
            Err(error) => {
                format!("The {what} of {} were changed and cannot be put back: {error}", self.shown())
            }
        });
    }

    fn put_back_files(&self, told: &mut Vec<String>) {
        let now = watched(&self.git_dir, self.replaced.is_some());
        let known = self.files.keys().chain(&self.included).cloned();
        let mut paths: Vec<PathBuf> = known.chain(now).collect();
        paths.sort();
        paths.dedup();
        for path in paths.iter().filter(|path| path.as_os_str() != "config") {
            let place = self.git_dir.join(path);
            if path.starts_with("worktrees") && !place.parent().is_some_and(Path::is_dir) {
                // Its person has removed the worktree.
                continue;
            }
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

    /// Every worktree belongs to this repository. Others than this run make and remove them meanwhile.
    fn put_back_worktrees(&self, told: &mut Vec<String>) {
        for entry in fs::read_dir(self.git_dir.join("worktrees")).into_iter().flatten().flatten() {
            let place = entry.path().join("commondir");
            let common = Content { mode: 0o644, bytes: STANDARD.encode(COMMON) };
            let now = Content::read(&place);
            let same = now.is_some_and(|now| now.bytes == common.bytes);
            if !same && place.symlink_metadata().is_ok() && common.put(&place).is_ok() {
                let name = entry.file_name().to_string_lossy().into_owned();
                told.push(format!("The worktree {name} of {} led elsewhere; it is put back", self.shown()));
            }
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

    async fn put_back_replaced(&self, known: &[String], told: &mut Vec<String>) {
        let git = Git::at(&self.git_dir);
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

    async fn put_back_head(&self, agent: &str, told: &mut Vec<String>) {
        let place = self.git_dir.join("HEAD");
        let moved = self.head.is_some() && Content::read(&place) != self.head;
        if moved && self.was_moved_by_a_person(agent) {
            return;
        }
        let staged = staged(&self.git_dir).await;
        let index = self.git_dir.join("index");
        if moved && let Some(head) = &self.head {
            let back = head.put(&place).and_then(|()| match &self.index {
                Some(content) if staged != self.staged => content.put(&index),
                _ => Ok(()),
            });
            told.push(match back {
                Ok(()) => format!("HEAD of {} was moved by the run; it is put back", self.shown()),
                Err(error) => format!("HEAD of {} was moved and cannot be put back: {error}", self.shown()),
            });
        } else if staged.is_none() && self.staged.is_some() {
            if let Some(content) = &self.index {
                let _ = content.put(&index);
            }
            told.push(format!("The index of {} was broken by the run; it is put back", self.shown()));
        } else if staged != self.staged {
            told.push(format!(
                "The staged changes in {} changed while the run worked; they are kept, because a person may have \
                made them",
                self.shown()
            ));
        }
    }

    /// Whether the reflog says that somebody other than the agent moved HEAD since.
    fn was_moved_by_a_person(&self, agent: &str) -> bool {
        let new = self.new_reflog().unwrap_or_default();
        new.lines().filter(|line| !line.trim().is_empty()).any(|line| !line.contains(&format!("<{agent}>")))
    }

    /// What the reflog says since; nothing when it is shorter than it was.
    fn new_reflog(&self) -> io::Result<String> {
        let mut log = plain::open(&self.git_dir.join("logs/HEAD"))?;
        log.seek(io::SeekFrom::Start(self.reflog))?;
        let mut new = Vec::new();
        log.take(plain::RECORD).read_to_end(&mut new)?;
        Ok(String::from_utf8_lossy(&new).into_owned())
    }

    fn shown(&self) -> String {
        let work_tree = self.git_dir.parent().filter(|_| self.git_dir.ends_with(".git"));
        work_tree.unwrap_or(&self.git_dir).display().to_string()
    }
}

/// The watched files of a repository, with the hooks that it has now.
fn watched(git_dir: &Path, all: bool) -> Vec<PathBuf> {
    let more = MORE_FILES.iter().filter(|_| all);
    let mut paths: Vec<PathBuf> = FILES.iter().chain(more).map(PathBuf::from).collect();
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

/// Every setting of the repository's own file as `name\nvalue`; of branches, only where they lead. Sorted.
async fn settings(git_dir: &Path) -> Vec<String> {
    let file = git_dir.join("config");
    let args = ["config".as_ref(), "--file".as_ref(), file.as_os_str(), "--list".as_ref(), "-z".as_ref()];
    // From another place: the file may say that the repository is elsewhere.
    let listed = Git::at("/").run(args).await.unwrap_or_default();
    let mut settings: Vec<String> =
        listed.split('\0').filter(|one| !one.is_empty() && counts(one)).map(str::to_owned).collect();
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

/// What the index holds; none when it cannot be read.
async fn staged(git_dir: &Path) -> Option<String> {
    use sha2::{Digest, Sha256};
    let git = Git::at(git_dir).with_repository(Some(git_dir.to_owned()));
    let listed = git.run(["ls-files", "--stage", "-z"]).await.ok()?;
    Some(hex::encode(Sha256::digest(listed)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    struct Place {
        directory: tempfile::TempDir,
    }

    impl Place {
        async fn new() -> (Self, Arc<Guard>) {
            let place = Self { directory: tempfile::tempdir().unwrap() };
            let git = place.git();
            git.run(["init", "-q", "-b", "main"]).await.unwrap();
            git.run(["config", "remote.origin.url", "/theirs"]).await.unwrap();
            let commit =
                ["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-q", "--allow-empty", "-m", "a"];
            git.run(commit).await.unwrap();
            let guard = Guard::of(place.directory.path()).await.unwrap();
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
        let told = guard.put_back("a@agents", "r1").await;
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
        assert_eq!((place.setting("core.worktree").await, place.setting("user.name").await), (None, None));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("core.fsmonitor, core.worktree, remote.origin.url, user.name"), "{told:?}");
        assert!(place.file("svc-replaced/r1").exists());
        assert!(guard.put_back("a@agents", "r1").await.is_empty());
    }

    /// They were not looked at: a command planted there ran with the person's next use of git.
    #[tokio::test]
    async fn settings_beside_the_configuration_are_put_back() {
        let (place, first) = Place::new().await;
        drop(first);
        let tree = place.directory.path().join("tree");
        let run = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            let git = place.git();
            async move { git.run(args).await.unwrap() }
        };
        run(&["worktree", "add", "-q", "--detach", &tree.to_string_lossy()]).await;
        run(&["config", "include.path", "team"]).await;
        run(&["config", "includeIf.gitdir:/.path", "missing"]).await;
        fs::write(place.file("team"), "[include]\n\tpath = deeper/one\n").unwrap();
        fs::create_dir_all(place.file("deeper")).unwrap();
        fs::write(place.file("deeper/one"), "[user]\n\tname = P\n").unwrap();
        let guard = Guard::of(place.directory.path()).await.unwrap();
        let planted = ["team", "missing", "deeper/one", "worktrees/tree/config.worktree"];
        for name in planted {
            fs::write(place.file(name), "[core]\n\tsshCommand = mine\n").unwrap();
        }
        let told = guard.put_back("a@agents", "r1").await;
        assert_eq!(told.len(), planted.len(), "{told:?}");
        assert_eq!(fs::read_to_string(place.file("deeper/one")).unwrap(), "[user]\n\tname = P\n");
        assert!(fs::read_to_string(place.file("team")).unwrap().contains("deeper/one"));
        assert!(!place.file("missing").exists() && !place.file("worktrees/tree/config.worktree").exists());
        run(&["worktree", "remove", "--force", &tree.to_string_lossy()]).await;
        assert!(guard.put_back("a@agents", "r1").await.is_empty(), "a worktree that is gone stays gone");
    }

    #[tokio::test]
    async fn a_broken_configuration_is_put_back() {
        let (place, guard) = Place::new().await;
        fs::write(place.file("config"), "[core\n").unwrap();
        assert_eq!(guard.put_back("a@agents", "r1").await.len(), 1);
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
    }

    #[tokio::test]
    async fn what_a_push_notes_of_its_branch_stays() {
        let (place, guard) = Place::new().await;
        place.git().run(["config", "branch.topic.remote", "origin"]).await.unwrap();
        assert!(guard.put_back("a@agents", "r1").await.is_empty());
        assert!(place.setting("branch.topic.remote").await.is_some());
    }

    #[tokio::test]
    async fn hooks_are_put_back() {
        let (place, _) = Place::new().await;
        let hook = place.file("hooks/pre-push");
        fs::create_dir_all(place.file("hooks")).unwrap();
        fs::write(&hook, "theirs").unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        let guard = Guard::of(place.directory.path()).await.unwrap();
        fs::write(&hook, "mine").unwrap();
        fs::write(place.file("hooks/post-checkout"), "mine").unwrap();
        assert_eq!(guard.put_back("a@agents", "r1").await.len(), 2);
        assert_eq!(fs::read_to_string(&hook).unwrap(), "theirs");
        assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o755);
        assert!(!place.file("hooks/post-checkout").exists());
    }

    #[tokio::test]
    async fn a_head_that_the_agent_moved_is_put_back_and_a_persons_is_not() {
        let (place, guard) = Place::new().await;
        let main = fs::read_to_string(place.file("HEAD")).unwrap();
        let checkout = async |name: &str, email: &str| {
            let name = ["-c", "user.name=X", "-c", email, "checkout", "-q", "-b", name];
            place.git().run(name).await.unwrap();
        };
        checkout("agents", "user.email=a@agents").await;
        assert_eq!(guard.put_back("a@agents", "r1").await.len(), 1);
        assert_eq!(fs::read_to_string(place.file("HEAD")).unwrap(), main);
        checkout("persons", "user.email=p@x").await;
        assert!(guard.put_back("a@agents", "r1").await.is_empty());
        assert_ne!(fs::read_to_string(place.file("HEAD")).unwrap(), main);
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
        let told = guard.put_back("a@agents", "r1").await;
        assert_eq!(told.len(), 3, "{told:?}");
        assert_eq!(git.run(["for-each-ref", "refs/replace/"]).await.unwrap(), "");
        assert!(!place.file("info/grafts").exists() && !place.file("shallow").exists());
        assert!(guard.put_back("a@agents", "r1").await.is_empty());
    }

    #[tokio::test]
    async fn a_persons_replaced_objects_and_shallow_history_stay() {
        let (place, _) = Place::new().await;
        let git = place.git();
        let head = git.run(["rev-parse", "HEAD"]).await.unwrap();
        let name = format!("refs/replace/{head}");
        git.run(["update-ref", &name, &head]).await.unwrap();
        fs::write(place.file("shallow"), format!("{head}\n")).unwrap();
        let guard = Guard::of_own(&place.file("")).await;
        git.run(["update-ref", "-d", &name]).await.unwrap();
        assert_eq!(guard.put_back("a@agents", "r1").await.len(), 1);
        assert_eq!(git.run(["rev-parse", &name]).await.unwrap(), head);
        assert!(place.file("shallow").exists());
        // As a fetch of the whole history does.
        fs::remove_file(place.file("shallow")).unwrap();
        assert!(guard.put_back("a@agents", "r1").await.is_empty());
    }

    /// What an agent wrote there sent the person's next `git push` elsewhere.
    #[tokio::test]
    async fn where_a_persons_branches_are_pushed_to_is_put_back() {
        let (place, _) = Place::new().await;
        let git = place.git();
        for (name, value) in [("branch.main.remote", "origin"), ("branch.main.merge", "refs/heads/main")] {
            git.run(["config", name, value]).await.unwrap();
        }
        let guard = Guard::of(place.directory.path()).await.unwrap();
        for (name, value) in [
            ("branch.main.pushRemote", "/evil"),
            ("branch.main.remote", "/evil"),
            ("branch.main.merge", "refs/heads/evil"),
            ("branch.main.mergeOptions", "--strategy=evil"),
            ("branch.other.pushRemote", "/evil"),
            ("branch.other.remote", "/evil"),
        ] {
            git.run(["config", name, value]).await.unwrap();
            let told = guard.put_back("a@agents", "r1").await;
            assert!(told.len() == 1 && told[0].contains("branch."), "{name}: {told:?}");
            assert_ne!(place.setting(name).await.as_deref(), Some(value));
        }
        for (name, value) in [
            ("branch.work.remote", "origin"),
            ("branch.work.merge", "refs/heads/work"),
            ("branch.main.description", "Releases"),
        ] {
            git.run(["config", name, value]).await.unwrap();
        }
        git.run(["config", "--remove-section", "branch.main"]).await.unwrap();
        assert!(guard.put_back("a@agents", "r1").await.is_empty(), "a push -u, and a branch that went");
        assert!(place.setting("branch.work.remote").await.is_some());
    }

    /// The runner once waited for whoever would write to it.
    #[tokio::test]
    async fn pipes_in_the_place_of_files_are_not_waited_for() {
        let (place, guard) = Place::new().await;
        fs::write(place.file("index"), "").unwrap();
        for name in READ_BY_GIT.into_iter().chain(["info/attributes", "hooks/pre-push", "shallow"]) {
            fs::create_dir_all(place.file(name).parent().unwrap()).unwrap();
            let _ = fs::remove_file(place.file(name));
            crate::testing::pipe(&place.file(name));
        }
        let told = guard.put_back("a@agents", "r1").await;
        assert!(told.iter().any(|one| one.contains("HEAD") && one.contains("put back")), "{told:?}");
        assert!(!place.file("hooks/pre-push").exists());
        place.git().within(std::time::Duration::from_secs(60)).run(["log", "-1"]).await.unwrap();
        assert_eq!(place.setting("remote.origin.url").await.as_deref(), Some("/theirs"));
        let run = tempfile::tempdir().unwrap();
        for name in [RECORD, OWN_RECORD] {
            crate::testing::pipe(&run.path().join(name));
        }
        assert!(Guard::kept(run.path()).is_empty());
    }

    #[tokio::test]
    async fn a_worktree_that_leads_to_another_repository_is_put_back() {
        let (place, guard) = Place::new().await;
        let tree = place.directory.path().join("tree");
        place.git().run(["worktree", "add", "-q", tree.to_str().unwrap()]).await.unwrap();
        let own = Guard::of_own(&place.file("worktrees/tree")).await;
        fs::write(place.file("elsewhere"), "/elsewhere\n").unwrap();
        for guard in [&*own, &*guard] {
            fs::remove_file(place.file("worktrees/tree/commondir")).unwrap();
            std::os::unix::fs::symlink("../../elsewhere", place.file("worktrees/tree/commondir")).unwrap();
            let told = guard.put_back("a@agents", "r1").await;
            assert_eq!(told.len(), 1, "{told:?}");
            assert_eq!(fs::read_to_string(place.file("worktrees/tree/commondir")).unwrap(), COMMON);
        }
    }

    #[tokio::test]
    async fn a_checkouts_own_repository_keeps_where_the_agent_left_it() {
        let (place, _) = Place::new().await;
        let guard = Guard::of_own(&place.file("")).await;
        place.git().run(["checkout", "-q", "-b", "other"]).await.unwrap();
        let rule = ["config", "url./evil.insteadOf", "/theirs"];
        place.git().run(rule).await.unwrap();
        let told = guard.put_back("a@agents", "r1").await;
        assert!(told.len() == 1 && told[0].contains("url./evil.insteadof"), "{told:?}");
        assert!(fs::read_to_string(place.file("HEAD")).unwrap().contains("other"));
    }

    #[tokio::test]
    async fn a_record_of_an_older_runner_removes_nothing_that_it_did_not_know() {
        let (place, guard) = Place::new().await;
        let mut old = serde_json::to_value(&*guard).unwrap();
        for name in ["own", "replaced", "shallow"] {
            old.as_object_mut().unwrap().remove(name);
        }
        let old: Guard = serde_json::from_value(old).unwrap();
        fs::create_dir_all(place.file("info")).unwrap();
        fs::write(place.file("info/grafts"), "").unwrap();
        assert!(old.put_back("a@agents", "r1").await.is_empty());
        assert!(place.file("info/grafts").exists());
    }

    #[tokio::test]
    async fn runs_in_one_repository_share_the_record_of_the_first() {
        let (place, guard) = Place::new().await;
        place.git().run(["config", "user.name", "X"]).await.unwrap();
        let second = Guard::of(place.directory.path()).await.unwrap();
        assert!(Arc::ptr_eq(&guard, &second));
        drop((guard, second));
        assert!(Guard::of(place.directory.path()).await.unwrap().put_back("a@agents", "r").await.is_empty());
    }
}
