//! Organizations: which ones a caller sees, and new ones.

use std::sync::Arc;

use svc_domain::access::{Capability, Standing, is_factory_operator};
use svc_domain::account;
use svc_domain::deletion::Deletion;
use svc_domain::event::OrgEvent;
use svc_domain::identity::{Credential, Member, Org, OrgRole, Scope, Subject, User};
use svc_domain::ids::{OrgId, OrgSlug, UserId};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Limits, Op, Query, Range, Row, StorageError, keys};

use super::admins;
use crate::App;
use crate::entry::{BearerCredential, Caller, Entry, authenticate, enter_org, person};
use crate::error::{Error, Result};
use crate::transaction::Transaction;
use crate::wanted;

/// An organization as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleOrg {
    /// The organization.
    pub org: Org,
    /// Version of its row.
    pub version: u64,
    /// The caller's role; an agent counts as a Member.
    pub role: OrgRole,
    /// Whether the caller is a factory operator (specification section 1.6).
    pub can_operate_factory: bool,
    /// Who deleted it, and when, where that is so.
    pub deletion: Option<Deletion>,
}

impl VisibleOrg {
    pub(super) fn new(org: Org, version: u64, member: Option<&Member>) -> Self {
        Self {
            org,
            version,
            role: member.map_or(OrgRole::Member, |member| member.role),
            can_operate_factory: member.is_some_and(is_factory_operator),
            deletion: None,
        }
    }

    pub(super) fn of(entry: Entry) -> Self {
        let member = match &entry.access.standing {
            Standing::Member(member) => Some(member),
            Standing::Agent { .. } => None,
        };
        Self::new(Arc::unwrap_or_clone(entry.org), entry.org_version, member)
    }
}

/// What an organization is made from.
#[derive(Clone, Debug)]
pub struct NewOrg {
    /// Part of every address.
    pub slug: String,
    /// Name shown to people.
    pub name: String,
}

impl NewOrg {
    /// Slug and name, or their errors under their names after `prefix`.
    pub(super) fn checked(&self, prefix: &str, errors: &mut FieldErrors) -> Option<(OrgSlug, String)> {
        let slug = errors.check(&format!("{prefix}slug"), self.slug.parse::<OrgSlug>());
        let name = errors.check(&format!("{prefix}name"), account::public_name(&self.name));
        slug.zip(name)
    }
}

/// The organizations that a caller sees, by slug. A bound token sees its own.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for runners.
pub async fn orgs(app: &App, caller: Option<&BearerCredential>) -> Result<Vec<VisibleOrg>> {
    let credential = authenticate(app, caller).await?;
    let visible = visible_to(app, &credential).await?;
    require(&credential, Scope::Read)?;
    Ok(visible)
}

/// The organizations that a credential sees, whatever it may do there.
pub(crate) async fn visible_to(app: &App, credential: &Credential) -> Result<Vec<VisibleOrg>> {
    if let (Subject::AgentRun { .. }, Some(org)) = (&credential.subject, credential.org) {
        let row = app.table.find(&keys::org(org)).await?.ok_or(Refusal::Unauthenticated)?;
        return Ok(vec![VisibleOrg::new(row.read()?, row.version, None)]);
    }
    let user = person(credential)?;
    let orgs = orgs_of(app, credential, user).await?;
    let wanted: Vec<_> = orgs.iter().map(|org| (keys::org(*org), keys::member(*org, user))).collect();
    let mut visible = Vec::with_capacity(orgs.len());
    for pair in wanted::load(app, wanted).await? {
        if let (Some(org), Some(member)) = pair {
            visible.push(VisibleOrg::new(org.read()?, org.version, Some(&member.read()?)));
        }
    }
    visible.sort_by(|a, b| a.org.slug.cmp(&b.org.slug));
    Ok(visible)
}

/// The organizations that a person belongs to, those too that were deleted, as far as the credential reaches.
pub(super) async fn orgs_of(app: &App, credential: &Credential, user: UserId) -> Result<Vec<OrgId>> {
    if let Some(bound) = credential.org {
        return Ok(vec![bound]);
    }
    of_person(app, user).await
}

