//! Settings of who administers the instance, and who creates organizations.

use serde::{Deserialize, Serialize};

/// The administration of the instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Administration {
    /// Addresses of the admins of the instance, apart by commas. Accounts with these addresses administer it once the
    /// address is confirmed.
    pub admins: String,
    /// Who may create organizations.
    pub create_organizations: Creators,
    /// Whether the first account administers the instance while `admins` is empty. Nobody sets this: an embedded
    /// instance does so unless it serves the demo, whose password is in a file.
    #[serde(skip)]
    pub first_account: bool,
}

/// Who may create organizations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Creators {
    /// Everybody with an account.
    #[default]
    Anybody,
    /// Admins of the instance.
    Admins,
}

impl Administration {
    /// Whether the setting names this address.
    pub fn names(&self, email: &str) -> bool {
        self.admins.split(',').any(|named| named.trim().eq_ignore_ascii_case(email.trim()))
    }
}
