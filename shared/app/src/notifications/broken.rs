//! Tells whose channel it is that it does not work any more: once, in their inboxes and by mail.

use svc_domain::email;
use svc_domain::identity::Member;
use svc_domain::ids::{OrgId, UserId};
use svc_domain::notification::channel::{Channel, ChannelStatus, OrgChannel};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_domain::notification::{News, NotificationKind, Subject};
use svc_storage::{Key, Limits, Query, Range, Row, keys};

use super::chat;
use super::fan_out::tell;
use super::stored_channel::stored_channel;
use super::told::{admins, id_of};
use crate::App;
use crate::error::{Error, Result};
use crate::identity::ending::is_disabled;
use crate::mailing;
use crate::messages::TellBroken;
use crate::ports::{Envelope, MailError};
use crate::wanted;

/// Admins of an organization that are mailed at most.
const MOST: usize = 20;

/// Tells whose channel it is that it is broken, if it still is.
///
/// # Errors
/// [`Error::MailAway`]; those of storage.
pub async fn tell_broken(app: &App, message: &TellBroken) -> Result<()> {
    let Some((channel, of_org)) = broken(app, message.destination).await? else { return Ok(()) };
    let name = of_org.map_or_else(|| chat::name(channel.platform).to_owned(), |channel| channel.name);
    let why = channel.last_error.as_deref().unwrap_or("it does not answer");
    let whose = match message.destination {
        Destination::Person(user, _) => vec![user],
        Destination::Channel(org, _) => admins(app, org).await?.iter().map(|admin| admin.user).collect(),
    };
    if let Some(org) = told_in(app, message.destination).await? {
        let of_org = matches!(message.destination, Destination::Channel(..));
        let subject = Subject::Channel { id: channel.id, name: name.clone(), of_org };
        let id = id_of(&format!("broken {} {}", channel.id, message.id));
        let news = News::by_itself(id, NotificationKind::ChannelBroken, app.now(), why.to_owned());
        let told = whose.iter().map(|user| (*user, news.clone())).collect();
        tell(app, org, &subject, told).await?;
    }
    if app.mail.is_none() {
        return Ok(());
    }
    let base = &app.settings.service.base_url;
    let email = email::broken_channel(&name, why, &format!("{base}/settings/notifications"));
    for to in addresses(app, &whose).await? {
        let id = format!("broken.{}.{}", channel.id, message.id);
        let envelope = Envelope { to, email: email.clone(), id, list: None };
        match mailing::send(app, &envelope).await {
            Err(MailError::Unavailable(why)) => return Err(Error::MailAway(why)),
            Err(MailError::Refused(why)) => tracing::warn!(why, "nobody is mailed of a broken channel"),
            Ok(()) => {}
        }
    }
    Ok(())
}

/// The channel of a destination, if it is broken.
async fn broken(app: &App, destination: Destination) -> Result<Option<(Channel, Option<OrgChannel>)>> {
    let key = match destination {
        Destination::Person(_, Place::Mail | Place::Browser(_)) => return Ok(None),
        Destination::Person(user, Place::Chat(platform)) => Key::from(keys::channel(user, platform.as_str())),
        Destination::Channel(org, channel) => keys::org_channel(org, channel).into(),
    };
    let Some(row) = app.table.get(&key).await? else { return Ok(None) };
    let stored = stored_channel(destination, &row)?;
    Ok(stored.filter(|(channel, _)| channel.status == ChannelStatus::Broken))
}

/// The organization in which they are told. A person's channel is of none: any of theirs will do.
async fn told_in(app: &App, destination: Destination) -> Result<Option<OrgId>> {
    let user = match destination {
        Destination::Channel(org, _) => return Ok(Some(org)),
        Destination::Person(user, _) => user,
    };
    let orgs = Range::Prefix(keys::USER_ORG_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::user_pk(user), orgs, Limits::KEYS)).await?;
    let of_row = |row: &Row| row.key.sk.strip_prefix(keys::USER_ORG_PREFIX)?.parse().ok();
    let orgs: Vec<OrgId> = rows.iter().filter_map(of_row).collect();
    for org in orgs {
        let member: Option<Member> =
            app.table.find(&keys::member(org, user)).await?.map(|row| row.read()).transpose()?;
        if member.is_some() && app.table.find(&keys::org(org)).await?.is_some() {
            return Ok(Some(org));
        }
    }
    Ok(None)
}

/// Where these are mailed, but for disabled accounts.
async fn addresses(app: &App, users: &[UserId]) -> Result<Vec<String>> {
    let wanted: Vec<_> = users.iter().map(|user| (keys::user(*user), keys::sessions(*user))).collect();
    let mut addresses = Vec::new();
    for (user, sessions) in wanted::load(app, wanted).await? {
        if let Some(user) = user.filter(|_| addresses.len() < MOST)
            && !is_disabled(sessions.as_deref())?
        {
            addresses.push(user.read()?.email);
        }
    }
    Ok(addresses)
}
