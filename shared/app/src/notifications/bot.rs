//! What chats say to the bot of the first platform: the codes that connect them, and answers to what agents ask.
//!
//! Protocol.
//! 1. One process at a time reads: it holds a row for [`LEASE`], which also says what was read already.
//! 2. A chat that sends a code that still counts is connected: a private one to a person, a group to an organization. The
//!    commit changes the channel and deletes the code. `/stop` in a private chat deletes the channel.
//! 3. What somebody presses or replies is an answer to what an agent asks ([`super::answering`]).
//! 4. Only then is the message noted as read. One that is read twice finds its code gone, and its question answered.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::notification::channel::{Channel, OrgChannel, Platform, ending};
use svc_storage::{Condition, Key, Op, keys};
use uuid::Uuid;

use super::chat::bot::{Heard, Update, say, updates};
use super::connecting::{Connecting, Owner, purpose, sealing};
use super::{answering, chat_links};
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
            if is_stop(app, text) {
                return stop(app, *chat).await;
            }
            connect(app, *chat, text).await
        }
    }
}

/// Whether this is the command that ends a connection. In a group it may name a bot, which may be another.
fn is_stop(app: &App, text: &str) -> bool {
    let bot = app.settings.notifications.bot().unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.strip_prefix("/stop")).is_some_and(|name| {
        name.is_empty() || name.strip_prefix('@').is_some_and(|name| name.eq_ignore_ascii_case(bot))
    })
}

/// Ends what is connected to a chat. A member of a group does not speak for the organization that it belongs to.
async fn stop(app: &App, chat: i64) -> Result<()> {
    let sentence = if is_group(chat) {
        "Admins of the organization end this in its settings, under Notifications. Removing the bot from the group ends it \
         as well."
    } else if chat_links::end(app, chat).await? {
        "This chat is told nothing more."
    } else {
        "This chat is not connected."
    };
    say(app, chat, sentence).await;
    Ok(())
}

/// The platform gives private chats the id of their person, and groups one below zero.
const fn is_group(chat: i64) -> bool {
    chat < 0
}

/// Connects a chat if what it said is a code: `/start svn_…`, or the code alone. That the chat hears of it is a kindness.
async fn connect(app: &App, chat: i64, text: &str) -> Result<()> {
    let prefix = SecretKind::ChatCode.prefix();
    let Some(code) = text.split_whitespace().find(|word| word.starts_with(prefix)) else { return Ok(()) };
    if let Some(sentence) = app.decide(|| bind(app, chat, code)).await? {
        say(app, chat, &sentence).await;
    }
    Ok(())
}

/// Connects a chat by a code; what the chat is told.
async fn bind(app: &App, chat: i64, code: &str) -> Result<Option<String>> {
    let key = keys::channel_code(&secrets::hash(code));
    let row = app.table.get(&key).await?;
    let connecting: Option<Connecting> = row.as_ref().map(svc_storage::Row::read).transpose()?;
    let Some((row, connecting)) = row.zip(connecting).filter(|(_, it)| it.expires_at > app.now()) else {
        // What is read twice has connected the chat already.
        let known = is_group(chat) || !chat_links::linked(app, chat).await?.is_empty();
        let over = "This code counts no more: make a new one, and send it within ten minutes.";
        return Ok((!known).then(|| over.to_owned()));
    };
    let base = &app.settings.service.base_url;
    let id = connecting.channel;
    let (place, sentence) = match connecting.owner {
        // What is sent to a person is not for everybody in a group.
        Owner::Person(_) if is_group(chat) => {
            let wrong = "This code is for a chat that only you read: open the bot, and send it there.";
            return Ok(Some(wrong.to_owned()));
        }
        Owner::Person(user) => (
            Key::from(keys::channel(user, Platform::Chat1.as_str())),
            format!("This chat is connected to {base}: it tells you what you choose there. /stop ends it."),
        ),
        Owner::Org(_) if !is_group(chat) => {
            let wrong =
                "This code is for a group: add the bot to a group of yours with the link that came with it.";
            return Ok(Some(wrong.to_owned()));
        }
        Owner::Org(org) => {
            let name = app.table.find(&keys::org(org)).await?.map(|row| row.read()).transpose()?;
            let name = name.map(|org| org.name).unwrap_or_default();
            let told = format!("This group is connected to {base}: it is told what {name} chooses there.");
            (keys::org_channel(org, id).into(), told)
        }
    };
    let Some(stored) = app.table.get(&place).await? else { return Ok(None) };
    let address = sealing(app)?.seal(&*app.ids, &purpose(id), &chat.to_string());
    let target = format!("t.me {}", ending(&chat.to_string()));
    let now = app.now();
    let mut ops = vec![Op::delete(key, Condition::Version(row.version))];
    match connecting.owner {
        Owner::Person(user) => {
            let mut channel: Channel = stored.read()?;
            if channel.id != id {
                return Ok(None);
            }
            channel.connect(address, target, now);
            ops.push(stored.replaced_by(&channel));
            ops.push(chat_links::link(app, user, id, chat)?);
        }
        Owner::Org(_) => {
            let mut channel: OrgChannel = stored.read()?;
            channel.channel.connect(address, target, now);
            ops.push(stored.replaced_by(&channel));
        }
    }
    app.commit(Transaction::bookkeeping(app).with(ops)).await?;
    Ok(Some(sentence))
}
