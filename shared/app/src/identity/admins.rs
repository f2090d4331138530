//! Who administers the instance: accounts that the setting `Administration:Admins` names, or, on an embedded instance
//! without that setting, the first account. A role in an organization makes nobody an admin of the instance, and an admin
//! of the instance has no role in organizations by that.
//!
//! An address counts once it is confirmed: without mail, anybody can make an account of any address.

use svc_domain::identity::{Scope, User};
use svc_domain::ids::{Actor, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::keys;

use super::first_account::first_account;
use crate::App;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::Result;
use crate::settings::Creators;
use crate::transaction::Transaction;

/// Who asks for something that only admins of the instance may do.
#[derive(Clone, Copy, Debug)]
pub enum AdminCaller<'a> {
    /// A person, by a request.
    Request(Option<&'a BearerCredential>),
    /// Whoever works on the machine of the instance, by `svc-server`.
    Console,
}

/// An admin of the instance.
#[derive(Clone, Debug)]
pub(crate) struct Admin<'a> {
    /// The person; `None` on the machine.
    pub(crate) by: Option<Actor>,
    /// Their account.
    pub(crate) account: Option<User>,
    credential: Option<&'a BearerCredential>,
}

impl Admin<'_> {
    /// A transaction of theirs, in no organization.
    pub(crate) fn transaction(&self, app: &App) -> Transaction {
        let transaction = Transaction::of_account(app, self.credential);
        match &self.by {
            Some(by) => transaction.signed(by.clone()),
            None => transaction,
        }
    }
}

/// Admits an admin of the instance.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for everybody else, and for tokens
/// that are bound to an organization.
pub(crate) async fn enter<'a>(app: &App, caller: AdminCaller<'a>) -> Result<Admin<'a>> {
    let credential = match caller {
        AdminCaller::Request(credential) => credential,
        AdminCaller::Console => return Ok(Admin { by: None, account: None, credential: None }),
    };
    let user = account_of(&authenticate(app, credential).await?, Scope::Admin)?;
    let row = app.table.get(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
    let account: User = row.read()?;
    if !is_admin(app, &account).await? {
        return Err(Refusal::Forbidden("only admins of this instance may do this").into());
    }
    Ok(Admin { by: Some(account.actor()), account: Some(account), credential })
}

/// Whether an account administers the instance.
///
/// # Errors
/// Those of storage.
pub(crate) async fn is_admin(app: &App, account: &User) -> Result<bool> {
    let administration = &app.settings.administration;
    if !administration.admins.trim().is_empty() {
        return Ok(account.email_verified && administration.names(&account.email));
    }
    Ok(administration.first_account && first_account(app).await? == Some(account.id))
}

/// Refuses who may not create organizations.
///
/// # Errors
/// [`Refusal::Forbidden`].
pub(super) async fn may_create_orgs(app: &App, user: UserId) -> Result<()> {
    if app.settings.administration.create_organizations == Creators::Anybody {
        return Ok(());
    }
    let row = app.table.get(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
    if is_admin(app, &row.read()?).await? {
        return Ok(());
    }
    Err(Refusal::Forbidden("only admins of this instance create organizations; ask one of them").into())
}
