//! An administrator's side of invitations: creates, lists, resends and withdraws them.
//!
//! Protocol.
//! 1. An address has one live invitation in an organization: its name row is written `absent`, or in the
//!    version of an invitation that has ended.
//! 2. Where mail is on, the event sends a message; a worker makes the secret and sends it
//!    ([`mail_invitation`]), so that it is nowhere but in the mail. Where it is off, or an administrator wants the link
//!    itself, the secret is made here and answered once.
//! 3. While mail does not work, the one who invited gets a link of the same generation to pass on, here or from the worker
//!    that could not send. It is kept sealed with the invitation until the mail is out.
//! 4. A link names its generation. Which generation works is a field of the invitation's row, which every
//!    change replaces in the version that it read.

use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::account;
use svc_domain::event::OrgEvent;
use svc_domain::ids::{InvitationId, OrgId, UserId};
use svc_domain::invitation::{self, Delivery, Effect, Invitation, State, Terms};
use svc_domain::membership::RoleChange;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, RowOf, StorageError, keys};

use super::invitation_link::{Link, new_link};
use super::invitation_mail::{kept_link, pass_on};
use super::names::bring_up_to_date;
use crate::App;
use crate::budget::spend_mail;
use crate::entry::{Caller, Entry, enter_org, enter_org_with};
use crate::error::Result;
use crate::mailing;
use crate::transaction::Transaction;

/// Whom to invite, and as what.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// Address.
    pub email: String,
    /// As what.
    pub terms: Terms,
}

/// An invitation, and its link where mail does not bring it.
#[derive(Clone, Debug)]
pub struct Invited {
    /// The invitation.
    pub invitation: Invitation,
    /// To be passed on by hand; shown this once, or as long as its mail fails.
    pub link: Option<String>,
}

/// Every invitation, the newest first; the caller's own with their links, where their mail fails.
///
/// # Errors
/// As [`enter_org`].
pub async fn invitations(app: &App, caller: Caller<'_>) -> Result<Vec<Invited>> {
    let entry = enter_org(app, caller, Capability::SeeAdministration).await?;
    let range = Range::Prefix(keys::INVITATION_PREFIX.to_owned());
    let query = Query::new(keys::org_pk(entry.org_id()), range, Limits::KEYS).descending();
    let rows = app.table.query_all(query).await?;
    let mut invitations: Vec<Invitation> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    bring_up_to_date(app, entry.org_id(), invitations.iter_mut().map(|invitation| &mut invitation.by))
        .await?;
    let shown = |invitation| Invited { link: kept_link(app, &entry, &invitation), invitation };
    Ok(invitations.into_iter().map(shown).collect())
}

/// Invites an address.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::Invalid`], [`Refusal::Forbidden`]; [`Refusal::Conflict`] for who is a member
/// or invited already; [`Refusal::RateLimited`].
pub async fn invite(app: &App, caller: Caller<'_>, new: NewInvitation) -> Result<Invited> {
    let entry = enter_org(app, caller, Capability::AdministerOrg).await?;
    RoleChange::added(new.terms.role()).permitted_to(entry.org_role())?;
    let mut errors = FieldErrors::default();
    let email = errors.check("email", account::public_email(&new.email));
    let terms = new.terms.checked().map_err(|wrong| errors.0.extend(wrong.0)).ok();
    let (Some(email), Some(terms)) = (email, terms) else { return Err(errors.into()) };
    let new = NewInvitation { email, terms };
    if app.mail.is_some() {
        spend_mail(app, entry.actor().id, Some(&entry.org)).await?;
    }
    app.decide(|| invite_once(app, caller, &new)).await
}

async fn invite_once(app: &App, caller: Caller<'_>, new: &NewInvitation) -> Result<Invited> {
    let wanted = |org| {
        let project = new.terms.project.as_ref().map(|key| keys::project(org, key));
        (name(org, &new.email), keys::email(&new.email), project)
    };
    let (entry, (taken, account, project)) =
        enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
    RoleChange::added(new.terms.role()).permitted_to(entry.org_role())?;
    if new.terms.project.is_some() && project.is_none() {
        return Err(Refusal::invalid("project", "there is no project of this key").into());
    }
    refuse_members(app, entry.org_id(), account).await?;
    make(app, &entry, new, taken, Transaction::of(app, &entry)).await
}

