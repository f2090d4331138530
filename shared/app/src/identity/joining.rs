//! The invited person's side of an invitation: viewing it, and joining with it.
//!
//! The holder of the link joins with the invited address, either signed in or by creating the account. One commit
//! accepts the invitation in the version that was read and writes account, membership and session: of concurrent
//! attempts, one joins. The link stays for a while, so that a late attempt gets an explanation.
//!
//! Without mail, nobody proves that an address is theirs: an account's address is what an inviter wrote. So an
//! address alone grants nothing; joining takes the link. If a stranger has made an account with somebody's address,
//! the operator of the instance returns it to its owner ([`super::password_link`]).

use svc_domain::account;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::event::{AccountEvent, OrgEvent, ProjectEvent, Standing};
use svc_domain::identity::{Member, Org, ProjectMember, Scope, User};
use svc_domain::ids::{ActorId, OrgId, UserId};
use svc_domain::invitation::{self, Invitation};
use svc_domain::membership::RoleChange;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Op, RowOf, keys};

use super::directory;
use super::ending::is_disabled;
use super::invitation_link::Link;
use super::invitations::freeing;
use super::orgs::VisibleOrg;
use super::passwords;
use super::sessions::{self, Session, opening};
use super::visitor::Visitor;
use crate::App;
use crate::entry::{BearerCredential, account_of, authenticate};
use crate::error::Result;
use crate::secrets;
use crate::transaction::Transaction;
use crate::wanted;

/// An invitation as the holder of its link sees it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The invitation.
    pub invitation: Invitation,
    /// Name of the organization.
    pub org: String,
    /// Whether there is an account of the address, to sign in with. Told to whoever reads its mail: a link that is passed
    /// on by hand is in the hands of the person who wrote the address, too.
    pub has_account: bool,
}

/// The account that joining makes.
#[derive(Clone, Debug)]
pub struct JoiningAccount {
    /// Name shown to others.
    pub display_name: String,
    /// Password.
    pub password: String,
}

/// The person that joins, and their link.
#[derive(Clone, Debug)]
pub struct Joining {
    /// The link's secret.
    pub secret: String,
    /// The account to make, for a person without one.
    pub account: Option<JoiningAccount>,
    /// Where they come from.
    pub visitor: Visitor,
}

/// The organization that was joined, and the session of an account that joining made.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The organization.
    pub org: VisibleOrg,
    /// The session.
    pub session: Option<Session>,
}

/// An invitation with its rows.
struct Found {
    link: Link,
    invitation: Invitation,
    row: RowOf<Invitation>,
    org: Org,
    org_row: RowOf<Org>,
}

/// The invitation that a link leads to, as long as it can be accepted.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::Conflict`], which says what became of it.
pub async fn look_at_invitation(app: &App, secret: &str) -> Result<Seen> {
    let found = find(app, &secrets::hash(secret)).await?;
    let nobody = UserId(uuid::Uuid::nil());
    let event = invitation::Event::Accept { by: nobody, generation: found.link.generation };
    invitation::step(&found.invitation.state, event, app.now())?;
    let has_account =
        found.link.mailed && app.table.get(&keys::email(&found.invitation.email)).await?.is_some();
    Ok(Seen { org: found.org.name, invitation: found.invitation, has_account })
}

