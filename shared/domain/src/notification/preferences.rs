//! What people want to be told of, where and when (specification section 2.7).
//!
//! | what is asked               | the first of these that says something                                      |
//! |-----------------------------|-----------------------------------------------------------------------------|
//! | is it in the inbox          | the person's preference, yes                                                |
//! | mode of mail                | the preference, the organization's default, [`usual`]                       |
//! | mode of a chat              | the preference, the organization's default, the mode of mail                |
//! | mode of browsers            | the preference, the mode of mail                                            |
//!
//! What is not in the inbox is sent nowhere.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::channel::{Mode, Platform};
use super::{News, NotificationKind as Kind, Subject};
use crate::ids::{ActorId, AgentId, ItemKey, OrgId, ProjectKey, TokenId};
use crate::refusal::FieldErrors;
use crate::schedule::cron::{Cron, zone_name};
use crate::word::word_enum;

/// Hour of the day at which a digest is sent unless its reader says otherwise.
pub const DIGEST_HOUR: u8 = 8;
/// Most things that a person mutes.
pub const MAX_MUTES: usize = 500;

/// Modes of the chat platforms; `None` follows something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatModes {
    /// Mode of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_1: Option<Mode>,
    /// Mode of the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_2: Option<Mode>,
    /// Mode of the third.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_3: Option<Mode>,
}

impl ChatModes {
    const fn mode(&self, platform: Platform) -> Option<Mode> {
        match platform {
            Platform::Chat1 => self.chat_1,
            Platform::Chat2 => self.chat_2,
            Platform::Chat3 => self.chat_3,
            // No person is told there.
            Platform::Chat4 => None,
        }
    }
}

/// What a person wants of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Preference {
    /// Whether they want to hear of it at all.
    pub in_app: bool,
    /// Mode of mail.
    pub email: Mode,
    /// Modes of chats.
    #[serde(flatten)]
    pub chats: ChatModes,
    /// Mode of browsers; `None` follows mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<Mode>,
}

/// What an organization suggests for one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultModes {
    /// Mode of mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Mode>,
    /// Modes of chats.
    #[serde(flatten)]
    pub chats: ChatModes,
}

impl DefaultModes {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What an organization suggests, by kind. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Defaults(pub BTreeMap<Kind, DefaultModes>);

/// Where somebody is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// By mail.
    Mail,
    /// In a chat.
    Chat(Platform),
    /// In a browser, which is named by its session.
    Browser(TokenId),
}

/// A way to tell somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Mail.
    Mail,
    /// A chat.
    Chat(Platform),
    /// All browsers in which they turned it on.
    Browsers,
}

/// When somebody is told of a kind by a medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InForce {
    /// When.
    pub mode: Mode,
    /// Who says so.
    pub source: Source,
    /// When it would be if the person said nothing of this medium.
    pub otherwise: Mode,
}

word_enum! {
    /// Who says when somebody is told.
    Source {
        /// They themselves.
        You = "you",
        /// The organization's default.
        Organization = "organization",
        /// What is said of mail.
        Mail = "mail",
        /// Nobody: it is the usual one.
        Usual = "usual",
    }
}

/// When the digests of a person or channel are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DigestTime {
    /// Hour of the day, 0 to 23.
    pub hour: u8,
    /// IANA name of the time zone.
    pub time_zone: String,
}

impl Default for DigestTime {
    fn default() -> Self {
        Self { hour: DIGEST_HOUR, time_zone: "UTC".to_owned() }
    }
}

impl DigestTime {
    /// It with the zone as it is usually written.
    ///
    /// # Errors
    /// What is wrong with `digestHour` and `timeZone`.
    pub fn checked(hour: u8, time_zone: &str) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let zone = errors.check("timeZone", zone_name(time_zone));
        if hour > 23 {
            errors.add("digestHour", "Give an hour from 0 to 23.");
        }
        errors.into_result()?;
        Ok(Self { hour, time_zone: zone.unwrap_or_default() })
    }

    /// The next time at which a digest is sent, after another time.
    pub fn next_after(&self, at: Timestamp) -> Timestamp {
        let daily = Cron::accepted(&format!("0 {} * * *", self.hour), &self.time_zone).ok();
        daily.and_then(|daily| daily.next_after(at)).unwrap_or(at)
    }
}

/// Something that a person does not want to hear of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Mute {
    /// An item.
    Item {
        /// Its organization.
        org: OrgId,
        /// Its key.
        key: ItemKey,
    },
    /// Everything in a project.
    Project {
        /// Its organization.
        org: OrgId,
        /// Its key.
        key: ProjectKey,
    },
    /// What an agent does, unless it needs somebody.
    Agent {
        /// The agent.
        id: AgentId,
    },
}

impl Mute {
    fn covers(&self, org: OrgId, subject: &Subject, news: &News) -> bool {
        match self {
            Self::Item { org: of, key } => {
                *of == org
                    && matches!(subject, Subject::Item { key: item, first } if item == key || first.as_ref() == Some(key))
            }
            Self::Project { org: of, key } => *of == org && subject.project() == Some(key),
            Self::Agent { id } => {
                let needs = matches!(news.kind, Kind::RunNeedsInput | Kind::RunFailed | Kind::Mentioned);
                !needs && news.by.as_ref().is_some_and(|by| by.id == ActorId::Agent(*id))
            }
        }
    }
}

