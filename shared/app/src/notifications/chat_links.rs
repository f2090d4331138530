//! Which people a private chat tells, so that the chat can end it: a row beside each such channel, under a name of the
//! chat that only the instance's key makes.

use serde::{Deserialize, Serialize};
use svc_domain::ids::{ChannelId, UserId};
use svc_domain::notification::channel::{Channel, Platform};
use svc_storage::{Condition, Op, Query, Range, RowOf, keys};

use super::connecting::{purpose, sealing};
use crate::App;
use crate::error::Result;
use crate::sealing::Sealing;
use crate::transaction::Transaction;

/// Rows read at once: a person connects a chat to one account, rarely to more.
const PAGE: usize = 20;

/// A channel that leads to a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChatLink {
    channel: ChannelId,
}

/// Notes that a channel leads to this chat.
///
/// # Errors
/// Where the instance has no key.
pub(super) fn link(app: &App, user: UserId, channel: ChannelId, chat: i64) -> Result<Op> {
    let name = name(sealing(app)?, &chat.to_string());
    Ok(Op::put(keys::chat_link(&name, user), Condition::None, &ChatLink { channel }))
}

/// Takes that away of a channel that goes.
pub(super) fn unlink(app: &App, user: UserId, channel: &Channel) -> Option<Op> {
    let sealing = app.sealing.as_ref().filter(|_| channel.platform == Platform::Chat1)?;
    let chat = sealing.open(&purpose(channel.id), channel.address.as_deref()?)?;
    Some(Op::delete(keys::chat_link(&name(sealing, &chat), user), Condition::None))
}

/// The people whom a chat tells now, with the rows of their channels.
///
/// # Errors
/// Those of storage.
pub(super) async fn linked(app: &App, chat: i64) -> Result<Vec<(UserId, RowOf<Channel>)>> {
    let Some(sealing) = app.sealing.as_ref() else { return Ok(Vec::new()) };
    let pk = keys::chat_links_pk(&name(sealing, &chat.to_string()));
    let mut linked = Vec::new();
    for row in app.table.query_all(Query::new(pk, Range::All, PAGE)).await? {
        let link: ChatLink = row.read()?;
        let Some(user) = row.key.sk.strip_prefix("USER#").and_then(|user| user.parse().ok()) else {
            continue;
        };
        let Some(row) = app.table.find(&keys::channel(user, Platform::Chat1.as_str())).await? else {
            continue;
        };
        if row.read()?.id == link.channel {
            linked.push((user, row));
        }
    }
    Ok(linked)
}

/// Ends what is connected to a private chat. Whether anything was.
///
/// # Errors
/// Those of storage.
pub(super) async fn end(app: &App, chat: i64) -> Result<bool> {
    app.decide(|| async {
        let linked = linked(app, chat).await?;
        for (user, row) in &linked {
            let link = unlink(app, *user, &row.read()?);
            let gone = row.deleted();
            app.commit(Transaction::bookkeeping(app).with([gone]).with(link)).await?;
        }
        Ok(!linked.is_empty())
    })
    .await
}

fn name(sealing: &Sealing, chat: &str) -> String {
    sealing.name("chat", chat)
}
