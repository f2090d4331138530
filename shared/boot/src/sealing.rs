//! The key that addresses of channels are encrypted with, and where it comes from: a setting, or a file beside the
//! embedded store that the first server makes. A copy of the data alone cannot be read with it.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use svc_app::ports::Ids as _;
use svc_app::sealing::Sealing;

use crate::address::invalid;
use crate::clock::OsIds;
use crate::config_error::ConfigError;
use crate::mail::Hidden;

/// Name of the file in the embedded store's directory.
const FILE: &str = "secrets.key";

/// The key of the instance (`[Secrets]`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct SecretsSettings {
    /// 64 hexadecimal digits. The embedded store makes a key of its own while it is empty; on AWS channels of chats and
    /// webhooks need one.
    pub key: Hidden,
}

/// The key of the settings; `None` where they have none.
///
/// # Errors
/// [`ConfigError`] for what is no key.
pub(crate) fn of_settings(settings: &SecretsSettings) -> Result<Option<Sealing>, ConfigError> {
    if settings.key.0.is_empty() {
        return Ok(None);
    }
    let key = read(&settings.key.0);
    let wrong =
        || invalid("Secrets:Key must be 64 hexadecimal digits, such as `openssl rand -hex 32` prints".into());
    key.map(|key| Some(Sealing::new(&key))).ok_or_else(wrong)
}

/// The key in a directory, which is made if there is none; `None` where it cannot be read or made.
pub(crate) fn of_directory(directory: &Path) -> Option<Sealing> {
    let path = directory.join(FILE);
    match key_at(&path) {
        Ok(Some(key)) => Some(Sealing::new(&key)),
        Ok(None) => {
            tracing::error!(path = %path.display(), "this is no key: chats cannot be connected");
            None
        }
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "without this key chats cannot be connected");
            None
        }
    }
}

/// Whether a directory has the file of a key.
pub(crate) fn is_in(directory: &Path) -> bool {
    directory.join(FILE).exists()
}

/// The key in a directory; `None` where there is none. Makes nothing.
pub(crate) fn existing(directory: &Path) -> Option<Sealing> {
    let text = fs::read_to_string(directory.join(FILE)).ok()?;
    read(text.trim()).map(|key| Sealing::new(&key))
}

fn key_at(path: &Path) -> std::io::Result<Option<[u8; 32]>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        text => return Ok(read(text?.trim())),
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    // Only its owner may read a temporary file.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    writeln!(file, "{}", hex::encode(OsIds.secret()))?;
    file.as_file().sync_all()?;
    // Of two servers that begin at the same time, the first made it.
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(read(fs::read_to_string(path)?.trim())),
    }
}

fn read(text: &str) -> Option<[u8; 32]> {
    hex::decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use svc_app::sealing::Sealing;

    use super::{FILE, SecretsSettings, of_directory, of_settings};
    use crate::clock::OsIds;
    use crate::mail::Hidden;

    #[test]
    fn a_directory_keeps_its_key_and_only_its_owner_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let sealed = of_directory(directory.path()).unwrap().seal(&OsIds, "x", "text");
        assert_eq!(of_directory(directory.path()).unwrap().open("x", &sealed).as_deref(), Some("text"));
        let mode = std::fs::metadata(directory.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::write(directory.path().join(FILE), "nonsense").unwrap();
        assert!(of_directory(directory.path()).is_none(), "what is there is not overwritten");
    }

    #[test]
    fn a_key_of_the_settings_is_64_digits() {
        let of = |key: &str| of_settings(&SecretsSettings { key: Hidden(key.into()) });
        assert!(of("").unwrap().is_none());
        let error = of("abc").err().unwrap().to_string();
        assert!(error.contains("Secrets:Key") && !error.contains("abc"), "{error}");
        let sealed = Sealing::new(&[0xab; 32]).seal(&OsIds, "x", "text");
        assert_eq!(of(&"ab".repeat(32)).unwrap().unwrap().open("x", &sealed).as_deref(), Some("text"));
    }
}
