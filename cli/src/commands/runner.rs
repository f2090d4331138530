//! `svc runner`: the commands for this machine come from the runner; those for the organization's list of runners
//! are here.

mod mapping;

pub(crate) use mapping::check_project;

use clap::Subcommand;
use svc_api::factory::{NewRunner, Runner, RunnerSecret, UpdateRunner};
use svc_runner::cli::RunnerCommand;

use crate::commands::confirm::Confirm;
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Table, harness, joined, option, when};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Machine(RunnerCommand),
    #[command(flatten)]
    Organization(Organization),
}

/// Commands that an Admin of the organization gives.
#[derive(Subcommand)]
pub(crate) enum Organization {
    /// List the organization's runners. `svc runner status` shows this machine
    #[command(after_help = "\
Example:
  svc runner list")]
    List,
    /// Create a runner in the organization and print its secret. It is shown only this once
    ///
    /// Pass the secret to `svc runner register` on the machine that executes runs. You need to be an Owner or Admin of
    /// the organization.
    #[command(visible_alias = "add")]
    #[command(after_help = "\
Examples:
  svc runner create laptop
  svc runner create build-1 > secret.txt")]
    Create(NewName),
    Edit(EditArgs),
    Rotate(RotateArgs),
    Disable(DisableArgs),
    /// Let a disabled runner take runs again
    #[command(after_help = "\
Example:
  svc runner enable laptop")]
    Enable(Which),
    Delete(DeleteArgs),
}

pub(crate) async fn run(command: Organization, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Organization::List => list(session).await,
        Organization::Create(name) => create(name, session).await,
        Organization::Edit(args) => edit(args, session).await,
        Organization::Rotate(args) => rotate(args, session).await,
        Organization::Disable(args) => disable(args, session).await,
        Organization::Enable(which) => enable(which, session).await,
        Organization::Delete(args) => delete(args, session).await,
    }
}

async fn list(session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runners = session.org(&org).runners().await?;
    let none = "The organization has no runner yet; create one with `svc runner create <NAME>`.";
    session.output.all(&runners, none, table)
}

async fn create(name: NewName, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let new = NewRunner { name: name.into_text() };
    let created = session.org(&org).create_runner(&new).await;
    let next = "choose another name, or give that runner a new secret with `svc runner rotate`";
    let created = created.map_err(|error| taken(error, "a runner", &new.name, next))?;
    show_secret("created", &created, session)
}

/// Rename a runner of the organization
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc runner edit laptop --name build-2")]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    /// New name
    #[arg(long, value_name = "NEW_NAME")]
    name: String,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = args.which.find(&org, session).await?;
    let change = UpdateRunner { version: runner.version, name: Some(args.name), disabled: None };
    let runner = session.org(&org).update_runner(&runner.id, &change).await?;
    session.output.one(&runner, table)
}

/// Replace a runner's secret and print the new one. The old one stops working immediately
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc runner rotate laptop
  svc runner rotate laptop --yes > secret.txt")]
pub(crate) struct RotateArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn rotate(args: RotateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = args.which.find(&org, session).await?;
    let question =
        format!("Replace the secret of the runner {:?}, which then has to register again?", runner.name);
    args.confirm.sure(&question, session.output)?;
    let rotated = session.org(&org).rotate_runner(&runner.id).await?;
    show_secret("replaced the secret of", &rotated, session)
}

/// Disable a runner: its requests are refused until it is enabled again
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc runner disable laptop")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn disable(args: DisableArgs, session: &Session<'_>) -> Result<(), Failure> {
    let question = format!("Disable the runner {}?", args.which.runner);
    args.confirm.sure_on_terminal(&question, session.output)?;
    set_disabled(&args.which, true, session).await
}

async fn enable(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    set_disabled(&which, false, session).await
}

/// Delete a runner from the organization. Its secret stops working immediately
///
/// `svc runner remove` forgets an organization on this machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc runner delete laptop
  svc runner delete laptop --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = args.which.find(&org, session).await?;
    args.confirm.sure(&format!("Delete the runner {:?}?", runner.name), session.output)?;
    session.org(&org).delete_runner(&runner.id).await?;
    session.output.say(&format!("deleted the runner {:?}", runner.name));
    Ok(())
}

/// A runner.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the runner
    #[arg(value_name = "RUNNER")]
    runner: String,
}

impl Which {
    /// The runner that is meant.
    async fn find(&self, org: &str, session: &Session<'_>) -> Result<Runner, Failure> {
        let runners = session.org(org).runners().await?;
        pick("runner", &self.runner, runners, true, |runner| Named { id: &runner.id, name: &runner.name })
    }
}

/// Disables a runner, or enables it again.
async fn set_disabled(which: &Which, disabled: bool, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = which.find(&org, session).await?;
    let change = UpdateRunner { version: runner.version, name: None, disabled: Some(disabled) };
    let runner = session.org(&org).update_runner(&runner.id, &change).await?;
    session.output.one(&runner, table)
}

/// Prints a secret, and says how the machine is registered with it.
fn show_secret(did: &str, answer: &RunnerSecret, session: &Session<'_>) -> Result<(), Failure> {
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
fn table(runners: &[Runner]) -> Table {
    Table::of(runners)
        .fixed("STATE", state)
        .flexible("MACHINE", |runner| option(runner.label.as_deref()))
        .minor()
        .fixed("PARALLEL", |runner| runner.parallel.to_string())
        .minor()
        .fixed("LAST SEEN", |runner| runner.last_seen_at.map_or_else(|| "never".to_owned(), when))
        .minor()
        .flexible("HARNESSES", |runner| {
            let harnesses: Vec<_> = runner.harnesses.iter().map(|one| harness(*one).to_owned()).collect();
            joined(&harnesses)
        })
        .flexible("NAME", |runner| runner.name.as_str())
        .end()
}

const fn state(runner: &Runner) -> &'static str {
    match (runner.disabled, runner.online) {
        (true, _) => "disabled",
        (false, true) => "online",
        (false, false) => "offline",
    }
}
