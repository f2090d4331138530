//! The options that say how runs are isolated, shared by `map` and `defaults`.

use std::path::Path;

use clap::Args;

use super::CliError;
use crate::isolation::{Isolation, Places, RunAs, sandbox_words};

/// How runs are isolated.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct IsolationOptions {
    /// User that runs the harness: user=NAME, which needs a runner started by root, or none
    ///
    /// Of the runner's variables, the harness gets basics such as PATH, LANG, TERM and proxy settings, and its own
    /// settings; add others with --env-allow, or all with --env-allow '*'. HOME is the user's home. Runs of the same
    /// user are not isolated from each other: their agents can read and change each other's work while they run. Use
    /// a separate user for each project or organization that must be kept apart.
    #[arg(long, value_name = "user=NAME|none", conflicts_with = "sandbox")]
    isolation: Option<String>,
    /// Run the harness through a command, such as 'bwrap … --' or 'docker run …'
    ///
    /// The harness and its arguments follow the command. {workspace} stands for the checkout, {run_dir} for the run's
    /// directory, {env_file} for a file with the harness's environment, {run_id} for the run's id.
    #[arg(long, value_name = "COMMAND")]
    sandbox: Option<String>,
    /// Pass only these variables to the harness, besides basics such as PATH and HOME; NAME* passes all that begin
    /// with NAME
    ///
    /// Without this option, the runner's own user and a sandbox command get all variables, and another user gets
    /// none.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    env_allow: Vec<String>,
    /// Shell command to run before the harness, with the same isolation; if it fails, so does the run; may be
    /// repeated
    #[arg(long, value_name = "COMMAND")]
    setup: Vec<String>,
    /// Shell command to run after the harness, however it ended; may be repeated
    #[arg(long, value_name = "COMMAND")]
    cleanup: Vec<String>,
}

impl IsolationOptions {
    /// Whether nothing is said.
    pub(super) fn is_empty(&self) -> bool {
        self.isolation.is_none()
            && self.sandbox.is_none()
            && self.env_allow.is_empty()
            && self.setup.is_empty()
            && self.cleanup.is_empty()
    }

    /// What is asked for, in the place of `before`, of which fields of other versions stay.
    pub(super) fn applied(&self, before: &Isolation) -> Result<Isolation, CliError> {
        let run_as = match (&self.isolation, &self.sandbox) {
            (Some(user), _) => Some(run_as(user)?),
            (None, Some(command)) => Some(RunAs::Sandbox(checked(command)?)),
            (None, None) => None,
        };
        Ok(Isolation {
            run_as,
            environment: (!self.env_allow.is_empty()).then(|| self.env_allow.clone()),
            setup: self.setup.clone(),
            cleanup: self.cleanup.clone(),
            other: before.other.clone(),
        })
    }
}

fn run_as(text: &str) -> Result<RunAs, CliError> {
    match (text, text.strip_prefix("user=")) {
        ("none", _) => Ok(RunAs::Runner),
        (_, Some(name)) if !name.is_empty() => Ok(RunAs::User(name.to_owned())),
        _ => Err(CliError::Rejected(format!("{text:?} is not an isolation; give user=NAME, or none"))),
    }
}

fn checked(command: &str) -> Result<String, CliError> {
    let any = Path::new("/");
    let places = Places { workspace: any, run_dir: any, env_file: any, run_id: "run" };
    let words = sandbox_words(command, &places);
    words.map_err(|why| CliError::Rejected(format!("--sandbox {command:?}: {why}")))?;
    Ok(command.to_owned())
}
