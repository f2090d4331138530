//! Where `scripts/contract-tools` installs what others wrote.

use std::path::PathBuf;

/// A program among the tools.
pub(crate) fn tool(place: &str) -> PathBuf {
    let root = root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let tool = root.join(target).join("contract-tools").join(place);
    assert!(tool.exists(), "{} is missing: run scripts/contract-tools once", tool.display());
    tool
}

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder")).join("../..")
}
