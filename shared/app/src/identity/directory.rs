//! The directory of an organization (SCIM 2.0): the identity provider of its Owners writes people and groups into it.
//!
//! A token of the directory acts in the name of the Owner who made it, as long as they are an Owner: whoever takes that role
//! takes the token's power. It makes nobody a member against their will and never touches an account: an address that is
//! no member's is invited, and nothing tells whether it has an account.
//!
//! Protocol.
//! 1. A person is invited first and written then: a request that was cut off and comes again finds the invitation.
//! 2. Whoever accepts an invitation to an address of the directory is linked with it in the same commit ([`joining`]).
//! 3. Groups are fields of people: each person is written by themselves, and then given the role of their groups
//!    ([`super::group_roles`]). A request about many people that was cut off may be sent again.

mod groups;
mod tokens;
mod users;

use svc_domain::directory::{DirectoryGroup, DirectoryUser};
use svc_domain::groups::{Outcome, Source, step};
use svc_domain::identity::{Member, OrgRole, Subject};
use svc_domain::ids::{DirectoryUserId, OrgId, OrgSlug, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Limits, Query, Range, Row, RowOf, keys};

use super::group_roles;
use crate::App;
use crate::entry::{Caller, Entry, authenticate, enter_org_as};
use crate::error::{Error, Result};
use crate::transaction::Transaction;
use crate::wanted;

pub use groups::{GroupChange, NewGroup, SeenGroup, change_group, create_group, delete_group, group, groups};
pub use tokens::{CreatedDirectoryToken, ListedDirectoryToken, create_token, revoke_token, tokens};
pub use users::{NewUser, SeenUser, UserChange, change_user, create_user, delete_user, user, users};

/// Characters of an id or a name at most.
const LONGEST: usize = 256;

/// Which people or groups of a directory are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All of them.
    All,
    /// The person of an address, or the group of a name.
    Named(String),
    /// What the provider calls by this.
    External(String),
}

/// A token of the directory inside its organization.
pub(super) struct Provisioner {
    /// The Owner in whose name it acts.
    entry: Entry,
    /// What the audit log calls it.
    via: String,
}

impl Provisioner {
    fn org(&self) -> OrgId {
        self.entry.org_id()
    }

    fn transaction(&self, app: &App) -> Transaction {
        Transaction::of(app, &self.entry).via(&self.via)
    }
}

/// Where the directory of an organization is: what is entered at the provider, and what the addresses of people and groups
/// begin with.
pub fn address(app: &App, slug: &OrgSlug) -> String {
    format!("{}/scim/v2/orgs/{slug}", app.settings.service.base_url)
}

/// An identifier or a name as it is kept; nothing for an empty one.
fn kept(field: &'static str, text: Option<String>) -> Result<Option<String>> {
    let Some(text) = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        return Err(Refusal::invalid(field, "has at most 256 characters").into());
    }
    Ok(Some(text))
}

/// Enters an organization with a token of its directory.
///
/// # Errors
/// [`Refusal::Unauthenticated`], also where who made the token is no Owner any more; [`Refusal::Forbidden`] for another
/// credential; [`Refusal::NotFound`] for another organization.
async fn enter(app: &App, caller: Caller<'_>) -> Result<Provisioner> {
    let credential = authenticate(app, caller.credential).await?;
    let Subject::Directory { token, by } = credential.subject else {
        return Err(Refusal::Forbidden("this needs a SCIM token of the organization").into());
    };
    let org: OrgId = app.table.get(&keys::slug(caller.org)).await?.ok_or(Refusal::NotFound)?.read()?;
    if credential.org != Some(org) {
        return Err(Refusal::NotFound.into());
    }
    let row = app.table.find(&keys::directory_token(org, token)).await?.ok_or(Refusal::Unauthenticated)?;
    let name = row.read()?.name;
    let entry = match enter_org_as(app, org, by).await {
        Err(Error::Refused(Refusal::NotFound)) => return Err(Refusal::Unauthenticated.into()),
        entered => entered?,
    };
    if entry.org_role() != OrgRole::Owner {
        return Err(Refusal::Unauthenticated.into());
    }
    Ok(Provisioner { entry, via: format!("SCIM token {name}") })
}

/// Whether a caller may ask for anything here.
///
/// # Errors
/// As those of every request with a token of the directory: [`Refusal::Unauthenticated`], [`Refusal::Forbidden`],
/// [`Refusal::NotFound`].
pub async fn may_ask(app: &App, caller: Caller<'_>) -> Result<()> {
    enter(app, caller).await.map(drop)
}

