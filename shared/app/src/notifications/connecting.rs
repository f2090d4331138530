//! Makes channels: of the address of a webhook at once, or of a chat that sends a code in time.
//!
//! Protocol of the code.
//! 1. It is drawn when the channel is created, shown once, and stored as its SHA-256 only.
//! 2. Whoever sends it to the bot, within [`CODE_TERM`], has the channel in that chat. The commit that connects the chat
//!    deletes the code, so that it counts once.
//! 3. A channel that is created again gets a new code; the earlier one is deleted with it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::ids::{ChannelId, OrgId, UserId};
use svc_domain::notification::channel::{
    CODE_TERM, Channel, Platform, ending, masked, webhook_address, workflow_address,
};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Op, keys};
use url::Url;

use crate::App;
use crate::error::Result;
use crate::sealing::Sealing;
use crate::secrets::{self, SecretKind};

/// A wanted channel.
#[derive(Clone, Debug)]
pub struct NewChannel {
    /// Platform.
    pub platform: Platform,
    /// Address of a webhook, where the platform wants one.
    pub webhook_url: Option<String>,
}

/// A code that connects a chat.
#[derive(Clone, Debug)]
pub struct ConnectCode {
    /// The code.
    pub code: String,
    /// The link that opens the chat with the bot and sends it.
    pub url: String,
    /// Until when it counts.
    pub expires_at: Timestamp,
}

/// Whose channel it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Owner {
    /// A person's.
    Person(UserId),
    /// An organization's.
    Org(OrgId),
}

/// What a code connects, as stored under its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Connecting {
    pub(crate) owner: Owner,
    pub(crate) platform: Platform,
    pub(crate) channel: ChannelId,
    pub(crate) expires_at: Timestamp,
}

/// A channel on its way to its row.
pub(super) struct Made {
    pub(super) channel: Channel,
    pub(super) code: Option<ConnectCode>,
    /// Operations beside that of the channel itself.
    pub(super) ops: Vec<Op>,
}

/// Makes a channel.
///
/// # Errors
/// [`Refusal::ChannelRefused`] for an address that is none of the platform's, and for the first platform where the
/// instance has no bot; [`Refusal::Conflict`] where the instance has no key to seal addresses with.
pub(super) fn make(app: &App, new: &NewChannel, owner: Owner) -> Result<Made> {
    let id = ChannelId(app.uuid());
    let now = app.now();
    let settings = &app.settings.notifications;
    let prefix = match new.platform {
        Platform::Chat1 => return make_by_code(app, new, owner, id),
        Platform::Chat2 => &settings.chat_2_prefix,
        Platform::Chat3 => &settings.chat_3_prefix,
        Platform::Chat4 => return make_by_workflow(app, new, owner, id),
    };
    let prefix =
        Url::parse(prefix).map_err(|_| refused("webhookUrl", "This instance has no such platform."))?;
    let text = new.webhook_url.as_deref().ok_or_else(|| {
        refused("webhookUrl", format!("Give the address of an incoming webhook that begins with {prefix}"))
    })?;
    let url = webhook_address(new.platform, &prefix, text).map_err(|why| refused("webhookUrl", why))?;
    let address = sealing(app)?.seal(&*app.ids, &purpose(id), url.as_str());
    let channel = Channel::active(id, new.platform, address, masked(&url), now);
    Ok(Made { channel, code: None, ops: Vec::new() })
}

fn make_by_workflow(app: &App, new: &NewChannel, owner: Owner, id: ChannelId) -> Result<Made> {
    if matches!(owner, Owner::Person(_)) {
        return Err(refused("type", "Teams is for channels of an organization.").into());
    }
    let text = new.webhook_url.as_deref().unwrap_or_default();
    let hosts = &app.settings.notifications.chat_4_hosts;
    let url = workflow_address(hosts, text).map_err(|why| refused("webhookUrl", why))?;
    let address = sealing(app)?.seal(&*app.ids, &purpose(id), url.as_str());
    // What tells workflows apart is their id; the end of the address signs it.
    let workflow = url.path_segments().into_iter().flatten().skip_while(|part| *part != "workflows").nth(1);
    let target = format!("{} {}", url.host_str().unwrap_or_default(), ending(workflow.unwrap_or_default()));
    let channel = Channel::active(id, new.platform, address, target, app.now());
    Ok(Made { channel, code: None, ops: Vec::new() })
}

fn make_by_code(app: &App, new: &NewChannel, owner: Owner, id: ChannelId) -> Result<Made> {
    let bot = app.settings.notifications.bot().ok_or_else(|| {
        refused(
            "type",
            "This instance has no bot for Telegram; its operator can set one up under [Notifications].",
        )
    })?;
    if new.webhook_url.is_some() {
        return Err(refused("webhookUrl", "Telegram is connected by a code, without an address.").into());
    }
    sealing(app)?;
    let code = secrets::mint(app, SecretKind::ChatCode);
    let hash = secrets::hash(&code);
    let expires_at = app.now() + CODE_TERM;
    let connecting = Connecting { owner, platform: new.platform, channel: id, expires_at };
    let op = Op::create(keys::channel_code(&hash), &connecting).expiring(expires_at.as_second());
    let start = match owner {
        Owner::Person(_) => "start",
        Owner::Org(_) => "startgroup",
    };
    let url = format!("https://t.me/{bot}?{start}={code}");
    let channel = Channel::pending(id, new.platform, hash, app.now());
    Ok(Made { channel, code: Some(ConnectCode { code, url, expires_at }), ops: vec![op] })
}

/// Deletes the code that a channel waits for.
pub(super) fn forget_code(channel: &Channel) -> Option<Op> {
    channel.code_hash.as_ref().map(|hash| Op::delete(keys::channel_code(hash), Condition::None))
}

/// What the address of a channel is sealed for.
pub(super) fn purpose(channel: ChannelId) -> String {
    format!("channel {channel}")
}

pub(super) fn sealing(app: &App) -> Result<&Sealing> {
    Ok(app.sealing.as_ref().ok_or(Refusal::Conflict(
        "this instance has no key to encrypt addresses with; ask its operator to set one under [Secrets]",
    ))?)
}

fn refused(field: &str, why: impl Into<String>) -> Refusal {
    Refusal::ChannelRefused(FieldErrors::one(field, why))
}
