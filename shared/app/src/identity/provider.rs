//! Sign-in with an identity provider: the browser goes there and comes back with a code, which the provider exchanges
//! for the person's identity.
//!
//! Protocol.
//! 1. The start creates a secret for the browser's cookie. State, nonce and PKCE verifier are derived from the
//!    secret, so none of them is stored. A row under the secret's SHA-256 holds the purpose of the attempt and
//!    its expiry.
//! 2. The callback needs the cookie, and the state that belongs to its secret. It deletes the row before it asks
//!    the provider anything, so an attempt works once, in the browser that began it.
//! 3. The account is the one that is connected with the provider's subject. Otherwise, if the attempt began in
//!    order to connect, it is the account that is still signed in. Otherwise it is the account with the address,
//!    if both the provider and we know that mail to the address reaches the person. Otherwise it is a new
//!    account, for an invited person, or for everybody if the settings say so.
//! 4. Connection, account, membership and session are one commit, conditional on the account as it was read. An
//!    account has one connection and a subject has one account. So if the provider gives an address to somebody
//!    else, that person does not get the account.
//! 5. The groups that the provider names then give and take roles ([`super::group_roles`]).

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::account;
use svc_domain::event::AccountEvent;
use svc_domain::identity::{Scope, Subject, User};
use svc_domain::ids::UserId;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Key, Op, RowOf, keys};

use super::first_account::setup_needed;
use super::passwords::knows;
use super::sessions::{self, Session, opening};
use super::visitor::Visitor;
use super::{group_roles, joining, look_at_invitation};
use crate::App;
use crate::app::SignIn;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::Result;
use crate::ports::{Attempt, ForeignPerson, ProviderError};
use crate::secrets::{self, DerivationKey, SecretKind};
use crate::transaction::Transaction;

/// How long a person may take at the provider.
const TERM: SignedDuration = SignedDuration::from_mins(10);

/// What an attempt is for, as stored under the SHA-256 of its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begun {
    expires_at: Timestamp,
    /// Path to end at.
    return_to: String,
    /// The account to connect.
    connect: Option<UserId>,
    /// SHA-256 of the secret of an invitation to accept.
    invitation: Option<String>,
}

/// What a sign-in is begun for.
#[derive(Clone, Debug, Default)]
pub struct Beginning {
    /// Path to end at.
    pub return_to: Option<String>,
    /// Secret of an invitation to accept.
    pub invitation: Option<String>,
    /// Whether to connect the account that is signed in.
    pub connect: bool,
    /// The password of that account.
    pub current_password: Option<String>,
}

/// Where a browser goes, and what it brings back.
#[derive(Clone, Debug)]
pub struct Departure {
    /// Address at the provider.
    pub address: String,
    /// Secret for the attempt's cookie.
    pub secret: String,
    /// How long it counts.
    pub lasts: SignedDuration,
}

/// What a browser comes back with.
#[derive(Clone, Debug)]
pub struct Return {
    /// Secret of the attempt's cookie.
    pub secret: Option<String>,
    /// What the provider passed on.
    pub state: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// Where it comes from.
    pub visitor: Visitor,
}

/// Where a browser ends.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// Its session; `None` where an account was connected, which is signed in already.
    pub session: Option<Session>,
    /// Path of this service.
    pub return_to: String,
}

/// Name of the provider that people can sign in with.
pub fn provider(app: &App) -> Option<&str> {
    app.sign_in.as_ref().map(|sign_in| sign_in.provider.name())
}

/// Begins an attempt.
///
/// # Errors
/// [`Refusal::Conflict`] where there is no provider; [`Refusal::ProviderAway`]; [`Refusal::Invalid`]; as
/// [`look_at_invitation`] and, to connect, as [`account_of`].
pub async fn begin_sign_in(
    app: &App,
    caller: Option<&BearerCredential>,
    beginning: Beginning,
) -> Result<Departure> {
    let SignIn { provider, .. } = app.sign_in.as_ref().ok_or(NO_PROVIDER)?;
    let return_to = account::own_path(beginning.return_to.as_deref().unwrap_or("/"));
    let return_to = return_to.map_err(|why| Refusal::invalid("returnTo", why))?;
    let connect = match beginning.connect {
        true => Some(to_connect(app, caller, beginning.current_password.as_deref()).await?),
        false => None,
    };
    if let Some(secret) = &beginning.invitation {
        look_at_invitation(app, secret).await?;
    }
    let secret = secrets::mint(app, SecretKind::SignIn);
    let address = provider.address(&attempt(app, &secret)).await.map_err(failed)?;
    let expires_at = app.now() + TERM;
    let invitation = beginning.invitation.as_deref().map(secrets::hash);
    let begun = Begun { expires_at, return_to, connect, invitation };
    let op = Op::create(keys::sign_in(&secrets::hash(&secret)), &begun);
    app.commit(Transaction::of_account(app, caller).with([op.expiring(expires_at.as_second())])).await?;
    Ok(Departure { address, secret, lasts: TERM })
}

