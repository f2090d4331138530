//! A file as it was, to be put back.

use std::fs;
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::plain;

/// Bytes of the largest file that is kept: the index of a large repository.
const LARGEST: u64 = 256 * 1024 * 1024;

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) mode: u32,
    /// Base64.
    pub(super) bytes: String,
}

impl Content {
    pub(super) fn read(path: &Path) -> Option<Self> {
        let bytes = plain::read(path, LARGEST).ok()?;
        let meta = fs::symlink_metadata(path).ok()?;
        Some(Self { mode: meta.permissions().mode() & 0o777, bytes: STANDARD.encode(bytes) })
    }

    /// Writes it where it was, in one step.
    pub(super) fn put(&self, path: &Path) -> io::Result<()> {
        let bytes = STANDARD.decode(&self.bytes).map_err(io::Error::other)?;
        let directory = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        let temporary = directory.join(format!(".svc-{}", std::process::id()));
        let _ = fs::remove_file(&temporary);
        let mut file = fs::File::options().write(true).create_new(true).mode(0o600).open(&temporary)?;
        io::Write::write_all(&mut file, &bytes)?;
        fs::set_permissions(&temporary, fs::Permissions::from_mode(self.mode))?;
        if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir()) {
            fs::remove_dir_all(path)?;
        }
        fs::rename(&temporary, path)
    }
}
