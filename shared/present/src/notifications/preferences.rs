//! What people want to be told of, between the domain and the wire.

use std::collections::BTreeMap;
use std::str::FromStr;

use svc_api::notifications::{
    ChangeNotificationSettings, ModeInForce, Mute, MutedThing, NotificationDefault, NotificationInForce,
    NotificationMode, NotificationPreference, NotificationSettings, SetMute, SetNotificationPreference,
};
use svc_app::notifications::{InForce, SettingsChange};
use svc_domain::notification::NotificationKind;
use svc_domain::notification::channel::{Mode, Platform};
use svc_domain::notification::preferences::{
    self as domain, ChatModes, DefaultModes, Defaults, Medium, Preference,
};
use svc_domain::refusal::{FieldErrors, Refusal};

use crate::words::{Word as _, check};

/// What a person wants of each kind.
pub fn preferences(seen: &InForce) -> Vec<NotificationPreference> {
    let of_kind = |kind: &NotificationKind| {
        let Preference { in_app, email, chats, push } = seen.of_kind(*kind);
        NotificationPreference {
            kind: kind.sent(),
            in_app,
            email: email.sent(),
            chat_1: chats.chat_1.map(Mode::sent),
            chat_2: chats.chat_2.map(Mode::sent),
            chat_3: chats.chat_3.map(Mode::sent),
            push: push.map(Mode::sent),
        }
    };
    NotificationKind::ALL.iter().map(of_kind).collect()
}

/// What a person sends of some kinds.
///
/// # Errors
/// A kind or mode that this program does not know, and a kind that comes twice.
pub fn read_preferences(
    sent: &[SetNotificationPreference],
) -> Result<BTreeMap<NotificationKind, Preference>, Refusal> {
    let mut errors = FieldErrors::default();
    let mut read = BTreeMap::new();
    for (at, one) in sent.iter().enumerate() {
        let kind = check(&format!("{at}.kind"), one.kind, &mut errors);
        let email = check(&format!("{at}.email"), one.email, &mut errors);
        let chats = chats(&at.to_string(), [one.chat_1, one.chat_2, one.chat_3], &mut errors);
        let push = one.push.and_then(|mode| check(&format!("{at}.push"), mode, &mut errors));
        let (Some(kind), Some(email)) = (kind, email) else { continue };
        if read.insert(kind, Preference { in_app: one.in_app, email, chats, push }).is_some() {
            errors.add(&format!("{at}.kind"), "This kind comes twice.");
        }
    }
    errors.into_result()?;
    Ok(read)
}

/// What an organization suggests.
pub fn defaults(defaults: &Defaults) -> Vec<NotificationDefault> {
    let of_kind = |(kind, modes): (&NotificationKind, &DefaultModes)| NotificationDefault {
        kind: kind.sent(),
        email: modes.email.map(Mode::sent),
        chat_1: modes.chats.chat_1.map(Mode::sent),
        chat_2: modes.chats.chat_2.map(Mode::sent),
        chat_3: modes.chats.chat_3.map(Mode::sent),
    };
    defaults.0.iter().map(of_kind).collect()
}

/// What an organization suggests from now on.
///
/// # Errors
/// As [`read_preferences`].
pub fn read_defaults(
    sent: &[NotificationDefault],
) -> Result<BTreeMap<NotificationKind, DefaultModes>, Refusal> {
    let mut errors = FieldErrors::default();
    let mut read = BTreeMap::new();
    for (at, one) in sent.iter().enumerate() {
        let field = format!("defaults.{at}");
        let kind = check(&format!("{field}.kind"), one.kind, &mut errors);
        let email = one.email.and_then(|mode| check(&format!("{field}.email"), mode, &mut errors));
        let chats = chats(&field, [one.chat_1, one.chat_2, one.chat_3], &mut errors);
        let Some(kind) = kind else { continue };
        if read.insert(kind, DefaultModes { email, chats }).is_some() {
            errors.add(&format!("{field}.kind"), "This kind comes twice.");
        }
    }
    errors.into_result()?;
    Ok(read)
}

