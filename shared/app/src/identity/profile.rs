//! What people change of their account: name and address. Their picture is in [`super::avatar`].
//!
//! Memberships repeat name, address and picture, so that lists and requests read one row. The account is changed
//! first; a message in the same commit has a worker bring the copies up to date, as often as it takes.

use svc_domain::account;
use svc_domain::event::Event;
use svc_domain::identity::{Member, ProjectMember, Scope, User};
use svc_domain::ids::{OrgId, ProjectKey, UserId};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, StorageError, keys};

use super::address;
use super::me::{Me, seen_by};
use super::orgs::org_of_pointer;
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
    let row = app.table.get(&keys::user(id)).await?.ok_or(Refusal::Unauthenticated)?;
    if row.version != change.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let before: User = row.read()?;
    let mut errors = FieldErrors::default();
    let name =
        change.display_name.as_deref().and_then(|name| errors.check("displayName", account::name(name)));
    let email = change.email.as_deref().and_then(|email| errors.check("email", account::email(email)));
    errors.into_result()?;
    let mut user =
        User { display_name: name.unwrap_or_else(|| before.display_name.clone()), ..before.clone() };
    let mut transaction = Transaction::of_account(app, caller).telling(Event::ProfileChanged(id));
    if let Some(email) = email.filter(|email| *email != before.email) {
        let password = change.current_password.as_deref();
        if let Some(asked) = address::ask(app, &mut user, email, password).await? {
            transaction.tell(asked);
        }
    }
    transaction.write([Op::replace(row.key, row.version, &user)]);
    match app.commit(transaction).await {
        Ok(()) => {}
        Err(Error::Storage(StorageError::Conflict { current: Some(now), .. })) => {
            return Err(Refusal::StaleVersion { current: now.version }.into());
        }
        Err(error) => return Err(error),
    }
    seen_by(app, credential).await
}

/// Brings the copies of an account's name, address and picture up to date.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn spread(app: &App, id: UserId) -> Result<()> {
    let range = Range::Prefix(keys::USER_ORG_PREFIX.to_owned());
    for row in app.table.query_all(Query::new(keys::user_pk(id), range, Limits::KEYS)).await? {
        let org = org_of_pointer(&row)?;
        app.decide(|| spread_in(app, id, org)).await?;
    }
    Ok(())
}

async fn spread_in(app: &App, id: UserId, org: OrgId) -> Result<()> {
    let rows = app.table.get_many(&[keys::user(id), keys::member(org, id)]).await?;
    let [Some(account), Some(membership)] = &rows[..] else { return Ok(()) };
    let (user, member): (User, Member) = (account.read()?, membership.read()?);
    let known = Op::check(account.key.clone(), Condition::Version(account.version));
    let now = member.brought_up_to_date(&user);
    if member != now {
        let copy = Op::replace(membership.key.clone(), membership.version, &now);
        app.commit(Transaction::by_itself(app, org).with([known.clone(), copy])).await?;
    }
    let copies = project_copies(app, org, id, &user.display_name).await?;
    for chunk in copies.chunks(Limits::OPS - 1) {
        let copies = [std::slice::from_ref(&known), chunk].concat();
        app.commit(Transaction::by_itself(app, org).with(copies)).await?;
    }
    Ok(())
}

async fn project_copies(app: &App, org: OrgId, id: UserId, name: &str) -> Result<Vec<Op>> {
    let range = Range::Prefix(keys::PROJECT_PREFIX.to_owned());
    let projects = app.table.query_all(Query::new(keys::org_pk(org), range, Limits::KEYS)).await?;
    let wanted: Vec<Key> = projects
        .iter()
        .filter_map(|row| row.key.sk.strip_prefix(keys::PROJECT_PREFIX)?.parse::<ProjectKey>().ok())
        .map(|key| keys::project_member(org, &key, id))
        .collect();
    let mut copies = Vec::new();
    for chunk in wanted.chunks(Limits::KEYS) {
        for row in app.table.get_many(chunk).await?.into_iter().flatten() {
            copies.extend(copy(row, name)?);
        }
    }
    Ok(copies)
}

fn copy(row: Row, name: &str) -> Result<Option<Op>> {
    let member: ProjectMember = row.read()?;
    let current = member.display_name == name;
    let member = ProjectMember { display_name: name.to_owned(), ..member };
    Ok((!current).then(|| Op::replace(row.key, row.version, &member)))
}
