//! Signing in with a password, for as long as it takes to make an access token: what these calls answer is a client that
//! sends the cookie of the session.

use reqwest::Method;
use reqwest::header::SET_COOKIE;
use secrecy::SecretString;
use svc_api::identity::{AcceptInvitation, InvitationSecret, Login, ReceivedInvitation, Register};

use crate::client::{Client, SESSION_COOKIE};
use crate::error::Error;
use crate::send::Call;

impl Client {
    /// Makes the first account and its organization, and signs in to it.
    pub async fn register(&self, first: &Register) -> Result<Self, Error> {
        session(self, self.call(Method::POST, "/auth/register", &[]).json(first)).await
    }

    /// Signs in to an account.
    pub async fn login(&self, login: &Login) -> Result<Self, Error> {
        session(self, self.call(Method::POST, "/auth/login", &[]).json(login)).await
    }

    /// Ends the session that this client carries.
    pub async fn logout(&self) -> Result<(), Error> {
        self.call(Method::POST, "/auth/logout", &[]).done().await
    }

    /// What an invitation invites to.
    pub async fn look_at_invitation(&self, secret: &InvitationSecret) -> Result<ReceivedInvitation, Error> {
        self.post("/auth/invitations/look", &[]).json(secret).fetch().await
    }

    /// Joins an organization by its invitation with a new account, and signs in to it.
    pub async fn join(&self, accept: &AcceptInvitation) -> Result<Self, Error> {
        session(self, self.call(Method::POST, "/auth/invitations/accept", &[]).json(accept)).await
    }
}

/// Sends a call that opens a session.
async fn session(client: &Client, call: Call<'_>) -> Result<Client, Error> {
    let response = call.open().await?;
    let cookies = response.headers().get_all(SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let mut secret = cookies.filter_map(|cookie| {
        let (name, value) = cookie.split(';').next()?.split_once('=')?;
        (name.trim() == SESSION_COOKIE && !value.is_empty()).then(|| SecretString::from(value.trim()))
    });
    let status = response.status().as_u16();
    let none = || Error::Unexpected { status, detail: "it opened no session".to_owned() };
    client.in_session(&secret.next_back().ok_or_else(none)?)
}
