//! What people want to be told of, their channels, and what waits to be sent. The table of all rows is in the module
//! above.

use std::fmt::Display;

use svc_domain::ids::{ChannelId, OrgId, TokenId, UserId};
use svc_domain::notification::channel::{Channel, OrgChannel};
use svc_domain::notification::preferences::{Defaults, Preferences};

use super::{org_pk, sortable, user_pk};
use crate::{Key, KeyOf};

/// What a person wants to be told of.
pub fn preferences(user: UserId) -> KeyOf<Preferences> {
    KeyOf::new(user_pk(user), "NOTIFY")
}

/// What an organization suggests to its people.
pub fn notification_defaults(org: OrgId) -> KeyOf<Defaults> {
    KeyOf::new(org_pk(org), "NOTIFY")
}

/// Sort keys of channels begin with this.
pub const CHANNEL_PREFIX: &str = "CHANNEL#";

/// A person's channel on a platform.
pub fn channel(user: UserId, platform: &str) -> KeyOf<Channel> {
    KeyOf::new(user_pk(user), format!("{CHANNEL_PREFIX}{platform}"))
}

/// A browser in which a person is told, by the session that turned it on.
pub fn browser(user: UserId, session: TokenId) -> Key {
    Key::new(user_pk(user), format!("BROWSER#{session}"))
}

/// The key by which push services know the instance.
pub fn push_key() -> Key {
    Key::new("PUSH", "KEY")
}

/// A channel of an organization.
pub fn org_channel(org: OrgId, channel: ChannelId) -> KeyOf<OrgChannel> {
    KeyOf::new(org_pk(org), format!("{CHANNEL_PREFIX}{channel}"))
}

/// Which channel a code connects, by its hex SHA-256.
pub fn channel_code(hash: &str) -> Key {
    Key::new(format!("CHATCODE#{hash}"), "CHANNEL")
}

/// Partition of the people whom a private chat tells, by the name of the chat.
pub fn chat_links_pk(name: &str) -> String {
    format!("CHAT#{name}")
}

/// That a private chat tells a person.
pub fn chat_link(name: &str, user: UserId) -> Key {
    Key::new(chat_links_pk(name), format!("USER#{user}"))
}

/// What an agent asked a person in a chat, by the id that its buttons carry.
pub fn chat_ask(id: &str) -> Key {
    Key::new(format!("CHATASK#{id}"), "ASK")
}

/// What a reply to a message of the bot's is about, by the name of that message.
pub fn chat_reply(message: &str) -> Key {
    Key::new(format!("CHATREPLY#{message}"), "AWAITING")
}

/// How far this process and others have read what chats say to the bot.
pub fn bot_reader() -> Key {
    Key::new("BOT", "READER")
}

/// Whether the mail server took the last mails.
pub fn mail_health() -> Key {
    Key::new("MAIL", "HEALTH")
}

/// Where the bot was told to deliver what chats say.
pub fn bot_webhook() -> Key {
    Key::new("BOT", "WEBHOOK")
}

/// Partition of what waits to be sent to a destination.
pub fn sending_pk(destination: impl Display) -> String {
    format!("SEND#{destination}")
}

/// What is on its way to a destination.
pub fn sending_head(destination: impl Display) -> Key {
    Key::new(sending_pk(destination), "HEAD")
}

/// News of one thing that wait to be sent to a destination, at once or with its digest.
pub fn pending(destination: impl Display, lane: &str, entry: impl Display) -> Key {
    Key::new(sending_pk(destination), format!("{}#{entry}", lane.to_uppercase()))
}

/// Shards of what is due to be sent.
pub const TO_SEND_SHARDS: u8 = 4;

/// Partition of one shard of what is due to be sent.
pub fn to_send_pk(shard: u8) -> String {
    format!("TOSEND#{shard}")
}

/// That something is due to be sent to a destination then.
pub fn to_send(due_millis: i64, destination: impl Display) -> Key {
    let destination = destination.to_string();
    let sum = destination.bytes().fold(0_u8, u8::wrapping_add);
    Key::new(to_send_pk(sum % TO_SEND_SHARDS), format!("{}#{destination}", sortable(due_millis)))
}
