//! The browsers in which a person is told.
//!
//! Protocol.
//! 1. A browser is turned on by the session that it has, and named by it. Its row is written together with its name in the
//!    person's preferences, which every fan-out reads anyway.
//! 2. Sending to it asks again whether that session still is: one that ended, was signed out or revoked is told nothing, and
//!    is forgotten.
//! 3. One whose push service says that it is gone is forgotten as well.

use std::collections::BTreeSet;

use svc_domain::identity::{Credential, Scope, Subject};
use svc_domain::ids::{TokenId, UserId};
use svc_domain::notification::browser::{Browser, MAX_ENDPOINT, browser_name};
use svc_domain::notification::channel::masked;
use svc_domain::notification::delivery::Outcome;
use svc_domain::notification::preferences::Preferences;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::session::Sessions;
use svc_storage::{Condition, Op, Row, keys};
use url::Url;

use super::super::connecting::sealing;
use super::super::owner::{account_owner, owner};
use super::super::preferences::preferences_of;
use super::{Address, message, purpose, send, vapid};
use crate::App;
use crate::entry::{BearerCredential, authenticate};
use crate::error::Result;
use crate::transaction::Transaction;

/// A browser that is to be told.
#[derive(Clone, Debug)]
pub struct NewBrowser {
    /// Where its push service takes messages.
    pub endpoint: String,
    /// Its public key, in Base64 for addresses.
    pub key: String,
    /// The secret that it shares, the same.
    pub auth: String,
    /// What its owner calls it.
    pub name: String,
}

/// What a person is told in.
#[derive(Clone, Debug)]
pub struct Browsers {
    /// The key that browsers are turned on with; `None` where the instance has none.
    pub public_key: Option<String>,
    /// Those that are turned on, oldest first.
    pub browsers: Vec<Browser>,
    /// The one that asks, whether it is turned on or not.
    pub current: Option<TokenId>,
}

/// The browsers of the caller.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for agents and runners.
pub async fn browsers(app: &App, caller: Option<&BearerCredential>) -> Result<Browsers> {
    let (credential, user) = owner(app, caller, Scope::Read).await?;
    let (preferences, _) = preferences_of(app, user).await?;
    let wanted: Vec<_> = preferences.browsers.iter().map(|id| keys::browser(user, *id)).collect();
    let live = live(app, user).await?;
    let mut browsers = Vec::new();
    for row in app.table.get_many(&wanted).await?.into_iter().flatten() {
        let browser: Browser = row.read()?;
        browsers.extend(live.contains(&browser.id).then_some(browser));
    }
    browsers.sort_by_key(|browser| (browser.created_at, browser.id));
    let public_key = vapid::push_key(app).await?.map(|key| key.public);
    Ok(Browsers { public_key, browsers, current: session_of(&credential) })
}

/// Turns on the browser that asks, in place of what it said before.
///
/// # Errors
/// As [`browsers`]; [`Refusal::Forbidden`] for what is no session of a browser; [`Refusal::Invalid`];
/// [`Refusal::Conflict`] where the instance has no key.
pub async fn turn_on(app: &App, caller: Option<&BearerCredential>, new: &NewBrowser) -> Result<Browser> {
    let address = read(app, new)?;
    app.decide(|| async {
        let credential = authenticate(app, caller).await?;
        let user = account_owner(app, caller, Scope::Write).await?;
        let id = session_of(&credential)
            .ok_or(Refusal::Forbidden("a browser is turned on by the person who is signed in there"))?;
        let text = serde_json::to_string(&address).unwrap_or_default();
        let target = Url::parse(&address.endpoint).map(|url| masked(&url)).unwrap_or_default();
        let key = keys::browser(user, id);
        let before = app.table.get(&key).await?;
        let known: Option<Browser> = before.as_ref().map(Row::read).transpose()?;
        let name = known.filter(|_| new.name.trim().is_empty()).map(|known| known.name);
        let browser = Browser {
            id,
            name: name.unwrap_or_else(|| browser_name(&new.name)),
            address: sealing(app)?.seal(&*app.ids, &purpose(id), &text),
            target,
            last_error: None,
            created_at: app.now(),
        };
        let condition = before.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let mut ops = vec![Op::put(key, condition, &browser)];
        let (mut preferences, condition) = preferences_of(app, user).await?;
        let live = live(app, user).await?;
        let ended: Vec<TokenId> =
            preferences.browsers.iter().copied().filter(|id| !live.contains(id)).collect();
        ops.extend(ended.iter().map(|id| Op::delete(keys::browser(user, *id), Condition::None)));
        preferences.browsers.retain(|id| live.contains(id));
        preferences.browsers.insert(id);
        ops.push(Op::put(keys::preferences(user), condition, &preferences));
        app.commit(Transaction::of_account(app, caller).with(ops)).await?;
        Ok(browser)
    })
    .await
}