/// What a person wants to be told. Its version is the row's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Preferences {
    /// What they said, by kind.
    pub kinds: BTreeMap<Kind, Preference>,
    /// When their digests are sent.
    pub digest: DigestTime,
    /// What they do not want to hear of.
    pub mutes: BTreeSet<Mute>,
    /// The browsers in which they are told. Servers from before know none, and forget them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub browsers: BTreeSet<TokenId>,
}

impl Preferences {
    /// What the person wants of a kind, where no organization says anything.
    pub fn of_kind(&self, kind: Kind) -> Preference {
        let usual = Preference { in_app: true, email: usual(kind), chats: ChatModes::default(), push: None };
        self.kinds.get(&kind).copied().unwrap_or(usual)
    }

    /// Whether they hear of news at all.
    pub fn wants(&self, org: OrgId, subject: &Subject, news: &News) -> bool {
        self.of_kind(news.kind).in_app && !self.mutes.iter().any(|mute| mute.covers(org, subject, news))
    }

    /// When they are told of a kind at a place.
    pub fn mode(&self, kind: Kind, place: Place, defaults: &Defaults) -> Mode {
        let medium = match place {
            Place::Mail => Medium::Mail,
            Place::Chat(platform) => Medium::Chat(platform),
            Place::Browser(_) => Medium::Browsers,
        };
        self.in_force(kind, medium, defaults).mode
    }

    /// When they are told of a kind by a medium, and who says so.
    pub fn in_force(&self, kind: Kind, medium: Medium, defaults: &Defaults) -> InForce {
        let own = self.kinds.get(&kind);
        if own.is_some_and(|own| !own.in_app) {
            return InForce { mode: Mode::Off, source: Source::You, otherwise: Mode::Off };
        }
        let suggested = defaults.0.get(&kind);
        let own_mode = own.and_then(|own| match medium {
            Medium::Mail => Some(own.email),
            Medium::Chat(platform) => own.chats.mode(platform),
            Medium::Browsers => own.push,
        });
        let suggested = suggested.and_then(|suggested| match medium {
            Medium::Mail => suggested.email,
            Medium::Chat(platform) => suggested.chats.mode(platform),
            Medium::Browsers => None,
        });
        let (otherwise, source) = match (suggested, medium) {
            (Some(mode), _) => (mode, Source::Organization),
            (None, Medium::Mail) => (usual(kind), Source::Usual),
            (None, _) => (self.in_force(kind, Medium::Mail, defaults).mode, Source::Mail),
        };
        match own_mode {
            Some(mode) => InForce { mode, source: Source::You, otherwise },
            None => InForce { mode: otherwise, source, otherwise },
        }
    }

    /// Turns mail of these kinds off, as the link in a mail does. Chats and browsers that followed mail stay as they are.
    pub fn stop_mail(&mut self, kinds: impl IntoIterator<Item = Kind>) {
        for kind in kinds {
            let Preference { in_app, email, chats, push } = self.of_kind(kind);
            let kept = |mode: Option<Mode>| mode.or(Some(email));
            let chats = ChatModes {
                chat_1: kept(chats.chat_1),
                chat_2: kept(chats.chat_2),
                chat_3: kept(chats.chat_3),
            };
            self.kinds.insert(kind, Preference { in_app, email: Mode::Off, chats, push: kept(push) });
        }
    }
}

/// The mode of mail where nobody said anything: at once where a person is meant, otherwise once a day.
const fn usual(kind: Kind) -> Mode {
    match kind {
        Kind::Assigned
        | Kind::Mentioned
        | Kind::WikiMentioned
        | Kind::Replied
        | Kind::InviteAccepted
        | Kind::RunFailed
        | Kind::RunNeedsInput
        | Kind::WebhookDisabled => Mode::Immediate,
        Kind::Commented
        | Kind::Transitioned
        | Kind::SprintStarted
        | Kind::SprintCompleted
        | Kind::Reacted
        | Kind::RunSucceeded => Mode::Digest,
        // Whoever's channel breaks is mailed apart from this; the others are for those who ask for them.
        Kind::Claimed
        | Kind::ChannelBroken
        | Kind::RunWaiting
        | Kind::RunnerOffline
        | Kind::BudgetNearlyUsed
        | Kind::SchedulePaused => Mode::Off,
    }
}

#[cfg(test)]
mod tests {
    use super::{ChatModes, DefaultModes, Defaults, DigestTime, Mute, Place, Preference, Preferences};
    use crate::comment::tests::{agent, person};
    use crate::ids::{ActorId, OrgId};
    use crate::notification::channel::{Mode, Platform};
    use crate::notification::{News, NotificationKind as Kind, Subject};
    use jiff::Timestamp;
    use uuid::Uuid;

