//! Who or what a destination is now, and how a message gets there.

use svc_domain::identity::User;
use svc_domain::notification::channel::Channel;
use svc_domain::notification::delivery::{Outcome, Verdict};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Key, Op, keys};

use super::chat::{self, Note};
use super::stored_channel::stored_channel;
use crate::App;
use crate::error::Result;
use crate::ports::{Envelope, MailError};

/// Where messages arrive.
pub(super) enum Target {
    /// A person's address.
    Mail(User),
    /// A channel that works.
    Chat(Box<Channel>, Key, Destination),
}

/// A message, written for where it goes.
pub(super) enum Message {
    /// A mail.
    Mail(Box<Envelope>),
    /// A message in a chat.
    Chat(Note),
}

impl Target {
    /// What a destination is; `None` where it is not there, or broken.
    pub(super) async fn find(app: &App, destination: Destination) -> Result<Option<Self>> {
        let key = match destination {
            Destination::Person(user, Place::Mail) => keys::user(user),
            Destination::Person(user, Place::Chat(platform)) => keys::channel(user, platform.as_str()),
            Destination::Channel(org, channel) => keys::org_channel(org, channel),
        };
        let Some(row) = app.table.get(&key).await? else { return Ok(None) };
        Ok(match stored_channel(destination, &row)? {
            Some((channel, _)) => channel.works().then(|| Self::Chat(Box::new(channel), key, destination)),
            None if app.mail.is_some() => Some(Self::Mail(row.read()?)),
            None => None,
        })
    }

    pub(super) const fn is_chat(&self) -> bool {
        matches!(self, Self::Chat(..))
    }

    /// Sends a message; where a chat moved, its new sealed address as well.
    pub(super) async fn send(&self, app: &App, message: Message) -> (Outcome, Option<String>) {
        match (self, message) {
            (Self::Chat(channel, ..), Message::Chat(note)) => chat::send(app, channel, &note).await,
            (Self::Mail(_), Message::Mail(envelope)) => (mail(app, &envelope).await, None),
            (Self::Chat(..), Message::Mail(_)) | (Self::Mail(_), Message::Chat(_)) => {
                (Outcome::Refused("it was written for another place".to_owned()), None)
            }
        }
    }

    /// What an attempt changes of a channel, and whether it broke it just now.
    pub(super) async fn note(
        &self,
        app: &App,
        verdict: &Verdict,
        arrived: bool,
        moved: Option<String>,
    ) -> Result<Option<(Op, bool)>> {
        let Self::Chat(known, key, destination) = self else { return Ok(None) };
        let Some(row) = app.table.get(key).await? else { return Ok(None) };
        let Some((mut channel, of_org)) = stored_channel(*destination, &row)? else { return Ok(None) };
        if channel.id != known.id {
            return Ok(None);
        }
        let before = channel.clone();
        let mut broke = false;
        if let Some(address) = moved {
            channel.address = Some(address);
        }
        match verdict {
            Verdict::Broken(why) => broke = channel.break_off(why),
            Verdict::GivenUp(why) => channel.last_error = Some(why.clone()),
            Verdict::Done if arrived => drop(channel.arrived()),
            Verdict::Done | Verdict::Again(_) => {}
        }
        if channel == before {
            return Ok(None);
        }
        let op = match of_org {
            Some(mut of_org) => {
                of_org.channel = channel;
                Op::replace(row.key, row.version, &of_org)
            }
            None => Op::replace(row.key, row.version, &channel),
        };
        Ok(Some((op, broke)))
    }
}

async fn mail(app: &App, envelope: &Envelope) -> Outcome {
    let Some(mail) = &app.mail else { return Outcome::Refused("this instance sends no mail".to_owned()) };
    match mail.send(envelope).await {
        Ok(()) => Outcome::Sent,
        Err(MailError::Refused(why)) => Outcome::Refused(why),
        Err(MailError::Unavailable(why)) => Outcome::Away(why.to_string()),
    }
}
