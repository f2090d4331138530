//! What the commands of this noun share: how they name an agent and how they show it.

use svc_api::factory::{Agent, UpdateAgent};

use crate::commands::deleted::{self, Gone};
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, option, yes};
use crate::session::Session;

/// An agent.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the agent
    #[arg(value_name = "AGENT")]
    pub(super) agent: String,
}

/// The agent of an organization that `wanted` means, by name or id.
pub(in crate::commands) async fn find(
    wanted: &str,
    org: &str,
    session: &Session<'_>,
) -> Result<Agent, Failure> {
    one_of(session.org(org).agents().await?, wanted)
}

/// The same among those that were deleted and can be restored.
pub(super) async fn find_deleted(wanted: &str, org: &str, session: &Session<'_>) -> Result<Agent, Failure> {
    let deleted = session.org(org).deleted_agents().await?;
    if deleted.is_empty() {
        return Err(Failure::not_found("there are no deleted agents that can be restored"));
    }
    one_of(deleted, wanted)
}

fn one_of(mut agents: Vec<Agent>, wanted: &str) -> Result<Agent, Failure> {
    let all: Vec<_> = agents.iter().map(|agent| Named { id: &agent.id, name: &agent.name }).collect();
    let id = resolve("agent", wanted, &all, false)?;
    let index = agents.iter().position(|agent| agent.id == id);
    index
        .map(|index| agents.swap_remove(index))
        .ok_or_else(|| Failure::not_found(format!("there is no agent {wanted:?}")))
}

/// Disables an agent, or enables it again.
pub(super) async fn set_disabled(
    which: &Which,
    disabled: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agent = find(&which.agent, &org, session).await?;
    let change = UpdateAgent { version: agent.version, disabled: Some(disabled), ..UpdateAgent::default() };
    let agent = session.org(&org).update_agent(&agent.id, &change).await?;
    session.output.one(&agent, table)
}

/// Agents that were deleted, one a row.
pub(super) fn deleted_table(agents: &[Agent]) -> Table {
    let gone = agents.iter().map(|agent| Gone {
        id: &agent.id,
        deletion: agent.deletion.as_ref(),
        name: &agent.name,
    });
    deleted::table("ID", gone)
}

/// Agents, one a row.
pub(super) fn table(agents: &[Agent]) -> Table {
    let mut table = Table::new([
        Column::flexible("NAME"),
        Column::flexible("OWNER").minor(),
        Column::fixed("DISABLED"),
        Column::flexible("MODEL"),
    ]);
    for agent in agents {
        table.row([
            agent.name.as_str().into(),
            agent.owner.name.as_str().into(),
            yes(agent.disabled).into(),
            option(agent.model.as_deref()).into(),
        ]);
    }
    table
}
