//! Channels, between the domain and the wire. Neither an address nor the id of a chat gets there.

use std::collections::BTreeMap;

use svc_api::notifications::{
    self as wire, ChangeOrgNotificationChannel, CreatedNotificationChannel, NewNotificationChannel,
    NewOrgNotificationChannel, NotificationChannel, NotificationChannels, OrgNotificationChannel,
    OrgNotificationChannels,
};
use svc_app::Settings;
use svc_app::mailing::MailStatus;
use svc_app::notifications::{
    ConnectCode, CreatedChannel, CreatedOrgChannel, NewChannel, OrgChannelEdit, SeenChannel,
};
use svc_domain::notification::NotificationKind;
use svc_domain::notification::channel::{Mode, ORG_WIDE, OrgChannel};
use svc_domain::refusal::{FieldErrors, Refusal};

use crate::words::{Word as _, check, read};

/// The channels of a person.
pub fn channels(settings: &Settings, channels: Vec<SeenChannel>) -> NotificationChannels {
    let bot = settings.notifications.bot().map(str::to_owned);
    NotificationChannels {
        chat1_available: bot.is_some(),
        chat1_bot_username: bot,
        channels: channels.into_iter().map(channel).collect(),
    }
}

fn channel(SeenChannel { channel, held_until }: SeenChannel) -> NotificationChannel {
    NotificationChannel {
        id: channel.id.to_string(),
        platform: channel.platform.sent(),
        status: channel.status.sent(),
        target: channel.target,
        last_error: channel.last_error,
        failing_since: channel.failing_since,
        held_until,
        connected_at: channel.connected_at,
        created_at: channel.created_at,
    }
}

/// A channel to create.
///
/// # Errors
/// A platform that this program does not know.
pub fn new_channel(new: NewNotificationChannel) -> Result<NewChannel, Refusal> {
    Ok(NewChannel { platform: read("type", new.platform)?, webhook_url: new.webhook_url })
}

/// A channel that was created.
pub fn created(made: CreatedChannel) -> CreatedNotificationChannel {
    with_code(channel(SeenChannel { channel: made.channel, held_until: None }), made.code)
}

fn with_code<C>(channel: C, code: Option<ConnectCode>) -> CreatedNotificationChannel<C> {
    let (connect_code, connect_url, expires_at) = match code {
        Some(ConnectCode { code, url, expires_at }) => (Some(code), Some(url), Some(expires_at)),
        None => (None, None, None),
    };
    CreatedNotificationChannel { channel, connect_code, connect_url, expires_at }
}

/// The channels of an organization.
pub fn org_channels(
    settings: &Settings,
    (channels, mail): (Vec<SeenChannel<OrgChannel>>, MailStatus),
) -> OrgNotificationChannels {
    let bot = settings.notifications.bot().map(str::to_owned);
    OrgNotificationChannels {
        chat1_available: bot.is_some(),
        chat1_bot_username: bot,
        kinds: ORG_WIDE.map(NotificationKind::sent).into(),
        channels: channels.into_iter().map(org_channel).collect(),
        mail: mail_status(mail),
    }
}

fn mail_status(MailStatus { available, failing }: MailStatus) -> wire::MailStatus {
    let (failing_since, error) = failing.unzip();
    wire::MailStatus { available, failing_since, error }
}

/// A channel of an organization.
pub fn org_channel(SeenChannel { channel, held_until }: SeenChannel<OrgChannel>) -> OrgNotificationChannel {
    let OrgChannel { channel, name, modes } = channel;
    OrgNotificationChannel {
        id: channel.id.to_string(),
        name,
        platform: channel.platform.sent(),
        status: channel.status.sent(),
        target: channel.target,
        modes: modes.into_iter().map(|(kind, mode)| (kind.as_str().to_owned(), mode.sent())).collect(),
        last_error: channel.last_error,
        failing_since: channel.failing_since,
        held_until,
        connected_at: channel.connected_at,
        created_at: channel.created_at,
    }
}

/// A channel of an organization to create, and its name.
///
/// # Errors
/// A platform that this program does not know.
pub fn new_org_channel(new: NewOrgNotificationChannel) -> Result<(String, NewChannel), Refusal> {
    Ok((new.name, NewChannel { platform: read("type", new.platform)?, webhook_url: new.webhook_url }))
}

/// A channel of an organization that was created.
pub fn created_org_channel(made: CreatedOrgChannel) -> CreatedNotificationChannel<OrgNotificationChannel> {
    with_code(org_channel(SeenChannel { channel: made.channel, held_until: None }), made.code)
}

/// What changes of a channel of an organization.
///
/// # Errors
/// A kind or mode that this program does not know.
pub fn org_channel_edit(sent: ChangeOrgNotificationChannel) -> Result<OrgChannelEdit, Refusal> {
    let mut errors = FieldErrors::default();
    let mut modes = |modes: BTreeMap<String, _>| -> BTreeMap<NotificationKind, Mode> {
        let mut read = BTreeMap::new();
        for (name, mode) in modes {
            let known = ORG_WIDE.into_iter().find(|kind| kind.as_str() == name);
            if known.is_none() {
                let kinds = ORG_WIDE.map(|kind| kind.as_str()).join(", ");
                errors.add("modes", format!("An organization's channel is told only of {kinds}."));
            }
            read.extend(known.zip(check(&format!("modes.{name}"), mode, &mut errors)));
        }
        read
    };
    let modes = sent.modes.map(&mut modes);
    errors.into_result()?;
    Ok(OrgChannelEdit { name: sent.name, modes })
}
