//! Who administers the instance: accounts that the setting `Administration:Admins` names, or, on an embedded instance
//! without that setting, the first account. A role in an organization makes nobody an admin of the instance, and an admin
//! of the instance has no role in organizations by that.
//!
//! An address counts once it is confirmed: without mail, anybody can make an account of any address.

use svc_domain::identity::{Scope, User};
use svc_domain::ids::{Actor, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, keys};

use super::first_account::first_account;
use crate::App;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::Result;
use crate::settings::{Administration, Creators};
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
    /// A transaction of theirs, in no organization. Its commit demands that what they asked with still works: of two
    /// admins who disable each other, one stays.
    pub(crate) fn transaction(&self, app: &App) -> Transaction {
        let transaction = Transaction::of_account(app, self.credential);
        let (Some(by), Some(credential)) = (&self.by, self.credential) else { return transaction };
        let works = Op::check(keys::credential(&credential.secret_hash), Condition::Present);
        transaction.signed(by.clone()).with([works])
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
    let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
    let account: User = row.read()?;
    if !admins(app).await?.include(&account) {
        return Err(Refusal::Forbidden("only admins of this instance may do this").into());
    }
    Ok(Admin { by: Some(account.actor()), account: Some(account), credential })
}

/// The admins of the instance.
pub(crate) struct Admins<'a> {
    setting: &'a Administration,
    /// The first account, where it counts.
    first: Option<UserId>,
}

impl Admins<'_> {
    /// Whether an account is one of them.
    pub(crate) fn include(&self, account: &User) -> bool {
        (account.email_verified && self.setting.names(&account.email)) || self.first == Some(account.id)
    }
}

/// The admins of the instance.
///
/// # Errors
/// Those of storage.
pub(crate) async fn admins(app: &App) -> Result<Admins<'_>> {
    let setting = &app.settings.administration;
    let first_counts = setting.first_account && setting.admins.trim().is_empty();
    let first = if first_counts { first_account(app).await? } else { None };
    Ok(Admins { setting, first })
}

/// Refuses who may not create organizations.
///
/// # Errors
/// [`Refusal::Forbidden`].
pub(super) async fn may_create_orgs(app: &App, user: UserId) -> Result<()> {
    if app.settings.administration.create_organizations == Creators::Anybody {
        return Ok(());
    }
    let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
    if admins(app).await?.include(&row.read()?) {
        return Ok(());
    }
    Err(Refusal::Forbidden("only admins of this instance create organizations; ask one of them").into())
}
