//! The package that is installed: its version, its binary, and whether that is the one that was published.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use semver::Version;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What `package.json` of `@svc/cli` says.
#[derive(Deserialize)]
struct Package {
    version: Version,
    #[serde(default)]
    svc: Promised,
}

/// What the package says of its binaries.
#[derive(Default, Deserialize)]
struct Promised {
    /// SHA-256 by platform, hexadecimal.
    #[serde(default)]
    sha256: BTreeMap<String, String>,
}

/// This platform as the packages call it.
pub(super) fn platform() -> String {
    let os = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    let cpu = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}-{cpu}")
}

/// The version of an installed package.
pub(super) fn version_of(package: &Path) -> Option<Version> {
    read(package).ok().map(|package| package.version)
}

/// The binary of an installed package, found as Node.js finds it: from the package's real place upwards.
pub(super) fn binary_of(package: &Path) -> Option<PathBuf> {
    let package = package.canonicalize().ok()?;
    let name = format!("@svc/cli-{}/bin/svc", platform());
    let places = package.ancestors().map(|place| place.join("node_modules").join(&name));
    places.into_iter().find_map(|place| place.canonicalize().ok())
}

/// Answers the binary, if it is this version's.
pub(super) fn check(package: &Path, version: &Version) -> Result<PathBuf, String> {
    let manifest = read(package)?;
    if manifest.version != *version {
        return Err(format!("{} is version {}, not {version}", package.display(), manifest.version));
    }
    let platform = platform();
    let promised = manifest.svc.sha256.get(&platform);
    let promised = promised.ok_or_else(|| format!("svc {version} has no binary for {platform}"))?;
    let binary = binary_of(package).ok_or_else(|| format!("the binary for {platform} was not installed"))?;
    let found = sha256_of(&binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    if found == *promised {
        Ok(binary)
    } else {
        Err(format!(
            "the checksum of {} is not the one that svc {version} was published with",
            binary.display()
        ))
    }
}

fn read(package: &Path) -> Result<Package, String> {
    let path = package.join("package.json");
    let error = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read(&path).map_err(|cause| error(&cause))?;
    serde_json::from_slice(&text).map_err(|cause| error(&cause))
}

fn sha256_of(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => return Ok(hex::encode(hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An installed package with this binary; its checksum is that of `published`.
    fn installed(directory: &Path, binary: &[u8], published: &[u8]) -> PathBuf {
        let package = directory.join("lib/node_modules/@svc/cli");
        let bin = package.join(format!("node_modules/@svc/cli-{}/bin", platform()));
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("svc"), binary).unwrap();
        let sum = hex::encode(Sha256::digest(published));
        let manifest = serde_json::json!({"version": "1.2.0", "svc": {"sha256": {(platform()): sum}}});
        std::fs::write(package.join("package.json"), manifest.to_string()).unwrap();
        package
    }

    #[test]
    fn a_binary_is_used_when_it_is_the_published_one() {
        let directory = tempfile::tempdir().unwrap();
        let version = Version::new(1, 2, 0);
        let package = installed(directory.path(), b"good", b"good");
        assert_eq!(check(&package, &version).ok(), binary_of(&package));
        assert_eq!(version_of(&package), Some(version.clone()));
        let told = check(&package, &Version::new(1, 3, 0)).unwrap_err();
        assert!(told.contains("is version 1.2.0, not 1.3.0"), "{told}");
        let package = installed(directory.path(), b"bad", b"good");
        assert!(check(&package, &version).unwrap_err().contains("checksum"));
        std::fs::remove_file(binary_of(&package).unwrap()).unwrap();
        assert!(check(&package, &version).unwrap_err().contains("was not installed"));
    }

    #[test]
    fn a_binary_beside_the_package_is_found_too() {
        let directory = tempfile::tempdir().unwrap();
        let modules = directory.path().join("global/node_modules/@svc");
        let bin = modules.join(format!("cli-{}/bin", platform()));
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(modules.join("cli")).unwrap();
        std::fs::write(bin.join("svc"), "").unwrap();
        assert_eq!(binary_of(&modules.join("cli")), bin.join("svc").canonicalize().ok());
    }
}
