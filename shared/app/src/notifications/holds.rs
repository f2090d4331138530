//! Channels with which a platform asked to wait: shown to whose they are, and ended by a test that arrives.

use jiff::{SignedDuration, Timestamp};
use svc_domain::ids::{OrgId, UserId};
use svc_domain::notification::channel::{Channel, OrgChannel};
use svc_domain::notification::delivery::Head;
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Condition, Limits, keys};

use super::deliver::head_op;
use super::enqueue::due;
use crate::App;
use crate::error::Result;
use crate::messages::Deliver;
use crate::outbox::send_hint;
use crate::transaction::Transaction;

/// A channel as its owner sees it.
#[derive(Clone, Debug)]
pub struct SeenChannel<C = Channel> {
    /// The channel.
    pub channel: C,
    /// Until when the platform asked to wait.
    pub held_until: Option<Timestamp>,
}

/// Channels of a person, each with its hold.
pub(super) async fn seen(app: &App, user: UserId, channels: Vec<Channel>) -> Result<Vec<SeenChannel>> {
    let place = |channel: &Channel| Destination::Person(user, Place::Chat(channel.platform));
    with_holds(app, channels, place).await
}

/// Channels of an organization, each with its hold.
pub(super) async fn seen_of_org(
    app: &App,
    org: OrgId,
    channels: Vec<OrgChannel>,
) -> Result<Vec<SeenChannel<OrgChannel>>> {
    with_holds(app, channels, |channel| Destination::Channel(org, channel.channel.id)).await
}

async fn with_holds<C>(
    app: &App,
    channels: Vec<C>,
    destination: impl Fn(&C) -> Destination,
) -> Result<Vec<SeenChannel<C>>> {
    let heads: Vec<_> = channels.iter().map(|channel| keys::sending_head(destination(channel))).collect();
    let mut rows = Vec::new();
    for heads in heads.chunks(Limits::KEYS) {
        rows.extend(app.table.get_many(heads).await?);
    }
    let now = app.now();
    let see = |(channel, row): (C, Option<svc_storage::Row>)| {
        let head: Option<Head> = row.map(|row| row.read()).transpose()?;
        Ok(SeenChannel { channel, held_until: head.and_then(|head| head.held_until(now)) })
    };
    channels.into_iter().zip(rows).map(see).collect()
}

/// Sends on what waits at a destination because the platform asked to wait: a message arrived there meanwhile.
pub(super) async fn release(app: &App, destination: Destination) -> Result<()> {
    let released = app
        .decide(|| async {
            let Some(row) = app.table.get(&keys::sending_head(destination)).await? else { return Ok(false) };
            let (mut head, now): (Head, _) = (row.read()?, app.now());
            if !head.release(now) {
                return Ok(false);
            }
            let ops =
                [head_op(app, destination, Condition::Version(row.version), &head), due(destination, now)];
            app.commit(Transaction::bookkeeping(app).with(ops)).await?;
            Ok(true)
        })
        .await?;
    if released {
        send_hint(app, Deliver { destination }, SignedDuration::ZERO).await;
    }
    Ok(())
}
