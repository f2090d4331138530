//! What the commands of this noun share: how they name a runner, and how they show it and its secret.

use svc_api::factory::{Runner, RunnerSecret, UpdateRunner};

use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, harness, list, option, when};
use crate::session::Session;

/// A runner.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the runner
    #[arg(value_name = "RUNNER")]
    pub(super) runner: String,
}

impl Which {
    /// The runner that is meant.
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Runner, Failure> {
        let mut runners = session.org(org).runners().await?;
        let all: Vec<_> = runners.iter().map(|runner| Named { id: &runner.id, name: &runner.name }).collect();
        let id = resolve("runner", &self.runner, &all, true)?;
        let index = runners.iter().position(|runner| runner.id == id);
        index
            .map(|index| runners.swap_remove(index))
            .ok_or_else(|| Failure::not_found(format!("there is no runner {:?}", self.runner)))
    }
}

/// Disables a runner, or enables it again.
pub(super) async fn set_disabled(
    which: &Which,
    disabled: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = which.find(&org, session).await?;
    let change = UpdateRunner { version: runner.version, name: None, disabled: Some(disabled) };
    let runner = session.org(&org).update_runner(&runner.id, &change).await?;
    session.output.one(&runner, table)
}

/// Prints a secret, and says how the machine is registered with it.
pub(super) fn show_secret(did: &str, answer: &RunnerSecret, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(answer);
    }
    output.line(&answer.secret)?;
    output.say(&format!("{did} the runner {:?}. Its secret is shown only this once.", answer.runner.name));
    let url = session.client.base_url().trim_end_matches('/');
    // Where the secret went to a file or a program, it is not repeated beside it.
    let (token, from) = match output.is_terminal() {
        true => (answer.secret.as_str(), ""),
        false => ("-", ", with the secret on stdin"),
    };
    output.say(&format!(
        "next: on the machine that executes runs, `svc runner register --url {url} --token {token}`{from}"
    ));
    Ok(())
}

/// Runners, one a row.
pub(super) fn table(runners: &[Runner]) -> Table {
    let mut table = Table::new([
        Column::fixed("STATE"),
        Column::flexible("MACHINE").minor(),
        Column::fixed("PARALLEL").minor(),
        Column::fixed("LAST SEEN").minor(),
        Column::flexible("HARNESSES"),
        Column::flexible("NAME"),
    ]);
    for runner in runners {
        let harnesses: Vec<_> = runner.harnesses.iter().map(|one| harness(*one).to_owned()).collect();
        table.row([
            state(runner).into(),
            option(runner.label.as_deref()).into(),
            runner.parallel.to_string().into(),
            runner.last_seen_at.map_or_else(|| "never".to_owned(), when).into(),
            list(&harnesses).into(),
            runner.name.as_str().into(),
        ]);
    }
    table
}

const fn state(runner: &Runner) -> &'static str {
    match (runner.disabled, runner.online) {
        (true, _) => "disabled",
        (false, true) => "online",
        (false, false) => "offline",
    }
}
