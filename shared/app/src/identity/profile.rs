//! What people change of their account: name and address. Their picture is in [`super::avatar`].
//!
//! The account is changed first; a message in the same commit has a worker bring the copies up to date, as often as
//! it takes ([`super::spread`]).

use svc_domain::account;
use svc_domain::event::AccountEvent;
use svc_domain::identity::{Scope, User};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{StorageError, keys};

use super::address;
use super::me::{Me, seen_by};
use crate::App;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::{Error, Result};
use crate::transaction::Transaction;

/// What of an account to change.
#[derive(Clone, Debug, Default)]
pub struct ProfileChange {
    /// The version that the caller read.
    pub version: u64,
    /// New name.
    pub display_name: Option<String>,
    /// New address, which needs the password and takes effect when it is confirmed.
    pub email: Option<String>,
    /// The password.
    pub current_password: Option<String>,
}

/// Changes the caller's account.
///
/// # Errors
/// As [`account_of`]; [`Refusal::StaleVersion`], [`Refusal::Invalid`]; [`Refusal::Conflict`] for a new address
/// where the instance sends no mail; [`Refusal::RateLimited`].
pub async fn update_me(app: &App, caller: Option<&BearerCredential>, change: ProfileChange) -> Result<Me> {
    let credential = authenticate(app, caller).await?;
    let id = account_of(&credential, Scope::Admin)?;
    let row = app.table.find(&keys::user(id)).await?.ok_or(Refusal::Unauthenticated)?;
    if row.version != change.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let before: User = row.read()?;
    let mut errors = FieldErrors::default();
    let name = change
        .display_name
        .as_deref()
        .and_then(|name| errors.check("displayName", account::public_name(name)));
    let wanted = change.email.as_deref().filter(|email| *email != before.email);
    let email = wanted.and_then(|email| errors.check("email", account::public_email(email)));
    errors.into_result()?;
    let mut user =
        User { display_name: name.unwrap_or_else(|| before.display_name.clone()), ..before.clone() };
    let mut transaction = Transaction::of_account(app, caller).telling(AccountEvent::ProfileChanged(id));
    if let Some(email) = email.filter(|email| *email != before.email) {
        let password = change.current_password.as_deref();
        if let Some(asked) = address::ask(app, &mut user, email, password).await? {
            transaction.tell(asked);
        }
    }
    transaction.write([row.replaced_by(&user)]);
    match app.commit(transaction).await {
        Ok(()) => {}
        Err(Error::Storage(StorageError::Conflict { current: Some(now), .. })) => {
            return Err(Refusal::StaleVersion { current: now.version }.into());
        }
        Err(error) => return Err(error),
    }
    seen_by(app, credential).await
}
