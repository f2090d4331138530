//! `svc run artifacts`: the files that the agent of a run left for people.

use std::path::{Path, PathBuf};

use svc_api::factory::RunArtifact;

use super::which::Which;
use crate::commands::saving;
use crate::failure::Failure;
use crate::output::{Table, size};
use crate::session::Session;

/// List or download the files that a run produced for people.
///
/// Agents leave test reports and pictures here, and choose the file names; `--all` replaces existing files only with
/// `--force`. You need to be allowed to start AI work.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run artifacts PRJ-12
  svc run artifacts PRJ-12 --get report.xml > report.xml
  svc run artifacts PRJ-12 --all -o artifacts/")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Download this file
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    get: Option<String>,
    /// Download every file
    #[arg(long, requires = "output")]
    all: bool,
    /// Replace files that exist
    #[arg(long, requires = "all")]
    force: bool,
    /// File or directory to write to; - is stdout
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let run = args.which.id(session).await?;
    let files = session.client.run_artifacts(&run).await?;
    let output = session.output;
    if let Some(name) = &args.get {
        let found = files.iter().find(|file| file.name == *name);
        let none = || {
            Failure::not_found(format!("the run has no file {name:?}"))
                .hint("list them with `svc run artifacts`")
        };
        return get(&run, found.ok_or_else(none)?, args.output, session).await;
    }
    if let Some(directory) = args.output.filter(|_| args.all) {
        if !directory.is_dir() {
            return Err(Failure::rejected(format!("there is no directory {}", directory.display()))
                .hint("create it, or name another one with -o"));
        }
        if !args.force {
            refuse_to_replace(&files, &directory)?;
        }
        for file in &files {
            save(&run, file, &directory, session).await?;
        }
        return if output.json { output.json(&files) } else { Ok(()) };
    }
    output.all(&files, "The run has no files. A runner sends them when the run ends.", table)
}

/// Refuses to replace what is there, before anything is downloaded.
fn refuse_to_replace(files: &[RunArtifact], directory: &Path) -> Result<(), Failure> {
    let paths = files.iter().map(|file| saving::target(directory, &file.name, "artifact"));
    match paths.into_iter().find(|path| path.exists()) {
        Some(path) => Err(Failure::rejected(format!("{} exists", path.display()))
            .hint("name another directory with -o, or replace what is there with --force")),
        None => Ok(()),
    }
}

/// Files, one a row.
fn table(files: &[RunArtifact]) -> Table {
    Table::of(files).fixed("SIZE", |file| size(file.size)).flexible("NAME", |file| file.name.as_str()).end()
}

async fn get(
    run: &str,
    file: &RunArtifact,
    path: Option<PathBuf>,
    session: &Session<'_>,
) -> Result<(), Failure> {
    if let Some(path) = path.filter(|path| path != Path::new("-")) {
        save(run, file, &path, session).await?;
        return if session.output.json { session.output.json(file) } else { Ok(()) };
    }
    if session.output.json || session.output.is_terminal() {
        return Err(Failure::rejected("a file cannot be printed here")
            .hint("name a file with -o, or send the output to another program"));
    }
    saving::print(file.size, session.client.run_artifact(run, &file.name).await?, session).await
}

async fn save(run: &str, file: &RunArtifact, path: &Path, session: &Session<'_>) -> Result<(), Failure> {
    let path = saving::target(path, &file.name, "artifact");
    saving::check(&path)?;
    saving::save(&path, file.size, session.client.run_artifact(run, &file.name).await?, session).await
}
