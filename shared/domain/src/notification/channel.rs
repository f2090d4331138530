//! Channels outside the service on which people and organizations are told (specification sections 2.7 and 3.4), and which
//! addresses they may have.
//!
//! | state   | event                                              | next    |
//! |---------|----------------------------------------------------|---------|
//! | (none)  | created with a webhook's address                   | active  |
//! | (none)  | created to be connected by a code                  | pending |
//! | pending | the code comes from a chat, in time                | active  |
//! | active  | the platform says that it is gone                  | broken  |
//! | active  | [`FAILURES`] failures in a row over [`FAILING`]    | broken  |
//! | broken  | a test message arrives, or it is connected again   | active  |

use std::collections::BTreeMap;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;

use super::NotificationKind;
use crate::ids::ChannelId;
use crate::word::{UnknownWord, word_enum};

/// How long the code counts that connects a chat.
pub const CODE_TERM: SignedDuration = SignedDuration::from_mins(10);
/// Failures in a row after which a channel is broken, if they go on for [`FAILING`].
pub const FAILURES: u32 = 10;
/// For how long a channel must have failed to be broken.
pub const FAILING: SignedDuration = SignedDuration::from_hours(24);
/// Longest name of an organization's channel, in characters.
pub const MAX_NAME: usize = 80;
/// Longest address of a webhook, in bytes.
const MAX_ADDRESS: usize = 500;
/// Longest address of a workflow, in bytes.
const MAX_WORKFLOW: usize = 1_000;

/// A chat platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Platform {
    /// Telegram: connected by a code that is sent to a bot.
    #[serde(rename = "chat_1")]
    Chat1,
    /// Slack: connected by the address of an incoming webhook.
    #[serde(rename = "chat_2")]
    Chat2,
    /// Discord: the same.
    #[serde(rename = "chat_3")]
    Chat3,
    /// Teams: connected by the address of a workflow; of organizations only.
    #[serde(rename = "chat_4")]
    Chat4,
}

impl Platform {
    /// Every platform on which a person is told.
    pub const OF_PEOPLE: [Self; 3] = [Self::Chat1, Self::Chat2, Self::Chat3];
    /// Every platform.
    pub const ALL: [Self; 4] = [Self::Chat1, Self::Chat2, Self::Chat3, Self::Chat4];

    /// The word for it, as stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chat1 => "chat_1",
            Self::Chat2 => "chat_2",
            Self::Chat3 => "chat_3",
            Self::Chat4 => "chat_4",
        }
    }
}

impl FromStr for Platform {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let known = Self::ALL.into_iter().find(|platform| platform.as_str() == text);
        known.ok_or(UnknownWord(&["chat_1", "chat_2", "chat_3", "chat_4"]))
    }
}

word_enum! {
    /// When somebody is told of a kind of news.
    Mode {
        /// Never.
        Off = "off",
        /// At once.
        Immediate = "immediate",
        /// Once a day, with everything else.
        Digest = "digest",
    }
}

word_enum! {
    /// Whether a channel works.
    ChannelStatus {
        /// It waits for its code.
        Pending = "pending",
        /// It works.
        Active = "active",
        /// The platform refuses it.
        Broken = "broken",
    }
}

/// A channel, of a person or an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Channel {
    /// Id.
    pub id: ChannelId,
    /// Platform.
    pub platform: Platform,
    /// Whether it works.
    pub status: ChannelStatus,
    /// The webhook's address or the chat's id, sealed; `None` while it waits for its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// What may be shown of it.
    pub target: String,
    /// Why the last message did not arrive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Since when nothing has arrived. Absent in rows from before it was noted, which read as one that works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Since when it is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connected_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// SHA-256 of the code that it waits for, hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<String>,
}

