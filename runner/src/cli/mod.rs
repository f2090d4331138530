//! The runner's commands, shared by `svc runner …` and the `svc-runner` binary (specification section 4.3).
//!
//! Owns their arguments, what they print and their exit codes. Data goes to stdout, talk to stderr.

mod defaults;
mod doctor;
mod install_service;
mod isolation;
mod map;
mod register;
mod remove;
mod root;
mod start;
mod status;
mod update;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use svc_client::Error;

use crate::directories::{self, NoHome};
use crate::runner_file::{FileError, Profile, RunnerFile, RunnerFileStore};
use crate::supervisor::EXIT_RESTART;
use start::Next;

/// What a runner can be told.
#[derive(Clone, Debug, Subcommand)]
pub enum RunnerCommand {
    /// Register this machine with an organization, or replace its secret
    Register(register::Register),
    /// Map a project to its local clone
    Map(map::Map),
    /// Set the default isolation of runs, for projects without their own
    Defaults(defaults::Defaults),
    /// Allow the instance to use clones below a directory
    Root(root::Root),
    /// Remove an organization from this machine
    Remove(remove::Remove),
    /// Show registrations, harnesses, mapped repositories and roots
    Status(status::Status),
    /// Check this machine for problems that make runs fail
    Doctor(doctor::Doctor),
    /// Start taking and executing runs
    Start(start::Start),
    /// Install the latest version of svc now
    Update(update::Update),
    /// Print a service definition for this user
    InstallService(install_service::InstallService),
}

impl RunnerCommand {
    /// Key of the project that the command maps, and the organization that it names.
    pub fn maps(&self) -> Option<(String, Option<&str>)> {
        match self {
            Self::Map(map) => map.maps(),
            _ => None,
        }
    }
}

/// Does what a command says; answers the exit code of the process.
pub fn run(command: RunnerCommand) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            return ExitCode::from(1);
        }
    };
    let result = runtime.block_on(async {
        let store = RunnerFileStore::in_directory(&directories::config_home()?);
        match command {
            RunnerCommand::Start(command) => return command.run(store).await,
            RunnerCommand::Register(command) => command.run(&store).await,
            RunnerCommand::Map(command) => command.run(&store).await,
            RunnerCommand::Defaults(command) => command.run(&store),
            RunnerCommand::Root(command) => command.run(&store),
            RunnerCommand::Remove(command) => command.run(&store),
            RunnerCommand::Status(command) => command.run(&store).await,
            RunnerCommand::Doctor(command) => command.run(&store).await,
            RunnerCommand::Update(command) => command.run().await,
            RunnerCommand::InstallService(command) => command.run(),
        }
        .map(Next::Exit)
    });
    // Runs are over; what still waits on a network is not waited for.
    runtime.shutdown_background();
    match result {
        Ok(Next::Exit(code)) => ExitCode::from(code),
        Ok(Next::Become(program)) => become_program(&program),
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// Lets another program take the place of this process, with the same arguments. Comes back only when it cannot.
fn become_program(program: &std::path::Path) -> ExitCode {
    use std::os::unix::process::CommandExt;
    let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).exec();
    eprintln!("error: {} cannot be started: {error}; start the runner again", program.display());
    ExitCode::from(EXIT_RESTART)
}

