//! Sessions of browsers: sign-in with a password, renewal, and every way to end them.
//!
//! Protocol.
//! 1. All sessions of a person are in one row, `SESSIONS`. Every commit that opens, renews or ends a session
//!    replaces that row under the version that it read, and writes or removes the credentials with it.
//! 2. Signing in also checks that the account has not changed since the password was compared. A new password
//!    replaces the account and the list in one commit, so no sign-in with the old password survives it.
//! 3. A renewal keeps the old credential, marked as replaced. If somebody uses it after the grace period, the
//!    session ends (`svc_domain::session`).
//! 4. An admin of the instance disables an account in that row too: `opening`, the one way to a session, refuses it.
//! 5. Creating an access token replaces the row too ([`unchanged`]). So whatever ends all sessions and tokens at
//!    once does not miss a token that is created at the same moment.

use jiff::SignedDuration;
use svc_domain::account::MAX_EMAIL;
use svc_domain::event::AccountEvent;
use svc_domain::identity::{Credential, Scope, Subject, User};
use svc_domain::ids::{TokenId, UserId};
use svc_domain::refusal::Refusal;
use svc_domain::session;
use svc_storage::{Condition, Op, RowOf, keys};

use super::ending::{end, load, removal, replace};
use super::passwords;
use super::visitor::{Visitor, count_guess};
use crate::App;
use crate::entry::{BearerCredential, account_of, all_scopes, authenticate};
use crate::error::Result;
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;

/// A new session of a browser, or a renewed one.
#[derive(Clone, Debug)]
pub struct Session {
    /// What the browser presents; stored nowhere in clear.
    pub secret: String,
    /// How long it lasts.
    pub lasts: SignedDuration,
}

/// A session as its owner lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSession {
    /// The session.
    pub session: session::Session,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Opens a session for who knows the password of an account. An unknown address is refused as a wrong
/// password is, and as slowly.
///
/// # Errors
/// [`Refusal::WrongPassword`]; [`Refusal::Forbidden`] for a disabled account; [`Refusal::RateLimited`] for strangers, when they have guessed too often.
pub async fn login(app: &App, email: &str, password: &str, visitor: &Visitor) -> Result<Session> {
    let known = match account(app, email).await? {
        Some(row) => {
            let user: User = row.read()?;
            Some((user.id, load(app, user.id).await?.0))
        }
        None => None,
    };
    count_guess(app, email, known.as_ref().map(|(user, sessions)| (*user, sessions)), visitor).await?;
    app.decide(|| async move {
        let row = account(app, email).await?;
        let user: Option<User> = row.as_ref().map(RowOf::read).transpose()?;
        let hash = user.as_ref().and_then(User::password).map(str::to_owned);
        if !passwords::verify(password, hash).await? {
            // Not the address that was typed: it may be a password.
            let account = user.map(|user| user.id.to_string());
            let address = visitor.address;
            tracing::warn!(account, %address, "a sign-in failed: wrong e-mail address or password");
            return Err(Refusal::WrongPassword.into());
        }
        let (user, row) = user.zip(row).ok_or(Refusal::WrongPassword)?;
        let (session, mut ops) = opening(app, user.id, visitor).await?;
        ops.push(row.unchanged());
        let opened = AccountEvent::SessionOpened(user.id);
        app.commit(Transaction::bookkeeping(app).with(ops).telling(opened)).await?;
        Ok(session)
    })
    .await
}

/// Replaces the secret of the session that asks and lets it last anew. `None` when that has just happened:
/// another tab of the same browser has the new secret.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::Forbidden`] for credentials that are no session.
pub async fn refresh(app: &App, caller: Option<&BearerCredential>) -> Result<Option<Session>> {
    app.decide(|| async move {
        let credential = authenticate(app, caller).await?;
        let (user, id) = own(&credential)?;
        let Subject::Session { replaced_at: None, .. } = credential.subject else { return Ok(None) };
        let hash = caller.map(|presented| presented.secret_hash.clone()).ok_or(Refusal::Unauthenticated)?;
        let (mut sessions, version) = load(app, user).await?;
        let known = sessions.list.iter_mut().find(|known| known.id == id).ok_or(Refusal::Unauthenticated)?;
        if known.secret_hash != hash {
            return Ok(None);
        }
        let (now, lasts) = (app.now(), lasts(app));
        let secret = secrets::mint(app, SecretKind::Session);
        known.replaced_hash = Some(hash.clone());
        known.secret_hash = secrets::hash(&secret);
        known.renewed_at = now;
        known.expires_at = now + lasts;
        let old = Credential {
            subject: Subject::Session { user, session: Some(id), replaced_at: Some(now) },
            ..credential.clone()
        };
        let old_end = credential.expires_at.unwrap_or(now).as_second();
        let ops = [
            credential_op(app, user, id, &known.secret_hash),
            Op::put(keys::credential(&hash), Condition::Present, &old).expiring(old_end),
            replace(user, &sessions, version),
        ];
        app.commit(Transaction::bookkeeping(app).with(ops)).await?;
        Ok(Some(Session { secret, lasts }))
    })
    .await
}

