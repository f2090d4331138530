//! Files that the agent left for people in the run's directory `artifacts/`: test reports, pictures.
//!
//! Read once everything that the harness started has ended. Only plain files of the directory itself count: no link is
//! followed, nothing that blocks is opened. What is left out is told in the log.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use svc_domain::run::artifacts::{ArtifactName, MAX_BYTES, MAX_FILES};

use crate::log::RunLog;
use crate::plain;

/// Names the directory to the agent.
pub(super) const VARIABLE: &str = "SVC_ARTIFACTS";

/// A file to send.
#[derive(Debug)]
pub(super) struct Artifact {
    name: ArtifactName,
    path: PathBuf,
    size: u64,
}

impl Artifact {
    /// Its name.
    pub(super) fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What it holds, secrets taken out of it; never more than it was listed with.
    pub(super) fn content(&self, log: &RunLog) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        plain::open(&self.path)?.take(self.size).read_to_end(&mut bytes)?;
        Ok(redacted(bytes, |text| log.redacted(text)))
    }
}

/// Redacts a file in whichever ways its text is written: UTF-8, UTF-16, or a byte a character. What a program
/// compressed or encrypted is not looked into.
fn redacted(bytes: Vec<u8>, redact: impl Fn(&str) -> String) -> Vec<u8> {
    let mut bytes = match String::from_utf8(bytes) {
        Ok(text) => return redact(&text).into_bytes(),
        Err(other) => other.into_bytes(),
    };
    for (read, write) in [
        (u16::from_le_bytes as fn([u8; 2]) -> u16, u16::to_le_bytes as fn(u16) -> [u8; 2]),
        (u16::from_be_bytes, u16::to_be_bytes),
    ] {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let text: Result<String, _> = char::decode_utf16(pairs.iter().copied().map(read)).collect();
        if let (Ok(text), []) = (text, rest) {
            bytes = redact(&text).encode_utf16().flat_map(write).collect();
        }
    }
    let text: String = bytes.iter().copied().map(char::from).collect();
    // What takes the place of a secret is ASCII, so that each character is a byte again.
    redact(&text).chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}

/// What the agent is told about the directory.
pub(super) fn words(directory: &Path) -> String {
    format!(
        "\n## Files for people\n\nPut test reports and pictures that help people to judge the work into the directory \
         `{}` (also in `{VARIABLE}`), which is no part of the repository: at most {MAX_FILES} files, {} MiB together, no \
         directories. Never put secrets there.\n",
        directory.display(),
        MAX_BYTES / 1024 / 1024,
    )
}

/// The files that the agent left, by name, within the limits.
pub(super) fn left(directory: &Path, log: &RunLog) -> Vec<Artifact> {
    if directory.is_symlink() {
        log.event("The directory of artifacts is a link: none is taken");
        return Vec::new();
    }
    let mut entries: Vec<_> = std::fs::read_dir(directory).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let (mut files, mut bytes) = (Vec::new(), 0);
    let mut left_out = 0;
    for entry in entries {
        let path = entry.path();
        match sound(&path, files.len(), MAX_BYTES - bytes) {
            Ok(file) => {
                bytes += file.size;
                files.push(file);
            }
            Err(why) if left_out < MAX_FILES => {
                left_out += 1;
                log.event(&format!("Artifact {:?} was skipped: {why}", entry.file_name()));
            }
            // A directory full of them is told of once.
            Err(_) => left_out += 1,
        }
    }
    if left_out > MAX_FILES {
        log.event(&format!("{} more artifacts were skipped", left_out - MAX_FILES));
    }
    files
}

fn sound(path: &Path, present: usize, room: u64) -> Result<Artifact, String> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("its name is not valid text")?;
    let name = name.parse().map_err(|_| "its name is too long, or has characters that are not allowed")?;
    let file = plain::open(path).map_err(|error| error.to_string())?;
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if present >= MAX_FILES {
        return Err(format!("a run has at most {MAX_FILES} artifacts"));
    }
    if size > room {
        return Err(format!("all artifacts together have at most {MAX_BYTES} bytes"));
    }
    Ok(Artifact { name, path: path.to_owned(), size })
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;
    use std::sync::Arc;

    use super::*;
    use crate::log::Secrets;

    fn log(directory: &Path) -> RunLog {
        RunLog::new(&directory.join("log"), Arc::new(Secrets::new(["very-secret-text"]))).unwrap().0
    }

    #[test]
    fn plain_files_with_plain_names_are_taken_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let (place, log) = (directory.path().join("artifacts"), log(directory.path()));
        std::fs::create_dir_all(place.join("folder")).unwrap();
        std::fs::write(directory.path().join("private"), "mine").unwrap();
        symlink(directory.path().join("private"), place.join("link.txt")).unwrap();
        symlink("/dev/zero", place.join("device")).unwrap();
        std::fs::write(place.join("shot\u{202e}gnp.exe"), "x").unwrap();
        std::fs::write(place.join("b.txt"), "the very-secret-text of it").unwrap();
        std::fs::write(place.join("a.png"), b"\x89PNG\xff").unwrap();
        crate::testing::pipe(&place.join("pipe"));
        let files = left(&place, &log);
        assert_eq!(files.iter().map(Artifact::name).collect::<Vec<_>>(), ["a.png", "b.txt"]);
        assert_eq!(files[0].content(&log).unwrap(), b"\x89PNG\xff");
        let text = String::from_utf8(files[1].content(&log).unwrap()).unwrap();
        assert!(text.starts_with("the ") && !text.contains("very-secret"), "{text}");
        for (place_of, secret) in [
            ("latin.txt", b"r\xe9sum\xe9 very-secret-text".to_vec()),
            (
                "little.txt",
                "\u{feff}very-secret-text \u{d6}".encode_utf16().flat_map(u16::to_le_bytes).collect(),
            ),
            (
                "big.txt",
                "\u{feff}very-secret-text \u{d6}".encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ),
        ] {
            let clean = redacted(secret.clone(), |text| log.redacted(text));
            assert_ne!(clean, secret, "{place_of}");
            assert_eq!(clean[..2], secret[..2], "{place_of}");
            let letters: Vec<u8> = clean.into_iter().filter(|byte| *byte != 0).collect();
            assert!(!String::from_utf8_lossy(&letters).contains("very-secret"), "{place_of}");
        }
        // Swapped after it was listed.
        std::fs::remove_file(place.join("b.txt")).unwrap();
        symlink(directory.path().join("private"), place.join("b.txt")).unwrap();
        assert!(files[1].content(&log).is_err());
    }

    #[test]
    fn the_limits_are_of_all_files_together() {
        let directory = tempfile::tempdir().unwrap();
        let (place, log) = (directory.path().join("artifacts"), log(directory.path()));
        std::fs::create_dir(&place).unwrap();
        File::create(place.join("a-huge")).unwrap().set_len(MAX_BYTES + 1).unwrap();
        for number in 0..MAX_FILES + 5 {
            std::fs::write(place.join(format!("f{number:03}")), "x").unwrap();
        }
        let files = left(&place, &log);
        assert_eq!((files.len(), files[0].name()), (MAX_FILES, "f000"));
        assert!(left(&directory.path().join("none"), &log).is_empty());
    }
}
