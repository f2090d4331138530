//! The caller's own account.

use std::collections::BTreeSet;

use svc_domain::identity::{Credential, Scope, Subject, User};
use svc_domain::ids::AgentId;
use svc_domain::refusal::Refusal;
use svc_storage::keys;

use super::admins;
use super::orgs::{VisibleOrg, require, visible_to};
use crate::App;
use crate::entry::{BearerCredential, authenticate, person};
use crate::error::Result;
use crate::settings::Creators;

/// The caller.
#[derive(Clone, Debug)]
pub struct Me {
    /// Whom the credential speaks for.
    pub who: Who,
    /// What the credential may do.
    pub scopes: BTreeSet<Scope>,
    /// Organizations that the credential sees.
    pub orgs: Vec<VisibleOrg>,
    /// Whether the person administers the instance, and the credential reaches so far.
    pub is_instance_admin: bool,
    /// Whether the person may create organizations, and the credential reaches so far.
    pub creates_orgs: bool,
}

/// A person or an agent.
#[derive(Clone, Debug)]
pub enum Who {
    /// A person, and the version of the account.
    Person(User, u64),
    /// The agent of a run.
    Agent {
        /// The agent.
        id: AgentId,
        /// Its name.
        name: String,
    },
}

/// The caller, and the organizations that the credential sees.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for runners.
pub async fn me(app: &App, caller: Option<&BearerCredential>) -> Result<Me> {
    let credential = authenticate(app, caller).await?;
    let may = require(&credential, Scope::Read);
    let me = seen_by(app, credential).await?;
    may?;
    Ok(me)
}

/// Whom a credential speaks for, and the organizations that it sees.
pub(super) async fn seen_by(app: &App, credential: Credential) -> Result<Me> {
    let orgs = visible_to(app, &credential).await?;
    let who = match &credential.subject {
        Subject::AgentRun { agent, name, .. } => Who::Agent { id: *agent, name: name.clone() },
        Subject::Session { .. }
        | Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. } => {
            let user = person(&credential)?;
            let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
            Who::Person(row.read()?, row.version)
        }
    };
    let (is_instance_admin, creates_orgs) = match &who {
        Who::Person(user, _) if credential.org.is_none() => {
            let is_admin = admins::admins(app).await?.include(user);
            (is_admin, is_admin || app.settings.administration.create_organizations == Creators::Anybody)
        }
        Who::Person(..) | Who::Agent { .. } => (false, false),
    };
    Ok(Me { who, scopes: credential.scopes, orgs, is_instance_admin, creates_orgs })
}
