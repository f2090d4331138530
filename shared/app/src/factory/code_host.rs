//! Connects an organization with an account at the code host (specification sections 2.4 and 5).
//!
//! Protocol.
//! 1. The start creates a state, and stores under its SHA-256 which organization it is for and who began. The
//!    person installs the service's app at the host. The host sends the browser back with the state, a code that
//!    stands for the person there, and the number of the installation.
//! 2. The callback works once, for a while, and only in a session of the person who began. So nobody who
//!    overhears a state, or is tricked into opening one, can finish the attempt.
//! 3. The browser sends the number, and anybody can send any number. It is accepted only if the host, asked as
//!    the person whom the code stands for, says that this person governs the account of the installation.
//! 4. An installation belongs to one organization: the number has a row, which is written with the connection and
//!    deleted with it. An organization has one connection.
//!
//! The code and the token that it is exchanged for are not stored.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::access::Capability;
use svc_domain::account;
use svc_domain::code_host::{Connection, InstallationId, Webhook};
use svc_domain::event::FactoryEvent;
use svc_domain::identity::Subject;
use svc_domain::ids::{OrgId, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, keys};

use crate::App;
use crate::entry::{BearerCredential, Caller, authenticate, enter_by_id, enter_org_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::ports::{CodeHostError, Installation};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;

/// How long a person may take at the host.
const TERM: SignedDuration = SignedDuration::from_mins(30);

/// What an attempt is for, as stored under the SHA-256 of its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begun {
    expires_at: Timestamp,
    org: OrgId,
    by: UserId,
    /// Path to end at.
    return_to: String,
}

/// The code host as an organization sees it.
#[derive(Clone, Debug)]
pub struct CodeHostView {
    /// Its address; `None` where the instance has none.
    pub address: Option<String>,
    /// The organization's connection.
    pub connection: Option<Connection>,
    /// Where it delivers news to.
    pub webhook: Option<Webhook>,
}

/// Where a browser goes, and until when that counts.
#[derive(Clone, Debug)]
pub struct Departure {
    /// Address at the host.
    pub address: String,
    /// When the attempt ends.
    pub expires_at: Timestamp,
}

/// What a browser comes back with.
#[derive(Clone, Debug, Default)]
pub struct Return {
    /// What the attempt was begun with.
    pub state: Option<String>,
    /// What stands for the person at the host.
    pub code: Option<String>,
    /// The installation.
    pub installation: Option<InstallationId>,
}

/// The organization's connection with the code host.
///
/// # Errors
/// What [`Capability::SeeAdministration`] refuses.
pub async fn view(app: &App, caller: Caller<'_>) -> Result<CodeHostView> {
    let wanted = |org| (keys::code_host(org), keys::webhook(org));
    let (entry, (connection, webhook)) =
        enter_org_with(app, caller, Capability::SeeAdministration, wanted).await?;
    let mut webhook: Option<Webhook> = webhook.map(|row| row.read()).transpose()?;
    let mut connection: Option<Connection> = connection.map(|row| row.read()).transpose()?;
    let by = connection.iter_mut().map(|connection| &mut connection.connected_by);
    let by = by.chain(webhook.iter_mut().map(|webhook| &mut webhook.created_by));
    bring_up_to_date(app, entry.org_id(), by).await?;
    let address = app.code_host.as_ref().map(|host| host.address().to_owned());
    Ok(CodeHostView { address, connection, webhook })
}

/// Begins to connect the organization.
///
/// # Errors
/// [`Refusal::Conflict`] where the instance has no code host, or the organization a connection already;
/// [`Refusal::Invalid`]; what [`Capability::AdministerOrg`] refuses.
pub async fn connect(app: &App, caller: Caller<'_>, return_to: Option<&str>) -> Result<Departure> {
    let (entry, connection) = enter_org_with(app, caller, Capability::AdministerOrg, keys::code_host).await?;
    let return_to = account::own_path(return_to.unwrap_or("/"));
    let return_to = return_to.map_err(|why| Refusal::invalid("returnTo", why))?;
    let host = app.code_host.as_ref().ok_or(NO_HOST)?;
    if connection.is_some() {
        return Err(CONNECTED.into());
    }
    let by = entry.access.user().ok_or(Refusal::Forbidden("only people can connect a code host"))?;
    let state = secrets::mint(app, SecretKind::CodeHost);
    let expires_at = app.now() + TERM;
    let begun = Begun { expires_at, org: entry.org_id(), by, return_to };
    let op = Op::create(keys::connecting(&secrets::hash(&state)), &begun);
    app.commit(Transaction::of(app, &entry).with([op.expiring(expires_at.as_second())])).await?;
    Ok(Departure { address: host.install_address(&state), expires_at })
}

/// Finishes connecting; answers the path to end at.
///
/// # Errors
/// [`Refusal::Conflict`] for an attempt that does not count, an installation that another organization has, and an
/// organization that has another; [`Refusal::Forbidden`] for whom the host does not vouch for;
/// [`Refusal::CodeHostAway`]; what [`Capability::AdministerOrg`] refuses.
pub async fn connected(app: &App, caller: Option<&BearerCredential>, back: Return) -> Result<String> {
    let user = browsing(app, caller).await?;
    let host = app.code_host.as_ref().ok_or(NO_HOST)?;
    let begun = take(app, back.state.as_deref().ok_or(STALE)?, user).await?;
    let code = back.code.as_deref().ok_or(SAID_NO)?;
    let id = back.installation.ok_or(NOT_INSTALLED)?;
    let installation = host.governed(code, id).await.map_err(failed)?.ok_or(NOT_YOURS)?;
    app.decide(|| bind(app, caller, begun.org, &installation)).await?;
    tracing::info!(org = %begun.org, installation = %id, account = installation.account, "code host connected");
    Ok(begun.return_to)
}

