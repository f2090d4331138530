//! Personal access tokens (specification section 5).
//!
//! What a token may be is [`grant`]'s to say. Making one needs the scope `admin`, because it outlives the
//! credential that made it; revoking one takes power away and needs `write`. A bound token sees and revokes
//! only tokens of its own organization: the others would tell it of organizations that it must not know.

use std::collections::BTreeSet;

use jiff::Timestamp;
use svc_domain::account;
use svc_domain::event::{AccountEvent, TokenReach};
use svc_domain::grant::{Grant, grant};
use svc_domain::identity::{Credential, Scope, Subject, TokenRecord};
use svc_domain::ids::{Actor, ActorId, OrgId, OrgSlug, TokenId, UserId};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Limits, Op, Query, Range, Row, keys};

use super::ending;
use super::orgs::{of_person, require};
use crate::App;
use crate::entry::{BearerCredential, authenticate, person};
use crate::error::Result;
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;
use crate::wanted;

/// What a token is made from.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// Slug of the only organization that it sees.
    pub organization: Option<String>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// A token as its owner lists it.
#[derive(Clone, Debug)]
pub struct ListedToken {
    /// The token.
    pub token: TokenRecord,
    /// When it was last used, to the hour; `None` when it was not in the last year.
    pub last_used_at: Option<Timestamp>,
    /// Whether it is the token that asks.
    pub current: bool,
}

/// A token and its secret, which is stored nowhere.
#[derive(Clone, Debug)]
pub struct CreatedToken {
    /// The token.
    pub token: TokenRecord,
    /// The secret.
    pub secret: String,
}

/// The caller's tokens that work, oldest first; a bound token sees those of its organization.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for agents and runners.
pub async fn tokens(app: &App, caller: Option<&BearerCredential>) -> Result<Vec<ListedToken>> {
    let credential = authenticate(app, caller).await?;
    let user = person(&credential)?;
    require(&credential, Scope::Read)?;
    let range = Range::Prefix(keys::TOKEN_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::user_pk(user), range, Limits::KEYS)).await?;
    let mut tokens: Vec<TokenRecord> = rows.iter().map(|row| row.read()).collect::<Result<_, _>>()?;
    let now = app.now();
    tokens.retain(|token| sees(&credential, token) && token.expires_at.is_none_or(|end| now < end));
    tokens.sort_by_key(|token| (token.created_at, token.id));
    let range = Range::Prefix(keys::TOKEN_USE_PREFIX.to_owned());
    let uses = app.table.query_all(Query::new(keys::user_pk(user), range, Limits::KEYS)).await?;
    let listed = |token: TokenRecord| {
        let key = keys::token_use(user, token.id);
        let row = uses.iter().find(|row| row.key == key);
        let current =
            matches!(credential.subject, Subject::PersonalToken { token: id, .. } if id == token.id);
        Ok(ListedToken { last_used_at: row.map(Row::read).transpose()?, current, token })
    };
    tokens.into_iter().map(listed).collect()
}

/// Makes a token of the caller.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`], [`Refusal::Invalid`]; [`Refusal::Forbidden`] for
/// agents and runners.
pub async fn create_token(
    app: &App,
    caller: Option<&BearerCredential>,
    new: NewToken,
) -> Result<CreatedToken> {
    app.decide(|| create_once(app, caller, &new)).await
}

