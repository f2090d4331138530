//! The address that a server serves, kept beside its embedded store: commands that print links find it there.

use std::path::Path;

use svc_boot::{Config, Store};

/// The file in the data directory.
const FILE: &str = "address";

/// Keeps the address of a server that starts. Without it, links name the address of `--listen`.
pub(crate) fn keep(config: &Config) {
    if config.storage.engine == Store::Embedded
        && let Err(error) = std::fs::write(file(config), &config.settings.service.base_url)
    {
        tracing::warn!(%error, "the address was not written beside the store");
    }
}

/// The address of links: that of the settings, else that of the server that served the store last.
pub(crate) fn address(config: &Config) -> Option<String> {
    let set = &config.settings.service.base_url;
    if !set.is_empty() {
        return Some(set.clone());
    }
    std::fs::read_to_string(file(config)).ok().filter(|address| !address.is_empty())
}

fn file(config: &Config) -> impl AsRef<Path> + use<> {
    config.storage.directory.join(FILE)
}