/// Why a command did not do what it was told.
#[derive(Debug, thiserror::Error)]
enum CliError {
    /// Nothing was wrong but the command line, or what it names.
    #[error("{0}")]
    Rejected(String),
    /// It names something that is not there.
    #[error("{0}")]
    NotFound(String),
    /// The instance said no, or could not be reached.
    #[error(transparent)]
    Instance(#[from] Error),
    /// `runner.json` cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no home directory.
    #[error(transparent)]
    NoHome(#[from] NoHome),
    /// A newer version could not be installed.
    #[error("{0}")]
    NotUpdated(String),
    /// The instance refused the runner secret.
    #[error("{0}")]
    NotAuthenticated(String),
}

impl CliError {
    /// Exit codes as in specification section 4.2.
    fn code(&self) -> u8 {
        match self {
            Self::Rejected(_) | Self::Instance(Error::Unsendable(_)) => 2,
            Self::NotFound(_) => 4,
            Self::NotAuthenticated(_) => 5,
            Self::Instance(error) => match error.status() {
                Some(401 | 403) => 5,
                Some(404) => 4,
                Some(409) => 3,
                Some(400 | 422 | 429) => 2,
                _ => 1,
            },
            Self::File(_) | Self::NoHome(_) | Self::NotUpdated(_) => 1,
        }
    }
}

/// Which registration a command is about.
#[derive(Clone, Debug, Default, Args)]
struct Which {
    /// Organization; needed if several are registered
    #[arg(long, value_name = "SLUG")]
    org: Option<String>,
    /// Address of its instance; needed if organizations of the same name are registered
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// The address of an instance, with or without the path of its API.
fn address(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    url.strip_suffix("/api/v1").unwrap_or(url).trim_end_matches('/')
}

/// The profile that a command is about: the named one, or the only one.
fn profile<'a>(file: &'a mut RunnerFile, which: &Which) -> Result<&'a mut Profile, CliError> {
    if file.profiles.is_empty() {
        let how =
            "this machine is not registered; run `svc runner register --url <url> --token <secret>` first";
        return Err(CliError::Rejected(how.to_owned()));
    }
    let names = listed(&file.profiles);
    let fits = |profile: &Profile| {
        which.org.as_ref().is_none_or(|slug| profile.organization == *slug)
            && which.url.as_ref().is_none_or(|url| address(&profile.url) == address(url))
    };
    let mut fitting: Vec<&mut Profile> = file.profiles.iter_mut().filter(|profile| fits(profile)).collect();
    match (fitting.len(), &which.org) {
        (0, _) => {
            let wanted = which.org.as_deref().or(which.url.as_deref()).unwrap_or_default();
            Err(CliError::NotFound(format!("{wanted} is not registered here; registered: {names}")))
        }
        (1, _) => Ok(fitting.remove(0)),
        (_, None) => Err(CliError::Rejected(format!(
            "several organizations are registered ({names}); add --org <slug>"
        ))),
        (_, Some(slug)) => Err(CliError::Rejected(format!(
            "organizations of the name {slug} are registered at several instances ({names}); add --url <url>"
        ))),
    }
}

/// Registrations in words; with their instances where names alone do not tell them apart.
fn listed(profiles: &[Profile]) -> String {
    let same =
        |one: &Profile| profiles.iter().filter(|other| other.organization == one.organization).count() > 1;
    let word = |one: &Profile| match same(one) {
        true => format!("{} at {}", one.organization, one.url),
        false => one.organization.clone(),
    };
    profiles.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// A path as it is stored: resolved, because commands are called from anywhere.
fn resolved(path: &std::path::Path) -> Result<PathBuf, CliError> {
    std::fs::canonicalize(path).map_err(|error| CliError::Rejected(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(organizations: &[&str]) -> RunnerFile {
        let profiles = organizations.iter().map(|slug| {
            serde_json::from_value(serde_json::json!({"organization": slug, "url": "u", "token": "t"}))
                .unwrap()
        });
        RunnerFile { profiles: profiles.collect(), ..RunnerFile::default() }
    }

    /// Only the first was reached.
    #[test]
    fn organizations_of_one_name_are_told_apart_by_their_instance() {
        let mut two = file(&["a", "a"]);
        two.profiles[1].url = "https://v/api/v1".into();
        let named = |url: Option<&str>| Which { org: Some("a".into()), url: url.map(str::to_owned) };
        let error = profile(&mut two, &named(None)).unwrap_err().to_string();
        assert!(error.contains("(a at u, a at https://v/api/v1); add --url"), "{error}");
        assert_eq!(profile(&mut two, &named(Some("https://v/"))).unwrap().url, "https://v/api/v1");
        assert_eq!(profile(&mut two, &named(Some("https://w"))).unwrap_err().code(), 4);
    }

    #[test]
    fn the_only_profile_needs_no_name_and_several_do() {
        let none = Which::default();
        let named = |slug: &str| Which { org: Some(slug.to_owned()), url: None };
        assert_eq!(profile(&mut file(&["a"]), &none).unwrap().organization, "a");
        let error = profile(&mut file(&["a", "b"]), &none).unwrap_err();
        assert!(error.to_string().contains("(a, b); add --org") && error.code() == 2, "{error}");
        assert_eq!(profile(&mut file(&["a", "b"]), &named("b")).unwrap().organization, "b");
        assert_eq!(profile(&mut file(&["a"]), &named("x")).unwrap_err().code(), 4);
        assert!(profile(&mut file(&[]), &none).unwrap_err().to_string().contains("svc runner register"));
    }
}
