//! Accounts that are kept in the config file: whose token it is, and for which instance.
//!
//! A token is never sent to another instance than the one that it was stored for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A sign-in at an instance, with what the person chose to work in there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Account {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) org: Option<String>,
    /// Key of the project that commands work in when none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<String>,
    /// The project chosen last in each other organization, by its slug.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) projects: BTreeMap<String, String>,
    /// The address of the account, or its name where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) account: Option<String>,
    /// Id of the account; absent in files of earlier programs.
    #[serde(default, rename = "accountId", skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
}

impl Account {
    /// Whether the token may be sent to this address.
    pub(crate) fn is_at(&self, url: &str) -> bool {
        self.url.as_deref().is_some_and(|own| same_instance(own, url))
    }

    /// Whether it is the same person at the same instance. An account of an unknown holder equals none.
    pub(crate) fn is(&self, url: &str, account: &str) -> bool {
        self.is_at(url) && self.account.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(account))
    }

    /// Works in another organization, or in none that is chosen. The project is the one chosen there before.
    pub(crate) fn work_in(&mut self, org: Option<String>) {
        if self.org == org {
            return;
        }
        // A project that was chosen before any organization was is one of the organization that comes first.
        let Some(before) = self.org.take() else {
            self.org = org;
            return;
        };
        if let Some(project) = self.project.take() {
            self.projects.insert(before, project);
        }
        self.project = org.as_ref().and_then(|slug| self.projects.remove(slug));
        self.org = org;
    }

    /// Forgets an organization that the account has left.
    pub(crate) fn leave(&mut self, org: &str) {
        if self.org.as_deref() == Some(org) {
            (self.org, self.project) = (None, None);
        }
        self.projects.remove(org);
    }

    /// The account, as people read it.
    pub(crate) fn holder(&self) -> &str {
        self.account.as_deref().unwrap_or("-")
    }

    /// Where it is, as people read it.
    pub(crate) fn place(&self) -> &str {
        self.url.as_deref().unwrap_or("-")
    }
}

/// Whether two addresses are those of one instance, however they are written.
pub(crate) fn same_instance(one: &str, other: &str) -> bool {
    match (svc_client::address(one), svc_client::address(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, same_instance};

    #[test]
    fn each_organization_keeps_its_project_until_it_is_left() {
        let mut account = Account { project: Some("WEB".into()), ..Account::default() };
        account.work_in(Some("acme".into()));
        assert_eq!(account.project.as_deref(), Some("WEB"), "chosen before the organization was");
        account.work_in(Some("globex".into()));
        assert_eq!(account.project, None);
        account.project = Some("OPS".into());
        account.work_in(Some("acme".into()));
        assert_eq!(account.project.as_deref(), Some("WEB"));
        account.leave("globex");
        assert!(account.projects.is_empty());
        account.leave("acme");
        assert_eq!((account.org, account.project), (None, None));
    }

    #[test]
    fn an_instance_is_one_however_its_address_is_written() {
        let address = "https://tracker.example";
        for same in ["https://tracker.example/", "HTTPS://Tracker.Example:443/api/v1/"] {
            assert!(same_instance(address, same), "{same}");
        }
        for other in [
            "http://tracker.example",
            "https://tracker.example:8443",
            "https://tracker.example.evil.example",
            "https://tracker.example/other",
            "tracker.example",
        ] {
            assert!(!same_instance(address, other), "{other}");
        }
    }
}
