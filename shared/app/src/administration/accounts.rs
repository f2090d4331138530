//! The accounts of the instance: who they are, and disabling, enabling and signing them out.
//!
//! Disabling ends all sessions and access tokens of an account and keeps it from opening others, in one commit
//! ([`crate::identity`], protocol of the sessions). What the person set up acts as it does for a person who left: rules
//! and schedules that act for them stop, queued runs wait, invitations lead nowhere, and they are told nothing. Runs that
//! are under way go on, which Admins of the organization cancel. Memberships stay, so that enabling brings everything
//! back but sessions and tokens.
//!
//! There is no index of accounts: those of members are found by the organizations. An account in no organization is
//! found by its whole address.

use std::collections::BTreeMap;

use futures::{StreamExt as _, TryStreamExt as _};
use jiff::Timestamp;
use svc_domain::event::{AccountEvent, InstanceEvent};
use svc_domain::identity::{Org, OrgRole, User};
use svc_domain::ids::{Actor, OrgSlug, UserId};
use svc_domain::refusal::Refusal;
use svc_domain::session::Sessions;
use svc_storage::{Limits, RowOf, keys};

use super::Part;
use super::orgs::all_orgs;
use crate::App;
use crate::error::Result;
use crate::identity::admins::{Admin, AdminCaller, Admins, admins, enter};
use crate::identity::members::all as members_of;
use crate::identity::orgs::of_person;
use crate::identity::password::{PasswordLink, handed_link};
use crate::identity::{ending, sessions, tokens};
use crate::transaction::Transaction;
use crate::wanted;

/// Queries at once.
const AT_ONCE: usize = 8;

/// Places of a commit that are kept for the line of the instance and the idempotency key.
const RESERVED: usize = 2;

/// An account, as admins of the instance see it.
#[derive(Clone, Debug)]
pub struct ListedAccount {
    /// The account.
    pub user: User,
    /// When it was disabled, if it is.
    pub disabled_at: Option<Timestamp>,
    /// When its owner signed in last, as far as is known.
    pub last_sign_in: Option<Timestamp>,
    /// Their organizations, by slug.
    pub orgs: Vec<(OrgSlug, OrgRole)>,
    /// Whether it administers the instance.
    pub is_instance_admin: bool,
}

/// What became of a link to a new password.
#[derive(Clone, Debug)]
pub enum MadeLink {
    /// It is on its way to the address of the account.
    Mailed,
    /// It is to be handed over.
    Link(PasswordLink),
}

/// A person among the members of all organizations.
#[derive(Default)]
struct Person {
    email: String,
    display_name: String,
    orgs: Vec<(OrgSlug, OrgRole)>,
}

/// Accounts by address, those whose address or name has the text in it. `offset` and `size` are the part that is asked
/// for.
///
/// # Errors
/// As [`enter`].
pub async fn accounts(
    app: &App,
    caller: AdminCaller<'_>,
    search: &str,
    offset: usize,
    size: usize,
) -> Result<Part<ListedAccount>> {
    enter(app, caller).await?;
    let search = search.trim().to_lowercase();
    let mut found: Vec<(UserId, Person)> = people(app).await?.into_iter().collect();
    found.retain(|(_, person)| {
        person.email.to_lowercase().contains(&search) || person.display_name.to_lowercase().contains(&search)
    });
    if found.is_empty()
        && let Some(row) = sessions::account(app, &search).await?
    {
        let user: User = row.read()?;
        found.push((user.id, Person::default()));
    }
    found.sort_by_cached_key(|(id, person)| (person.email.to_lowercase(), *id));
    let total = found.len();
    let part: Vec<(UserId, Person)> = found.into_iter().skip(offset).take(size).collect();
    let admins = admins(app).await?;
    let mut items = Vec::with_capacity(part.len());
    for part in part.chunks(Limits::KEYS / 2) {
        let wanted: Vec<_> =
            part.iter().map(|(user, _)| (keys::user(*user), keys::sessions(*user))).collect();
        for ((_, person), (user, sessions)) in part.iter().zip(wanted::load(app, wanted).await?) {
            if let Some(user) = user {
                items.push(listed(&admins, user.read()?, sessions.as_ref(), person.orgs.clone())?);
            }
        }
    }
    Ok(Part { items, total })
}

/// The account of an address.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn account_of_address(app: &App, caller: AdminCaller<'_>, email: &str) -> Result<UserId> {
    enter(app, caller).await?;
    let row = sessions::account(app, email).await?.ok_or(Refusal::NotFound)?;
    Ok(row.read()?.id)
}

/// Disables an account, and ends all its sessions and access tokens. Doing it again changes nothing.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`]; [`Refusal::Conflict`] for the account that asks.
pub async fn disable_account(app: &App, caller: AdminCaller<'_>, user: UserId) -> Result<ListedAccount> {
    app.decide(|| async move {
        let admin = about(app, caller, user).await?.0;
        if admin.account.as_ref().is_some_and(|own| own.id == user) {
            return Err(Refusal::Conflict(
                "this is your own account; another admin of this instance disables it",
            )
            .into());
        }
        // The sessions are read first: a token that is made from now on changes their row.
        let Some(ops) = ending::barring(app, user, Some(app.now())).await? else { return Ok(()) };
        let event = InstanceEvent::AccountDisabled(user);
        let transaction = admin.transaction(app).with(ops);
        let mut transaction = told(app, transaction, &event, user, admin.by.as_ref()).await?;
        let room = Limits::OPS.saturating_sub(app.operations(&transaction) + 1);
        tokens::end(app, &mut transaction, user, admin.by.as_ref(), None, room).await?;
        app.commit(transaction).await
    })
    .await?;
    account(app, user).await
}

