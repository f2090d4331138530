//! Tells whose channel it is that it does not work any more: once, by mail.

use svc_domain::email;
use svc_domain::identity::{Member, User};
use svc_domain::ids::OrgId;
use svc_domain::notification::channel::ChannelStatus;
use svc_domain::notification::destination::Destination;
use svc_storage::{Query, Range, Row, keys};

use super::chat;
use super::stored_channel::stored_channel;
use crate::App;
use crate::error::{Error, Result};
use crate::messages::TellBroken;
use crate::ports::{Envelope, MailError};

/// Admins of an organization that are told at most.
const MOST: usize = 20;

/// Mails whose channel it is that it is broken, if it still is.
///
/// # Errors
/// [`Error::MailAway`]; those of storage.
pub async fn tell_broken(app: &App, message: &TellBroken) -> Result<()> {
    let Some(mail) = &app.mail else { return Ok(()) };
    let destination = message.destination;
    let (key, org) = match destination {
        Destination::Person(user, place) => match place {
            svc_domain::notification::preferences::Place::Mail
            | svc_domain::notification::preferences::Place::Browser(_) => return Ok(()),
            svc_domain::notification::preferences::Place::Chat(platform) => {
                (keys::channel(user, platform.as_str()), None)
            }
        },
        Destination::Channel(org, channel) => (keys::org_channel(org, channel), Some(org)),
    };
    let Some(row) = app.table.get(&key).await? else { return Ok(()) };
    let Some((channel, of_org)) = stored_channel(destination, &row)? else { return Ok(()) };
    if channel.status != ChannelStatus::Broken {
        return Ok(());
    }
    let to = match (org, destination) {
        (Some(org), _) => admins(app, org).await?,
        (None, Destination::Person(user, _)) => {
            let user: Option<User> =
                app.table.get(&keys::user(user)).await?.map(|row| row.read()).transpose()?;
            user.into_iter().map(|user| user.email).collect()
        }
        (None, Destination::Channel(..)) => Vec::new(),
    };
    let base = app.settings.service.base_url.trim_end_matches('/');
    let name = of_org.map_or_else(|| chat::name(channel.platform).to_owned(), |channel| channel.name);
    let why = channel.last_error.as_deref().unwrap_or("it does not answer");
    let email = email::broken_channel(&name, why, &format!("{base}/settings/notifications"));
    for to in to {
        let id = format!("broken.{}.{}", channel.id, row.version);
        let envelope = Envelope { to, email: email.clone(), id, list: None };
        match mail.send(&envelope).await {
            Err(MailError::Unavailable(why)) => return Err(Error::MailAway(why)),
            Err(MailError::Refused(why)) => tracing::warn!(why, "nobody is told of a broken channel"),
            Ok(()) => {}
        }
    }
    Ok(())
}

async fn admins(app: &App, org: OrgId) -> Result<Vec<String>> {
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, 1_000)).await?;
    let members: Vec<Member> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    let admins = members.into_iter().filter(|member| member.role.administers());
    let mut emails = Vec::new();
    for admin in admins.take(MOST) {
        let user: Option<User> =
            app.table.get(&keys::user(admin.user)).await?.map(|row| row.read()).transpose()?;
        emails.extend(user.map(|user| user.email));
    }
    Ok(emails)
}
