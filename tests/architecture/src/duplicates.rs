//! Crates that stand in several versions, each for a reason: another version is more to compile, to ship and to
//! audit. One that is new here goes away by an update (`cargo update`, `cargo tree -i NAME@VERSION`), or is named
//! with what it waits for.

use std::collections::{BTreeMap, BTreeSet};

/// What keeps an older version, and the crates of which it does.
const REASONS: &[(&str, &[&str])] = &[
    (
        "crc-fast 1, below S3, and jsonwebtoken 11 stand on the cryptographic crates of the generation before",
        &["crypto-common", "digest", "getrandom", "rand_core"],
    ),
    ("half of the crates that use it wait for base64 0.23", &["base64"]),
    ("jaq 2 hashes with it", &["foldhash"]),
    ("reqwest follows redirects with it", &["tower-http"]),
    ("png unpacks with it", &["miniz_oxide"]),
    ("when the programs are built only: half of all procedural macros wait for syn 3", &["syn"]),
    (
        "never built: of features and platforms that nobody here asks for",
        &["embedded-io", "untrusted", "windows-sys"],
    ),
];

/// Crates of the lock file that stand in several versions.
fn duplicates(lock: &str) -> BTreeSet<&str> {
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for name in lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')) {
        *versions.entry(name).or_default() += 1;
    }
    versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name).collect()
}

#[test]
fn a_crate_stands_in_several_versions_for_a_reason() {
    let lock = include_str!("../../../Cargo.lock");
    let found = duplicates(lock);
    let known: BTreeSet<&str> = REASONS.iter().flat_map(|(_, crates)| crates.iter().copied()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "in several versions, for no reason that is named here: {new:?}");
    let over: Vec<_> = known.difference(&found).collect();
    assert!(over.is_empty(), "in one version by now; take them out: {over:?}");
}

#[test]
fn a_crate_that_stands_twice_is_seen() {
    let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"b\"\n\n[[package]]\nname = \"a\"\n";
    assert_eq!(duplicates(lock), BTreeSet::from(["a"]));
}
