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

use clap::Subcommand;
use svc_client::Error;

use crate::places::{self, NoHome};
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
        let store = RunnerFileStore::in_directory(&places::config_home()?);
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

/// The profile that a command is about: the named one, or the only one.
fn profile<'a>(file: &'a mut RunnerFile, organization: Option<&str>) -> Result<&'a mut Profile, CliError> {
    if file.profiles.is_empty() {
        let how =
            "this machine is not registered; run `svc runner register --url <url> --token <secret>` first";
        return Err(CliError::Rejected(how.to_owned()));
    }
    let names: Vec<String> = file.profiles.iter().map(|profile| profile.organization.clone()).collect();
    let names = names.join(", ");
    match organization {
        Some(slug) => {
            let unknown =
                || CliError::NotFound(format!("{slug} is not registered here; registered: {names}"));
            file.profiles.iter_mut().find(|profile| profile.organization == slug).ok_or_else(unknown)
        }
        None => match &mut file.profiles[..] {
            [only] => Ok(only),
            _ => Err(CliError::Rejected(format!(
                "several organizations are registered ({names}); add --org <slug>"
            ))),
        },
    }
}

/// A path as it shall be remembered: resolved, because commands are called from anywhere.
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

    #[test]
    fn the_only_profile_needs_no_name_and_several_do() {
        assert_eq!(profile(&mut file(&["a"]), None).unwrap().organization, "a");
        let error = profile(&mut file(&["a", "b"]), None).unwrap_err();
        assert!(error.to_string().contains("(a, b); add --org") && error.code() == 2, "{error}");
        assert_eq!(profile(&mut file(&["a", "b"]), Some("b")).unwrap().organization, "b");
        assert_eq!(profile(&mut file(&["a"]), Some("x")).unwrap_err().code(), 4);
        assert!(profile(&mut file(&[]), None).unwrap_err().to_string().contains("svc runner register"));
    }
}
