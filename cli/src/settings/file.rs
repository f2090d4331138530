//! `config.json`: url, token and org (specification section 2.8), a file of mode 0600 in a directory of mode
//! 0700, replaced as a whole so that a crash leaves the old or the new one.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_runner::places::config_home;

use crate::failure::Failure;

/// What the file holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Config {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) org: Option<String>,
    /// Keys of other versions, kept as they are.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

/// Where the file is.
pub(crate) struct ConfigFile {
    path: PathBuf,
}

impl ConfigFile {
    /// In the directory that the runner's file is in, too.
    pub(crate) fn locate() -> Result<Self, Failure> {
        let directory = config_home().map_err(|error| Failure::rejected(error.to_string()))?;
        Ok(Self { path: directory.join("config.json") })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds; nothing when there is none.
    pub(crate) fn read(&self) -> Result<Config, Failure> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => return Err(self.trouble("cannot read", &error)),
        };
        self.close_to_others();
        serde_json::from_str(&text).map_err(|error| {
            Failure::rejected(format!("{} is not the JSON it should be", self.path.display()))
                .detail(error.to_string())
                .hint("correct it, or remove it and sign in again")
        })
    }

    /// Takes from others what they may do with the file: it holds a token, however it came here.
    fn close_to_others(&self) {
        let open = fs::metadata(&self.path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
        if open {
            // Where this is not allowed, the file is not this user's, and its mode not theirs to choose.
            let _ = fs::set_permissions(&self.path, Permissions::from_mode(0o600));
        }
    }

    /// Replaces the file.
    pub(crate) fn write(&self, config: &Config) -> Result<(), Failure> {
        self.replace(config).map_err(|error| self.trouble("cannot write", &error))
    }

    fn replace(&self, config: &Config) -> std::io::Result<()> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        // A temporary file has mode 0600 from the start, so the token is never readable by others.
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer_pretty(&mut file, config)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }

    fn trouble(&self, doing: &str, error: &std::io::Error) -> Failure {
        Failure::io(format_args!("{doing} {}", self.path.display()), error)
    }
}
