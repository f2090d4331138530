//! Remembers which texts this user has read or written, so that `svc` does not overwrite a text that somebody
//! else changed since.
//!
//! A command that prints a text for editing remembers its version and the SHA-256 of the text, by instance and
//! credential. A command that replaces the text asks [`guard`] first. An entry is forgotten after [`MOST`] newer
//! ones. If nothing can be remembered, replacing needs `--force` or `--if-version`.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_runner::places::state_home;

use crate::failure::Failure;
use crate::fresh;
use crate::session::Session;

/// Most texts that are remembered.
const MOST: usize = 1_000;

/// A text as the instance has it.
pub(crate) struct Text<'a> {
    /// What it is, to a person: `the page Guides/Testing`.
    pub(crate) what: String,
    /// Where it is, in the instance: `demo/wiki/PRJ/Guides/Testing`.
    pub(crate) place: String,
    /// Version of the thing that holds it.
    pub(crate) version: u64,
    /// The text.
    pub(crate) body: &'a str,
    /// The command that prints it.
    pub(crate) read_with: String,
}

/// Whether somebody else's text may be replaced.
#[derive(clap::Args)]
pub(crate) struct Overwrite {
    /// Replace the text even if someone else changed it, or you never read it
    #[arg(long)]
    force: bool,
    /// Change something only if this is still the version
    #[arg(long, value_name = "N", conflicts_with = "force")]
    if_version: Option<u64>,
}

impl Overwrite {
    /// The version that the caller demands.
    pub(crate) const fn version(&self) -> Option<u64> {
        self.if_version
    }
}

#[derive(Serialize, Deserialize)]
struct Read {
    version: u64,
    sha256: String,
    at: Timestamp,
}

type Memory = BTreeMap<String, Read>;

/// Remembers that the caller knows a text. Nothing depends on it: what fails is forgotten.
pub(crate) fn remember(text: &Text<'_>, session: &Session<'_>) {
    let Ok(directory) = state_home() else { return };
    let read = Read { version: text.version, sha256: digest(text.body), at: fresh::now() };
    let _ = update(&directory, |memory| memory.insert(key(text, session), read));
}

/// The version under which `text` may be replaced by `new`.
///
/// # Errors
/// It changed since the caller read it, or they never did (exit code 3).
pub(crate) fn guard(
    text: &Text<'_>,
    new: &str,
    overwrite: &Overwrite,
    session: &Session<'_>,
) -> Result<u64, Failure> {
    if let Some(version) = overwrite.if_version {
        return Ok(version);
    }
    if overwrite.force || text.body.trim().is_empty() || text.body == new {
        return Ok(text.version);
    }
    let read = known(text, session);
    let (what, now, read_with) = (&text.what, text.version, &text.read_with);
    match read {
        Some(read) if read.sha256 == digest(text.body) => Ok(now),
        Some(read) => Err(Failure::conflict(format!(
            "{what} changed since you read it: version {} then, {now} now",
            read.version
        ))
        .hint(format!("read it again with `{read_with}` and add your change, or overwrite it with --force"))),
        None => Err(Failure::conflict(format!(
            "{what} has a text already, and you have not read it on this machine"
        ))
        .hint(format!("read it first with `{read_with}`, or overwrite it with --force"))),
    }
}

/// Lets what is beside a text, such as a title, be replaced by who read the thing as it is now.
///
/// # Errors
/// They did not (exit code 3).
pub(crate) fn guard_version(
    text: &Text<'_>,
    overwrite: &Overwrite,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let (now, read_with) = (text.version, &text.read_with);
    let may = overwrite.force || overwrite.if_version.is_some();
    if may || known(text, session).is_some_and(|read| read.version == now) {
        return Ok(());
    }
    Err(Failure::conflict(format!("the title is another one, and you have not read version {now}")).hint(
        format!(
            "read it with `{read_with}`, put what you keep of it into the file, or overwrite it with --force"
        ),
    ))
}

/// What is remembered of a text.
fn known(text: &Text<'_>, session: &Session<'_>) -> Option<Read> {
    load(&state_home().ok()?).remove(&key(text, session))
}

/// Names a text of an instance for one credential: what an agent reads, its person has not read.
fn key(text: &Text<'_>, session: &Session<'_>) -> String {
    let whose = &session.fingerprint()[..16];
    format!("{} {whose} {}", session.client.base_url(), text.place)
}

fn digest(text: &str) -> String {
    // The newline at the end comes and goes with files.
    hex::encode(Sha256::digest(text.trim_end().as_bytes()))
}

fn file(directory: &Path) -> PathBuf {
    directory.join("read.json")
}

fn load(directory: &Path) -> Memory {
    let text = fs::read(file(directory)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn update<T>(directory: &Path, change: impl FnOnce(&mut Memory) -> T) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let mut options = File::options();
    let lock =
        options.write(true).create(true).truncate(false).mode(0o600).open(directory.join("read.lock"))?;
    lock.lock()?;
    let mut memory = load(directory);
    change(&mut memory);
    while memory.len() > MOST {
        let oldest = memory.iter().min_by_key(|(_, read)| read.at).map(|(key, _)| key.clone());
        memory.remove(&oldest.unwrap_or_default());
    }
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    new.write_all(&serde_json::to_vec(&memory)?)?;
    new.persist(file(directory))?;
    Ok(())
}