    const CHAT: Place = Place::Chat(Platform::Chat2);

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn news(kind: Kind, by: crate::ids::Actor) -> News {
        News {
            id: Uuid::nil(),
            kind,
            at: Timestamp::UNIX_EPOCH,
            by: Some(by),
            comment: None,
            run: None,
            what: None,
            moved: None,
            agents_work: false,
        }
    }

    #[test]
    fn a_chat_follows_the_preference_then_the_default_then_mail() {
        let mut preferences = Preferences::default();
        let none = Defaults::default();
        assert_eq!(preferences.mode(Kind::Mentioned, Place::Mail, &none), Mode::Immediate);
        assert_eq!(preferences.mode(Kind::Mentioned, CHAT, &none), Mode::Immediate, "as mail");
        let chats = ChatModes { chat_2: Some(Mode::Digest), ..ChatModes::default() };
        let suggested = DefaultModes { email: Some(Mode::Off), chats };
        let defaults = Defaults([(Kind::Mentioned, suggested)].into());
        assert_eq!(preferences.mode(Kind::Mentioned, Place::Mail, &defaults), Mode::Off);
        assert_eq!(preferences.mode(Kind::Mentioned, CHAT, &defaults), Mode::Digest);
        assert_eq!(preferences.mode(Kind::Mentioned, Place::Chat(Platform::Chat3), &defaults), Mode::Off);
        let own =
            Preference { in_app: true, email: Mode::Immediate, chats: ChatModes::default(), push: None };
        preferences.kinds.insert(Kind::Mentioned, own);
        assert_eq!(preferences.mode(Kind::Mentioned, Place::Mail, &defaults), Mode::Immediate);
        assert_eq!(
            preferences.mode(Kind::Mentioned, CHAT, &defaults),
            Mode::Digest,
            "null follows the default"
        );
        preferences.kinds.insert(Kind::Mentioned, Preference { in_app: false, ..own });
        for place in [Place::Mail, CHAT] {
            assert_eq!(preferences.mode(Kind::Mentioned, place, &defaults), Mode::Off);
        }
    }

    #[test]
    fn what_is_muted_is_not_wanted_unless_an_agent_needs_somebody() {
        let org = OrgId(Uuid::nil());
        let item = Subject::Item { key: "PRJ-1".parse().unwrap(), first: None };
        let ActorId::Agent(id) = agent().id else { panic!("an agent") };
        let wants = |mute: Mute, kind: Kind, by| {
            let preferences = Preferences { mutes: [mute].into(), ..Preferences::default() };
            preferences.wants(org, &item, &news(kind, by))
        };
        assert!(!wants(Mute::Item { org, key: "PRJ-1".parse().unwrap() }, Kind::Mentioned, person()));
        assert!(wants(Mute::Item { org, key: "PRJ-2".parse().unwrap() }, Kind::Mentioned, person()));
        assert!(!wants(Mute::Project { org, key: "PRJ".parse().unwrap() }, Kind::Commented, person()));
        let other = OrgId(Uuid::from_u128(7));
        assert!(wants(Mute::Project { org: other, key: "PRJ".parse().unwrap() }, Kind::Commented, person()));
        assert!(!wants(Mute::Agent { id }, Kind::Commented, agent()));
        assert!(wants(Mute::Agent { id }, Kind::RunNeedsInput, agent()));
        assert!(wants(Mute::Agent { id }, Kind::Commented, person()));
    }

    #[test]
    fn a_digest_is_sent_at_ones_own_hour_once_a_day_whatever_the_clock_does() {
        let berlin = DigestTime::checked(8, "europe/berlin").unwrap();
        assert_eq!(berlin.time_zone, "Europe/Berlin");
        assert_eq!(berlin.next_after(at("2026-01-05T09:00:00Z")), at("2026-01-06T07:00:00Z"));
        // The clock goes forward at 02:00 and there is no 02:30; the digest of that hour comes all the same.
        let night = DigestTime::checked(2, "Europe/Berlin").unwrap();
        let forward = night.next_after(at("2026-03-28T12:00:00Z"));
        assert_eq!(forward, at("2026-03-29T01:00:00Z"));
        assert!(night.next_after(forward) > at("2026-03-29T12:00:00Z"), "once");
        assert!(DigestTime::checked(24, "UTC").is_err() && DigestTime::checked(8, "Mars/Base").is_err());
    }

    #[test]
    fn stopping_mail_leaves_chats_that_followed_it() {
        let mut preferences = Preferences::default();
        preferences.stop_mail([Kind::Mentioned]);
        let none = Defaults::default();
        assert_eq!(preferences.mode(Kind::Mentioned, Place::Mail, &none), Mode::Off);
        assert_eq!(preferences.mode(Kind::Mentioned, CHAT, &none), Mode::Immediate);
        assert_eq!(preferences.mode(Kind::Assigned, Place::Mail, &none), Mode::Immediate);
    }

    #[test]
    fn rows_of_earlier_servers_read() {
        assert_eq!(serde_json::from_str::<Preferences>("{}").unwrap(), Preferences::default());
    }
}