async fn browsing(app: &App, caller: Option<&BearerCredential>) -> Result<UserId> {
    match authenticate(app, caller).await?.subject {
        Subject::Session { user, .. } => Ok(user),
        Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => {
            Err(Refusal::Forbidden("only a browser session can finish connecting the code host").into())
        }
    }
}

/// Takes the row of an attempt of this person that counts.
async fn take(app: &App, state: &str, user: UserId) -> Result<Begun> {
    let key = keys::connecting(&secrets::hash(state));
    let row = app.table.get(&key).await?.ok_or(STALE)?;
    let begun: Begun = row.read()?;
    if begun.by != user || begun.expires_at <= app.now() {
        return Err(STALE.into());
    }
    let gone = Op::delete(key, Condition::Version(row.version));
    match app.commit(Transaction::bookkeeping(app).with([gone])).await {
        Ok(()) => Ok(begun),
        Err(error) if crate::is_conflict(&error) => Err(STALE.into()),
        Err(error) => Err(error),
    }
}

/// Gives the installation to the organization, of which the caller may have ceased to be an Admin meanwhile.
async fn bind(
    app: &App,
    caller: Option<&BearerCredential>,
    org: OrgId,
    installation: &Installation,
) -> Result<()> {
    let wanted = |org| (keys::code_host(org), keys::installation(installation.id));
    let (entry, (connection, holder)) = enter_by_id(app, caller, org, None, wanted).await?;
    entry.access.require(Capability::AdministerOrg)?;
    let holder: Option<OrgId> = holder.map(|row| row.read()).transpose()?;
    if holder.is_some_and(|holder| holder != org) {
        return Err(TAKEN.into());
    }
    if connection.is_some() {
        return Err(CONNECTED.into());
    }
    let connection = Connection {
        installation: installation.id,
        account: installation.account.clone(),
        connected_at: app.now(),
        connected_by: entry.actor().clone(),
    };
    let ops = vec![
        Op::check(keys::org(org), Condition::Version(entry.org_version)),
        Op::create(keys::code_host(org), &connection),
        Op::create(keys::installation(installation.id), &org),
    ];
    let connected = FactoryEvent::CodeHostConnected(connection.account);
    app.commit(Transaction::of(app, &entry).with(ops).telling(connected)).await
}

/// Ends the organization's connection, if it has one. The app stays installed at the host.
///
/// # Errors
/// What [`Capability::AdministerOrg`] refuses.
pub async fn disconnect(app: &App, caller: Caller<'_>) -> Result<()> {
    app.decide(|| async {
        let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, keys::code_host).await?;
        let Some(row) = row else { return Ok(()) };
        let connection: Connection = row.read()?;
        let ops =
            vec![row.deleted(), Op::delete(keys::installation(connection.installation), Condition::None)];
        let disconnected = FactoryEvent::CodeHostDisconnected(connection.account);
        app.commit(Transaction::of(app, &entry).with(ops).telling(disconnected)).await
    })
    .await
}

/// A failure of the host as the caller is told of it; why is logged.
pub(super) fn failed(error: CodeHostError) -> Refusal {
    match error {
        CodeHostError::NotCovered => NOT_COVERED,
        CodeHostError::Refused(why) => {
            tracing::warn!(why, "the code host refused");
            REFUSED
        }
        CodeHostError::Unavailable(cause) => {
            tracing::warn!(cause = &*cause as &dyn std::error::Error, "the code host does not answer");
            Refusal::CodeHostAway
        }
    }
}

pub(super) const NO_HOST: Refusal = Refusal::Conflict(
    "this instance has no code host; ask its operator to configure one under [CodeHost], or use a clone on the \
    runner's machine",
);
pub(super) const NOT_CONNECTED: Refusal = Refusal::Conflict(
    "the organization is not connected to the code host; ask an Owner or Admin to connect it",
);
const NOT_COVERED: Refusal = Refusal::Conflict(
    "the organization's installation at the code host does not cover this repository, or is gone; add the \
     repository to the installation there",
);
const CONNECTED: Refusal =
    Refusal::Conflict("the organization is already connected to the code host; disconnect it first");
const STALE: Refusal =
    Refusal::Conflict("this attempt has expired or belongs to somebody else; connect again");
const SAID_NO: Refusal =
    Refusal::Forbidden("the code host did not say who you are; connect again and authorize the app");
const NOT_INSTALLED: Refusal = Refusal::Conflict(
    "the app is not installed yet: ask an owner of the account at the code host to approve it, then connect again",
);
const NOT_YOURS: Refusal = Refusal::Forbidden(
    "the code host does not list you as an owner of this account; ask an owner to connect it",
);
const TAKEN: Refusal =
    Refusal::Conflict("another organization is connected to this account at the code host");
const REFUSED: Refusal =
    Refusal::Conflict("the code host refused the instance's request; the instance's log has the reason");
