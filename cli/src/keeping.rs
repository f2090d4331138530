//! Texts that could not be saved and stay in files: what each was begun from, so that taking it up again loses nothing
//! that others wrote in between.
//!
//! A record stands in the user's directory for state, under the path of the file. Without one, a file is one as any
//! other. Once a text was taken up and saved, [`used_up`] removes both files.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_runner::directories::state_home;

use crate::output::Output;
use crate::remembering::{digest, name, write};

/// What a text was begun from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// Where it is, with the address of the instance.
    pub(crate) place: String,
    /// Version of the thing that holds it; none of a thing that is new.
    pub(crate) version: Option<u64>,
    /// The text as it was.
    pub(crate) text: String,
}

#[derive(Serialize, Deserialize)]
struct Record {
    path: PathBuf,
    sha256: String,
    origin: Option<Origin>,
}

/// A text that was kept and is taken up again.
pub(crate) struct Kept {
    /// Its file.
    pub(crate) path: PathBuf,
    /// What it was begun from.
    pub(crate) origin: Origin,
    /// Whether the person changed it since it was kept.
    pub(crate) changed: bool,
}

/// Records what the text of a file was begun from. Nothing depends on it: without, the file is one as any other.
pub(crate) fn record(path: &Path, origin: Option<&Origin>) {
    let (Some(place), Ok(text)) = (Place::of(path), fs::read_to_string(path)) else { return };
    let record = Record { path: place.kept.clone(), sha256: digest(&text), origin: origin.cloned() };
    prune(&place.directory);
    if let Ok(record) = serde_json::to_vec(&record) {
        let _ = write(&place.directory, &place.name, &record);
    }
}

/// The text of a file as one that was kept for this place.
pub(crate) fn kept(path: &Path, text: &str, place: &str) -> Option<Kept> {
    let Record { path, sha256, origin } = Place::of(path)?.read()?;
    let origin = origin.filter(|origin| origin.place == place)?;
    Some(Kept { path, origin, changed: sha256 != digest(text) })
}

/// Removes a file of a text that was kept and is saved now, at the `place` where it was begun. Other files stay.
pub(crate) fn used_up(path: Option<&Path>, place: Option<&str>, output: &Output) {
    let Some(kept) = path.and_then(Place::of) else { return };
    let belongs = |record: Record| record.origin.is_none_or(|origin| Some(origin.place.as_str()) == place);
    if kept.read().is_some_and(belongs) && fs::remove_file(&kept.kept).is_ok() {
        let _ = fs::remove_file(kept.directory.join(&kept.name));
        output.say(&format!("removed {}: its text is saved", kept.kept.display()));
    }
}

/// Where the record of a file is.
struct Place {
    kept: PathBuf,
    directory: PathBuf,
    name: String,
}

impl Place {
    fn of(path: &Path) -> Option<Self> {
        let kept = path.canonicalize().ok()?;
        let name = name(kept.as_os_str().as_encoded_bytes());
        Some(Self { directory: state_home().ok()?.join("kept"), name: format!("{name}.json"), kept })
    }

    fn read(&self) -> Option<Record> {
        serde_json::from_slice(&fs::read(self.directory.join(&self.name)).ok()?).ok()
    }
}

/// Removes the records whose files are gone.
fn prune(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let record =
            fs::read(entry.path()).ok().and_then(|text| serde_json::from_slice::<Record>(&text).ok());
        if record.is_none_or(|record| !record.path.exists()) {
            // What cannot be removed now is tried again with the next one.
            let _ = fs::remove_file(entry.path());
        }
    }
}
