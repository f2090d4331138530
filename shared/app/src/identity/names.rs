//! Replaces the names of people and agents that rows repeat (in comments, history, files, page versions and runs)
//! with their current names.
//!
//! Removed people and agents keep the name that was written. Items are listed from memory, so a worker updates their
//! copies instead ([`super::spread`]). The audit log keeps the original names.

use std::collections::{BTreeSet, HashMap};

use svc_domain::agent::Agent;
use svc_domain::identity::Member;
use svc_domain::ids::{Actor, ActorId, AgentId, OrgId};
use svc_domain::run::Named;
use svc_storage::{Key, keys};

use crate::App;
use crate::error::Result;
use crate::wanted;

/// A name in a row that is about to be shown.
pub(crate) struct Called<'a> {
    id: ActorId,
    name: &'a mut String,
}

impl<'a> From<&'a mut Actor> for Called<'a> {
    fn from(actor: &'a mut Actor) -> Self {
        Self { id: actor.id, name: &mut actor.name }
    }
}

impl<'a> From<&'a mut Named<AgentId>> for Called<'a> {
    fn from(agent: &'a mut Named<AgentId>) -> Self {
        Self { id: ActorId::Agent(agent.id), name: &mut agent.name }
    }
}

/// Gives each of these the name that they have now.
///
/// # Errors
/// Those of storage.
pub(crate) async fn bring_up_to_date<'a, C: Into<Called<'a>>>(
    app: &App,
    org: OrgId,
    called: impl IntoIterator<Item = C>,
) -> Result<()> {
    let called: Vec<Called<'a>> = called.into_iter().map(Into::into).collect();
    let names = Names::of(app, org, called.iter().map(|called| called.id)).await?;
    names.give(called);
    Ok(())
}

/// What some people and agents are called now; read beside what names them, where that saves a round trip.
pub(crate) struct Names(HashMap<ActorId, String>);

impl Names {
    /// Reads their names.
    ///
    /// # Errors
    /// Those of storage.
    pub(crate) async fn of(app: &App, org: OrgId, ids: impl IntoIterator<Item = ActorId>) -> Result<Self> {
        let ids: Vec<ActorId> = ids.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let mut names = HashMap::new();
        let wanted: Vec<Key> = ids.iter().map(|id| row_of(org, *id)).collect();
        for (id, row) in ids.into_iter().zip(wanted::load(app, wanted).await?) {
            let Some(row) = row else { continue };
            let name = match id {
                ActorId::User(_) => row.read::<Member>()?.display_name,
                ActorId::Agent(_) => row.read::<Agent>()?.name,
            };
            names.insert(id, name);
        }
        Ok(Self(names))
    }

    /// Gives each of these their name, if it is known.
    pub(crate) fn give<'a, C: Into<Called<'a>>>(&self, called: impl IntoIterator<Item = C>) {
        for Called { id, name } in called.into_iter().map(Into::into) {
            if let Some(now) = self.0.get(&id) {
                name.clone_from(now);
            }
        }
    }
}

fn row_of(org: OrgId, id: ActorId) -> Key {
    match id {
        ActorId::User(user) => keys::member(org, user).into(),
        ActorId::Agent(agent) => keys::agent(org, agent).into(),
    }
}