/// The organizations of a person.
pub(crate) async fn of_person(app: &App, user: UserId) -> Result<Vec<OrgId>> {
    let range = Range::Prefix(keys::USER_ORG_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::user_pk(user), range, Limits::KEYS)).await?;
    rows.iter().map(org_of_pointer).collect()
}

fn org_of_pointer(row: &Row) -> Result<OrgId> {
    let id = row.key.sk.strip_prefix(keys::USER_ORG_PREFIX).unwrap_or_default();
    Ok(id.parse().map_err(|_| StorageError::Corrupt(format!("{}/{}", row.key.pk, row.key.sk)))?)
}

/// An organization.
///
/// # Errors
/// As [`enter_org`].
pub async fn org(app: &App, caller: Caller<'_>) -> Result<VisibleOrg> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    Ok(VisibleOrg::of(entry))
}

/// Makes an organization that the caller owns. A bound token, which sees no other organization, cannot.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`], [`Refusal::Forbidden`], [`Refusal::Invalid`],
/// [`Refusal::AlreadyExists`].
pub async fn create_org(app: &App, caller: Option<&BearerCredential>, new: NewOrg) -> Result<VisibleOrg> {
    let credential = authenticate(app, caller).await?;
    let user = person(&credential)?;
    require(&credential, Scope::Write)?;
    if credential.org.is_some() {
        return Err(Refusal::Forbidden("this token is bound to another organization").into());
    }
    admins::may_create_orgs(app, user).await?;
    let mut errors = FieldErrors::default();
    let checked = new.checked("", &mut errors);
    errors.into_result()?;
    let Some((slug, name)) = checked else { return Err(Refusal::NotFound.into()) };
    let turn = app.row_locks.of_person(user);
    let _turn = turn.lock().await;
    if orgs_of(app, &credential, user).await?.len() >= app.settings.limits.organizations_per_account as usize
    {
        let many = "you belong to as many organizations as an account may that makes another; leave or delete one first";
        return Err(Refusal::Conflict(many).into());
    }
    app.decide(|| async {
        let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
        let transaction = Transaction::of_account(app, caller);
        let (made, transaction) = creation(app, transaction, &row.read()?, slug.clone(), name.clone());
        // The membership repeats the account's name: it is still called so.
        let still_called_so = row.unchanged();
        match app.commit(transaction.with([still_called_so])).await {
            Ok(()) => Ok(made),
            Err(Error::Storage(StorageError::Conflict { op: 0, .. })) => {
                Err(Refusal::AlreadyExists("an organization with this slug").into())
            }
            Err(error) => Err(error),
        }
    })
    .await
}

/// A new organization owned by a person, created in the transaction. Only its slug can be taken.
pub(super) fn creation(
    app: &App,
    transaction: Transaction,
    owner: &User,
    slug: OrgSlug,
    name: String,
) -> (VisibleOrg, Transaction) {
    let (id, created_at) = (OrgId(app.uuid()), app.now());
    let org = Org { id, slug, name, read_only: false, created_at, plan: None, has_webhooks: false };
    let member = Member::of(owner, OrgRole::Owner, true);
    let ops = [
        Op::create(keys::slug(&org.slug), &org.id),
        Op::create(keys::org(org.id), &org),
        Op::create(keys::org_entry(org.id), &org.slug),
        Op::create(keys::member(org.id, owner.id), &member),
        Op::create(keys::user_org(owner.id, org.id), &org.slug),
    ];
    let transaction = transaction.within(org.id).signed(owner.actor()).with(ops);
    let transaction = transaction.telling(OrgEvent::Created(org.slug.clone()));
    (VisibleOrg::new(org, 1, Some(&member)), transaction)
}

/// Refuses a credential that lacks a scope.
pub(super) fn require(credential: &Credential, scope: Scope) -> Result<(), Refusal> {
    if credential.scopes.contains(&scope) { Ok(()) } else { Err(Refusal::MissingScope(scope.as_str())) }
}
