//! Copies the web app's build (`web/dist`) to where it is embedded from, or a page that says how to build it.
//!
//! Never runs npm: a build of the Rust parts alone needs no Node.js.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let built = Path::new("web/dist");
    println!("cargo::rerun-if-changed={}", built.display());
    println!("cargo::rerun-if-changed=assets/unbuilt.html");
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR")).join("web");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    fs::create_dir_all(&target)?;
    if built.join("index.html").is_file() {
        return copy(built, &target);
    }
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!(
            "cargo::warning=the web app is not built: the service will serve a page that says so (make web)"
        );
    }
    fs::copy("assets/unbuilt.html", target.join("index.html"))?;
    Ok(())
}

/// Copies a directory with all below it, but for what is hidden.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(to.join(&name))?;
            copy(&entry.path(), &to.join(&name))?;
        } else {
            fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}
