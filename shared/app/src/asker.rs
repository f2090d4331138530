//! Who asks for something: whoever sends a request, or a person whose chat is connected to their account.

use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, ProjectKey, UserId};
use svc_storage::Key;

use crate::App;
use crate::entry::{Caller, Entry, enter_as, enter_project};
use crate::error::Result;

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) enum Asker<'a> {
    /// By a request.
    Request(Caller<'a>),
    /// By a chat that is theirs, with the rights that they have now.
    Person(OrgId, UserId),
}

impl Asker<'_> {
    /// Enters a project, asking for one capability in it.
    ///
    /// # Errors
    /// As [`enter_project`].
    pub(crate) async fn enter_project(
        self,
        app: &App,
        project: &ProjectKey,
        capability: Capability,
        more: impl Fn(OrgId) -> Vec<Key>,
    ) -> Result<Entry> {
        match self {
            Self::Request(caller) => enter_project(app, caller, project, capability, more).await,
            Self::Person(org, user) => {
                let entry = enter_as(app, org, user, project, more).await?;
                entry.access.require(capability)?;
                Ok(entry)
            }
        }
    }
}
