//! The settings of a code host.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::address::invalid;
use crate::app_key::AppKey;
use crate::config_error::ConfigError;
use crate::mail::Hidden;

/// A code host (`[CodeHost]`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct CodeHostSettings {
    /// Address of its API.
    pub api_url: String,
    /// Address that people and git use.
    pub web_url: String,
    /// Number of this service's app there; there is no code host while it is 0.
    pub app_id: u64,
    /// Name of the app in addresses.
    pub app_slug: String,
    /// The app's private key, PEM.
    pub private_key: Hidden,
    /// The file that it is in, where it is not given itself.
    pub private_key_file: PathBuf,
    /// Id of the app for signing people in.
    pub client_id: String,
    /// Its secret.
    pub client_secret: Hidden,
    /// Seconds that the host may take for an answer.
    pub timeout_seconds: u32,
}

impl Default for CodeHostSettings {
    fn default() -> Self {
        Self {
            api_url: "https://api.github.com".into(),
            web_url: "https://github.com".into(),
            app_id: 0,
            app_slug: String::new(),
            private_key: Hidden::default(),
            private_key_file: PathBuf::new(),
            client_id: String::new(),
            client_secret: Hidden::default(),
            timeout_seconds: 10,
        }
    }
}

impl CodeHostSettings {
    /// Names of the settings of an app, each with whether it is given.
    pub(super) fn given(&self) -> [(&'static str, bool); 5] {
        let key = !self.private_key.0.is_empty() || !self.private_key_file.as_os_str().is_empty();
        [
            ("AppId", self.app_id != 0),
            ("AppSlug", !self.app_slug.is_empty()),
            ("PrivateKey or PrivateKeyFile", key),
            ("ClientId", !self.client_id.is_empty()),
            ("ClientSecret", !self.client_secret.0.is_empty()),
        ]
    }

    pub(super) fn key(&self) -> Result<AppKey, ConfigError> {
        let file = &self.private_key_file;
        let pem = match (self.private_key.0.is_empty(), file.as_os_str().is_empty()) {
            (false, false) => {
                return Err(invalid("CodeHost: give PrivateKey or PrivateKeyFile, not both".into()));
            }
            // An environment that cannot hold lines holds them so.
            (false, true) => self.private_key.0.replace("\\n", "\n"),
            (true, _) => std::fs::read_to_string(file)
                .map_err(|source| ConfigError::Unreadable { path: file.clone(), source })?,
        };
        AppKey::from_pem(&pem)
            .ok_or_else(|| invalid("CodeHost:PrivateKey must be an RSA private key in PEM".into()))
    }
}