/// Ends the session that asks.
///
/// # Errors
/// [`Refusal::Unauthenticated`]; [`Refusal::Forbidden`] for credentials that are no session.
pub async fn logout(app: &App, caller: Option<&BearerCredential>) -> Result<()> {
    let (user, id) = own(&authenticate(app, caller).await?)?;
    end(app, user, |session| session.id == id).await.map(|_| ())
}

/// The caller's sessions, the newest sign-in first.
///
/// # Errors
/// As [`account_of`].
pub async fn sessions(app: &App, caller: Option<&BearerCredential>) -> Result<Vec<ListedSession>> {
    let credential = authenticate(app, caller).await?;
    let user = account_of(&credential, Scope::Read)?;
    let (mut sessions, _) = load(app, user).await?;
    let now = app.now();
    sessions.list.retain(|session| now < session.expires_at);
    sessions.list.sort_by_key(|session| std::cmp::Reverse((session.created_at, session.id)));
    let own = own(&credential).ok().map(|(_, id)| id);
    let listed = |session: session::Session| ListedSession { current: own == Some(session.id), session };
    Ok(sessions.list.into_iter().map(listed).collect())
}

/// Ends one of the caller's sessions.
///
/// # Errors
/// As [`account_of`]; [`Refusal::NotFound`].
pub async fn end_session(app: &App, caller: Option<&BearerCredential>, id: TokenId) -> Result<()> {
    let user = account_of(&authenticate(app, caller).await?, Scope::Write)?;
    let ended = end(app, user, |session| session.id == id).await?;
    if ended == 0 { Err(Refusal::NotFound.into()) } else { Ok(()) }
}

/// Signs the caller out everywhere. Access tokens go on working: they are revoked one by one.
///
/// # Errors
/// As [`account_of`].
pub async fn end_sessions(app: &App, caller: Option<&BearerCredential>) -> Result<()> {
    let user = account_of(&authenticate(app, caller).await?, Scope::Write)?;
    end(app, user, |_| true).await.map(|_| ())
}

/// What the owner of a disabled account is told once they have shown who they are.
const DISABLED: Refusal = Refusal::Forbidden("an admin of this instance disabled your account; ask them why");

/// A new session of an account, and what writes it. A disabled account gets none.
pub(super) async fn opening(app: &App, user: UserId, visitor: &Visitor) -> Result<(Session, Vec<Op>)> {
    let (mut sessions, version) = load(app, user).await?;
    if sessions.is_disabled() {
        return Err(DISABLED.into());
    }
    let secret = secrets::mint(app, SecretKind::Session);
    let (now, lasts, id) = (app.now(), lasts(app), TokenId(app.uuid()));
    let opened = session::Session {
        id,
        secret_hash: secrets::hash(&secret),
        replaced_hash: None,
        client: session::client(&visitor.client),
        created_at: now,
        renewed_at: now,
        expires_at: now + lasts,
    };
    let mut ops = vec![credential_op(app, user, id, &opened.secret_hash)];
    ops.extend(sessions.open(opened, now).iter().flat_map(removal));
    sessions.remember(visitor.familiar(user));
    ops.push(replace(user, &sessions, version));
    Ok((Session { secret, lasts }, ops))
}

fn lasts(app: &App) -> SignedDuration {
    SignedDuration::from_hours(i64::from(app.settings.authentication.session_hours))
}

fn credential_op(app: &App, user: UserId, id: TokenId, hash: &str) -> Op {
    let expires_at = app.now() + lasts(app);
    let credential = Credential {
        subject: Subject::Session { user, session: Some(id), replaced_at: None },
        scopes: all_scopes(),
        org: None,
        expires_at: Some(expires_at),
    };
    Op::create(keys::credential(hash), &credential).expiring(expires_at.as_second())
}

/// The person and the session that a credential is.
pub(super) fn own(credential: &Credential) -> Result<(UserId, TokenId)> {
    match credential.subject {
        Subject::Session { user, session: Some(id), .. } => Ok((user, id)),
        Subject::Session { session: None, .. } => Err(Refusal::Unauthenticated.into()),
        Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => {
            Err(Refusal::Forbidden("only a browser session can sign out; revoke an access token instead")
                .into())
        }
    }
}

/// The row of the account of an address.
pub(crate) async fn account(app: &App, email: &str) -> Result<Option<RowOf<User>>> {
    if email.len() > MAX_EMAIL {
        return Ok(None);
    }
    let Some(row) = app.table.get(&keys::email(email)).await? else { return Ok(None) };
    let user: UserId = row.read()?;
    Ok(app.table.find(&keys::user(user)).await?)
}
