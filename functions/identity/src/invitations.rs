//! Invitations to an organization.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod resend;
pub(crate) mod revoke;
