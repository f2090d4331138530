//! Changing an account's address: the new address takes effect when its owner confirms it by mail.
//!
//! Protocol.
//! 1. Asking notes the address in the account ([`User::new_email`]); a worker mails a link to the new address
//!    and tells the old one. Whether another account has the address is not told: only who reads its mail may
//!    know.
//! 2. A link is worth something as long as the account asks for its address and has the password that it had
//!    then, so that asking anew, and a new password, end it.
//! 3. Confirming writes the new address's row `absent`: an address has one account.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::email;
use svc_domain::event::AccountEvent;
use svc_domain::identity::User;
use svc_domain::ids::{ActorId, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, StorageError, keys};

use super::password::stamp;
use super::passwords::knows;
use crate::App;
use crate::budget;
use crate::error::{Error, Result};
use crate::mailing;
use crate::ports::{Envelope, MailError};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;
use crate::wanted;

/// How long a link lasts.
const TERM: SignedDuration = SignedDuration::from_hours(24);

/// Links that an account may ask for in a minute.
const LINKS_A_MINUTE: u32 = 3;

/// What a link is worth, as stored under the SHA-256 of its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Link {
    pub(crate) user: UserId,
    /// The address that it confirms.
    email: String,
    /// What the account was when it was made.
    of: String,
    expires_at: Timestamp,
}

/// Notes the wanted address in an account, and answers the event that has it mailed to. An address
/// that differs from the account's only by case is the account's own.
pub(super) async fn ask(
    app: &App,
    user: &mut User,
    email: String,
    password: Option<&str>,
) -> Result<Option<AccountEvent>> {
    knows(user, password).await?;
    if keys::email(&user.email) == keys::email(&email) {
        user.email = email;
        return Ok(None);
    }
    if app.mail.is_none() {
        return Err(NO_MAIL.into());
    }
    budget::spend(app, &format!("address:{}", user.id), LINKS_A_MINUTE).await?;
    budget::spend_mail(app, ActorId::User(user.id), None).await?;
    user.new_email = Some(email.clone());
    Ok(Some(AccountEvent::AddressChangeRequested(user.id, email)))
}

/// Mails the link to the new address and tells the old one, if the account still asks for it.
///
/// # Errors
/// Those of storage and of the mail server: the message comes again.
pub async fn mail_new_address(app: &App, user: UserId, email: &str) -> Result<()> {
    let Some(row) = app.table.find(&keys::user(user)).await? else { return Ok(()) };
    let account: User = row.read()?;
    if account.new_email.as_deref() != Some(email) {
        return Ok(());
    }
    let secret = secrets::mint(app, SecretKind::NewAddress);
    let hash = secrets::hash(&secret);
    let expires_at = app.now() + TERM;
    let link = Link { user, email: email.to_owned(), of: stamp(&account), expires_at };
    let row = Op::create(keys::new_address(&hash), &link).expiring(expires_at.as_second());
    app.commit(Transaction::bookkeeping(app).with([row])).await?;
    let address = format!("{}/confirm-address#{secret}", app.settings.service.base_url);
    let notice = Envelope {
        to: account.email.clone(),
        email: email::address_leaves(&account.display_name, email),
        id: format!("address-leaves.{}", &hash[..32]),
        list: None,
    };
    let question = Envelope {
        to: email.to_owned(),
        email: email::new_address(&account.display_name, &address, TERM.as_hours()),
        id: format!("new-address.{}", &hash[..32]),
        list: None,
    };
    send(app, user, &notice).await?;
    send(app, user, &question).await
}

async fn send(app: &App, user: UserId, envelope: &Envelope) -> Result<()> {
    if app.mail.is_none() {
        return Ok(());
    }
    match mailing::send(app, envelope).await {
        Ok(()) => Ok(()),
        Err(MailError::Refused(why)) => {
            tracing::warn!(%user, why, "a mail about a new address was refused");
            Ok(())
        }
        Err(MailError::Unavailable(cause)) => Err(Error::MailAway(cause)),
    }
}

/// Gives an account the address that it asked for, with the link that was mailed there.
///
/// # Errors
/// [`Refusal::Conflict`] for a link that works no more; [`Refusal::AlreadyExists`] for an address that another
/// account has.
pub async fn confirm_address(app: &App, secret: &str) -> Result<()> {
    app.decide(|| confirm_once(app, secret)).await
}

async fn confirm_once(app: &App, secret: &str) -> Result<()> {
    let key = keys::new_address(&secrets::hash(secret));
    let link: Link = app.table.get(&key).await?.ok_or(DEAD_LINK)?.read()?;
    let claim = keys::email(&link.email);
    let (row, taken) = wanted::load(app, (keys::user(link.user), claim.clone())).await?;
    let row = row.ok_or(DEAD_LINK)?;
    let account = row.read()?;
    let asked = account.new_email.as_ref() == Some(&link.email) && link.of == stamp(&account);
    if link.expires_at <= app.now() || !asked {
        return Err(DEAD_LINK.into());
    }
    if taken.is_some() {
        return Err(TAKEN.into());
    }
    let old = keys::email(&account.email);
    let account = User { email: link.email, email_verified: true, new_email: None, ..account };
    let ops = [
        row.replaced_by(&account),
        Op::create(claim.clone(), &account.id),
        Op::delete(old, Condition::Present),
        Op::delete(key, Condition::Present),
    ];
    match app
        .commit(Transaction::bookkeeping(app).with(ops).telling(AccountEvent::ProfileChanged(account.id)))
        .await
    {
        Err(Error::Storage(StorageError::Conflict { current: Some(now), .. })) if now.key == claim => {
            Err(TAKEN.into())
        }
        result => result,
    }
}

const TAKEN: Refusal = Refusal::AlreadyExists("an account of this address");
const DEAD_LINK: Refusal =
    Refusal::Conflict("this link no longer works; change the address again to get a new one");
const NO_MAIL: Refusal = Refusal::Conflict(
    "this instance sends no mail, so the address cannot be confirmed; ask an Admin to invite the new address instead",
);