impl Channel {
    /// A channel that works from now on, with its sealed address.
    pub const fn active(
        id: ChannelId,
        platform: Platform,
        address: String,
        target: String,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            platform,
            status: ChannelStatus::Active,
            address: Some(address),
            target,
            last_error: None,
            failing_since: None,
            connected_at: Some(now),
            created_at: now,
            code_hash: None,
        }
    }

    /// A channel that waits for the code of this hash.
    pub const fn pending(id: ChannelId, platform: Platform, code_hash: String, now: Timestamp) -> Self {
        Self {
            id,
            platform,
            status: ChannelStatus::Pending,
            address: None,
            target: String::new(),
            last_error: None,
            failing_since: None,
            connected_at: None,
            created_at: now,
            code_hash: Some(code_hash),
        }
    }

    /// The code came from a chat.
    pub fn connect(&mut self, address: String, target: String, now: Timestamp) {
        self.status = ChannelStatus::Active;
        self.address = Some(address);
        self.target = target;
        self.last_error = None;
        self.failing_since = None;
        self.connected_at = Some(now);
        self.code_hash = None;
    }

    /// A message arrived. Whether that changes anything.
    pub fn arrived(&mut self) -> bool {
        let changes =
            self.status == ChannelStatus::Broken || self.last_error.is_some() || self.failing_since.is_some();
        if self.status == ChannelStatus::Broken {
            self.status = ChannelStatus::Active;
        }
        self.last_error = None;
        self.failing_since = None;
        changes
    }

    /// It did not answer.
    pub fn failed(&mut self, why: &str, now: Timestamp) {
        self.last_error = Some(why.to_owned());
        self.failing_since.get_or_insert(now);
    }

    /// The platform refuses it for good. Whether it worked until now.
    pub fn break_off(&mut self, why: &str, now: Timestamp) -> bool {
        let worked = self.status == ChannelStatus::Active;
        self.status = ChannelStatus::Broken;
        self.failed(why, now);
        worked
    }

    /// Whether something can be sent there.
    pub fn works(&self) -> bool {
        self.status == ChannelStatus::Active && self.address.is_some()
    }
}

/// A channel of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrgChannel {
    /// The channel.
    #[serde(flatten)]
    pub channel: Channel,
    /// Name.
    pub name: String,
    /// When it is told of which kind; a kind that is missing is off.
    #[serde(default)]
    pub modes: BTreeMap<NotificationKind, Mode>,
}

impl OrgChannel {
    /// When it is told of a kind.
    pub fn mode(&self, kind: NotificationKind) -> Mode {
        self.modes.get(&kind).copied().unwrap_or(Mode::Off)
    }
}

/// The kinds that organizations are told of.
pub const ORG_WIDE: [NotificationKind; 6] = [
    NotificationKind::Transitioned,
    NotificationKind::SprintStarted,
    NotificationKind::SprintCompleted,
    NotificationKind::RunSucceeded,
    NotificationKind::RunFailed,
    NotificationKind::RunNeedsInput,
];

/// The name of an organization's channel without space around it.
///
/// # Errors
/// What is wrong with it.
pub fn channel_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(format!("Give it a name of 1 to {MAX_NAME} characters."));
    }
    Ok(name.to_owned())
}

/// The address of a webhook of this platform, which begins with its fixed prefix.
///
/// What decides is the address as a client would read it: scheme, host and port of the prefix, no user, no query, no
/// fragment, and a path of the platform's pattern. A comparison of texts lets look-alikes through.
///
/// # Errors
/// What it must look like.
pub fn webhook_address(platform: Platform, prefix: &Url, text: &str) -> Result<Url, String> {
    let shape = match platform {
        Platform::Chat3 => "123456789/TOKEN",
        _ => "T00000000/B00000000/TOKEN",
    };
    let wrong = || format!("It must be an incoming webhook of the shape {prefix}{shape}, copied as a whole");
    let url = Url::parse(text).map_err(|_| wrong())?;
    let same_place = url.scheme() == prefix.scheme()
        && url.host() == prefix.host()
        && url.port_or_known_default() == prefix.port_or_known_default();
    let plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    // What a parser repairs was not copied from the platform.
    let as_given = url.as_str() == text && text.len() <= MAX_ADDRESS;
    let rest = url.path().strip_prefix(prefix.path());
    let fits = rest.is_some_and(|rest| has_pattern(platform, rest));
    if same_place && plain && as_given && fits { Ok(url) } else { Err(wrong()) }
}

/// The address of a workflow of Teams: at one of the hosts that the operator names, with a signed query.
///
/// `hosts` are the ends of names, apart by commas or spaces; or whole origins, for an instance that stands before them.
///
/// # Errors
/// What it must look like.
pub fn workflow_address(hosts: &str, text: &str) -> Result<Url, String> {
    let wrong =
        || "It must be the address of a workflow that Teams gives out, with its whole query".to_owned();
    let url = Url::parse(text).map_err(|_| wrong())?;
    let known = hosts.split([',', ' ']).filter(|host| !host.is_empty()).any(|host| is_at(&url, host));
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    // The platform writes the usual port out, which a parser leaves away.
    let as_given = text.len() <= MAX_WORKFLOW && text.replacen(":443/", "/", 1) == url.as_str();
    let fits = known && plain && as_given && is_workflow(url.path()) && is_signed(&url);
    if fits { Ok(url) } else { Err(wrong()) }
}

fn is_at(url: &Url, host: &str) -> bool {
    if let Ok(origin) = Url::parse(host) {
        return origin.has_host() && url.origin() == origin.origin();
    }
    let under =
        |name: &str| name.strip_suffix(host).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'));
    url.scheme() == "https" && url.port().is_none() && url.domain().is_some_and(under)
}

