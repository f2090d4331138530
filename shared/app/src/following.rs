//! Following something as it changes: who follows, what they are told, and how often.

use std::sync::Arc;
use std::time::Duration;

use svc_domain::ids::OrgSlug;

use crate::App;
use crate::entry::{BearerCredential, Caller};

/// How often somebody looks for what other processes wrote. What this one writes wakes them where they wait for that.
pub(crate) const POLL: Duration = Duration::from_secs(1);
/// After so long without news, a follower is let in again and gives a sign of life.
pub(crate) const QUIET: Duration = Duration::from_secs(15);

/// Who follows something in an organization.
#[derive(Clone)]
pub struct Follower {
    /// The application.
    pub app: Arc<App>,
    /// Their credential.
    pub credential: Option<BearerCredential>,
    /// Slug of the organization.
    pub slug: OrgSlug,
}

impl Follower {
    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller { credential: self.credential.as_ref(), org: &self.slug }
    }
}

/// What a follower is told.
#[derive(Clone, Debug)]
pub enum Told<T> {
    /// What is new.
    News(T),
    /// Nothing, for a while.
    Quiet,
}
