//! Names of things: ids that the service makes up, and keys and slugs that people see.
//!
//! Every id is a newtype, so that a project id cannot be passed where an agent id is meant. Ids are UUIDv7
//! and sort by the time they were made.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidName;

            fn from_str(text: &str) -> Result<Self, InvalidName> {
                Uuid::try_parse(text).map(Self).map_err(|_| InvalidName("an id"))
            }
        }
    )*};
}

uuid_id! {
    /// An organization.
    OrgId;
    /// The account of a person.
    UserId;
    /// A bot identity that works on items.
    AgentId;
    /// A machine that executes runs.
    RunnerId;
    /// Reusable instructions for runs.
    PlaybookId;
    /// A rule of a project.
    RuleId;
    /// A recurring schedule of a project.
    ScheduleId;
    /// A secret address of a project that makes items.
    IntakeId;
    /// One attempt to complete one item.
    RunId;
    /// A comment on an item.
    CommentId;
    /// A file on an item or a comment.
    AttachmentId;
    /// A wiki page.
    PageId;
    /// A personal access token or a session.
    TokenId;
    /// A team of a project.
    TeamId;
    /// A sprint of a team.
    SprintId;
    /// An invitation to an organization.
    InvitationId;
    /// A ticket template.
    TemplateId;
    /// A milestone of a project.
    MilestoneId;
    /// A saved view.
    ViewId;
    /// An entry of an inbox: its id is made of what it is about.
    NotificationId;
    /// A channel on which people are told outside the service.
    ChannelId;
    /// An outbound webhook.
    WebhookId;
    /// What an outbound webhook sent: ids are in the order of what happened.
    DeliveryId;
    /// A picture of a person; a new picture has a new one.
    AvatarId;
    /// A person in an organization's directory.
    DirectoryUserId;
    /// A group in an organization's directory.
    DirectoryGroupId;
}

impl RunId {
    /// Not after any id that is made at this time, in milliseconds of the Unix epoch.
    pub fn first_of(millis: i64) -> Self {
        // The 48 bits that a UUIDv7 begins with.
        Self(Uuid::from_u128(u128::from(millis.max(0).unsigned_abs()) << 80))
    }
}

/// A text is not the name it should be; carries what it should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not {0}")]
pub struct InvalidName(pub &'static str);

macro_rules! text_name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $check:path) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidName;

            fn from_str(text: &str) -> Result<Self, InvalidName> {
                if $check(text) { Ok(Self(text.to_owned())) } else { Err(InvalidName($what)) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidName;

            fn try_from(text: String) -> Result<Self, InvalidName> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }
    };
}

text_name!(
    /// Slug of an organization: lower-case letters, digits and inner hyphens, 2 to 40 characters.
    OrgSlug,
    "an organization slug (2 to 40 lower-case letters, digits and inner hyphens)",
    is_slug
);

text_name!(
    /// Key of a project: an upper-case letter, then upper-case letters and digits, 2 to 10 characters.
    ProjectKey,
    "a project key (2 to 10 upper-case letters and digits, a letter first)",
    is_project_key
);

text_name!(
    /// Key of a team: letters, digits and inner hyphens, 1 to 20 characters.
    TeamKey,
    "a team key (1 to 20 letters, digits and inner hyphens)",
    is_team_key
);

fn is_slug(text: &str) -> bool {
    (2..=40).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_team_key(text: &str) -> bool {
    (1..=20).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_project_key(text: &str) -> bool {
    (2..=10).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

/// Key of an item: `<PROJECT_KEY>-<number>` (specification section 1.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemKey {
    /// The part before the final hyphen.
    pub project: ProjectKey,
    /// Counts from 1 in each project.
    pub number: u64,
}

impl fmt::Display for ItemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.project, self.number)
    }
}

impl FromStr for ItemKey {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        const WHAT: InvalidName = InvalidName("an item key such as PRJ-12");
        let (project, number) = text.rsplit_once('-').ok_or(WHAT)?;
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        if !digits || number.starts_with('0') {
            return Err(WHAT);
        }
        Ok(Self { project: project.parse().map_err(|_| WHAT)?, number: number.parse().map_err(|_| WHAT)? })
    }
}

impl TryFrom<String> for ItemKey {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        text.parse()
    }
}

impl From<ItemKey> for String {
    fn from(key: ItemKey) -> Self {
        key.to_string()
    }
}

/// Who did something: a person or an agent, with the name they had then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// Whose id it is.
    pub id: ActorId,
    /// Name shown to others.
    pub name: String,
}

/// Id of a person or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ActorId {
    /// A person.
    User(UserId),
    /// An agent.
    Agent(AgentId),
}

impl ActorId {
    /// Whether it is an agent.
    pub const fn is_agent(self) -> bool {
        matches!(self, Self::Agent(_))
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Agent(id) => id.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, prop_oneof, proptest};

    use super::{ItemKey, OrgSlug, ProjectKey};

    proptest! {
        #[test]
        fn every_item_key_is_read_as_it_is_written(project in "[A-Z][A-Z0-9]{1,9}", number in 1_u64..) {
            let key = ItemKey { project: project.parse().unwrap(), number };
            prop_assert_eq!(key.to_string().parse::<ItemKey>(), Ok(key));
        }

        #[test]
        fn whatever_is_read_as_an_item_key_is_written_as_it_was(
            text in prop_oneof![any::<String>(), "[A-Za-z0-9]{0,12}-{0,2}[+0-9]{0,22}", "\\PC{0,3}-[0-9]{1,3}"],
        ) {
            if let Ok(key) = text.parse::<ItemKey>() {
                prop_assert_eq!(key.to_string(), text);
            }
        }
    }

    #[test]
    fn item_keys_split_at_the_final_hyphen() {
        let key: ItemKey = "PRJ-12".parse().unwrap();
        assert_eq!((key.project.as_str(), key.number), ("PRJ", 12));
        assert_eq!(key.to_string(), "PRJ-12");
    }

    #[test]
    fn what_is_not_an_item_key_is_refused() {
        for text in
            ["", "PRJ", "PRJ-", "-1", "PRJ-0", "PRJ-01", "prj-1", "PRJ--1", "PRJ-1 ", "PRJ-1e3", "PRJ-+1"]
        {
            assert!(text.parse::<ItemKey>().is_err(), "{text:?}");
        }
        assert!("PRJ-99999999999999999999999".parse::<ItemKey>().is_err());
    }

    #[test]
    fn slugs_and_project_keys_are_checked() {
        assert!("demo".parse::<OrgSlug>().is_ok());
        assert!("a-b-2".parse::<OrgSlug>().is_ok());
        for text in ["", "a", "-ab", "ab-", "Ab", "a b", "ä1"] {
            assert!(text.parse::<OrgSlug>().is_err(), "{text:?}");
        }
        assert!("P2".parse::<ProjectKey>().is_ok());
        for text in ["P", "2P", "ABCDEFGHIJK", "A-B", "ab"] {
            assert!(text.parse::<ProjectKey>().is_err(), "{text:?}");
        }
    }
}