fn is_workflow(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let rest = match segments.as_slice() {
        ["powerautomate", "automations", "direct", rest @ ..] => rest,
        rest => rest,
    };
    let name = |text: &str| (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    matches!(rest, ["workflows", id, "triggers", trigger, "paths", "invoke"] if name(id) && name(trigger))
}

/// Whether the query has what signs an address, each once, and nothing else.
fn is_signed(url: &Url) -> bool {
    let mut names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    names.sort();
    let signature = url.query_pairs().find(|(name, _)| name == "sig").map(|(_, value)| value.into_owned());
    let word = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    names == ["api-version", "sig", "sp", "sv"]
        && signature.is_some_and(|signature| (16..=128).contains(&signature.len()) && word(&signature))
}

/// Whether the rest of a path behind the prefix is what the platform gives out.
fn has_pattern(platform: Platform, rest: &str) -> bool {
    let segments: Vec<&str> = rest.split('/').collect();
    let word = |text: &str, length: usize, extra: &str| {
        (1..=length).contains(&text.len())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || extra.contains(c))
    };
    match (platform, segments.as_slice()) {
        (Platform::Chat2, [team, app, secret]) => [team, app, secret].iter().all(|part| word(part, 64, "")),
        (Platform::Chat3, [id, secret]) => {
            word(id, 20, "") && id.bytes().all(|b| b.is_ascii_digit()) && word(secret, 128, "_-")
        }
        _ => false,
    }
}

/// What may be shown of an address: its host and its last characters.
pub fn masked(url: &Url) -> String {
    format!("{} {}", url.host_str().unwrap_or_default(), ending(url.path()))
}

/// The last characters of a secret.
pub fn ending(secret: &str) -> String {
    let from = secret.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
    format!("…{}", &secret[from..])
}

#[cfg(test)]
mod tests {
    use super::{
        Channel, ChannelStatus, Platform, channel_name, ending, masked, webhook_address, workflow_address,
    };
    use crate::ids::ChannelId;
    use jiff::Timestamp;
    use url::Url;
    use uuid::Uuid;

    const SLACK: &str = "https://hooks.slack.com/services/T0000/B0000/abcdEFGH1234";
    const DISCORD: &str = "https://discord.com/api/webhooks/123456789/abc-DEF_456";

    fn judged(platform: Platform, text: &str) -> bool {
        let prefix = match platform {
            Platform::Chat2 => "https://hooks.slack.com/services/",
            _ => "https://discord.com/api/webhooks/",
        };
        webhook_address(platform, &Url::parse(prefix).unwrap(), text).is_ok()
    }

    #[test]
    fn addresses_of_each_platform_are_taken() {
        assert!(judged(Platform::Chat2, SLACK) && judged(Platform::Chat3, DISCORD));
        assert!(!judged(Platform::Chat2, DISCORD) && !judged(Platform::Chat3, SLACK));
    }

    #[test]
    fn a_wrong_address_is_told_the_whole_shape() {
        let prefix = Url::parse("https://hooks.slack.com/services/").unwrap();
        let why =
            webhook_address(Platform::Chat2, &prefix, "https://hooks.slack.com/services/x").unwrap_err();
        assert!(why.contains("https://hooks.slack.com/services/T00000000/B00000000/TOKEN"), "{why}");
    }

    #[test]
    fn look_alikes_are_refused() {
        for text in [
            "",
            "hooks.slack.com/services/T/B/c",
            "http://hooks.slack.com/services/T0000/B0000/abcd",
            "https://hooks.slack.com.evil.example/services/T0000/B0000/abcd",
            "https://evil.example/https://hooks.slack.com/services/T0000/B0000/abcd",
            "https://hooks.slack.com@evil.example/services/T0000/B0000/abcd",
            "https://user:pass@hooks.slack.com/services/T0000/B0000/abcd",
            "https://hooks.slack.com:8443/services/T0000/B0000/abcd",
            "https://hooks.slack.com/services/../admin/T0000/B0000/abcd",
            "https://hooks.slack.com/services/T0000/../../admin",
            "https://hooks.slack.com/services/T0000/B0000/%2e%2e/abcd",
            "https://hooks.slack.com/services/T0000/B0000/abcd?x=1",
            "https://hooks.slack.com/services/T0000/B0000/abcd#x",
            "https://hooks.slack.com/services/T0000/B0000/abcd/more",
            "https://hooks.slack.com/services/T0000/B0000/",
            "https://hooks.slack.com/services//B0000/abcd",
            "https://hooks.slack.com/services\\T0000\\B0000\\abcd",
            "https://hooks.slack.com/serv\tices/T0000/B0000/abcd",
            "https://hooks.slack.com./services/T0000/B0000/abcd",
            "https://hооks.slack.com/services/T0000/B0000/abcd",
            " https://hooks.slack.com/services/T0000/B0000/abcd",
            "https://127.0.0.1/services/T0000/B0000/abcd",
            "javascript:alert(1)",
        ] {
            assert!(!judged(Platform::Chat2, text), "{text}");
        }
        for text in [
            "https://discord.com/api/webhooks/abc/def",
            "https://discord.com/api/webhooks/123/",
            "https://discord.com/api/webhooks/123/abc?wait=true",
            "https://discord.com/api/webhooks/123/abc/slack",
            "https://discordapp.com/api/webhooks/123/abc",
        ] {
            assert!(!judged(Platform::Chat3, text), "{text}");
        }
        let long = format!("https://hooks.slack.com/services/T/B/{}", "a".repeat(600));
        assert!(!judged(Platform::Chat2, &long));
    }

