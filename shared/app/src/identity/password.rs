//! Changing a password: with the old one, or with a link that was mailed to the account's address or passed on by the
//! operator of the instance.
//!
//! A link works only while the account still has the password that it had when the link was created, so a new
//! password ends all links. A request for a link gets the same response, equally fast, whether or not the account
//! exists: a worker looks it up later.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::account;
use svc_domain::email;
use svc_domain::event::AccountEvent;
use svc_domain::identity::{Scope, User};
use svc_domain::ids::UserId;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Limits, Op, keys};

use super::passwords::knows;
use super::provider::unconnected;
use super::visitor::Visitor;
use super::{ending, passwords, sessions, tokens};
use crate::App;
use crate::budget;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::{Error, Result};
use crate::mailing;
use crate::ports::{Envelope, MailError};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;

/// How long a link lasts.
const TERM: SignedDuration = SignedDuration::from_mins(60);

/// Links that one network may ask for in a minute for one address.
const LINKS_A_MINUTE: u32 = 3;

/// Links that are mailed to one address in a minute, for all requests together. After that there is one in the mailbox.
const EMAILS_A_MINUTE: u32 = 10;

/// What a link is worth, as stored under the SHA-256 of its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Link {
    pub(crate) user: UserId,
    /// What the account was when it was made.
    replaces: String,
    expires_at: Timestamp,
}

/// A link to a new password, to be handed over.
#[derive(Clone, Debug)]
pub struct PasswordLink {
    /// What the account calls itself.
    pub name: String,
    /// The link.
    pub address: String,
    /// How long it works.
    pub minutes: i64,
}

/// Replaces the caller's password and ends every other session, and every other access token unless they are kept:
/// whoever got in with the old password may have made one.
///
/// # Errors
/// As [`account_of`]; [`Refusal::WrongPassword`], [`Refusal::Invalid`].
pub async fn change_password(
    app: &App,
    caller: Option<&BearerCredential>,
    current: Option<&str>,
    new: &str,
    keep_tokens: bool,
) -> Result<()> {
    account_of(&authenticate(app, caller).await?, Scope::Admin)?;
    acceptable(new)?;
    let hash = passwords::hash(app, new).await?;
    app.decide(|| async {
        let credential = authenticate(app, caller).await?;
        let user = account_of(&credential, Scope::Admin)?;
        let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
        let account: User = row.read()?;
        knows(&account, current).await?;
        let own = sessions::own(&credential).ok().map(|(_, id)| id);
        let account = User { password_hash: hash.clone(), ..account };
        // The sessions are read first: a token that is made from now on changes their row.
        let mut ops = ending::ending(app, user, None, |session| Some(session.id) != own).await?.1;
        ops.push(row.replaced_by(&account));
        // One place is the idempotency key's.
        let room = (Limits::OPS - 1).saturating_sub(ops.len());
        let mut transaction = Transaction::of_account(app, caller).with(ops);
        if !keep_tokens {
            let own = tokens::own(&credential);
            tokens::end(app, &mut transaction, user, Some(&account.actor()), own, room).await?;
        }
        app.commit(transaction.telling(AccountEvent::PasswordChanged(user))).await
    })
    .await
}

/// Asks for a link to choose a new password, to be sent to this address. What others ask for does not count for
/// who asks, so that nobody keeps a person from a link.
///
/// # Errors
/// [`Refusal::Invalid`]; [`Refusal::RateLimited`]; [`Refusal::Conflict`] where the instance sends no mail.
pub async fn forgot_password(app: &App, email: &str, visitor: &Visitor) -> Result<()> {
    let email = account::email(email).map_err(|why| Refusal::invalid("email", why))?;
    if app.mail.is_none() {
        return Err(NO_MAIL.into());
    }
    let address = secrets::hash(&email.to_lowercase());
    budget::spend(app, &format!("reset:{address}:{}", visitor.network()), LINKS_A_MINUTE).await?;
    match budget::spend(app, &format!("reset:{address}"), EMAILS_A_MINUTE).await {
        Err(Error::Refused(Refusal::RateLimited { .. })) => return Ok(()),
        counted => counted?,
    }
    app.commit(Transaction::bookkeeping(app).telling(AccountEvent::PasswordResetRequested(email))).await
}