/// Invites an address in the name of the organization's directory, unless it is invited already.
///
/// # Errors
/// [`Refusal::RateLimited`]; those of storage.
pub(super) async fn invite_from_directory(
    app: &App,
    entry: &Entry,
    new: &NewInvitation,
    via: &str,
) -> Result<()> {
    let org = entry.org_id();
    if let Some(held) = app.table.get(&name(org, &new.email)).await?
        && let Some(row) = app.table.find(&keys::invitation(org, held.read()?)).await?
        && row.read()?.is_live(app.now())
    {
        return Ok(());
    }
    if app.mail.is_some() {
        spend_mail(app, entry.actor().id, Some(&entry.org)).await?;
    }
    app.decide(|| async {
        let taken = app.table.get(&name(org, &new.email)).await?;
        make(app, entry, new, taken, Transaction::of(app, entry).via(via)).await.map(drop)
    })
    .await
}

async fn make(
    app: &App,
    entry: &Entry,
    new: &NewInvitation,
    taken: Option<Row>,
    transaction: Transaction,
) -> Result<Invited> {
    let NewInvitation { email, terms } = new.clone();
    let org = entry.org_id();
    let now = app.now();
    let invitation = Invitation {
        id: InvitationId(app.uuid()),
        email,
        terms,
        by: entry.actor().clone(),
        created_at: now,
        state: State::Pending { generation: 1, expires_at: now + term(app) },
        delivery: Delivery::Waiting,
        undelivered: None,
    };
    let address = free(app, org, invitation.id, taken).await?;
    let key = name(org, &invitation.email);
    let transaction = transaction.with([Op::put(key, address, &invitation.id)]);
    send_out(app, transaction, org, invitation, Condition::Absent, app.mail.is_some()).await
}

/// Whether an invitation may have the address: the condition on its name row, when it is free, its own, or
/// what held it ended.
async fn free(app: &App, org: OrgId, own: InvitationId, taken: Option<Row>) -> Result<Condition> {
    let Some(row) = taken else { return Ok(Condition::Absent) };
    let id: InvitationId = row.read()?;
    if id == own {
        return Ok(Condition::Version(row.version));
    }
    let held: Option<Invitation> =
        app.table.find(&keys::invitation(org, id)).await?.map(|row| row.read()).transpose()?;
    if held.is_some_and(|held| held.is_live(app.now())) {
        return Err(Refusal::Conflict("this address is already invited; resend the invitation").into());
    }
    Ok(Condition::Version(row.version))
}

async fn refuse_members(app: &App, org: OrgId, account: Option<Row>) -> Result<()> {
    let Some(row) = account else { return Ok(()) };
    let user: UserId = row.read()?;
    match app.table.find(&keys::member(org, user)).await? {
        Some(_) => Err(Refusal::Conflict("this account is already a member of the organization").into()),
        None => Ok(()),
    }
}

/// Sends an invitation again, with a new link and a new expiry; links sent before stop working. `by_hand` answers the
/// link and sends no mail, for when mail does not arrive.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::NotFound`]; [`Refusal::Conflict`] for one that was accepted or withdrawn;
/// [`Refusal::RateLimited`].
pub async fn resend_invitation(
    app: &App,
    caller: Caller<'_>,
    id: InvitationId,
    by_hand: bool,
) -> Result<Invited> {
    let by_mail = app.mail.is_some() && !by_hand;
    if by_mail {
        let entry = enter_org(app, caller, Capability::AdministerOrg).await?;
        spend_mail(app, entry.actor().id, Some(&entry.org)).await?;
    }
    app.decide(|| async {
        let (entry, row) = enter_invitation(app, caller, id).await?;
        let mut invitation: Invitation = row.read()?;
        RoleChange::added(invitation.terms.role()).permitted_to(entry.org_role())?;
        let event = invitation::Event::Resend { until: app.now() + term(app) };
        invitation.state = invitation::step(&invitation.state, event, app.now())?.0;
        invitation.by = entry.actor().clone();
        let org = entry.org_id();
        let key = name(org, &invitation.email);
        let address = free(app, org, id, app.table.get(&key).await?).await?;
        let ops = vec![Op::put(key, address, &invitation.id)];
        let transaction = Transaction::of(app, &entry).with(ops);
        send_out(app, transaction, org, invitation, Condition::Version(row.version), by_mail).await
    })
    .await
}

