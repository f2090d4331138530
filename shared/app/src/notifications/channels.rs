//! The channels of a person: at most one on each platform (specification sections 2.7 and 4.1).

use svc_domain::identity::Scope;
use svc_domain::ids::{ChannelId, UserId};
use svc_domain::notification::channel::{Channel, Platform};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Key, Op, RowOf, keys};

use super::chat_links::unlink;
use super::connecting::{ConnectCode, Made, NewChannel, Owner, forget_code, make};
use super::holds::{self, SeenChannel};
use super::owner::{account_owner, owner};
use super::probe::{self, Probed};
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::transaction::Transaction;
use crate::wanted;

/// A channel that was created.
#[derive(Clone, Debug)]
pub struct CreatedChannel {
    /// The channel.
    pub channel: Channel,
    /// The code that connects it, which is shown once.
    pub code: Option<ConnectCode>,
}

/// The channels of the caller.
///
/// # Errors
/// [`Refusal::Unauthenticated`], [`Refusal::MissingScope`]; [`Refusal::Forbidden`] for agents and runners.
pub async fn channels(app: &App, caller: Option<&BearerCredential>) -> Result<Vec<SeenChannel>> {
    let (_, user) = owner(app, caller, Scope::Read).await?;
    holds::seen(app, user, channels_of(app, user).await?).await
}

/// Creates a channel of the caller in place of the one that they have on the platform.
///
/// # Errors
/// As [`channels`]; [`Refusal::Forbidden`] also for a token that is bound to an organization; those of [`make`].
pub async fn create_channel(
    app: &App,
    caller: Option<&BearerCredential>,
    new: &NewChannel,
) -> Result<CreatedChannel> {
    app.decide(|| async {
        let user = account_owner(app, caller, Scope::Write).await?;
        let key = keys::channel(user, new.platform.as_str());
        let before = app.table.get(&key).await?;
        let Made { channel, code, mut ops } = make(app, new, Owner::Person(user))?;
        let condition = before.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
        let old: Option<Channel> = before.map(|row| row.read()).transpose()?;
        ops.extend(old.iter().flat_map(|old| left_by(app, user, old)));
        ops.push(Op::put(key, condition, &channel));
        app.commit(Transaction::of_account(app, caller).with(ops)).await?;
        if old.is_some() {
            // What the platform asked of the one before is not asked of this one.
            holds::release(app, destination(user, &channel)).await?;
        }
        Ok(CreatedChannel { channel, code })
    })
    .await
}

/// Deletes a channel of the caller. What waits to be sent there is not sent.
///
/// # Errors
/// As [`create_channel`]; [`Refusal::NotFound`].
pub async fn delete_channel(app: &App, caller: Option<&BearerCredential>, id: ChannelId) -> Result<()> {
    app.decide(|| async {
        let user = account_owner(app, caller, Scope::Write).await?;
        let (row, channel) = find(app, user, id).await?;
        let mut ops = vec![row.deleted()];
        ops.extend(left_by(app, user, &channel));
        app.commit(Transaction::of_account(app, caller).with(ops)).await
    })
    .await
}

/// Sends a test message to a channel of the caller. One that arrives makes a broken channel work again, and sends on what
/// waits because the platform asked to wait.
///
/// # Errors
/// As [`delete_channel`]; [`Refusal::ChannelTestFailed`] with what the platform said.
pub async fn test_channel(app: &App, caller: Option<&BearerCredential>, id: ChannelId) -> Result<()> {
    let user = account_owner(app, caller, Scope::Write).await?;
    let (row, channel) = find(app, user, id).await?;
    let probed = probe::send(app, &channel).await;
    let transaction = Transaction::of_account(app, caller);
    record(app, transaction, &row.key, id, &probed).await?;
    if probed.arrived() {
        holds::release(app, destination(user, &channel)).await?;
    }
    probed.into_result()
}

/// Notes what came of a test, unless the channel was replaced meanwhile.
async fn record(
    app: &App,
    transaction: Transaction,
    key: &Key,
    id: ChannelId,
    probed: &Probed,
) -> Result<()> {
    let Some(row) = app.table.get(key).await? else { return Ok(()) };
    let mut channel: Channel = row.read()?;
    if channel.id != id || !probed.note(&mut channel, app.now()) {
        return app.commit(transaction).await;
    }
    app.commit(transaction.with([row.replaced_by(&channel)])).await
}

/// What goes with a channel: the code that it waits for, and that a chat tells its owner.
fn left_by(app: &App, user: UserId, channel: &Channel) -> impl Iterator<Item = Op> {
    forget_code(channel).into_iter().chain(unlink(app, user, channel))
}

const fn destination(user: UserId, channel: &Channel) -> Destination {
    Destination::Person(user, Place::Chat(channel.platform))
}

async fn find(app: &App, user: UserId, id: ChannelId) -> Result<(RowOf<Channel>, Channel)> {
    for row in rows(app, user).await? {
        let channel: Channel = row.read()?;
        if channel.id == id {
            return Ok((row, channel));
        }
    }
    Err(Refusal::NotFound.into())
}

/// The channels of a person.
pub(super) async fn channels_of(app: &App, user: UserId) -> Result<Vec<Channel>> {
    Ok(rows(app, user).await?.iter().map(RowOf::read).collect::<Result<_, _>>()?)
}

async fn rows(app: &App, user: UserId) -> Result<Vec<RowOf<Channel>>> {
    let wanted = Platform::OF_PEOPLE.map(|platform| keys::channel(user, platform.as_str()));
    Ok(wanted::load(app, wanted).await?.into_iter().flatten().collect())
}
