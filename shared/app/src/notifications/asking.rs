//! What an agent asks, answered in the chat in which its person was told.
//!
//! Protocol.
//! 1. A message about open questions or a proposal has buttons with an opaque id. Its row ([`Ask`]), which is written before
//!    the message is sent, says who was asked what, in which version, in which channel.
//! 2. A press or a reply counts only from that person's private chat, and with the rights that they have at that moment
//!    ([`standing`]). The use case of the refinement decides by the version: of two answers the first counts.
//! 3. A question is answered by a reply to a message of the bot's, whose row ([`Awaiting`]) says what it is about. The next
//!    question follows; after the last, all answers are handed in together.
//! 4. What came of it is written to the row of the ask, and the message is edited to say so. What comes after that, or
//!    comes twice, is told how it ended.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use svc_domain::access::Capability;
use svc_domain::ids::{ChannelId, ItemKey, OrgId, UserId};
use svc_domain::notification::channel::{Channel, Platform};
use svc_domain::refinement::{Refinement, RefinementStatus};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, Row, keys};

use super::connecting::purpose;
use crate::App;
use crate::asker::Asker;
use crate::error::{Error, Result};
use crate::factory::refinements::{self, Confirmation, Reply};
use crate::transaction::Transaction;

/// How long an ask can be answered in its chat.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 7);

/// What an agent waits for, as a message tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asked {
    /// The organization.
    pub(super) org: OrgId,
    /// The person who is asked.
    pub(super) user: UserId,
    /// The item.
    pub(super) item: ItemKey,
    /// The version of its refinement.
    pub(super) version: u64,
    /// The version of the item: a proposal is confirmed for what it was made of.
    pub(super) item_version: u64,
    /// Whether it is a proposal, otherwise questions.
    pub(super) proposal: bool,
}

/// An ask, as stored under its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ask {
    #[serde(flatten)]
    pub(super) asked: Asked,
    /// The channel in which it was sent.
    pub(super) channel: ChannelId,
    /// How it ended, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ended: Option<String>,
}

/// What a reply to a message of the bot's is about, as stored under that message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Awaiting {
    /// Id of the ask.
    pub(super) ask: String,
    /// Answers to the questions before; `None` where it is what should change.
    pub(super) given: Option<Vec<String>>,
    /// The message with the buttons, as the platform sent it.
    pub(super) message: Value,
}

/// What a person says to an ask.
pub(super) enum Said {
    /// The proposal is confirmed.
    Confirmed,
    /// These are the answers, one for each question.
    Answers(Vec<String>),
    /// This should change.
    Changes(String),
}

/// Writes an ask, before its message is sent; its id.
///
/// # Errors
/// Those of storage.
pub(super) async fn offer(app: &App, channel: ChannelId, asked: &Asked) -> Result<String> {
    let id = hex::encode(&app.ids.secret()[..16]);
    let ask = Ask { asked: asked.clone(), channel, ended: None };
    let op = Op::create(keys::chat_ask(&id), &ask).expiring((app.now() + KEPT).as_second());
    app.commit(Transaction::bookkeeping(app).with([op])).await?;
    Ok(id)
}

/// The ask of an id, if this chat is the private one of the person who was asked.
///
/// # Errors
/// [`Refusal::NotFound`] where it is over, and [`Refusal::Forbidden`] in another chat.
pub(super) async fn find(app: &App, id: &str, chat: i64) -> Result<(Row, Ask)> {
    let row = app.table.get(&keys::chat_ask(id)).await?.ok_or(Refusal::NotFound)?;
    let ask: Ask = row.read()?;
    let channel = app.table.find(&keys::channel(ask.asked.user, Platform::Chat1.as_str())).await?;
    let channel: Option<Channel> = channel.map(|row| row.read()).transpose()?;
    let address = channel.filter(|channel| channel.id == ask.channel).and_then(|channel| channel.address);
    let address = address.and_then(|sealed| app.sealing.as_ref()?.open(&purpose(ask.channel), &sealed));
    if address != Some(chat.to_string()) {
        return Err(Refusal::Forbidden("it is for another chat").into());
    }
    Ok((row, ask))
}

