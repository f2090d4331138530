//! `svc agent`.

use clap::Subcommand;
use svc_api::Patch;
use svc_api::factory::{Agent, NewAgent, UpdateAgent};

use crate::commands::confirm::Confirm;
use crate::commands::deleted::{self, Gone, not_restored};
use crate::commands::named::{Named, pick};
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::{Table, option, yes};
use crate::session::Session;
use crate::values::OrNone;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    #[command(visible_alias = "update")]
    Edit(EditArgs),
    #[command(visible_alias = "remove")]
    Delete(DeleteArgs),
    /// Restore a deleted agent.
    #[command(after_help = "\
Examples:
  svc agent list --deleted
  svc agent restore Robin")]
    Restore(Which),
    Disable(DisableArgs),
    /// Let a disabled agent take runs again.
    #[command(after_help = "\
Example:
  svc agent enable robin")]
    Enable(Which),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list(args, session).await,
        Command::Create(args) => create(args, session).await,
        Command::Edit(args) => edit(args, session).await,
        Command::Delete(args) => delete(args, session).await,
        Command::Restore(which) => restore(which, session).await,
        Command::Disable(args) => disable(args, session).await,
        Command::Enable(which) => enable(which, session).await,
    }
}

/// List the organization's agents.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent list
  svc agent list --deleted")]
pub(crate) struct ListArgs {
    /// List the agents that were deleted and can be restored
    #[arg(long)]
    deleted: bool,
}

async fn list(args: ListArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    if args.deleted {
        let agents = session.org(&org).deleted_agents().await?;
        return session.output.all(
            &agents,
            "There are no deleted agents that can be restored.",
            deleted_table,
        );
    }
    let agents = session.org(&org).agents().await?;
    session.output.all(&agents, "There is no agent yet; create one with `svc agent create <NAME>`.", table)
}

/// Create an agent that items can be handed to. You own it.
///
/// If the organization has only one agent, runs use it by default.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent create Robin
  svc agent create Robin --model opus")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    /// Model for the harness to use [default: the harness's own]
    #[arg(long)]
    model: Option<String>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewAgent { name: args.name.into_text(), model: args.model };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_agent(&new).await;
    let next = "choose another name, or change that agent with `svc agent edit`";
    let agent = created.map_err(|error| taken(error, "an agent", &new.name, next))?;
    session.output.one(&agent, table)
}

/// Rename an agent, or change its model.
///
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc agent edit [OPTIONS] <AGENT>",
    after_help = "\
Examples:
  svc agent edit robin --name Sam
  svc agent edit robin --model none"
)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// Model for the harness to use, or none for the harness's default
    #[arg(long)]
    model: Option<OrNone<String>>,
}

async fn edit(args: EditArgs, session: &Session<'_>) -> Result<(), Failure> {
    let EditArgs { which, change: Change { name, model } } = args;
    let org = session.org_slug().await?;
    let agent = find(&which.agent, &org, session).await?;
    let model = model.map_or(Patch::Keep, Patch::from);
    let change = UpdateAgent { version: agent.version, name, model, disabled: None };
    let agent = session.org(&org).update_agent(&agent.id, &change).await?;
    session.output.one(&agent, table)
}

/// Delete an agent. It can be restored for 30 days.
///
/// Its queued runs wait until the agent is restored or the runs are cancelled; runs that have started continue. To
/// pause an agent, use `svc agent disable`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent delete Robin
  svc agent delete Robin --yes")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn delete(args: DeleteArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agent = find(&args.which.agent, &org, session).await?;
    args.confirm.sure_by_name("agent", &agent.name, session.output)?;
    session.org(&org).delete_agent(&agent.id).await?;
    let name = &agent.name;
    session
        .output
        .say(&format!("deleted the agent {name:?}; `svc agent restore {name:?}` brings it back for 30 days"));
    Ok(())
}

async fn restore(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agent = find_deleted(&which.agent, &org, session).await?;
    let restored = session.org(&org).restore_agent(&agent.id).await;
    let hint = format!("`svc agent edit {:?} --name <NEW_NAME>` renames the other one", agent.name);
    session.output.one(&restored.map_err(|error| not_restored(error, "Another agent", &hint))?, table)
}

/// Stop an agent from taking new runs
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc agent disable robin")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

async fn disable(args: DisableArgs, session: &Session<'_>) -> Result<(), Failure> {
    let question = format!("Disable the agent {}?", args.which.agent);
    args.confirm.sure_on_terminal(&question, session.output)?;
    set_disabled(&args.which, true, session).await
}

async fn enable(which: Which, session: &Session<'_>) -> Result<(), Failure> {
    set_disabled(&which, false, session).await
}

/// An agent.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the agent
    #[arg(value_name = "AGENT")]
    agent: String,
}

/// The agent of an organization that `wanted` means, by name or id.
pub(super) async fn find(wanted: &str, org: &str, session: &Session<'_>) -> Result<Agent, Failure> {
    one_of(session.org(org).agents().await?, wanted)
}

/// The same among those that were deleted and can be restored.
async fn find_deleted(wanted: &str, org: &str, session: &Session<'_>) -> Result<Agent, Failure> {
    let deleted = session.org(org).deleted_agents().await?;
    if deleted.is_empty() {
        return Err(Failure::not_found("there are no deleted agents that can be restored"));
    }
    one_of(deleted, wanted)
}

fn one_of(agents: Vec<Agent>, wanted: &str) -> Result<Agent, Failure> {
    pick("agent", wanted, agents, false, |agent| Named { id: &agent.id, name: &agent.name })
}

/// Disables an agent, or enables it again.
async fn set_disabled(which: &Which, disabled: bool, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agent = find(&which.agent, &org, session).await?;
    let change = UpdateAgent { version: agent.version, disabled: Some(disabled), ..UpdateAgent::default() };
    let agent = session.org(&org).update_agent(&agent.id, &change).await?;
    session.output.one(&agent, table)
}

/// Agents that were deleted, one a row.
fn deleted_table(agents: &[Agent]) -> Table {
    let gone = agents.iter().map(|agent| Gone {
        id: &agent.id,
        deletion: agent.deletion.as_ref(),
        name: &agent.name,
    });
    deleted::table("ID", gone)
}

/// Agents, one a row.
fn table(agents: &[Agent]) -> Table {
    Table::of(agents)
        .flexible("NAME", |agent| agent.name.as_str())
        .flexible("OWNER", |agent| agent.owner.name.as_str())
        .minor()
        .fixed("DISABLED", |agent| yes(agent.disabled))
        .flexible("MODEL", |agent| option(agent.model.as_deref()))
        .end()
}
