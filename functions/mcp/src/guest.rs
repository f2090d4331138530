//! The caller of one request: who they are, and the organization that their token is bound to.

use std::sync::Arc;

use svc_app::factory::runs;
use svc_app::{App, BearerCredential, Caller};
use svc_domain::access::{Access, Capability, Standing};
use svc_domain::ids::OrgSlug;
use svc_http::{Holder, Trace};
use tokio::sync::watch;

/// Who asks, admitted.
#[derive(Clone)]
pub(crate) struct Guest {
    /// The application.
    pub(crate) app: Arc<App>,
    /// The credential, for use cases to check.
    pub(crate) credential: BearerCredential,
    /// The organization.
    pub(crate) org: OrgSlug,
    /// Its name.
    pub(crate) org_name: String,
    /// What they may do in it.
    pub(crate) access: Access,
    /// Whose place an answer takes that waits.
    pub(crate) holder: Holder,
    /// Closed when the client no longer waits for the answer.
    pub(crate) client: watch::Receiver<()>,
    /// The request in logs.
    pub(crate) trace: Trace,
}

impl Guest {
    /// The caller, to hand to a use case.
    pub(crate) const fn caller(&self) -> Caller<'_> {
        Caller { credential: Some(&self.credential), org: &self.org }
    }

    /// The credential, for use cases that find the organization by themselves.
    pub(crate) const fn credential(&self) -> Option<&BearerCredential> {
        Some(&self.credential)
    }

    /// Whether they are the agent of a run that refines its item: a refine run, or one that continues or repeats it.
    pub(crate) async fn refines(&self) -> bool {
        let Standing::Agent { run, .. } = &self.access.standing else { return false };
        let seen = runs::view(&self.app, self.credential(), Some(&self.org), *run).await;
        seen.is_ok_and(|seen| seen.run.is_refinement())
    }

    /// Whether they may do it anywhere in the organization.
    pub(crate) fn may(&self, capability: Capability) -> bool {
        self.access.may(capability)
    }
}
