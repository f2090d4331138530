//! Where the built programs are: in the target folder that this test was built into.

use std::path::PathBuf;

/// A program of this project, by its name.
///
/// # Panics
/// When it is not built.
pub fn program(name: &str) -> PathBuf {
    let me = std::env::current_exe().expect("a process knows its executable");
    let built = me.ancestors().skip(1).take(2).map(|folder| folder.join(name)).find(|path| path.is_file());
    built.unwrap_or_else(|| {
        panic!(
            "{name} is not built beside {}: run `make build`, which is \
             `cargo build -p svc-local -p svc-cli -p svc-runner` (with --release for a release build)",
            me.display()
        )
    })
}
