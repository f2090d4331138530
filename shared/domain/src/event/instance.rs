//! Events of the instance: what its admins do to accounts, organizations and the service itself.

use crate::identity::Plan;
use crate::ids::{OrgSlug, UserId};

/// What an admin of the instance did. Told without an organization, it is a line of the instance's audit log; told in
/// one, a line of that organization's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstanceEvent {
    /// An account was disabled.
    AccountDisabled(UserId),
    /// An account was enabled again.
    AccountEnabled(UserId),
    /// An account was signed out everywhere.
    AccountSignedOut(UserId),
    /// A link to a new password was made or mailed for an account.
    PasswordLinkMade(UserId),
    /// An organization was put on a plan, or on none.
    PlanSet {
        /// The organization.
        org: OrgSlug,
        /// The plan before.
        from: Option<Plan>,
        /// The plan after.
        to: Option<Plan>,
    },
    /// So many messages that workers gave up on were sent again.
    MessagesReplayed(usize),
    /// A mail was sent to this address, to see whether that works.
    MailTested(String),
}
