//! Roles that groups give: what becomes of a membership when a sign-in or the directory says which groups somebody is in.
//!
//! The provider is the instance's, and people sign in of whom an organization must not know. So the groups that it names
//! count only in the organizations that the operator names (`Oidc:GroupOrganizations`); elsewhere an Owner who maps a group
//! would draw its people in, with their names and addresses. What the organization's own directory writes
//! ([`super::directory`]) counts everywhere.

use svc_domain::event::{OrgEvent, Standing};
use svc_domain::groups::{GroupRoles, Outcome, Source, step};
use svc_domain::identity::{Member, OrgRole};
use svc_domain::ids::{OrgId, UserId};
use svc_domain::membership::{LAST_OWNER, RoleChange};
use svc_storage::{Condition, Op, RowOf, keys};

use super::members::{another_owner, take_out};
use crate::App;
use crate::app::SignIn;
use crate::error::{Error, Result};
use crate::transaction::Transaction;
use crate::wanted;

/// The roles that groups give in an organization.
pub(super) async fn of_org(app: &App, org: OrgId) -> Result<GroupRoles> {
    Ok(RowOf::or_default(app.table.find(&keys::group_roles(org)).await?.as_ref())?)
}

/// Gives a person who signs in what their groups give, in each organization where those count, and takes what they give no
/// more.
///
/// # Errors
/// Those of storage.
pub(super) async fn follow(app: &App, sign_in: &SignIn, user: UserId, groups: &[String]) -> Result<()> {
    for slug in &sign_in.group_organizations {
        let Some(row) = app.table.get(&keys::slug(slug)).await? else { continue };
        let org: OrgId = row.read()?;
        let role = of_org(app, org).await?.role_of(groups.iter().map(String::as_str));
        let by = || Transaction::by_itself(app, org).via("identity provider");
        give(app, org, user, Source::SignIn, role, by).await?;
    }
    Ok(())
}

/// Gives a person the role of a source, or takes what it gave. The last Owner stays one; a read-only organization and one
/// that was deleted keep their members as they are.
///
/// # Errors
/// Those of storage.
pub(super) async fn give(
    app: &App,
    org: OrgId,
    user: UserId,
    source: Source,
    role: Option<OrgRole>,
    by: impl Fn() -> Transaction,
) -> Result<()> {
    match app.decide(|| give_once(app, org, user, source, role, by())).await {
        Err(Error::Refused(refusal)) if refusal == LAST_OWNER => {
            tracing::warn!(%org, %user, "the last Owner stays, though no group makes them one any more");
            Ok(())
        }
        given => given,
    }
}

async fn give_once(
    app: &App,
    org: OrgId,
    user: UserId,
    source: Source,
    role: Option<OrgRole>,
    by: Transaction,
) -> Result<()> {
    let wanted = (keys::member(org, user), keys::org(org), keys::user(user));
    let (row, Some(org_row), Some(account)) = wanted::load(app, wanted).await? else { return Ok(()) };
    let place = org_row.read()?;
    if place.read_only {
        return Ok(());
    }
    let before = row.as_ref().map(RowOf::read).transpose()?;
    let there = org_row.unchanged();
    match (step(before.as_ref(), source, role), row.zip(before)) {
        (Outcome::Joins(role, given), None) => {
            let person = account.read()?;
            let member = Member { given: Some(given), ..Member::of(&person, role, false) };
            let ops = [
                there,
                // The membership repeats the account's name: it is still called so.
                account.unchanged(),
                Op::create(keys::member(org, user), &member),
                Op::put(keys::user_org(user, org), Condition::None, &place.slug),
            ];
            app.commit(by.with(ops).telling(OrgEvent::MemberAdded(user, Standing::of(&member)))).await
        }
        (Outcome::Becomes(member), Some((row, before))) => {
            let change = RoleChange::changed(before.role, member.role);
            let mut by = by.with([there, row.replaced_by(&*member)]);
            by.write(another_owner(app, org, user, change).await?);
            let (from, to) = (Standing::of(&before), Standing::of(&member));
            if from != to {
                by.tell(OrgEvent::MemberChanged(user, from, to));
            }
            app.commit(by).await
        }
        (Outcome::Leaves, Some((row, _))) => take_out(app, org, user, row, by).await,
        _ => Ok(()),
    }
}
