//! Events of accounts.

use crate::ids::{TokenId, UserId};

/// Where a personal access token works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenReach {
    /// In the organization that it is bound to.
    Organization,
    /// Wherever its owner may enter.
    Account,
}

/// What happens to an account, which belongs to no organization.
#[derive(Clone, Debug, PartialEq)]
pub enum AccountEvent {
    /// An account was created.
    Created(UserId),
    /// Name, address or picture of an account changed.
    ProfileChanged(UserId),
    /// The password of an account was replaced.
    PasswordChanged(UserId),
    /// Somebody asked for a link to choose a new password for this address.
    PasswordResetRequested(String),
    /// A new address was asked for, which is to be confirmed.
    AddressChangeRequested(UserId, String),
    /// An account was connected with the identity provider.
    ProviderConnected(UserId),
    /// An account's connection with the identity provider ended.
    ProviderDisconnected(UserId),
    /// A session was opened.
    SessionOpened(UserId),
    /// Sessions were ended.
    SessionsEnded(UserId),
    /// A personal access token of this name was made.
    TokenCreated(TokenId, String, TokenReach),
    /// A personal access token of this name was revoked.
    TokenRevoked(TokenId, String, TokenReach),
}
