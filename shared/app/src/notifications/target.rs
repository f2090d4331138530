//! Who or what a destination is now, and how a message gets there.

use svc_domain::identity::User;
use svc_domain::ids::{TokenId, UserId};
use svc_domain::notification::browser::Browser;
use svc_domain::notification::channel::{Channel, Platform};
use svc_domain::notification::delivery::{Outcome, Verdict};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;
use svc_storage::{Key, Op, keys};

use super::asking;
use super::chat::{self, Note};
use super::push::{self, Notice};
use super::stored_channel::stored_channel;
use crate::App;
use crate::error::Result;
use crate::mailing;
use crate::ports::{Envelope, MailError};
use crate::transaction::Transaction;

/// Where messages arrive.
pub(super) enum Target {
    /// A person's address.
    Mail(User),
    /// A channel that works.
    Chat(Box<Channel>, Key, Destination),
    /// A browser that is turned on and signed in.
    Browser(Box<Browser>, UserId),
}

/// A message, written for where it goes.
pub(super) enum Message {
    /// A mail.
    Mail(Box<Envelope>),
    /// A message in a chat.
    Chat(Note),
    /// A notice of a browser.
    Browser(Notice),
}

/// What an attempt changes of a target.
pub(super) struct Noted {
    /// What is written.
    pub(super) ops: Vec<Op>,
    /// Whether a channel broke just now, of which its owner is told.
    pub(super) broke: bool,
}

impl Target {
    /// What a destination is; `None` where it is not there, or broken.
    pub(super) async fn find(app: &App, destination: Destination) -> Result<Option<Self>> {
        let key = match destination {
            Destination::Person(user, Place::Mail) => Key::from(keys::user(user)),
            Destination::Person(user, Place::Chat(platform)) => keys::channel(user, platform.as_str()).into(),
            Destination::Channel(org, channel) => keys::org_channel(org, channel).into(),
            Destination::Person(user, Place::Browser(id)) => return Self::browser(app, user, id).await,
        };
        let Some(row) = app.table.get(&key).await? else { return Ok(None) };
        Ok(match stored_channel(destination, &row)? {
            Some((channel, _)) => channel.works().then(|| Self::Chat(Box::new(channel), key, destination)),
            None if app.mail.is_some() => Some(Self::Mail(row.read()?)),
            None => None,
        })
    }

    async fn browser(app: &App, user: UserId, id: TokenId) -> Result<Option<Self>> {
        let found = push::find(app, user, id).await?;
        if found.is_none() {
            // Its session ended: what is left of it is taken away.
            app.decide(|| async {
                let ops = push::forgotten(app, user, id).await?;
                app.commit(Transaction::bookkeeping(app).with(ops)).await
            })
            .await?;
        }
        Ok(found.map(|browser| Self::Browser(Box::new(browser), user)))
    }

    pub(super) const fn is_chat(&self) -> bool {
        matches!(self, Self::Chat(..))
    }

    /// What counters of deliveries call it.
    pub(super) const fn channel(&self) -> &'static str {
        match self {
            Self::Mail(..) => "mail",
            Self::Chat(..) => "chat",
            Self::Browser(..) => "browser",
        }
    }

    /// Sends a message; where a chat moved, its new sealed address as well.
    ///
    /// # Errors
    /// Those of storage.
    pub(super) async fn send(&self, app: &App, message: Message) -> Result<(Outcome, Option<String>)> {
        Ok(match (self, message) {
            (Self::Chat(channel, ..), Message::Chat(mut note)) => {
                offer(app, channel, &mut note).await?;
                chat::send(app, channel, &note).await
            }
            (Self::Mail(_), Message::Mail(envelope)) => (mail(app, &envelope).await, None),
            (Self::Browser(browser, _), Message::Browser(notice)) => {
                (push::send(app, browser, &notice).await?, None)
            }
            (Self::Chat(..) | Self::Mail(_) | Self::Browser(..), _) => {
                (Outcome::Refused("it was written for another place".to_owned()), None)
            }
        })
    }

    /// What an attempt changes of a channel or browser. `away` says why it did not answer.
    pub(super) async fn note(
        &self,
        app: &App,
        verdict: &Verdict,
        arrived: bool,
        away: Option<&str>,
        moved: Option<String>,
    ) -> Result<Option<Noted>> {
        let (known, key, destination) = match self {
            Self::Chat(known, key, destination) => (known, key, destination),
            Self::Browser(known, user) => return noted_of_browser(app, known, *user, verdict, arrived).await,
            Self::Mail(_) => return Ok(None),
        };
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
            Verdict::Broken(why) => broke = channel.break_off(why, app.now()),
            Verdict::GivenUp(why) => channel.last_error = Some(why.clone()),
            Verdict::Done if arrived => drop(channel.arrived()),
            Verdict::Done | Verdict::Again(_) => {}
        }
        if let Some(why) = away {
            channel.failed(why, app.now());
            if before.failing_since.is_none() {
                tracing::warn!(%destination, why, "a chat does not answer; what it is told waits");
            }
        }
        if channel == before {
            return Ok(None);
        }
        let op = match of_org {
            Some(mut of_org) => {
                of_org.channel = channel;
                row.replaced_by(&of_org)
            }
            None => row.replaced_by(&channel),
        };
        Ok(Some(Noted { ops: vec![op], broke }))
    }
}

/// A browser that is gone is forgotten: it is turned on again where it still is.
async fn noted_of_browser(
    app: &App,
    known: &Browser,
    user: UserId,
    verdict: &Verdict,
    arrived: bool,
) -> Result<Option<Noted>> {
    let Some(row) = app.table.get(&keys::browser(user, known.id)).await? else { return Ok(None) };
    let mut browser: Browser = row.read()?;
    // It was turned on again meanwhile.
    if browser.created_at != known.created_at {
        return Ok(None);
    }
    let last_error = match verdict {
        Verdict::Broken(_) => {
            let ops = push::forgotten(app, user, known.id).await?;
            return Ok(Some(Noted { ops, broke: false }));
        }
        Verdict::GivenUp(why) => Some(why.clone()),
        Verdict::Done if arrived => None,
        Verdict::Done | Verdict::Again(_) => return Ok(None),
    };
    if browser.last_error == last_error {
        return Ok(None);
    }
    browser.last_error = last_error;
    Ok(Some(Noted { ops: vec![row.replaced_by(&browser)], broke: false }))
}

/// Gives a message about one thing the buttons that answer it, where the platform has such.
async fn offer(app: &App, channel: &Channel, note: &mut Note) -> Result<()> {
    if channel.platform != Platform::Chat1 {
        return Ok(());
    }
    let [part] = note.parts.as_mut_slice() else { return Ok(()) };
    let Some(asked) = &part.asked else { return Ok(()) };
    let id = asking::offer(app, channel.id, asked).await?;
    let words: &[_] = if asked.proposal {
        &[("Confirm", "confirm"), ("Ask for changes", "change")]
    } else {
        &[("Answer here", "answer")]
    };
    part.buttons = words.iter().map(|(word, verb)| (*word, format!("{verb}:{id}"))).collect();
    for (word, _) in &mut part.actions {
        *word = "Open";
    }
    Ok(())
}

async fn mail(app: &App, envelope: &Envelope) -> Outcome {
    match mailing::send(app, envelope).await {
        Ok(()) => Outcome::Sent,
        Err(MailError::Refused(why)) => Outcome::Refused(why),
        Err(MailError::Unavailable(why)) => Outcome::Away(why.to_string()),
    }
}
