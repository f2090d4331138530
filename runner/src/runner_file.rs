//! `runner.json`: what a machine knows about itself and the organizations that it works for (specification
//! section 2.8).
//!
//! Owns reading, the older shape, and atomic writing (file 0600 in a directory 0700). Fields that this
//! version does not know are kept. It never talks to an instance.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::isolation::Isolation;
use crate::secret::Secret;

/// The file's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunnerFile {
    /// Random id, the same in every organization; authorizes nothing.
    #[serde(default)]
    pub machine_id: String,
    /// Local label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Limits on downloaded attachments, for every profile.
    #[serde(default)]
    pub attachments: Attachments,
    /// Whether newer versions are installed.
    #[serde(default = "yes")]
    pub auto_update: bool,
    /// Harness executables by wire id, where they are not the default ones on PATH.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub executables: BTreeMap<String, PathBuf>,
    /// One per organization.
    #[serde(default)]
    pub profiles: Vec<Profile>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What one organization may do on this machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Slug that the instance reported on hello; empty in a file of the older shape until the next start.
    #[serde(default)]
    pub organization: String,
    /// Address of the instance.
    pub url: String,
    /// Runner secret.
    pub token: Secret,
    /// Existing clones by upper-case project key.
    #[serde(default)]
    pub workspaces: BTreeMap<String, PathBuf>,
    /// Directories under which a path hint is accepted.
    #[serde(default)]
    pub repo_roots: Vec<PathBuf>,
    /// How runs of every project are isolated, unless its own options say otherwise.
    #[serde(default, skip_serializing_if = "Isolation::is_none")]
    pub isolation: Isolation,
    /// How runs of a project are kept apart and set up, by upper-case project key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub projects: BTreeMap<String, ProjectOptions>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What the operator wants of a project's runs on this machine. Everything is off by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProjectOptions {
    /// Work with copies, never with the objects of the mapped clone.
    #[serde(skip_serializing_if = "is_false")]
    pub isolated: bool,
    /// Let the repository's own settings of a harness run commands and choose addresses.
    #[serde(skip_serializing_if = "is_false")]
    pub trusted: bool,
    /// Files of the mapped clone that git ignores and runs need, such as `.env`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
    /// The user or the command that runs the harness, and its variables.
    #[serde(skip_serializing_if = "Isolation::is_none")]
    pub isolation: Isolation,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Profile {
    /// The options of a project.
    pub fn project(&self, key: &str) -> ProjectOptions {
        self.projects.get(key).cloned().unwrap_or_default()
    }

    /// How runs of a project are isolated.
    pub fn isolation(&self, key: &str) -> Isolation {
        self.project(key).isolation.or(&self.isolation)
    }
}

/// Limits on the attachments of one run; zero disables them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Attachments {
    /// Files.
    pub max_count: u32,
    /// Bytes together.
    pub max_bytes: u64,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for Attachments {
    fn default() -> Self {
        Self { max_count: 25, max_bytes: 26_214_400, other: Map::new() }
    }
}

const fn yes() -> bool {
    true
}

