//! The agents of an organization that are not deleted, found through the rows of their names. The rows of deleted
//! agents stay, because history names them; a lookup here does not read them.

use svc_domain::agent::Agent;
use svc_domain::ids::OrgId;
use svc_storage::{Query, Range, keys};

use crate::App;
use crate::error::Result;
use crate::wanted;

/// The agents with their versions, oldest first.
pub(crate) async fn active_agents(app: &App, org: OrgId) -> Result<Vec<(Agent, u64)>> {
    let names = Range::Prefix(keys::org_name(org, "agent", "").sk);
    let names = app.table.query_all(Query::new(keys::org_pk(org), names, 1_000)).await?;
    let wanted = names.iter().map(|name| Ok(keys::agent(org, name.read()?))).collect::<Result<Vec<_>>>()?;
    let mut agents: Vec<(Agent, u64)> = Vec::with_capacity(wanted.len());
    for row in wanted::load(app, wanted).await?.into_iter().flatten() {
        agents.push((row.read()?, row.version));
    }
    // Between the two readings one may have been deleted, or have got another name.
    agents.retain(|(agent, _)| agent.is_there());
    agents.sort_unstable_by_key(|(agent, _)| agent.id);
    agents.dedup_by_key(|(agent, _)| agent.id);
    Ok(agents)
}
