//! Signing in with a password and signing out.

use jiff::SignedDuration;
use svc_domain::account::MAX_EMAIL;
use svc_domain::identity::{Credential, Subject, User};
use svc_domain::ids::UserId;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, keys};

use super::passwords;
use crate::App;
use crate::entry::{Presented, all_scopes, authenticate};
use crate::error::Result;
use crate::secrets::{self, SecretKind};

/// A new session of a browser.
#[derive(Clone, Debug)]
pub struct Session {
    /// What the browser presents; stored nowhere in clear.
    pub secret: String,
    /// How long it lasts.
    pub lasts: SignedDuration,
}

/// Opens a session for who knows the password of an account. An unknown address is refused as a wrong
/// password is, and as slowly.
///
/// # Errors
/// [`Refusal::WrongPassword`].
pub async fn login(app: &App, email: &str, password: &str) -> Result<Session> {
    let user = account(app, email).await?;
    let hash = user.as_ref().map(|user| user.password_hash.clone());
    if !passwords::verify(password, hash).await? {
        return Err(Refusal::WrongPassword.into());
    }
    let user = user.ok_or(Refusal::WrongPassword)?;
    let (session, op) = opened(app, user.id);
    app.commit(vec![op]).await?;
    Ok(session)
}

/// Ends the session that asks.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::Forbidden`] for credentials that are no session.
pub async fn logout(app: &App, caller: Option<&Presented>) -> Result<()> {
    let credential = authenticate(app, caller).await?;
    let Some(presented) = caller.filter(|_| matches!(credential.subject, Subject::Session { .. })) else {
        return Err(Refusal::Forbidden("only a browser signs out; revoke an access token instead").into());
    };
    app.commit(vec![Op::delete(keys::credential(&presented.secret_hash), Condition::None)]).await
}

/// A session for an account, and what writes it.
pub(super) fn opened(app: &App, user: UserId) -> (Session, Op) {
    let lasts = SignedDuration::from_hours(i64::from(app.settings.authentication.session_hours));
    let secret = secrets::mint(app, SecretKind::Session);
    let expires_at = app.now() + lasts;
    let credential = Credential {
        subject: Subject::Session { user },
        scopes: all_scopes(),
        org: None,
        expires_at: Some(expires_at),
    };
    let op = Op::create(keys::credential(&secrets::hash(&secret)), &credential);
    (Session { secret, lasts }, op.expiring(expires_at.as_second()))
}

async fn account(app: &App, email: &str) -> Result<Option<User>> {
    if email.len() > MAX_EMAIL {
        return Ok(None);
    }
    let Some(row) = app.table.get(&keys::email(email)).await? else { return Ok(None) };
    let user: UserId = row.read()?;
    Ok(app.table.get(&keys::user(user)).await?.map(|row| row.read()).transpose()?)
}
