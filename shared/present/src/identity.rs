//! People, organizations, roles, tokens, sessions and invitations.

pub mod read;
pub mod view;