/// The account that a browser may connect: its own, by who knows the password. A token connects nothing.
async fn to_connect(app: &App, caller: Option<&BearerCredential>, password: Option<&str>) -> Result<UserId> {
    let user = browsing(app, caller).await?;
    let account: User = account_row(app, user).await?.read()?;
    if account.connection.is_some() {
        return Err(CONNECTED.into());
    }
    knows(&account, password).await?;
    Ok(user)
}

async fn browsing(app: &App, caller: Option<&BearerCredential>) -> Result<UserId> {
    let credential = authenticate(app, caller).await?;
    let user = account_of(&credential, Scope::Admin)?;
    match credential.subject {
        Subject::Session { .. } => Ok(user),
        Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => {
            Err(Refusal::Forbidden("only a browser session can connect an account").into())
        }
    }
}

/// Finishes an attempt.
///
/// # Errors
/// [`Refusal::Conflict`] where there is no provider, for an attempt that does not count, or for an account that
/// must be connected by its owner; [`Refusal::Forbidden`] for whom the provider or the settings do not let in;
/// [`Refusal::ProviderAway`]; what accepting an invitation refuses.
pub async fn finish_sign_in(app: &App, caller: Option<&BearerCredential>, back: Return) -> Result<Arrival> {
    let sign_in = app.sign_in.as_ref().ok_or(NO_PROVIDER)?;
    let secret = back.secret.as_deref().ok_or(STALE)?;
    let attempt = attempt(app, secret);
    if back.state.as_deref() != Some(attempt.state.as_str()) {
        return Err(STALE.into());
    }
    let begun = take(app, keys::sign_in(&secrets::hash(secret))).await?;
    if begun.connect.is_some() && browsing(app, caller).await.ok() != begun.connect {
        return Err(STALE.into());
    }
    let code = back.code.as_deref().ok_or(SAID_NO)?;
    let person = sign_in.provider.person(&attempt, code, app.now()).await.map_err(failed)?;
    let (user, session) = app.decide(|| enter(app, sign_in, &person, &begun, &back.visitor)).await?;
    // Where this fails, the session is nobody's: nobody goes on with a role that the provider has taken.
    if let Some(groups) = &person.groups {
        group_roles::follow(app, sign_in, user, groups).await?;
    }
    Ok(Arrival { session, return_to: begun.return_to })
}

/// Takes the row of an attempt that counts.
async fn take(app: &App, key: Key) -> Result<Begun> {
    let row = app.table.get(&key).await?.ok_or(STALE)?;
    let begun: Begun = row.read()?;
    let gone = Op::delete(key, Condition::Version(row.version));
    match app.commit(Transaction::bookkeeping(app).with([gone])).await {
        Ok(()) if app.now() < begun.expires_at => Ok(begun),
        Ok(()) => Err(STALE.into()),
        Err(error) if crate::is_conflict(&error) => Err(STALE.into()),
        Err(error) => Err(error),
    }
}

fn attempt(app: &App, secret: &str) -> Attempt {
    let key = DerivationKey::of(secret);
    let part = |purpose| hex::encode(key.key(purpose));
    Attempt {
        redirect: format!("{}/api/v1/auth/oidc/callback", app.settings.service.base_url),
        state: part("sign-in state"),
        nonce: part("sign-in nonce"),
        verifier: part("sign-in verifier"),
    }
}

/// Connects, makes and admits the person's account as it has to be, and opens its session.
async fn enter(
    app: &App,
    sign_in: &SignIn,
    person: &ForeignPerson,
    begun: &Begun,
    visitor: &Visitor,
) -> Result<(UserId, Option<Session>)> {
    let name = secrets::hash(&format!("{}\0{}", person.issuer, person.subject));
    let known: Option<UserId> =
        app.table.get(&keys::foreign_person(&name)).await?.map(|row| row.read()).transpose()?;
    let (user, ops) = match (known, begun.connect) {
        (Some(known), Some(asks)) if known != asks => return Err(TAKEN.into()),
        (Some(known), _) => as_it_is(account_row(app, known).await?)?,
        (None, Some(asks)) => connecting(account_row(app, asks).await?, &name)?,
        (None, None) => by_address(app, sign_in, person, begun, &name).await?,
    };
    let mut transaction = Transaction::bookkeeping(app).with(ops);
    if known.is_none() {
        transaction.tell(AccountEvent::ProviderConnected(user.id));
    }
    if let Some(link) = &begun.invitation {
        transaction = joining::admit(app, transaction, link, &user).await?;
    }
    let session = match begun.connect {
        Some(_) => None,
        None => {
            let (session, session_ops) = opening(app, user.id, visitor).await?;
            transaction.write(session_ops);
            transaction.tell(AccountEvent::SessionOpened(user.id));
            Some(session)
        }
    };
    app.commit(transaction).await?;
    Ok((user.id, session))
}