async fn create_once(app: &App, caller: Option<&BearerCredential>, new: &NewToken) -> Result<CreatedToken> {
    let user = person(&authenticate(app, caller).await?)?;
    // Read before the credential is asked again: a reset between the two ends this attempt.
    let nothing_ended = ending::unchanged(app, user).await?;
    let credential = authenticate(app, caller).await?;
    require(&credential, Scope::Admin)?;
    let mut errors = FieldErrors::default();
    let name = errors.check("name", account::name(&new.name));
    let asked_org = match &new.organization {
        Some(slug) => {
            let org = own_org(app, &credential, user, slug).await?;
            errors.check("organization", org.ok_or("you belong to no organization with this slug"))
        }
        None => None,
    };
    let Some(name) = name else { return Err(errors.into()) };
    errors.into_result()?;
    let asked = Grant { scopes: new.scopes.clone(), org: asked_org, expires_at: new.expires_at };
    let granted = grant(&credential, asked, app.now())?;
    let slug = match granted.org {
        Some(org) => Some((org, slug_of(app, org).await?)),
        None => None,
    };
    let turn = app.row_locks.of_person(user);
    let _turn = turn.lock().await;
    let range = Range::Prefix(keys::TOKEN_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::user_pk(user), range, Limits::KEYS)).await?;
    let live = rows.iter().map(Row::read::<TokenRecord>).filter(|token| {
        let end = token.as_ref().ok().and_then(|token| token.expires_at);
        end.is_none_or(|end| app.now() < end)
    });
    if live.count() >= app.settings.limits.tokens_per_account as usize {
        return Err(Refusal::Conflict("you have as many tokens as an account may; revoke one first").into());
    }
    let secret = secrets::mint(app, SecretKind::PersonalToken);
    let token = TokenRecord {
        id: TokenId(app.uuid()),
        name,
        scopes: granted.scopes,
        org: slug,
        secret_hash: secrets::hash(&secret),
        created_at: app.now(),
        expires_at: granted.expires_at,
    };
    let transaction = transaction_of(app, caller, user, &token).await?.with(creation(user, &token));
    let made = |reach| AccountEvent::TokenCreated(token.id, token.name.clone(), reach);
    let transaction = tell(app, transaction, user, &token, made).await?;
    app.commit(transaction.with([nothing_ended])).await?;
    Ok(CreatedToken { token, secret })
}

/// Revokes a token of the caller: it works no more.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`], [`Refusal::NotFound`]; [`Refusal::Forbidden`] for
/// agents and runners.
pub async fn revoke_token(app: &App, caller: Option<&BearerCredential>, id: TokenId) -> Result<()> {
    let credential = authenticate(app, caller).await?;
    let user = person(&credential)?;
    require(&credential, Scope::Write)?;
    let key = keys::token(user, id);
    let token: TokenRecord = app.table.get(&key).await?.ok_or(Refusal::NotFound)?.read()?;
    if !sees(&credential, &token) {
        return Err(Refusal::NotFound.into());
    }
    let transaction = transaction_of(app, caller, user, &token).await?.with(removal(user, &token));
    let revoked = |reach| AccountEvent::TokenRevoked(id, token.name.clone(), reach);
    app.commit(tell(app, transaction, user, &token, revoked).await?).await
}

/// Organizations whose logs tell of a token of the account: as many as fit into the commit.
const TOLD: usize = Limits::OPS - 20;

/// Tells what happened to a token: in the organization that it is bound to, or in all that its owner may enter.
async fn tell(
    app: &App,
    transaction: Transaction,
    user: UserId,
    token: &TokenRecord,
    event: impl Fn(TokenReach) -> AccountEvent,
) -> Result<Transaction> {
    if token.org.is_some() {
        return Ok(transaction.telling(event(TokenReach::Organization)));
    }
    let mut orgs = of_person(app, user).await?;
    orgs.truncate(TOLD);
    let members: Vec<_> = orgs.iter().map(|org| keys::member(*org, user)).collect();
    let mut transaction = transaction;
    for (org, row) in orgs.iter().zip(wanted::load(app, members).await?) {
        let Some(row) = row else { continue };
        let by = Actor { id: ActorId::User(user), name: row.read()?.display_name };
        transaction.tell_in(*org, Some(&by), event(TokenReach::Account));
    }
    Ok(transaction)
}

/// A transaction about a token: in the organization that the token is bound to, whose audit log tells of it.
async fn transaction_of(
    app: &App,
    caller: Option<&BearerCredential>,
    user: UserId,
    token: &TokenRecord,
) -> Result<Transaction> {
    let transaction = Transaction::of_account(app, caller);
    let Some((org, _)) = token.org else { return Ok(transaction) };
    let Some(row) = app.table.find(&keys::member(org, user)).await? else { return Ok(transaction) };
    let name = row.read()?.display_name;
    Ok(transaction.within(org).signed(Actor { id: ActorId::User(user), name }))
}