/// Chooses a new password with a link, which works once, and ends every session and every access token: whoever
/// else got in is out.
///
/// # Errors
/// [`Refusal::Invalid`] for the password; [`Refusal::Conflict`] for a link that works no more.
pub async fn reset_password(app: &App, secret: &str, new: &str, visitor: &Visitor) -> Result<()> {
    acceptable(new)?;
    let key = keys::password_reset(&secrets::hash(secret));
    if app.table.get(&key).await?.is_none() {
        return Err(DEAD_LINK.into());
    }
    let hash = passwords::hash(app, new).await?;
    app.decide(|| async {
        let link: Link = app.table.get(&key).await?.ok_or(DEAD_LINK)?.read()?;
        let row = app.table.find(&keys::user(link.user)).await?.ok_or(DEAD_LINK)?;
        let account: User = row.read()?;
        if link.expires_at <= app.now() || link.replaces != stamp(&account) {
            return Err(DEAD_LINK.into());
        }
        // The sessions are read first: a token that is made from now on changes their row.
        let sessions = ending::ending(app, link.user, Some(visitor), |_| true).await?.1;
        // The link came by mail, or from the operator: its holder is the owner of the address.
        let mut ops = vec![Op::delete(key.clone(), Condition::Present)];
        // An intruder must not come back by a provider. The owner is connected again by signing in.
        ops.extend(account.connection.as_deref().map(unconnected));
        let password_hash = hash.clone();
        let account = User { password_hash, email_verified: true, connection: None, ..account };
        ops.push(row.replaced_by(&account));
        ops.extend(sessions);
        let room = Limits::OPS - ops.len();
        let changed = AccountEvent::PasswordChanged(link.user);
        let mut transaction = Transaction::bookkeeping(app).with(ops).telling(changed);
        tokens::end(app, &mut transaction, account.id, Some(&account.actor()), None, room).await?;
        app.commit(transaction).await
    })
    .await
}

/// Sends the link that was asked for, if there is an account.
///
/// # Errors
/// Those of storage and of the mail server: the message comes again.
pub async fn mail_reset(app: &App, email: &str) -> Result<()> {
    if app.mail.is_none() {
        return Ok(());
    }
    let Some(row) = sessions::account(app, email).await? else { return Ok(()) };
    let account: User = row.read()?;
    let secret = minted(app, &account, Transaction::bookkeeping(app)).await?;
    let envelope = Envelope {
        to: account.email,
        email: email::password_reset(&account.display_name, &address_of(app, &secret), TERM.as_mins()),
        id: format!("password-reset.{}", &secrets::hash(&secret)[..32]),
        list: None,
    };
    match mailing::send(app, &envelope).await {
        Ok(()) => Ok(()),
        Err(MailError::Refused(why)) => {
            tracing::warn!(user = %account.id, why, "a link to a new password was refused");
            Ok(())
        }
        Err(MailError::Unavailable(cause)) => Err(Error::MailAway(cause)),
    }
}

/// A link to a new password, for whoever runs the instance to hand to the owner of the address: the way back where no
/// mail is sent, also for who finds that somebody else made an account of their address. What the transaction tells is
/// committed with it.
///
/// # Errors
/// Those of storage.
pub(crate) async fn handed_link(app: &App, account: &User, transaction: Transaction) -> Result<PasswordLink> {
    let address = address_of(app, &minted(app, account, transaction).await?);
    Ok(PasswordLink { name: account.display_name.clone(), address, minutes: TERM.as_mins() })
}

/// Stores a link for an account; answers its secret.
async fn minted(app: &App, account: &User, transaction: Transaction) -> Result<String> {
    let secret = secrets::mint(app, SecretKind::PasswordReset);
    let expires_at = app.now() + TERM;
    let link = Link { user: account.id, replaces: stamp(account), expires_at };
    let key = keys::password_reset(&secrets::hash(&secret));
    let row = Op::create(key, &link).expiring(expires_at.as_second());
    app.commit(transaction.with([row])).await?;
    Ok(secret)
}

fn address_of(app: &App, secret: &str) -> String {
    format!("{}/reset-password#{secret}", app.settings.service.base_url)
}

fn acceptable(password: &str) -> Result<()> {
    let mut errors = FieldErrors::default();
    errors.check("newPassword", account::password(password));
    Ok(errors.into_result()?)
}

/// What a link that was mailed for an account is bound to: it ends with a new password, and with a new address,
/// whose owner it was not mailed to.
pub(super) fn stamp(account: &User) -> String {
    secrets::hash(&format!("{}\0{}", account.password_hash, account.email.to_lowercase()))
}

const DEAD_LINK: Refusal = Refusal::Conflict("this link no longer works; request a new one");
const NO_MAIL: Refusal = Refusal::Conflict(
    "this instance sends no mail; ask its operator for a link (svc-server password-link EMAIL)",
);