async fn account_row(app: &App, user: UserId) -> Result<RowOf<User>> {
    Ok(app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?)
}

fn as_it_is(row: RowOf<User>) -> Result<(User, Vec<Op>)> {
    Ok((row.read()?, vec![row.unchanged()]))
}

/// The account of this row, connected.
fn connecting(row: RowOf<User>, name: &str) -> Result<(User, Vec<Op>)> {
    let user: User = row.read()?;
    if user.connection.is_some() {
        return Err(CONNECTED.into());
    }
    let user = User { connection: Some(name.to_owned()), ..user };
    let ops = vec![row.replaced_by(&user), Op::create(keys::foreign_person(name), &user.id)];
    Ok((user, ops))
}

/// The account of a person's address, or a new one, connected.
async fn by_address(
    app: &App,
    sign_in: &SignIn,
    person: &ForeignPerson,
    begun: &Begun,
    name: &str,
) -> Result<(User, Vec<Op>)> {
    let email = person.email.as_deref().and_then(|email| account::email(email).ok());
    let email = email.filter(|_| person.email_verified).ok_or(UNVERIFIED)?;
    if let Some(row) = sessions::account(app, &email).await? {
        // Otherwise somebody could make an account for another's address, and wait.
        return if row.read()?.email_verified { connecting(row, name) } else { Err(UNPROVEN.into()) };
    }
    if begun.invitation.is_none() && !sign_in.creates_accounts {
        return Err(NOT_INVITED.into());
    }
    if setup_needed(app).await? {
        return Err(NOT_SET_UP.into());
    }
    let shown = person.name.as_deref().and_then(|name| account::public_name(name).ok());
    let local_part = || email.split('@').next().unwrap_or_default().to_owned();
    let user = User {
        id: UserId(app.uuid()),
        display_name: shown.unwrap_or_else(local_part),
        email,
        password_hash: String::new(),
        created_at: app.now(),
        email_verified: true,
        new_email: None,
        connection: Some(name.to_owned()),
        avatar: None,
    };
    let ops = vec![
        Op::create(keys::email(&user.email), &user.id),
        Op::create(keys::user(user.id), &user),
        Op::create(keys::foreign_person(name), &user.id),
    ];
    Ok((user, ops))
}

/// Ends the connection of the caller's account, if it has one.
///
/// # Errors
/// As [`account_of`]; [`Refusal::Conflict`] for an account that nobody could sign in to any more.
pub async fn disconnect_provider(app: &App, caller: Option<&BearerCredential>) -> Result<()> {
    app.decide(|| async {
        let user = account_of(&authenticate(app, caller).await?, Scope::Admin)?;
        let row = account_row(app, user).await?;
        let account: User = row.read()?;
        let Some(name) = &account.connection else { return Ok(()) };
        if account.password().is_none() {
            return Err(NO_PASSWORD.into());
        }
        let away = unconnected(name);
        let account = User { connection: None, ..account };
        let transaction = Transaction::of_account(app, caller)
            .with([row.replaced_by(&account), away])
            .telling(AccountEvent::ProviderDisconnected(user));
        app.commit(transaction).await
    })
    .await
}

/// Lets a connection lead nowhere.
pub(super) fn unconnected(name: &str) -> Op {
    Op::delete(keys::foreign_person(name), Condition::None)
}

fn failed(error: ProviderError) -> Refusal {
    match error {
        ProviderError::Refused(why) => {
            tracing::warn!(why, "a sign-in was refused");
            REFUSED
        }
        ProviderError::Unavailable(cause) => {
            tracing::warn!(
                cause = &*cause as &dyn std::error::Error,
                "the identity provider does not answer"
            );
            Refusal::ProviderAway
        }
    }
}

const NO_PROVIDER: Refusal =
    Refusal::Conflict("this instance has no identity provider; sign in with a password");
const STALE: Refusal = Refusal::Conflict("this sign-in has expired or began in another browser; start again");
const SAID_NO: Refusal = Refusal::Forbidden("the identity provider did not sign you in; start again");
const REFUSED: Refusal = Refusal::Forbidden("the identity provider's answer cannot be trusted; start again");
const UNVERIFIED: Refusal = Refusal::Forbidden("the identity provider has not verified your address");
const NOT_INVITED: Refusal = Refusal::Forbidden("you have no account here; ask for an invitation");
const NOT_SET_UP: Refusal = Refusal::Forbidden("this instance has no account yet; set it up first");
const UNPROVEN: Refusal = Refusal::Conflict(
    "your address already has an account; sign in with its password, then connect the identity provider",
);
const CONNECTED: Refusal =
    Refusal::Conflict("this account is already connected to another identity at the provider");
const TAKEN: Refusal =
    Refusal::Conflict("another account here is connected to your identity at the provider");
const NO_PASSWORD: Refusal =
    Refusal::Conflict("this account has no password to sign in with; choose one first");