/// Lets a disabled account sign in again. Doing it again changes nothing.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn enable_account(app: &App, caller: AdminCaller<'_>, user: UserId) -> Result<ListedAccount> {
    app.decide(|| async move {
        let admin = about(app, caller, user).await?.0;
        let Some(ops) = ending::barring(app, user, None).await? else { return Ok(()) };
        let event = InstanceEvent::AccountEnabled(user);
        let transaction = admin.transaction(app).with(ops);
        app.commit(told(app, transaction, &event, user, admin.by.as_ref()).await?).await
    })
    .await?;
    account(app, user).await
}

/// Ends every session of an account. Access tokens go on working, as when its owner does it.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn sign_out_account(app: &App, caller: AdminCaller<'_>, user: UserId) -> Result<ListedAccount> {
    app.decide(|| async move {
        let admin = about(app, caller, user).await?.0;
        let (_, ops) = ending::ending(app, user, None, |_| true).await?;
        let event = InstanceEvent::AccountSignedOut(user);
        app.commit(admin.transaction(app).with(ops).telling(event)).await
    })
    .await?;
    account(app, user).await
}

/// Makes a link to a new password. Where the instance sends mail, an admin who asks by a request does not see it: it is
/// mailed to the account's address, so that no admin gets into the account of another.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn make_password_link(app: &App, caller: AdminCaller<'_>, user: UserId) -> Result<MadeLink> {
    let (admin, account) = about(app, caller, user).await?;
    let event = InstanceEvent::PasswordLinkMade(user);
    let transaction = told(app, admin.transaction(app), &event, user, admin.by.as_ref()).await?;
    match caller {
        AdminCaller::Request(_) if app.mail.is_some() => {
            let asked = AccountEvent::PasswordResetRequested(account.email);
            app.commit(transaction.telling(asked)).await?;
            Ok(MadeLink::Mailed)
        }
        AdminCaller::Request(_) | AdminCaller::Console => {
            Ok(MadeLink::Link(handed_link(app, &account, transaction).await?))
        }
    }
}

/// The admin who asks, and the account that they ask about.
async fn about<'a>(app: &App, caller: AdminCaller<'a>, user: UserId) -> Result<(Admin<'a>, User)> {
    let admin = enter(app, caller).await?;
    let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::NotFound)?;
    Ok((admin, row.read()?))
}

/// The transaction, which tells the instance of an event, and as many organizations of the person as have room in it. The
/// others are told at once.
async fn told(
    app: &App,
    mut transaction: Transaction,
    event: &InstanceEvent,
    user: UserId,
    by: Option<&Actor>,
) -> Result<Transaction> {
    transaction.tell(event.clone());
    let mut orgs = of_person(app, user).await?;
    let room = Limits::OPS.saturating_sub(app.operations(&transaction) + RESERVED);
    let first = orgs.split_off(orgs.len().min(room));
    for org in orgs {
        transaction.tell_in(org, by, event.clone());
    }
    for orgs in first.chunks(Limits::OPS / 2) {
        let mut earlier = Transaction::bookkeeping(app);
        orgs.iter().for_each(|org| earlier.tell_in(*org, by, event.clone()));
        app.commit(earlier).await?;
    }
    Ok(transaction)
}

/// An account as it is now.
async fn account(app: &App, user: UserId) -> Result<ListedAccount> {
    let (row, sessions) = wanted::load(app, (keys::user(user), keys::sessions(user))).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let mut orgs = Vec::new();
    let wanted = of_person(app, user).await?.into_iter().map(|org| (keys::org(org), keys::member(org, user)));
    for found in wanted::load(app, wanted.collect::<Vec<_>>()).await? {
        if let (Some(org), Some(member)) = found {
            orgs.push((org.read()?.slug, member.read()?.role));
        }
    }
    orgs.sort();
    listed(&admins(app).await?, row.read()?, sessions.as_ref(), orgs)
}

fn listed(
    admins: &Admins<'_>,
    user: User,
    sessions: Option<&RowOf<Sessions>>,
    orgs: Vec<(OrgSlug, OrgRole)>,
) -> Result<ListedAccount> {
    let sessions = RowOf::or_default(sessions)?;
    let (disabled_at, last_sign_in) = (sessions.disabled_at, sessions.last_sign_in());
    let is_instance_admin = admins.include(&user);
    Ok(ListedAccount { user, disabled_at, last_sign_in, orgs, is_instance_admin })
}

/// The members of all organizations.
async fn people(app: &App) -> Result<BTreeMap<UserId, Person>> {
    let mut orgs = all_orgs(app).await?;
    orgs.sort_by(|a, b| a.slug.cmp(&b.slug));
    let members = |org: Org| async move { Ok::<_, crate::Error>((members_of(app, org.id).await?, org.slug)) };
    let all: Vec<_> = futures::stream::iter(orgs).map(members).buffered(AT_ONCE).try_collect().await?;
    let mut people: BTreeMap<UserId, Person> = BTreeMap::new();
    for (members, slug) in all {
        for member in members {
            let member = member.member;
            let person = people.entry(member.user).or_default();
            person.email = member.email;
            person.display_name = member.display_name;
            person.orgs.push((slug.clone(), member.role));
        }
    }
    Ok(people)
}
