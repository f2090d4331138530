//! The set-up of an instance: the first visitor creates the first account and its organization.
//!
//! Protocol. The row `SETUP` is written `absent` in the commit that makes account and organization. Of many
//! who race, one writes it; the others find it.

use svc_domain::account;
use svc_domain::event::AccountEvent;
use svc_domain::identity::User;
use svc_domain::ids::UserId;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Op, StorageError, keys};

use super::first_account::{SetUp, setup_needed};
use super::orgs::{NewOrg, creation};
use super::passwords;
use super::sessions::{Session, opening};
use super::visitor::Visitor;
use crate::App;
use crate::error::{Error, Result};
use crate::transaction::Transaction;

/// The first account of an instance and the organization that it will own.
#[derive(Clone, Debug)]
pub struct FirstAccount {
    /// Address to sign in with.
    pub email: String,
    /// Password.
    pub password: String,
    /// Name shown to others.
    pub display_name: String,
    /// The organization.
    pub org: NewOrg,
}

/// Makes the first account, its organization with the account as Owner, and a session, in one commit.
///
/// # Errors
/// [`Refusal::Invalid`]; [`Refusal::Forbidden`] once there is an account.
pub async fn register(app: &App, first: FirstAccount, visitor: &Visitor) -> Result<Session> {
    if !setup_needed(app).await? {
        return Err(ALREADY_SET_UP.into());
    }
    let mut errors = FieldErrors::default();
    let email = errors.check("email", account::email(&first.email));
    let name = errors.check("displayName", account::public_name(&first.display_name));
    errors.check("password", account::password(&first.password));
    let org = first.org.checked("organization.", &mut errors);
    let (Some(email), Some(display_name), Some((slug, org_name))) = (email, name, org) else {
        return Err(errors.into());
    };
    errors.into_result()?;
    let password_hash = passwords::hash(app, &first.password).await?;
    let mut user = User::new(UserId(app.uuid()), email, display_name, password_hash, app.now());
    // Who sets the instance up is who runs it: nobody else could have claimed the address before.
    user.email_verified = true;
    let (session, session_ops) = opening(app, user.id, visitor).await?;
    let ops = [
        Op::create(keys::setup(), &SetUp::By { at: app.now(), user: user.id }),
        Op::create(keys::email(&user.email), &user.id),
        Op::create(keys::user(user.id), &user),
    ];
    let mut transaction = Transaction::bookkeeping(app).with(ops).with(session_ops);
    transaction.tell(AccountEvent::Created(user.id));
    transaction.tell(AccountEvent::SessionOpened(user.id));
    let (_, transaction) = creation(app, transaction, &user, slug, org_name);
    match app.commit(transaction).await {
        Ok(()) => Ok(session),
        Err(Error::Storage(StorageError::Conflict { op: 0, .. })) => Err(ALREADY_SET_UP.into()),
        Err(error) => Err(error),
    }
}

const ALREADY_SET_UP: Refusal =
    Refusal::Forbidden("this instance is already set up; ask an Admin of your organization to invite you");
