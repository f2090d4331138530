//! What is remembered on this machine of the texts that were read or written: version and SHA-256 of each, and of the
//! newest the text itself, so that a change of it can be brought together with those of others. Where others changed a
//! text between two readings, the earlier ones are remembered too: a file may still hold one of them.
//!
//! `read.json` and the directory `texts` are in the user's directory for state, and only the user can read them. After
//! [`MOST`] newer ones an entry is forgotten, and after [`TEXTS`] bytes of newer ones a text.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, DirBuilder, File};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_runner::directories::state_home;

use crate::fresh;

/// Most texts that are remembered.
const MOST: usize = 1_000;
/// Bytes of the texts that are kept themselves.
const TEXTS: u64 = 16 * 1024 * 1024;
/// Most earlier readings of a text that are remembered.
const EARLIER: usize = 4;

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    last: Reading,
    at: Timestamp,
    /// What was read before and others changed, the newest first.
    #[serde(default)]
    earlier: Vec<Reading>,
}

#[derive(Serialize, Deserialize)]
struct Reading {
    version: u64,
    sha256: String,
    /// Length of the text; 0 where it is not kept.
    #[serde(default)]
    bytes: u64,
}

impl Reading {
    /// Name of the file with the text.
    fn file(&self, key: &str) -> String {
        name(format!("{key} {}", self.sha256).as_bytes())
    }

    fn known(self, key: &str, directory: &Path) -> Known {
        let text = fs::read_to_string(texts(directory).join(self.file(key))).ok();
        let text = text.filter(|text| digest(text) == self.sha256);
        Known { version: self.version, text, sha256: self.sha256 }
    }
}

impl Entry {
    fn readings(&self) -> impl Iterator<Item = &Reading> {
        std::iter::once(&self.last).chain(&self.earlier)
    }
}

type Memory = BTreeMap<String, Entry>;

/// A text that is remembered.
pub(crate) struct Known {
    /// Version of the thing that holds it.
    pub(crate) version: u64,
    /// The text, if it is still kept.
    pub(crate) text: Option<String>,
    sha256: String,
}

impl Known {
    /// Whether it is this text.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.sha256 == digest(text)
    }
}

/// Remembers a text that was read, and what was read before. Nothing depends on it: what fails is forgotten.
pub(crate) fn learn(key: &str, version: u64, text: &str) {
    put(key, version, text, |before| std::iter::once(before.last).chain(before.earlier).collect());
}

/// Remembers a text that was written. What it replaced is no longer a base.
pub(crate) fn learn_written(key: &str, version: u64, text: &str) {
    put(key, version, text, |_| Vec::new());
}

fn put(key: &str, version: u64, text: &str, earlier: impl FnOnce(Entry) -> Vec<Reading>) {
    let Ok(directory) = state_home() else { return };
    let last = Reading { version, sha256: digest(text), bytes: text.len() as u64 };
    let _ = update(&directory, |memory| {
        let mut earlier = memory.remove(key).map(earlier).unwrap_or_default();
        earlier.retain(|reading| reading.bytes > 0 && reading.sha256 != last.sha256);
        earlier.truncate(EARLIER);
        let file = last.file(key);
        memory.insert(key.to_owned(), Entry { last, at: fresh::now(), earlier });
        write(&texts(&directory), &file, text.as_bytes())
    });
}

/// What is remembered under a key.
pub(crate) fn known(key: &str) -> Option<Known> {
    let directory = state_home().ok()?;
    Some(load(&directory).remove(key)?.last.known(key, &directory))
}

/// What was read under a key before others changed it, as far as the texts are kept.
pub(crate) fn earlier(key: &str) -> Vec<Known> {
    let Ok(directory) = state_home() else { return Vec::new() };
    let entry = load(&directory).remove(key);
    entry.into_iter().flat_map(|entry| entry.earlier).map(|reading| reading.known(key, &directory)).collect()
}

/// Forgets the texts under keys that begin so. That they were read stays known.
pub(crate) fn forget_texts(prefix: &str) {
    let Ok(directory) = state_home() else { return };
    let _ = update(&directory, |memory| {
        for (_, entry) in memory.iter_mut().filter(|(key, _)| key.starts_with(prefix)) {
            entry.last.bytes = 0;
            entry.earlier.clear();
        }
        Ok(())
    });
}

/// The SHA-256 of a text, whatever it ends with: the newline at the end comes and goes with files.
pub(crate) fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text.trim_end().as_bytes()))
}

/// Writes a file that only the user can read, as a whole, into a directory of the user's own.
pub(crate) fn write(directory: &Path, name: &str, content: &[u8]) -> std::io::Result<()> {
    make(directory)?;
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(content)?;
    new.persist(directory.join(name))?;
    Ok(())
}

fn make(directory: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

fn texts(directory: &Path) -> PathBuf {
    directory.join("texts")
}

/// Name of the file with what belongs to a key.
pub(crate) fn name(key: &[u8]) -> String {
    hex::encode(Sha256::digest(key))
}

fn file(directory: &Path) -> PathBuf {
    directory.join("read.json")
}

fn load(directory: &Path) -> Memory {
    let text = fs::read(file(directory)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn update(directory: &Path, change: impl FnOnce(&mut Memory) -> std::io::Result<()>) -> std::io::Result<()> {
    make(directory)?;
    let mut options = File::options();
    let lock =
        options.write(true).create(true).truncate(false).mode(0o600).open(directory.join("read.lock"))?;
    lock.lock()?;
    let mut memory = load(directory);
    change(&mut memory)?;
    prune(directory, &mut memory);
    write(directory, "read.json", &serde_json::to_vec(&memory)?)
}

/// Forgets the oldest entries, and removes the texts for which there is no room.
fn prune(directory: &Path, memory: &mut Memory) {
    while memory.len() > MOST {
        let oldest = memory.iter().min_by_key(|(_, entry)| entry.at).map(|(key, _)| key.clone());
        memory.remove(&oldest.unwrap_or_default());
    }
    let mut newest: Vec<_> = memory.iter().collect();
    newest.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.at));
    let mut room = TEXTS;
    let stay: HashSet<_> = newest
        .into_iter()
        .flat_map(|(key, entry)| entry.readings().map(move |reading| (key, reading)))
        .filter(|(_, reading)| reading.bytes > 0)
        .map_while(|(key, reading)| {
            room = room.checked_sub(reading.bytes)?;
            Some(reading.file(key))
        })
        .collect();
    let found = fs::read_dir(texts(directory)).into_iter().flatten().flatten();
    for file in found.filter(|file| file.file_name().to_str().is_none_or(|name| !stay.contains(name))) {
        // What cannot be removed now is tried again with the next text.
        let _ = fs::remove_file(file.path());
    }
}
