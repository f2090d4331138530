//! Which part of the service a function is.

use std::env::{self, VarError};

use crate::Failure;

/// The variable that names the area of a function.
const AREA: &str = "SVC_AREA";

/// A part of the service that is a function of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Accounts, sessions, organizations, members.
    Identity,
    /// Projects, items, sprints, attachments.
    Tracker,
    /// Wiki pages.
    Wiki,
    /// Search.
    Search,
    /// Agents, runners, playbooks, runs.
    Factory,
    /// What a runner calls.
    RunnerApi,
    /// The inbox.
    Notifications,
    /// The MCP server.
    Mcp,
    /// The web app and its documents.
    Portal,
    /// Messages of the queue, and the minute tick.
    Workers,
}

impl Area {
    /// Every area.
    pub const ALL: [Self; 10] = [
        Self::Identity,
        Self::Tracker,
        Self::Wiki,
        Self::Search,
        Self::Factory,
        Self::RunnerApi,
        Self::Notifications,
        Self::Mcp,
        Self::Portal,
        Self::Workers,
    ];

    /// Its name in `SVC_AREA`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Tracker => "tracker",
            Self::Wiki => "wiki",
            Self::Search => "search",
            Self::Factory => "factory",
            Self::RunnerApi => "runner-api",
            Self::Notifications => "notifications",
            Self::Mcp => "mcp",
            Self::Portal => "portal",
            Self::Workers => "workers",
        }
    }

    /// The area that the environment names.
    ///
    /// # Errors
    /// With the names there are, where it names none of them.
    pub fn from_environment() -> Result<Self, Failure> {
        Self::named(env::var(AREA))
    }

    fn named(name: Result<String, VarError>) -> Result<Self, Failure> {
        let name = name.unwrap_or_default();
        Self::ALL.into_iter().find(|area| area.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("{AREA} is {name:?}; it must be one of {known}").into()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::env::VarError;

    use super::Area;

    #[test]
    fn a_function_is_the_area_that_its_environment_names_and_nothing_without() {
        for area in Area::ALL {
            assert_eq!(Area::named(Ok(area.name().to_owned())).unwrap(), area);
        }
        for wrong in [Ok("trackers".to_owned()), Ok(String::new()), Err(VarError::NotPresent)] {
            let said = Area::named(wrong).unwrap_err().to_string();
            assert!(said.starts_with("SVC_AREA is") && said.contains("runner-api, notifications"), "{said}");
        }
    }
}
