//! Checks what people want to be told of, their channels, and what waits to be sent.

use jiff::SignedDuration;
use serde::de::DeserializeOwned;
use svc_domain::ids::{OrgId, UserId};
use svc_domain::mail::MailHealth;
use svc_domain::notification::browser::Browser;
use svc_domain::notification::channel::{Channel, ChannelStatus, OrgChannel, Platform};
use svc_domain::notification::delivery::{Head, Pending};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::{Defaults, Preferences};
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::kind::Kind;
use super::org_or_mark::org_or_mark;
use crate::notifications::{Ask, Awaiting, BotReader, ChatLink, Connecting, PushKey, ToldBot, entry_id};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("USER#<user>", "NOTIFY", preferences),
    Kind::new("USER#<user>", "CHANNEL#<platform>", channel),
    Kind::new("ORG#<org>", "NOTIFY", defaults),
    Kind::new("ORG#<org>", "CHANNEL#<channel>", org_channel),
    Kind::new("CHATCODE#<sha256>", "CHANNEL", expires::<Connecting>),
    Kind::new("CHAT#<name>", "USER#<user>", chat_link),
    Kind::new("CHATASK#<id>", "ASK", expires::<Ask>),
    Kind::new("CHATREPLY#<sha256>", "AWAITING", expires::<Awaiting>),
    Kind::new("USER#<user>", "BROWSER#<session>", browser),
    Kind::new("PUSH", "KEY", |subject, context| subject.read::<PushKey>(context).map(drop)),
    Kind::new("BOT", "READER", |subject, context| subject.read::<BotReader>(context).map(drop)),
    Kind::new("MAIL", "HEALTH", |subject, context| subject.read::<MailHealth>(context).map(drop)),
    Kind::new("BOT", "WEBHOOK", |subject, context| subject.read::<ToldBot>(context).map(drop)),
    Kind::new("SEND#<destination>", "HEAD", head),
    Kind::new("SEND#<destination>", "NOW#<entry>", pending),
    Kind::new("SEND#<destination>", "DIGEST#<entry>", pending),
    Kind::new("TOSEND#<shard>", "<time>#<destination>", due),
];

/// After this long the tick should have tried to send it.
const UNSENT: SignedDuration = SignedDuration::from_mins(10);

fn preferences(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    for session in subject.read::<Preferences>(context)?.browsers {
        context.demand(&keys::browser(user, session), "such browser")?;
    }
    context.demand(&keys::user(user), "such account").map(drop)
}

fn browser(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    let browser: Browser = subject.read(context)?;
    subject.is_named(context, &keys::browser(user, browser.id));
    let preferences: Option<Preferences> =
        context.need(&keys::preferences(user), "preferences that name it")?;
    if preferences.is_some_and(|preferences| !preferences.browsers.contains(&browser.id)) {
        context.broken("the preferences of its owner do not name it");
    }
    Ok(())
}

fn channel(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    let channel: Channel = subject.read(context)?;
    subject.is_named(context, &keys::channel(user, channel.platform.as_str()));
    whole(&channel, context);
    context.demand(&keys::user(user), "such account").map(drop)
}

fn chat_link(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let user: UserId = subject.part("user", context)?;
    subject.read::<ChatLink>(context)?;
    context.demand(&keys::channel(user, Platform::Chat1.as_str()), "channel that leads to the chat").map(drop)
}

fn defaults(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    subject.read::<Defaults>(context)?;
    org_or_mark(context, org).map(drop)
}

fn org_channel(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let OrgChannel { channel, .. } = subject.read(context)?;
    subject.is_named(context, &keys::org_channel(org, channel.id));
    whole(&channel, context);
    org_or_mark(context, org).map(drop)
}

fn whole(channel: &Channel, context: &CheckContext<'_>) {
    let pending = channel.status == ChannelStatus::Pending;
    if pending != channel.address.is_none() || pending != channel.code_hash.is_some() {
        context.broken("it waits for a code and has an address, or neither");
    }
}

fn expires<T: DeserializeOwned>(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    subject.read::<T>(context)?;
    if subject.row.ttl.is_none() {
        context.broken("it does not expire");
    }
    Ok(())
}

fn head(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    subject.part::<Destination>("destination", context)?;
    subject.read::<Head>(context).map(drop)
}

fn pending(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let destination: Destination = subject.part("destination", context)?;
    let entry: String = subject.part("entry", context)?;
    let Pending { entry: told, .. } = subject.read(context)?;
    if entry_id(told.org, &told.subject).to_string() != entry {
        context.broken("it is about something else");
    }
    let person = matches!(destination, Destination::Person(..));
    if person && told.read >= told.told {
        context.broken("nothing of it is left to be sent");
    }
    Ok(())
}

fn due(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let time: i64 = subject.part("time", context)?;
    let destination: Destination = subject.part("destination", context)?;
    subject.read::<Destination>(context)?;
    subject.is_named(context, &keys::to_send(time, destination));
    if time < (context.now() - UNSENT).as_millisecond() {
        context.waiting("what is due was not sent");
    }
    Ok(())
}