impl Default for RunnerFile {
    fn default() -> Self {
        Self {
            machine_id: String::new(),
            name: None,
            attachments: Attachments::default(),
            auto_update: true,
            executables: BTreeMap::new(),
            profiles: Vec::new(),
            other: Map::new(),
        }
    }
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read {path}: {cause}")]
    Read {
        /// Where it is.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {path}: {cause}")]
    Write {
        /// Where it is.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// It is not what it should be.
    #[error("{path} is not a runner file: {cause}; correct it, or move it away and register again")]
    Content {
        /// Where it is.
        path: PathBuf,
        /// Why.
        cause: serde_json::Error,
    },
}

/// The place of the file.
#[derive(Clone, Debug)]
pub struct RunnerFileStore {
    path: PathBuf,
}

impl RunnerFileStore {
    /// The file in a configuration directory (`~/.config/svc` unless set otherwise).
    pub fn in_directory(directory: &Path) -> Self {
        Self { path: directory.join("runner.json") }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file; one that does not exist is empty.
    ///
    /// # Errors
    /// It cannot be read, or is not JSON of the right shape.
    pub fn load(&self) -> Result<RunnerFile, FileError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(RunnerFile::default()),
            Err(cause) => return Err(FileError::Read { path: self.path.clone(), cause }),
        };
        parse(&text).map_err(|cause| FileError::Content { path: self.path.clone(), cause })
    }

    /// Changes the file under a lock, so that two commands at once lose nothing.
    ///
    /// # Errors
    /// It cannot be read or written; `change`'s own error comes back in the inner result.
    pub fn update<T, E>(
        &self,
        change: impl FnOnce(&mut RunnerFile) -> Result<T, E>,
    ) -> Result<Result<T, E>, FileError> {
        let write_error = |cause| FileError::Write { path: self.path.clone(), cause };
        let directory = self.path.parent().unwrap_or(Path::new("."));
        private_directory(directory).map_err(write_error)?;
        let lock = fs::File::create(directory.join(".runner.lock")).map_err(write_error)?;
        lock.lock().map_err(write_error)?;
        let mut file = self.load()?;
        let changed = change(&mut file);
        if changed.is_ok() {
            self.write(&file).map_err(write_error)?;
        }
        Ok(changed)
    }

    fn write(&self, file: &RunnerFile) -> io::Result<()> {
        // A person may keep it elsewhere, behind a link.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let directory = path.parent().unwrap_or(Path::new("."));
        // A named temporary file has mode 0600, and renaming it is atomic.
        let mut temporary = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer_pretty(&mut temporary, file)?;
        temporary.write_all(b"\n")?;
        temporary.as_file().sync_all()?;
        temporary.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Makes a directory of mode 0700, and takes away what others may do in one that exists.
pub(crate) fn private_directory(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let permissions = fs::metadata(directory)?.permissions();
    if permissions.mode() & 0o077 != 0 {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Reads either shape: the older one has `url` and `token` at the top and no profiles.
fn parse(text: &str) -> Result<RunnerFile, serde_json::Error> {
    let mut value: Value = serde_json::from_str(text)?;
    if let Value::Object(top) = &mut value
        && top.contains_key("url")
        && top.contains_key("token")
    {
        let mut profile = Map::new();
        for field in ["organization", "url", "token", "workspaces", "repoRoots"] {
            if let Some(moved) = top.remove(field) {
                profile.insert(field.to_owned(), moved);
            }
        }
        let profiles = top.entry("profiles").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(profiles) = profiles
            && !profiles.iter().any(|known| known.get("token") == profile.get("token"))
        {
            profiles.push(Value::Object(profile));
        }
    }
    serde_json::from_value(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, RunnerFileStore) {
        let directory = tempfile::tempdir().unwrap();
        let store = RunnerFileStore::in_directory(&directory.path().join("svc"));
        (directory, store)
    }

    fn change(store: &RunnerFileStore, change: impl FnOnce(&mut RunnerFile)) {
        let changed = store.update(|file| {
            change(file);
            Ok::<_, std::convert::Infallible>(())
        });
        changed.unwrap().unwrap();
    }

    fn write_raw(store: &RunnerFileStore, text: &str) {
        fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        fs::write(store.path(), text).unwrap();
    }

    #[test]
    fn a_missing_file_is_empty_with_the_documented_defaults() {
        let (_directory, store) = store();
        let file = store.load().unwrap();
        assert_eq!((file.attachments.max_count, file.attachments.max_bytes), (25, 26_214_400));
        assert!(file.auto_update && file.profiles.is_empty());
    }

    #[test]
    fn what_is_written_is_private() {
        let (_directory, store) = store();
        write_raw(&store, "{}");
        fs::set_permissions(store.path().parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        change(&store, |file| file.machine_id = "m".into());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(store.path()), mode(store.path().parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn the_older_shape_becomes_one_profile() {
        let (_directory, store) = store();
        write_raw(
            &store,
            r#"{"url":"http://x","token":"jrn_1","machineId":"m","workspaces":{"PRJ":"/a"},"repoRoots":["/r"]}"#,
        );
        let file = store.load().unwrap();
        assert_eq!(file.profiles.len(), 1);
        assert_eq!(file.profiles[0].url, "http://x");
        assert_eq!(file.profiles[0].workspaces["PRJ"], PathBuf::from("/a"));
        change(&store, |_| {});
        let raw: Value = serde_json::from_str(&fs::read_to_string(store.path()).unwrap()).unwrap();
        assert!(raw.get("token").is_none());
        assert_eq!(raw["profiles"][0]["token"], "jrn_1");
    }

    #[test]
    fn fields_of_other_versions_survive_a_rewrite() {
        let (_directory, store) = store();
        write_raw(
            &store,
            r#"{"machineId":"m","later":1,"attachments":{"maxCount":3,"kinds":["a"]},
                "profiles":[{"organization":"o","url":"u","token":"t","weight":7}]}"#,
        );
        change(&store, |file| file.name = Some("box".into()));
        let raw: Value = serde_json::from_str(&fs::read_to_string(store.path()).unwrap()).unwrap();
        assert_eq!((&raw["later"], &raw["profiles"][0]["weight"]), (&Value::from(1), &Value::from(7)));
        assert_eq!(raw["attachments"]["kinds"][0], "a");
        assert_eq!((&raw["attachments"]["maxCount"], &raw["name"]), (&Value::from(3), &Value::from("box")));
    }

    /// The link became a file, and what it led to was not changed any more.
    #[test]
    fn a_file_behind_a_link_is_changed_where_it_is() {
        let (directory, store) = store();
        let kept = directory.path().join("kept.json");
        fs::write(&kept, "{}").unwrap();
        fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&kept, store.path()).unwrap();
        change(&store, |file| file.name = Some("box".into()));
        assert!(store.path().is_symlink() && fs::read_to_string(&kept).unwrap().contains("box"));
    }

    #[test]
    fn a_refused_change_writes_nothing() {
        let (_directory, store) = store();
        assert_eq!(store.update(|_| Err::<(), _>("no")).unwrap(), Err("no"));
        assert!(!store.path().exists());
    }

    #[test]
    fn a_broken_file_is_named_and_left_alone() {
        let (_directory, store) = store();
        write_raw(&store, "{");
        let error = store.load().unwrap_err().to_string();
        assert!(error.contains("runner.json") && error.contains("register again"), "{error}");
    }

    #[test]
    fn secrets_do_not_show_in_debug_output() {
        let file = parse(r#"{"url":"u","token":"jrn_secret"}"#).unwrap();
        assert!(!format!("{file:?}").contains("jrn_secret"));
    }
}
