//! A git repository as a project has one: a bare origin, and a clone of it on the runner's machine.

use std::fs;
use std::path::PathBuf;

use crate::home::Home;

/// An origin and its clone.
#[derive(Clone, Debug)]
pub struct Repo {
    home: Home,
    /// The bare repository.
    pub origin: PathBuf,
    /// The clone.
    pub clone: PathBuf,
}

impl Repo {
    /// Makes both, with one commit on `main`.
    ///
    /// # Panics
    /// When git refuses.
    pub async fn new(home: &Home) -> Self {
        let (origin, clone) = (home.directory().join("origin.git"), home.directory().join("clone"));
        let text = |path: &PathBuf| path.to_str().expect("a temporary path is text").to_owned();
        home.git(home.directory(), &["init", "-q", "--bare", &text(&origin)]).await;
        home.git(home.directory(), &["clone", "-q", &text(&origin), &text(&clone)]).await;
        fs::write(clone.join("README.md"), "# Greeter\n").expect("a file can be written");
        home.git(&clone, &["add", "README.md"]).await;
        home.git(&clone, &["commit", "-q", "-m", "Begin"]).await;
        home.git(&clone, &["push", "-q", "origin", "HEAD:main"]).await;
        Self { home: home.clone(), origin, clone }
    }

    /// `git` in the origin; answers its stdout.
    pub async fn in_origin(&self, args: &[&str]) -> String {
        self.home.git(&self.origin, args).await
    }
}
