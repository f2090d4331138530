//! Whom a text can mention: the people who see the project, and the organization's agents.

use std::collections::BTreeSet;

use svc_domain::identity::{Member, ProjectMember};
use svc_domain::ids::{Actor, ActorId, OrgId, ProjectKey, UserId};
use svc_domain::mention;
use svc_storage::{Query, Range, Row, StorageError, keys};

use crate::App;
use crate::active_agents::active_agents;
use crate::error::Result;

/// Those whom a text mentions. Asks storage only where there can be somebody.
pub(crate) async fn mentioned(app: &App, org: OrgId, project: &ProjectKey, body: &str) -> Result<Vec<Actor>> {
    if !mention::may_mention(body) {
        return Ok(Vec::new());
    }
    let of_org = keys::org_pk(org);
    let (members, in_project, agents) = futures::try_join!(
        all::<Member>(app, of_org, keys::MEMBER_PREFIX),
        all::<ProjectMember>(app, keys::project_pk(org, project), keys::MEMBER_PREFIX),
        active_agents(app, org),
    )?;
    let in_project: BTreeSet<UserId> = in_project.into_iter().map(|member| member.user).collect();
    let sees = |member: &Member| member.role.administers() || in_project.contains(&member.user);
    let people = members
        .into_iter()
        .filter(sees)
        .map(|member| Actor { id: ActorId::User(member.user), name: member.display_name });
    let known: Vec<Actor> = people.chain(agents.iter().map(|(agent, _)| agent.actor())).collect();
    Ok(mention::mentioned(body, &known))
}

async fn all<T: serde::de::DeserializeOwned>(app: &App, pk: String, prefix: &str) -> Result<Vec<T>> {
    let rows = app.table.query_all(Query::new(pk, Range::Prefix(prefix.to_owned()), 1_000)).await?;
    Ok(rows.iter().map(Row::read).collect::<Result<_, StorageError>>()?)
}