/// As [`enter`], to change something.
async fn enter_to_change(app: &App, caller: Caller<'_>) -> Result<Provisioner> {
    let provisioner = enter(app, caller).await?;
    if provisioner.entry.org.read_only {
        return Err(Refusal::ReadOnlyOrganization.into());
    }
    Ok(provisioner)
}

/// Refuses a change of another version than the caller read.
fn demand(version: Option<u64>, row: &Row) -> Result<()> {
    match version {
        Some(version) if version != row.version => Err(Refusal::StaleVersion { current: row.version }.into()),
        _ => Ok(()),
    }
}

/// All people or groups of a directory, with their rows' versions.
async fn all<T: serde::de::DeserializeOwned>(app: &App, org: OrgId, prefix: &str) -> Result<Vec<(T, u64)>> {
    let query = Query::new(keys::org_pk(org), Range::Prefix(prefix.to_owned()), Limits::KEYS);
    let rows = app.table.query_all(query).await?;
    rows.iter().map(|row| Ok((row.read()?, row.version))).collect()
}

/// The membership of who accepts an invitation to this address: a person of the directory is linked with it, and has the
/// role of their groups.
pub(super) async fn joining(
    app: &App,
    transaction: &mut Transaction,
    org: OrgId,
    email: &str,
    member: Member,
) -> Result<Member> {
    let Some(held) = app.table.get(&keys::directory_email(org, email)).await? else { return Ok(member) };
    let id: DirectoryUserId = held.read()?;
    let Some(row) = app.table.find(&keys::directory_user(org, id)).await? else { return Ok(member) };
    let person = row.read()?;
    if !person.active {
        return Ok(member);
    }
    let linked = DirectoryUser { user: Some(member.user), changed_at: app.now(), ..person };
    transaction.write([row.replaced_by(&linked)]);
    let role = role_of(app, org, &linked).await?;
    Ok(match step(Some(&member), Source::Directory, role) {
        Outcome::Becomes(member) => *member,
        Outcome::Stays | Outcome::Joins(..) | Outcome::Leaves => member,
    })
}

/// The role that the groups of a person give: an Admin's at most. An Admin who passes a link on by hand may hold it
/// themselves, and nobody becomes an Owner by a link.
async fn role_of(app: &App, org: OrgId, person: &DirectoryUser) -> Result<Option<OrgRole>> {
    if person.groups.is_empty() {
        return Ok(None);
    }
    let groups: Vec<_> = person.groups.iter().map(|id| keys::directory_group(org, *id)).collect();
    let (mapped, groups) = wanted::load(app, (keys::group_roles(org), groups)).await?;
    let groups: Vec<DirectoryGroup> =
        groups.iter().flatten().map(RowOf::read).collect::<std::result::Result<_, _>>()?;
    let role = RowOf::or_default(mapped.as_ref())?.role_of(groups.iter().map(|group| group.name.as_str()));
    // In falling power: the lesser of the two.
    Ok(role.map(|role| role.max(OrgRole::Admin)))
}

/// Gives a member what the groups of the directory give them. Whoever is no member, because they left, stays out.
async fn give(app: &App, org: OrgId, person: &DirectoryUser, by: impl Fn() -> Transaction) -> Result<()> {
    let Some(user) = person.user.filter(|_| person.active) else { return Ok(()) };
    if app.table.find(&keys::member(org, user)).await?.is_none() {
        return Ok(());
    }
    let role = role_of(app, org, person).await?;
    group_roles::give(app, org, user, Source::Directory, role, by).await
}

/// Gives all people of a directory the roles of their groups anew, after who maps groups changed the mapping.
///
/// # Errors
/// Those of storage.
pub(super) async fn give_all(app: &App, entry: &Entry) -> Result<()> {
    let org = entry.org_id();
    for (person, _) in all::<DirectoryUser>(app, org, keys::DIRECTORY_USER_PREFIX).await? {
        if !person.groups.is_empty() {
            let by = || Transaction::on_behalf(app, org, entry.actor()).via("roles of groups");
            give(app, org, &person, by).await?;
        }
    }
    Ok(())
}

/// The member of an address, if it is one's.
async fn member_of(app: &App, org: OrgId, email: &str) -> Result<Option<UserId>> {
    let Some(row) = app.table.get(&keys::email(email)).await? else { return Ok(None) };
    let user: UserId = row.read()?;
    Ok(app.table.find(&keys::member(org, user)).await?.map(|_| user))
}