/// Turns a browser of the caller off. What waits to be sent there is not sent.
///
/// # Errors
/// As [`browsers`]; [`Refusal::NotFound`].
pub async fn turn_off(app: &App, caller: Option<&BearerCredential>, id: TokenId) -> Result<()> {
    app.decide(|| async {
        let user = account_owner(app, caller, Scope::Write).await?;
        find_row(app, user, id).await?;
        let ops = forgotten(app, user, id).await?;
        app.commit(Transaction::of_account(app, caller).with(ops)).await
    })
    .await
}

/// Sends a test to a browser of the caller.
///
/// # Errors
/// As [`turn_off`]; [`Refusal::ChannelTestFailed`] with what the push service said. One that is gone is turned off.
pub async fn test_browser(app: &App, caller: Option<&BearerCredential>, id: TokenId) -> Result<()> {
    let user = account_owner(app, caller, Scope::Write).await?;
    let browser = find_row(app, user, id).await?.read()?;
    let outcome = send(app, &browser, &message::test(app)).await?;
    let gone = matches!(outcome, Outcome::Gone(_));
    app.decide(|| async {
        let ops = if gone { forgotten(app, user, id).await? } else { Vec::new() };
        app.commit(Transaction::of_account(app, caller).with(ops)).await
    })
    .await?;
    match outcome {
        Outcome::Sent => Ok(()),
        Outcome::Away(why) | Outcome::Refused(why) | Outcome::Gone(why) => {
            Err(Refusal::ChannelTestFailed(why).into())
        }
        Outcome::Later(after) => {
            let why = format!("the push service asks to wait {} seconds", after.as_secs().max(1));
            Err(Refusal::ChannelTestFailed(why).into())
        }
    }
}

/// A browser that is turned on and signed in.
pub(in super::super) async fn find(app: &App, user: UserId, id: TokenId) -> Result<Option<Browser>> {
    let Some(row) = app.table.get(&keys::browser(user, id)).await? else { return Ok(None) };
    if live(app, user).await?.contains(&id) { Ok(Some(row.read()?)) } else { Ok(None) }
}

/// What takes a browser away.
pub(in super::super) async fn forgotten(app: &App, user: UserId, id: TokenId) -> Result<Vec<Op>> {
    let mut ops = vec![Op::delete(keys::browser(user, id), Condition::None)];
    let (mut preferences, condition): (Preferences, _) = preferences_of(app, user).await?;
    if preferences.browsers.remove(&id) {
        ops.push(Op::put(keys::preferences(user), condition, &preferences));
    }
    Ok(ops)
}

async fn find_row(app: &App, user: UserId, id: TokenId) -> Result<Row> {
    Ok(app.table.get(&keys::browser(user, id)).await?.ok_or(Refusal::NotFound)?)
}

/// The sessions of a person that have not ended.
async fn live(app: &App, user: UserId) -> Result<BTreeSet<TokenId>> {
    let row = app.table.find(&keys::sessions(user)).await?;
    let sessions: Sessions = row.map(|row| row.read()).transpose()?.unwrap_or_default();
    let now = app.now();
    Ok(sessions.list.iter().filter(|session| now < session.expires_at).map(|session| session.id).collect())
}

const fn session_of(credential: &Credential) -> Option<TokenId> {
    match credential.subject {
        Subject::Session { session, .. } => session,
        Subject::PersonalToken { .. }
        | Subject::Runner { .. }
        | Subject::Directory { .. }
        | Subject::AgentRun { .. } => None,
    }
}

/// The address of a browser, if something can be encrypted and sent to it.
fn read(app: &App, new: &NewBrowser) -> std::result::Result<Address, Refusal> {
    let NewBrowser { endpoint, key, auth, name: _ } = new;
    let mut errors = FieldErrors::default();
    if endpoint.len() > MAX_ENDPOINT {
        errors.add("endpoint", format!("It must be at most {MAX_ENDPOINT} bytes long."));
    } else if let Err(why) = app.outbound.judge(endpoint) {
        errors.add("endpoint", format!("The address is refused: {why}."));
    }
    let address = Address { endpoint: endpoint.clone(), key: key.clone(), auth: auth.clone() };
    if address.encrypted(&[1; 32], &[0; 32], b"").is_none() {
        errors.add("keys", "They must be the keys `p256dh` and `auth` of the browser's subscription.");
    }
    errors.into_result()?;
    Ok(address)
}
