//! One set of features for every build in a clone: what `make demo` compiled, `make test` does not compile again.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What `make demo` selects (see the Makefile).
const DEMO: &[&str] =
    &["--no-default-features", "-p", "svc-local", "-p", "svc-cli", "-p", "svc-runner", "-p", "svc-features"];

/// The features of each crate in a build. Only crates of others: ours are compiled anew where the AWS engines join.
fn features(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none", "-f", "{p}|{f}|"])
        .args(selection)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut parts = line.split('|');
        let (Some(package), Some(features)) = (parts.next(), parts.next()) else { continue };
        if package.starts_with("svc-") {
            continue;
        }
        let named = features.split(',').filter(|feature| !feature.is_empty()).map(str::to_owned);
        found.entry(package.to_owned()).or_default().extend(named);
    }
    found
}

#[test]
fn the_demo_compiles_crates_as_the_tests_do() {
    let demo = features(&[DEMO, &["-e", "normal,build"]].concat());
    let tests = features(&["--workspace", "-e", "normal,build,dev"]);
    let mut missing = BTreeMap::new();
    for (package, features) in &demo {
        let more: Vec<_> = tests[package].difference(features).collect();
        if !more.is_empty() {
            missing.insert(package, more);
        }
    }
    assert!(missing.is_empty(), "turn these features on in tests/features/Cargo.toml: {missing:#?}");
}