/// Withdraws an invitation: its link stops working.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::NotFound`]; [`Refusal::Conflict`] for one that was accepted or withdrawn.
pub async fn revoke_invitation(app: &App, caller: Caller<'_>, id: InvitationId) -> Result<()> {
    app.decide(|| async {
        let (entry, row) = enter_invitation(app, caller, id).await?;
        withdraw(app, row, entry.org_id(), Transaction::of(app, &entry)).await
    })
    .await
}

/// Withdraws the live invitation of an address, if there is one, in the name of the organization's directory.
///
/// # Errors
/// Those of storage.
pub(super) async fn withdraw_from_directory(app: &App, entry: &Entry, email: &str, via: &str) -> Result<()> {
    app.decide(|| async {
        let org = entry.org_id();
        let Some(held) = app.table.get(&name(org, email)).await? else { return Ok(()) };
        let Some(row) = app.table.find(&keys::invitation(org, held.read()?)).await? else { return Ok(()) };
        if !matches!(row.read()?.state, State::Pending { .. }) {
            return Ok(());
        }
        withdraw(app, row, org, Transaction::of(app, entry).via(via)).await
    })
    .await
}

async fn withdraw(app: &App, row: RowOf<Invitation>, org: OrgId, transaction: Transaction) -> Result<()> {
    let mut invitation = row.read()?;
    let id = invitation.id;
    let (state, effects) = invitation::step(&invitation.state, invitation::Event::Revoke, app.now())?;
    invitation.state = state;
    let mut ops = vec![row.replaced_by(&invitation)];
    if effects.contains(&Effect::FreeAddress) {
        ops.extend(freeing(app, org, &invitation).await?);
    }
    app.commit(transaction.with(ops).telling(OrgEvent::InvitationRevoked(id))).await
}

/// The operation that frees the address of an invitation, if no later one holds it.
pub(super) async fn freeing(app: &App, org: OrgId, invitation: &Invitation) -> Result<Option<Op>> {
    let key = name(org, &invitation.email);
    let Some(row) = app.table.get(&key).await? else { return Ok(None) };
    let holder: InvitationId = row.read()?;
    Ok((holder == invitation.id).then(|| Op::delete(key, Condition::Version(row.version))))
}

async fn enter_invitation(
    app: &App,
    caller: Caller<'_>,
    id: InvitationId,
) -> Result<(Entry, RowOf<Invitation>)> {
    let wanted = |org| keys::invitation(org, id);
    let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
    Ok((entry, row.ok_or(Refusal::NotFound)?))
}

/// Commits a pending invitation and sees to it that its link goes out.
async fn send_out(
    app: &App,
    transaction: Transaction,
    org: OrgId,
    mut invitation: Invitation,
    condition: Condition,
    by_mail: bool,
) -> Result<Invited> {
    let State::Pending { generation, expires_at } = invitation.state else {
        return Err(StorageError::Corrupt(format!("invitation {} is not pending", invitation.id)).into());
    };
    let key = keys::invitation(org, invitation.id);
    let (id, email, terms) = (invitation.id, invitation.email.clone(), invitation.terms.clone());
    let sent = |mail| OrgEvent::InvitationSent { invitation: id, email, terms, mail };
    invitation.undelivered = None;
    if by_mail {
        let sent = sent(Some(generation));
        invitation.delivery = Delivery::Waiting;
        let fails = mailing::health(app).await?.failure().map(str::to_owned);
        let by_hand = fails.map(|why| pass_on(app, org, &mut invitation, why));
        let (link, secret) = by_hand.flatten().unzip();
        let row = Op::put(key, condition, &invitation);
        app.commit(transaction.with(std::iter::once(row).chain(secret)).telling(sent)).await?;
        return Ok(Invited { invitation, link });
    }
    let sent = sent(None);
    invitation.delivery = Delivery::ByHand;
    let link = Link { org, invitation: invitation.id, generation, mailed: false };
    let (address, secret) = new_link(app, &link, expires_at);
    let rows = [Op::put(key, condition, &invitation), secret];
    app.commit(transaction.with(rows).telling(sent)).await?;
    Ok(Invited { invitation, link: Some(address) })
}

fn term(app: &App) -> SignedDuration {
    SignedDuration::from_hours(i64::from(app.settings.authentication.invitation_hours))
}

/// The row that keeps an address from being invited twice.
fn name(org: OrgId, email: &str) -> Key {
    keys::org_name(org, "invitation", email.trim())
}