/// The refinement that waits, if the person who was asked may answer it now.
///
/// # Errors
/// What the rights refuse; [`Refusal::StaleVersion`] where it goes on already.
pub(super) async fn standing(app: &App, asked: &Asked) -> Result<Refinement> {
    let wanted = |org| keys::refinement(org, &asked.item);
    let asker = Asker::Person(asked.org, asked.user);
    let (_, row) =
        asker.enter_project_with(app, &asked.item.project, Capability::OperateFactory, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    if row.version != asked.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    Ok(row.read()?)
}

/// Hands in what a person says; how it ended, in a sentence.
///
/// # Errors
/// Those of storage. A refusal is a sentence as well.
pub(super) async fn hand_in(app: &App, row: &Row, ask: &Ask, said: Said) -> Result<String> {
    let Asked { org, user, item, version, item_version, .. } = &ask.asked;
    let asker = Asker::Person(*org, *user);
    let done = match said {
        Said::Confirmed => {
            let confirmation = Confirmation { version: *version, item_version: *item_version };
            refinements::confirm_by(app, asker, item, &confirmation).await.map(|_| "Confirmed.")
        }
        Said::Answers(answers) => {
            let answers = (1..).zip(answers).collect();
            let reply = Reply { version: *version, answers, note: None };
            refinements::answer_by(app, asker, item, &reply).await.map(|_| "Answered. The agent goes on.")
        }
        Said::Changes(note) => {
            let reply = Reply { version: *version, answers: Vec::new(), note: Some(note) };
            let asked = refinements::ask_for_changes_by(app, asker, item, &reply).await;
            asked.map(|_| "The agent works on your changes.")
        }
    };
    match done {
        Ok(sentence) => {
            let ended = Ask { ended: Some(sentence.to_owned()), ..ask.clone() };
            let expires = (app.now() + KEPT).as_second();
            let op = Op::put(row.key.clone(), Condition::None, &ended).expiring(expires);
            app.commit(Transaction::bookkeeping(app).with([op])).await?;
            Ok(sentence.to_owned())
        }
        Err(error) => refused(error),
    }
}

/// A refusal in words for a chat; anything else stays an error.
///
/// # Errors
/// What is no refusal.
pub(super) fn refused(error: Error) -> Result<String> {
    let Error::Refused(refusal) = error else { return Err(error) };
    Ok(match refusal {
        Refusal::NotFound => "This question is over.".to_owned(),
        Refusal::Forbidden(_) | Refusal::FactoryNotPermitted => "You may not answer this now.".to_owned(),
        Refusal::StaleVersion { .. } => {
            "It was answered meanwhile, or has changed. Open it to see.".to_owned()
        }
        Refusal::LiveRunExists { .. } | Refusal::ItemClaimed { .. } => {
            "Somebody works on the item now. Open it to see.".to_owned()
        }
        other => format!("That did not work: {other}. Open it to answer there."),
    })
}

/// What can be answered in a chat about the state of a refinement.
pub(super) fn answerable(refinement: &Refinement) -> Option<bool> {
    match refinement.status() {
        RefinementStatus::Questions => Some(false),
        RefinementStatus::Proposed => Some(true),
        RefinementStatus::Running | RefinementStatus::Failed | RefinementStatus::Confirmed => None,
    }
}

/// The name of a message in a chat, of which nothing else can be read.
pub(super) fn message_name(chat: i64, message: i64) -> String {
    hex::encode(Sha256::digest(format!("{chat} {message}")))
}

/// Has a reply to a message of the bot's be taken.
pub(super) fn awaiting_op(app: &App, name: &str, awaiting: &Awaiting) -> Op {
    let expires = (app.now() + KEPT).as_second();
    Op::put(keys::chat_reply(name), Condition::None, awaiting).expiring(expires)
}
