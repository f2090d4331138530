//! An organization's connection with a code host, and how repositories are called there (specification
//! section 2.4).
//!
//! Knows nothing of how a host is asked, and no credential.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::Actor;

/// Number of an installation of the service's app at the code host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InstallationId(pub u64);

impl fmt::Display for InstallationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for InstallationId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// That an organization is connected with an account at the code host. An installation belongs to one
/// organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// The installation that lets the service into the account's repositories.
    pub installation: InstallationId,
    /// Name of the account.
    pub account: String,
    /// Since when.
    pub connected_at: Timestamp,
    /// Who connected it.
    pub connected_by: Actor,
}

/// Where the code host delivers what happens to an organization's pull requests. The address and the secret of the
/// signatures are shown once: the secret is made of the address and the salt, and neither is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// SHA-256 of the address's secret part, hex.
    pub address_hash: String,
    /// What the secret of the signatures is made of, beside that part.
    pub salt: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who made it.
    pub created_by: Actor,
}

/// A repository at the code host: `owner/name`. Code hosts do not tell case apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RepositoryName {
    owner: String,
    name: String,
}

impl RepositoryName {
    /// The account that it belongs to.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Its name within the account.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl PartialEq for RepositoryName {
    fn eq(&self, other: &Self) -> bool {
        self.owner.eq_ignore_ascii_case(&other.owner) && self.name.eq_ignore_ascii_case(&other.name)
    }
}

impl Eq for RepositoryName {}

impl fmt::Display for RepositoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl From<RepositoryName> for String {
    fn from(name: RepositoryName) -> Self {
        name.to_string()
    }
}

impl TryFrom<String> for RepositoryName {
    type Error = BadRepositoryName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// The text is not the name of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Give the repository as owner/name, such as acme/greeter.")]
pub struct BadRepositoryName;

impl FromStr for RepositoryName {
    type Err = BadRepositoryName;

    fn from_str(text: &str) -> Result<Self, BadRepositoryName> {
        let (owner, name) = text.split_once('/').ok_or(BadRepositoryName)?;
        let part = |part: &str| {
            (1..=100).contains(&part.len())
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
                && !part.starts_with(['-', '.'])
        };
        // A name may begin with a dot, and stands in an address before `.git`.
        if !part(owner) || !part(name.strip_prefix('.').unwrap_or(name)) || name.ends_with(".git") {
            return Err(BadRepositoryName);
        }
        Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::RepositoryName;

    fn read(text: &str) -> Option<String> {
        text.parse().ok().map(|name: RepositoryName| name.to_string())
    }

    #[test]
    fn names_are_those_that_can_stand_in_an_address() {
        for good in ["acme/greeter", "a/b", "Acme-Corp_x/.github", "acme/a.b-c_d"] {
            assert_eq!(read(good).as_deref(), Some(good));
        }
        for bad in [
            "",
            "acme",
            "/",
            "acme/",
            "/greeter",
            "a/b/c",
            "../x",
            "a/..",
            "a/.",
            "-a/b",
            "a/-b",
            "a b/c",
            "a/b?c",
            "a/b#c",
            "a/b%2f",
            "a/ä",
            "a@b/c",
            "a:b/c",
            "https://code.example/a/b",
            "a/b.git",
            "a/b\n",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
        assert_eq!(read(&format!("a/{}", "b".repeat(101))), None);
    }

    #[test]
    fn case_makes_no_other_repository() {
        let name = |text: &str| text.parse::<RepositoryName>().unwrap();
        assert_eq!(name("Acme/Greeter"), name("acme/greeter"));
        assert_ne!(name("acme/greeter"), name("acme/greeter2"));
    }

    #[test]
    fn a_stored_name_is_its_text() {
        let name: RepositoryName = serde_json::from_str("\"acme/greeter\"").unwrap();
        assert_eq!(serde_json::to_string(&name).unwrap(), "\"acme/greeter\"");
        assert!(serde_json::from_str::<RepositoryName>("\"acme\"").is_err());
    }
}
