//! Where messages go: a person's mail, chat or browser, or a channel of an organization.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::channel::Platform;
use super::preferences::Place;
use crate::ids::{ChannelId, InvalidName, OrgId, UserId};

/// Where messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Destination {
    /// To a person.
    Person(UserId, Place),
    /// To a channel of an organization.
    Channel(OrgId, ChannelId),
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(user, Place::Mail) => write!(f, "{user}.mail"),
            Self::Person(user, Place::Chat(platform)) => write!(f, "{user}.{}", platform.as_str()),
            Self::Person(user, Place::Browser(session)) => write!(f, "{user}.browser.{session}"),
            Self::Channel(org, channel) => write!(f, "{org}.{channel}"),
        }
    }
}

impl FromStr for Destination {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let wrong = InvalidName("a destination");
        let (owner, place) = text.split_once('.').ok_or(wrong)?;
        if place == "mail" {
            return Ok(Self::Person(owner.parse()?, Place::Mail));
        }
        if let Some(session) = place.strip_prefix("browser.") {
            return Ok(Self::Person(owner.parse()?, Place::Browser(session.parse()?)));
        }
        match place.parse::<Platform>() {
            Ok(platform) => Ok(Self::Person(owner.parse()?, Place::Chat(platform))),
            Err(_) => Ok(Self::Channel(owner.parse()?, place.parse()?)),
        }
    }
}

impl TryFrom<String> for Destination {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        text.parse()
    }
}

impl From<Destination> for String {
    fn from(destination: Destination) -> Self {
        destination.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::Destination;
    use crate::ids::{ChannelId, OrgId, TokenId, UserId};
    use crate::notification::channel::Platform;
    use crate::notification::preferences::Place;
    use uuid::Uuid;

    #[test]
    fn a_destination_is_a_text_and_comes_back() {
        let id = Uuid::from_u128(7);
        for destination in [
            Destination::Person(UserId(id), Place::Mail),
            Destination::Person(UserId(id), Place::Chat(Platform::Chat2)),
            Destination::Person(UserId(id), Place::Browser(TokenId(id))),
            Destination::Channel(OrgId(id), ChannelId(id)),
        ] {
            assert_eq!(destination.to_string().parse(), Ok(destination));
        }
        assert!("x.mail".parse::<Destination>().is_err() && "mail".parse::<Destination>().is_err());
    }
}