/// The token that a credential is; `None` for a session.
pub(super) const fn own(credential: &Credential) -> Option<TokenId> {
    match credential.subject {
        Subject::PersonalToken { token, .. } => Some(token),
        Subject::Session { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => None,
    }
}

/// Ends every token of a person but one in the transaction, no more than `room` for operations takes: those for which
/// there is none are ended at once. The audit log of an organization tells of those that are bound to it, and `by` whom
/// they are ended. Who commits the transaction demands that the row of the person's sessions is as it was before.
pub(crate) async fn end(
    app: &App,
    transaction: &mut Transaction,
    user: UserId,
    by: Option<&Actor>,
    kept: Option<TokenId>,
    room: usize,
) -> Result<()> {
    let range = Range::Prefix(keys::TOKEN_PREFIX.to_owned());
    let mut rows = app.table.query_all(Query::new(keys::user_pk(user), range, Limits::KEYS)).await?;
    let kept = kept.map(|id| keys::token(user, id));
    rows.retain(|row| Some(&row.key) != kept.as_ref());
    let first = rows.split_off(rows.len().min(room / ENDING));
    for rows in first.chunks(Limits::OPS / ENDING) {
        let mut earlier = Transaction::bookkeeping(app);
        end_these(&mut earlier, user, by, rows)?;
        app.commit(earlier).await?;
    }
    end_these(transaction, user, by, &rows)
}

fn end_these(transaction: &mut Transaction, user: UserId, by: Option<&Actor>, rows: &[Row]) -> Result<()> {
    for row in rows {
        let token: TokenRecord = row.read()?;
        transaction.write(removal(user, &token));
        if let Some((org, _)) = token.org {
            let ended = AccountEvent::TokenRevoked(token.id, token.name, TokenReach::Organization);
            transaction.tell_in(org, by, ended);
        }
    }
    Ok(())
}

/// Operations that end a token: those of [`removal`], and the line of the audit log.
const ENDING: usize = REMOVAL + 1;

/// Operations of [`removal`].
const REMOVAL: usize = 3;

fn removal(user: UserId, token: &TokenRecord) -> [Op; REMOVAL] {
    [
        Op::delete(keys::token(user, token.id), Condition::None),
        Op::delete(keys::credential(&token.secret_hash), Condition::None),
        Op::delete(keys::token_use(user, token.id), Condition::None),
    ]
}

/// Rows of expired tokens go by themselves, sooner or later.
fn creation(user: UserId, token: &TokenRecord) -> Vec<Op> {
    let credential = Credential {
        subject: Subject::PersonalToken { user, token: token.id },
        scopes: token.scopes.clone(),
        org: token.org.as_ref().map(|(org, _)| *org),
        expires_at: token.expires_at,
    };
    let ops = [
        Op::create(keys::token(user, token.id), token),
        Op::create(keys::credential(&token.secret_hash), &credential),
    ];
    match token.expires_at {
        Some(end) => ops.map(|op| op.expiring(end.as_second())).into(),
        None => ops.into(),
    }
}

fn sees(credential: &Credential, token: &TokenRecord) -> bool {
    credential.org.is_none() || credential.org == token.org.as_ref().map(|(org, _)| *org)
}

/// The organization of a slug, if the credential sees it and the person belongs to it.
async fn own_org(app: &App, credential: &Credential, user: UserId, slug: &str) -> Result<Option<OrgId>> {
    let Ok(slug) = slug.parse::<OrgSlug>() else { return Ok(None) };
    let Some(row) = app.table.get(&keys::slug(&slug)).await? else { return Ok(None) };
    let org: OrgId = row.read()?;
    if credential.org.is_some_and(|bound| bound != org) {
        return Ok(None);
    }
    let (there, member) = wanted::load(app, (keys::org(org), keys::member(org, user))).await?;
    Ok(there.and(member).map(|_| org))
}

async fn slug_of(app: &App, org: OrgId) -> Result<OrgSlug> {
    let row = app.table.find(&keys::org(org)).await?.ok_or(Refusal::NotFound)?;
    Ok(row.read()?.slug)
}