fn chats(field: &str, sent: [Option<NotificationMode>; 3], errors: &mut FieldErrors) -> ChatModes {
    let mut mode = |name: &str, sent: Option<NotificationMode>| {
        sent.and_then(|mode| check(&format!("{field}.{name}"), mode, errors))
    };
    let [chat_1, chat_2, chat_3] = sent;
    ChatModes {
        chat_1: mode("chat_1", chat_1),
        chat_2: mode("chat_2", chat_2),
        chat_3: mode("chat_3", chat_3),
    }
}

/// When digests are sent, what is muted, and what is in force.
pub fn settings(seen: &InForce) -> NotificationSettings {
    let preferences = &seen.preferences;
    let in_force = |(org, kind, defaults): (Option<&str>, NotificationKind, &Defaults)| {
        let by = |medium| {
            let domain::InForce { mode, source, otherwise } = preferences.in_force(kind, medium, defaults);
            ModeInForce { mode: mode.sent(), from: source.sent(), otherwise: otherwise.sent() }
        };
        NotificationInForce {
            kind: kind.sent(),
            organization: org.map(str::to_owned),
            email: by(Medium::Mail),
            chat_1: by(Medium::Chat(Platform::Chat1)),
            chat_2: by(Medium::Chat(Platform::Chat2)),
            chat_3: by(Medium::Chat(Platform::Chat3)),
            push: by(Medium::Browsers),
        }
    };
    NotificationSettings {
        digest_hour: preferences.digest.hour,
        time_zone: preferences.digest.time_zone.clone(),
        mutes: preferences.mutes.iter().map(mute).collect(),
        mail_problem: seen.mail.clone(),
        in_force: seen.kinds().map(in_force).collect(),
    }
}

fn mute(mute: &domain::Mute) -> Mute {
    let (what, org, key, agent) = match mute {
        domain::Mute::Item { org, key } => (MutedThing::Item, Some(org), Some(key.to_string()), None),
        domain::Mute::Project { org, key } => (MutedThing::Project, Some(org), Some(key.to_string()), None),
        domain::Mute::Agent { id } => (MutedThing::Agent, None, None, Some(id.to_string())),
    };
    Mute { what, organization_id: org.map(ToString::to_string), key, agent_id: agent }
}

/// What changes of that.
///
/// # Errors
/// What is no key or id of what is muted.
pub fn read_settings(sent: ChangeNotificationSettings) -> Result<SettingsChange, Refusal> {
    let mut errors = FieldErrors::default();
    let mut read = |(at, mute): (usize, SetMute)| {
        let field = format!("mutes.{at}");
        let org = |errors: &mut FieldErrors| {
            part(&field, "organizationId", mute.organization_id.as_deref(), errors)
        };
        Some(match mute.what {
            MutedThing::Item => domain::Mute::Item {
                org: org(&mut errors)?,
                key: part(&field, "key", mute.key.as_deref(), &mut errors)?,
            },
            MutedThing::Project => domain::Mute::Project {
                org: org(&mut errors)?,
                key: part(&field, "key", mute.key.as_deref(), &mut errors)?,
            },
            MutedThing::Agent => {
                domain::Mute::Agent { id: part(&field, "agentId", mute.agent_id.as_deref(), &mut errors)? }
            }
            MutedThing::Unknown => {
                errors.add(&format!("{field}.what"), "Give one of item, project, agent.");
                return None;
            }
        })
    };
    let mutes = sent.mutes.map(|mutes| mutes.into_iter().enumerate().filter_map(&mut read).collect());
    errors.into_result()?;
    Ok(SettingsChange { digest_hour: sent.digest_hour, time_zone: sent.time_zone, mutes })
}

fn part<T: FromStr>(field: &str, name: &str, text: Option<&str>, errors: &mut FieldErrors) -> Option<T> {
    let read = text.and_then(|text| text.parse().ok());
    if read.is_none() {
        errors.add(&format!("{field}.{name}"), format!("Give the {name} of what is muted."));
    }
    read
}
