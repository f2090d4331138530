//! The origin of a request: a caller of the API, or a person with a chat that is connected to their account.

use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, ProjectKey, UserId};

use crate::App;
use crate::entry::{Caller, Entry, enter_as_with, enter_project_with};
use crate::error::Result;
use crate::wanted::Wanted;

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) enum Asker<'a> {
    /// By a request.
    Request(Caller<'a>),
    /// By a chat that is theirs, with the rights that they have now.
    Person(OrgId, UserId),
}

impl Asker<'_> {
    /// Enters a project, asking for one capability in it, and loads rows in the same round trip.
    ///
    /// # Errors
    /// As [`enter_project_with`].
    pub(crate) async fn enter_project_with<W: Wanted>(
        self,
        app: &App,
        project: &ProjectKey,
        capability: Capability,
        wanted: impl Fn(OrgId) -> W,
    ) -> Result<(Entry, W::Rows)> {
        match self {
            Self::Request(caller) => enter_project_with(app, caller, project, capability, wanted).await,
            Self::Person(org, user) => {
                let (entry, rows) = enter_as_with(app, org, user, project, wanted).await?;
                entry.access.require(capability)?;
                Ok((entry, rows))
            }
        }
    }
}