    const TEAMS: &str = "https://prod-12.westeurope.logic.azure.com:443/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abcDEF-_0123456789abcDEF-_0123456789";

    #[test]
    fn a_workflow_is_told_by_its_parsed_address() {
        let judged = |text: &str| workflow_address("logic.azure.com, api.powerplatform.com", text).is_ok();
        assert!(judged(TEAMS));
        let newer = TEAMS
            .replace("prod-12.westeurope.logic.azure.com", "default0123.45.environment.api.powerplatform.com")
            .replace("/workflows/", "/powerautomate/automations/direct/workflows/");
        assert!(judged(&newer) && judged(&newer.replace(":443", "")), "{newer}");
        for (from, to) in [
            ("https", "http"),
            (".logic.azure.com", ".logic.azure.com.evil.example"),
            ("westeurope.logic.azure.com", "evillogic.azure.com"),
            ("prod-12.westeurope.logic.azure.com", "logic.azure.com"),
            ("prod-12", "user@prod-12"),
            (":443", ":8443"),
            (":443", "@evil.example:443"),
            ("/workflows/", "/workflows/../workflows/"),
            ("/workflows/", "//workflows/"),
            ("/invoke", "/invoke/more"),
            ("/invoke", "/%2e%2e/invoke"),
            ("&sig=", "&sig=x&sig="),
            ("&sig=", "&to=https://evil.example&sig="),
            ("&sig=abcDEF-_0123456789abcDEF-_0123456789", ""),
            ("sig=abcDEF", "sig=abc%2FDEF"),
            ("6789\0", "6789#x"),
        ] {
            let text = format!("{TEAMS}\0").replacen(from, to, 1).replace('\0', "");
            assert!(!judged(&text), "{text}");
        }
        assert!(!judged(&format!(" {TEAMS}")) && !judged(&TEAMS.replace("sv=1.0", &"x".repeat(2_000))));
        let local = TEAMS.replace("https://prod-12.westeurope.logic.azure.com:443", "http://127.0.0.1:80");
        assert!(workflow_address("http://127.0.0.1:8080", &local).is_err());
        let local = local.replace(":80/", ":8080/");
        assert!(workflow_address("http://127.0.0.1:8080", &local).is_ok() && !judged(&local));
    }

    #[test]
    fn a_target_shows_its_host_and_its_last_characters() {
        assert_eq!(masked(&Url::parse(SLACK).unwrap()), "hooks.slack.com …1234");
        assert_eq!((ending("ab").as_str(), ending("äöüßx").as_str()), ("…ab", "…öüßx"));
    }

    #[test]
    fn a_channel_goes_through_its_states() {
        let now = Timestamp::UNIX_EPOCH;
        let mut channel =
            Channel::pending(ChannelId(Uuid::nil()), Platform::Chat1, "hash of a code".into(), now);
        assert!(!channel.works());
        channel.connect("sealed".into(), "chat …1234".into(), now);
        assert!(channel.works() && channel.code_hash.is_none());
        assert!(!channel.arrived(), "nothing was wrong");
        assert!(channel.break_off("blocked", Timestamp::UNIX_EPOCH), "told once");
        assert!(!channel.break_off("blocked", Timestamp::UNIX_EPOCH));
        assert!(!channel.works());
        assert!(channel.arrived());
        assert_eq!((channel.status, channel.last_error), (ChannelStatus::Active, None));
    }

    #[test]
    fn names_are_short_lines() {
        assert_eq!(channel_name("  Ops ").unwrap(), "Ops");
        for wrong in ["", " ", "a\nb", &"x".repeat(81)] {
            assert!(channel_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