/// Joins the organization of an invitation.
///
/// # Errors
/// [`Refusal::NotFound`] for a link that leads nowhere; [`Refusal::Conflict`], which says what became of the
/// invitation, or that one must sign in; [`Refusal::Forbidden`] for another address;
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`], [`Refusal::Invalid`],
/// [`Refusal::ReadOnlyOrganization`].
pub async fn join(app: &App, caller: Option<&BearerCredential>, joining: Joining) -> Result<Joined> {
    if caller.is_some() {
        authenticate(app, caller).await?;
    }
    let new = match (&joining.account, caller) {
        (Some(account), None) => Some(prepared(app, account).await?),
        (Some(_), Some(_)) => {
            let why = "you are signed in and join with your existing account: leave this out";
            return Err(Refusal::invalid("displayName", why).into());
        }
        (None, _) => None,
    };
    app.decide(|| join_once(app, caller, &joining, new.as_ref())).await
}

/// Name and password hash of the account to make.
async fn prepared(app: &App, account: &JoiningAccount) -> Result<(String, String)> {
    let mut errors = FieldErrors::default();
    let name = errors.check("displayName", account::public_name(&account.display_name));
    errors.check("password", account::password(&account.password));
    let Some(name) = name else { return Err(errors.into()) };
    errors.into_result()?;
    Ok((name, passwords::hash(app, &account.password).await?))
}

async fn join_once(
    app: &App,
    caller: Option<&BearerCredential>,
    joining: &Joining,
    new: Option<&(String, String)>,
) -> Result<Joined> {
    let found = find(app, &secrets::hash(&joining.secret)).await?;
    let mut transaction = Transaction::of_account(app, caller).within(found.link.org);
    let (user, ops) = match caller {
        Some(_) => signed_in(app, caller, &found).await?,
        None => registering(app, &found, new).await?,
    };
    transaction.write(ops);
    let mut transaction = transaction.signed(user.actor());
    if caller.is_none() {
        transaction.tell(AccountEvent::Created(user.id));
    }
    let member = admission(app, &mut transaction, &found, &user).await?;
    let session = match caller {
        Some(_) => None,
        None => {
            let (session, session_ops) = opening(app, user.id, &joining.visitor).await?;
            transaction.write(session_ops);
            transaction.tell(AccountEvent::SessionOpened(user.id));
            Some(session)
        }
    };
    app.commit(transaction).await?;
    Ok(Joined { org: VisibleOrg::new(found.org, found.org_row.version, Some(&member)), session })
}

/// What makes who has just shown to be the invited address a member, beside what else is committed with it.
///
/// # Errors
/// As [`join`].
pub(super) async fn admit(
    app: &App,
    transaction: Transaction,
    link_hash: &str,
    user: &User,
) -> Result<Transaction> {
    let found = find(app, link_hash).await?;
    addressed(&found.invitation, user)?;
    let mut transaction = transaction.within(found.link.org).signed(user.actor());
    admission(app, &mut transaction, &found, user).await?;
    Ok(transaction)
}

/// The membership. The transaction accepts the invitation and writes it.
async fn admission(app: &App, transaction: &mut Transaction, found: &Found, user: &User) -> Result<Member> {
    if found.org.read_only {
        return Err(Refusal::ReadOnlyOrganization.into());
    }
    let event = invitation::Event::Accept { by: user.id, generation: found.link.generation };
    let mut accepted = found.invitation.clone();
    accepted.state = invitation::step(&accepted.state, event, app.now())?.0;
    let org = found.link.org;
    transaction.write(still_invited(app, org, &found.invitation).await?);
    let member = Member::of(user, accepted.terms.role(), accepted.terms.can_start_ai_work);
    let member = directory::joining(app, transaction, org, &accepted.email, member).await?;
    if app.table.find(&keys::member(org, user.id)).await?.is_some() {
        return Err(Refusal::Conflict("you are already a member of this organization").into());
    }
    transaction.write([
        Op::replace(found.row.key.clone(), found.row.version, &accepted),
        Op::check(found.org_row.key.clone(), Condition::Version(found.org_row.version)),
        Op::create(keys::member(org, user.id), &member),
        Op::put(keys::user_org(user.id, org), Condition::None, &found.org.slug),
    ]);
    transaction.write(freeing(app, org, &accepted).await?);
    let in_project = project_ops(app, org, user, &accepted).await?;
    transaction.tell(OrgEvent::InvitationAccepted(accepted.id, user.id));
    transaction.tell(OrgEvent::MemberAdded(user.id, Standing::of(&member)));
    if let Some(project) = accepted.terms.project.as_ref().filter(|_| !in_project.is_empty()) {
        let role = accepted.terms.project_role();
        transaction.tell(ProjectEvent::MemberSet(project.clone(), user.id, role));
    }
    transaction.write(in_project);
    Ok(member)
}

/// The inviter must still be permitted to: an invitation outlives neither the role nor the account that it was made with.
async fn still_invited(app: &App, org: OrgId, invitation: &Invitation) -> Result<Vec<Op>> {
    let ActorId::User(inviter) = invitation.by.id else { return Ok(Vec::new()) };
    let account = keys::sessions(inviter);
    let (row, sessions) = wanted::load(app, (keys::member(org, inviter), account.clone())).await?;
    let role = row.as_ref().map(RowOf::read).transpose()?.map(|member| member.role);
    let change = RoleChange::added(invitation.terms.role());
    let may =
        role.is_some_and(|role| change.permitted_to(role).is_ok()) && !is_disabled(sessions.as_deref())?;
    let Some(row) = row.filter(|_| may) else {
        return Err(Refusal::Conflict(
            "the person who invited you may no longer invite people: ask an Owner or Admin of the organization to \
            resend the invitation",
        )
        .into());
    };
    let enabled = sessions.map_or(Condition::Absent, |sessions| Condition::Version(sessions.version));
    Ok(vec![row.unchanged(), Op::check(account, enabled)])
}

/// The membership of the invitation's project. One that was deleted has its members when it is restored; nobody joins
/// one that is gone.
async fn project_ops(app: &App, org: OrgId, user: &User, accepted: &Invitation) -> Result<Vec<Op>> {
    let Some(key) = &accepted.terms.project else { return Ok(Vec::new()) };
    let place = keys::deleted_project(org, key);
    let there = match app.table.get(&place).await? {
        None => Op::check(keys::project(org, key), Condition::Present),
        Some(row) if row.read::<DeletedProject>()?.kept(app.now()).is_none() => return Ok(Vec::new()),
        Some(row) => Op::check(place, Condition::Version(row.version)),
    };
    let role = accepted.terms.project_role();
    let member = ProjectMember { user: user.id, display_name: user.display_name.clone(), role };
    Ok(vec![there, Op::put(keys::project_member(org, key, user.id), Condition::None, &member)])
}

/// The invitation of a link, by the hash of its secret.
async fn find(app: &App, link_hash: &str) -> Result<Found> {
    let link_row = app.table.get(&keys::invitation_secret(link_hash)).await?.ok_or(Refusal::NotFound)?;
    let link: Link = link_row.read()?;
    let wanted = (keys::invitation(link.org, link.invitation), keys::org(link.org));
    let (Some(row), Some(org_row)) = wanted::load(app, wanted).await? else {
        return Err(Refusal::NotFound.into());
    };
    Ok(Found { link, invitation: row.read()?, row, org: org_row.read()?, org_row })
}

/// The account that the caller is signed in to, if it is the invited one, and that it is still called so when
/// the membership repeats its name. A link that came by mail confirms its address.
async fn signed_in(app: &App, caller: Option<&BearerCredential>, found: &Found) -> Result<(User, Vec<Op>)> {
    let user = account_of(&authenticate(app, caller).await?, Scope::Write)?;
    let row = app.table.find(&keys::user(user)).await?.ok_or(Refusal::Unauthenticated)?;
    let mut user: User = row.read()?;
    addressed(&found.invitation, &user)?;
    if user.email_verified || !found.link.mailed {
        return Ok((user, vec![row.unchanged()]));
    }
    user.email_verified = true;
    let confirmed = row.replaced_by(&user);
    Ok((user, vec![confirmed]))
}

fn addressed(invitation: &Invitation, user: &User) -> Result<()> {
    if invitation.is_for(&user.email) {
        return Ok(());
    }
    let why = "this invitation was sent to another address; sign in with that address";
    Err(Refusal::Forbidden(why).into())
}

/// The account that joining makes, and what writes it.
async fn registering(app: &App, found: &Found, new: Option<&(String, String)>) -> Result<(User, Vec<Op>)> {
    let email = &found.invitation.email;
    if sessions::account(app, email).await?.is_some() {
        let without_mail = "this address already has an account: sign in, then open the invitation again; if the \
        account is not yours, ask the operator of this instance for a password link";
        let by_mail = "this address already has an account: sign in, resetting the password if necessary, then open \
        the invitation again";
        return Err(Refusal::Conflict(if app.mail.is_none() { without_mail } else { by_mail }).into());
    }
    let Some((display_name, password_hash)) = new else {
        let mut errors = FieldErrors::one("displayName", "required: this address has no account yet");
        errors.add("password", "required: this address has no account yet");
        return Err(errors.into());
    };
    let (name, hash) = (display_name.clone(), password_hash.clone());
    let mut user = User::new(UserId(app.uuid()), email.clone(), name, hash, app.now());
    user.email_verified = found.link.mailed;
    let ops = vec![Op::create(keys::email(email), &user.id), Op::create(keys::user(user.id), &user)];
    Ok((user, ops))
}
