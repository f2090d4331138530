//! Files that an agent left for people to look at: test reports, pictures. Kept beside the run; nothing depends on them.

use std::fmt;
use std::str::FromStr;

use crate::attachment::name::file_name;
use crate::ids::InvalidName;
use crate::refusal::Refusal;

/// Most files of a run.
pub const MAX_FILES: usize = 25;
/// Most bytes of all files of a run.
pub const MAX_BYTES: u64 = 25 * 1024 * 1024;
/// Most bytes of a name.
pub const MAX_NAME: usize = 120;

/// The name of a file: no path, nothing that is not seen, nothing that some system refuses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArtifactName(String);

impl ArtifactName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ArtifactName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ArtifactName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let sound = text.len() <= MAX_NAME && file_name(text).is_some_and(|name| name == text);
        if sound { Ok(Self(text.to_owned())) } else { Err(InvalidName("the name of a file, without a path")) }
    }
}

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its name.
    pub name: ArtifactName,
    /// Its size in bytes.
    pub size: u64,
}

/// How many bytes one more file may have, beside those that are there.
///
/// # Errors
/// [`Refusal::Invalid`] when there is no room for one.
pub fn room_for_one_more(present: &[Artifact]) -> Result<u64, Refusal> {
    if present.len() >= MAX_FILES {
        return Err(Refusal::invalid("name", format!("A run has at most {MAX_FILES} artifacts.")));
    }
    Ok(MAX_BYTES.saturating_sub(present.iter().map(|artifact| artifact.size).sum()))
}

/// A file does not fit beside the others.
pub fn too_large() -> Refusal {
    Refusal::invalid("size", format!("The artifacts of a run have at most {MAX_BYTES} bytes together."))
}

#[cfg(test)]
mod tests {
    use super::{Artifact, ArtifactName, MAX_BYTES, MAX_FILES, room_for_one_more};

    #[test]
    fn a_name_is_one_and_looks_as_it_is() {
        for sound in ["report.xml", "Übersicht 1.png", ".hidden"] {
            assert!(sound.parse::<ArtifactName>().is_ok(), "{sound}");
        }
        let long = "x".repeat(121);
        for wrong in
            ["", ".", "..", "a/b", "a\\b", "shot\u{202e}gnp.exe", "a\nb", "con", "a:b", "trail. ", &long]
        {
            assert!(wrong.parse::<ArtifactName>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn there_is_room_for_so_many_files_and_bytes() {
        let file = |at: usize| Artifact { name: format!("f{at}").parse().unwrap(), size: 1_000 };
        let files: Vec<Artifact> = (0..MAX_FILES).map(file).collect();
        assert!(room_for_one_more(&files).is_err());
        assert_eq!(room_for_one_more(&files[1..]).unwrap(), MAX_BYTES - 24_000);
        assert_eq!(room_for_one_more(&[Artifact { size: MAX_BYTES + 1, ..file(0) }]).unwrap(), 0);
    }
}
