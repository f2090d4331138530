//! The agents of an organization that are not deleted, found through the rows of their names. The rows of deleted
//! agents stay, because history names them; a lookup here does not read them.

use svc_domain::agent::Agent;
use svc_domain::ids::{AgentId, OrgId};
use svc_storage::{Key, Limits, Query, Range, keys};

use crate::App;
use crate::error::Result;

/// The agents with their versions, oldest first.
pub(crate) async fn agents_there(app: &App, org: OrgId) -> Result<Vec<(Agent, u64)>> {
    let names = Range::Prefix(keys::org_name(org, "agent", "").sk);
    let names = app.table.query_all(Query::new(keys::org_pk(org), names, 1_000)).await?;
    let mut wanted: Vec<Key> = Vec::with_capacity(names.len());
    for name in names {
        wanted.push(keys::agent(org, name.read::<AgentId>()?));
    }
    let mut agents: Vec<(Agent, u64)> = Vec::with_capacity(wanted.len());
    for wanted in wanted.chunks(Limits::KEYS) {
        for row in app.table.get_many(wanted).await?.into_iter().flatten() {
            agents.push((row.read()?, row.version));
        }
    }
    // Between the two readings one may have been deleted, or have got another name.
    agents.retain(|(agent, _)| agent.is_there());
    agents.sort_unstable_by_key(|(agent, _)| agent.id);
    agents.dedup_by_key(|(agent, _)| agent.id);
    Ok(agents)
}
