//! Rows of people: accounts, credentials, sessions, links and invitations. The table of all rows is in the
//! module above.

use svc_domain::identity::{Credential, User};
use svc_domain::ids::{AvatarId, InvitationId, NotificationId, OrgId, TokenId, UserId};
use svc_domain::invitation::Invitation;
use svc_domain::session::Sessions;

use super::org_pk;
use crate::{Key, KeyOf};

/// First-run marker.
pub fn setup() -> Key {
    Key::new("SETUP", "DONE")
}

/// Who signs in with an address; addresses are the same whatever their case.
pub fn email(address: &str) -> Key {
    Key::new(format!("EMAIL#{}", address.trim().to_lowercase()), "USER")
}

/// Credential by the hex SHA-256 of its secret.
pub fn credential(secret_hash: &str) -> KeyOf<Credential> {
    KeyOf::new(format!("SECRET#{secret_hash}"), "CREDENTIAL")
}

/// Which invitation a link belongs to, by the hex SHA-256 of its secret.
pub fn invitation_secret(secret_hash: &str) -> Key {
    Key::new(format!("INVITE#{secret_hash}"), "INVITATION")
}

/// Whose password a link may replace, by the hex SHA-256 of its secret.
pub fn password_reset(secret_hash: &str) -> Key {
    Key::new(format!("RESET#{secret_hash}"), "PASSWORD")
}

/// Which account a link gives a new address, by the hex SHA-256 of its secret.
pub fn new_address(secret_hash: &str) -> Key {
    Key::new(format!("ADDRESS#{secret_hash}"), "USER")
}

/// An attempt to sign in with an identity provider, by the hex SHA-256 of its secret.
pub fn sign_in(secret_hash: &str) -> Key {
    Key::new(format!("SIGNIN#{secret_hash}"), "ATTEMPT")
}

/// The account of a person whom an identity provider knows, by the hex SHA-256 of issuer and subject.
pub fn foreign_person(hash: &str) -> Key {
    Key::new(format!("FOREIGN#{hash}"), "USER")
}

/// A person's account.
pub fn user(user: UserId) -> KeyOf<User> {
    KeyOf::new(user_pk(user), "PROFILE")
}

/// Partition of a person.
pub fn user_pk(user: UserId) -> String {
    format!("USER#{user}")
}

/// Sort keys of a person's organizations begin with this.
pub const USER_ORG_PREFIX: &str = "ORG#";

/// That a person belongs to an organization.
pub fn user_org(user: UserId, org: OrgId) -> Key {
    Key::new(user_pk(user), format!("{USER_ORG_PREFIX}{org}"))
}

/// Sort keys of a person's access tokens begin with this.
pub const TOKEN_PREFIX: &str = "TOKEN#";

/// A person's access token, as listed.
pub fn token(user: UserId, token: TokenId) -> Key {
    Key::new(user_pk(user), format!("{TOKEN_PREFIX}{token}"))
}

/// Sort keys of the last uses of a person's access tokens begin with this.
pub const TOKEN_USE_PREFIX: &str = "USED#";

/// When an access token was last used; apart from the token, because it changes all the time.
pub fn token_use(user: UserId, token: TokenId) -> Key {
    Key::new(user_pk(user), format!("{TOKEN_USE_PREFIX}{token}"))
}

/// All sessions of a person, in one row, so that one commit can end them.
pub fn sessions(user: UserId) -> KeyOf<Sessions> {
    KeyOf::new(user_pk(user), "SESSIONS")
}

/// A picture of a person.
pub fn avatar(avatar: AvatarId) -> Key {
    Key::new(format!("AVATAR#{avatar}"), "PICTURE")
}

/// Sort keys of an organization's invitations begin with this.
pub const INVITATION_PREFIX: &str = "INVITE#";

/// An invitation to an organization.
pub fn invitation(org: OrgId, invitation: InvitationId) -> KeyOf<Invitation> {
    KeyOf::new(org_pk(org), format!("{INVITATION_PREFIX}{invitation}"))
}

/// Partition of what a person is told.
pub fn inbox_pk(user: UserId) -> String {
    format!("INBOX#{user}")
}

/// What a person is told of one subject.
pub fn inbox(user: UserId, entry: NotificationId) -> Key {
    Key::new(inbox_pk(user), entry.to_string())
}
