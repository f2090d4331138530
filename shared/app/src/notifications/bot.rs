//! What chats say to the bot of the first platform: the codes that connect them, and answers to what agents ask.
//!
//! Protocol.
//! 1. One process at a time reads: it holds a row for [`LEASE`], which also says what was read already.
//! 2. A chat that sends a code that still counts is connected. The commit changes the channel and deletes the code.
//! 3. What somebody presses or replies is an answer to what an agent asks ([`super::answering`]).
//! 4. Only then is the message noted as read. One that is read twice finds its code gone, and its question answered.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::notification::channel::{Channel, OrgChannel, Platform, ending};
use svc_storage::{Condition, Op, keys};
use uuid::Uuid;

use super::answering;
use super::chat::bot::{Heard, Update, updates};
use super::connecting::{Connecting, Owner, purpose, sealing};
use super::probe;
use crate::App;
use crate::error::{Result, is_conflict};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;

/// How long a process may take to read.
const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// Who reads, and from where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BotReader {
    /// The number of the next message.
    next: i64,
    /// Until when somebody reads.
    until: Option<Timestamp>,
    /// Who.
    reader: Option<Uuid>,
}

/// Reads once what chats said to the bot, waiting a few seconds for something. Whether it may be asked again at once:
/// there is a bot, and nobody else reads.
///
/// # Errors
/// Those of storage.
pub async fn read_bot(app: &App, reader: Uuid) -> Result<bool> {
    let notifications = &app.settings.notifications;
    if notifications.bot().is_none() || notifications.chat_1_webhook {
        return Ok(false);
    }
    let row = app.table.get(&keys::bot_reader()).await?;
    let (mut state, condition): (BotReader, _) = match &row {
        Some(row) => (row.read()?, Condition::Version(row.version)),
        None => (BotReader::default(), Condition::Absent),
    };
    let now = app.now();
    if state.reader != Some(reader) && state.until.is_some_and(|until| until > now) {
        return Ok(false);
    }
    state.until = Some(now + LEASE);
    state.reader = Some(reader);
    match app
        .commit(Transaction::bookkeeping(app).with([Op::put(keys::bot_reader(), condition, &state)]))
        .await
    {
        Err(error) if is_conflict(&error) => return Ok(false),
        committed => committed?,
    }
    let heard = match updates(app, state.next).await {
        Ok(heard) => heard,
        Err(why) => {
            tracing::warn!(why, "the bot for chats cannot be asked what was said to it");
            return Ok(false);
        }
    };
    if heard.is_empty() {
        return Ok(true);
    }
    for update in &heard {
        take(app, update).await?;
        state.next = state.next.max(update.id + 1);
    }
    let version = row.map_or(1, |row| row.version + 1);
    let op = Op::replace(keys::bot_reader(), version, &state);
    match app.commit(Transaction::bookkeeping(app).with([op])).await {
        Err(error) if is_conflict(&error) => Ok(false),
        committed => committed.map(|()| true),
    }
}

/// Does what a chat said.
pub(super) async fn take(app: &App, update: &Update) -> Result<()> {
    match &update.heard {
        None => Ok(()),
        Some(Heard::Pressed(press)) => answering::pressed(app, press).await,
        Some(Heard::Said { chat, from, text, reply_to }) => {
            if let Some(to) = reply_to
                && answering::replied(app, *chat, *from, *to, text).await?
            {
                return Ok(());
            }
            connect(app, *chat, text).await
        }
    }
}

/// Connects a chat if what it said is a code: `/start svn_…`, or the code alone.
async fn connect(app: &App, chat: i64, text: &str) -> Result<()> {
    let prefix = SecretKind::ChatCode.prefix();
    let Some(code) = text.split_whitespace().find(|word| word.starts_with(prefix)) else { return Ok(()) };
    let connected = app.decide(|| bind(app, chat, code)).await?;
    if let Some(channel) = connected {
        // That the chat hears of it is a kindness; it is connected all the same.
        drop(probe::send(app, &channel).await);
    }
    Ok(())
}

async fn bind(app: &App, chat: i64, code: &str) -> Result<Option<Channel>> {
    let key = keys::channel_code(&secrets::hash(code));
    let Some(row) = app.table.get(&key).await? else { return Ok(None) };
    let connecting: Connecting = row.read()?;
    if connecting.expires_at <= app.now() {
        return Ok(None);
    }
    let id = connecting.channel;
    let place = match connecting.owner {
        Owner::Person(user) => keys::channel(user, Platform::Chat1.as_str()),
        Owner::Org(org) => keys::org_channel(org, id),
    };
    let Some(stored) = app.table.get(&place).await? else { return Ok(None) };
    let address = sealing(app)?.seal(&*app.ids, &purpose(id), &chat.to_string());
    let target = format!("t.me {}", ending(&chat.to_string()));
    let now = app.now();
    let (channel, op) = match connecting.owner {
        Owner::Person(_) => {
            let mut channel: Channel = stored.read()?;
            channel.connect(address, target, now);
            let op = Op::replace(stored.key.clone(), stored.version, &channel);
            (channel, op)
        }
        Owner::Org(_) => {
            let mut channel: OrgChannel = stored.read()?;
            channel.channel.connect(address, target, now);
            let op = Op::replace(stored.key.clone(), stored.version, &channel);
            (channel.channel, op)
        }
    };
    if channel.id != id {
        return Ok(None);
    }
    let gone = Op::delete(key, Condition::Version(row.version));
    app.commit(Transaction::bookkeeping(app).with([op, gone])).await?;
    Ok(Some(channel))
}
