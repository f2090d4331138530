//! Configuration: defaults, then a TOML file, then the environment (`Automation__MaxLogBytes=…` for
//! `[Automation] MaxLogBytes`), each stronger than the one before. Unknown names are errors: a misspelt
//! setting must not be silently without effect.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_app::Settings;

use crate::address::service_address;
use crate::code_host::CodeHostSettings;
use crate::config_error::ConfigError;
use crate::mail::MailSettings;
use crate::oidc::OidcSettings;
use crate::outbound::OutboundSettings;
use crate::sealing::SecretsSettings;

/// Everything that a process is configured with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct Config {
    /// Where data lives.
    pub storage: Storage,
    /// What is logged, and how.
    pub logging: Logging,
    /// How mail is sent.
    pub mail: MailSettings,
    /// Sign-in with an identity provider.
    pub oidc: OidcSettings,
    /// Where repositories are that are on no runner's machine.
    pub code_host: CodeHostSettings,
    /// Where requests to addresses that users give may go.
    pub outbound: OutboundSettings,
    /// What secrets that must be read again are encrypted with.
    pub secrets: SecretsSettings,
    /// Behaviour.
    #[serde(flatten)]
    pub settings: Settings,
}

/// Which engines hold the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Store {
    /// SQLite and a directory: nothing to install.
    #[default]
    Embedded,
    /// DynamoDB, S3 and SQS.
    Aws,
}

/// Where data lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Storage {
    /// Which engines hold the data.
    pub engine: Store,
    /// Embedded: the directory.
    pub directory: PathBuf,
    /// AWS: name of the DynamoDB table.
    pub table: String,
    /// AWS: name of the S3 bucket.
    pub bucket: String,
    /// AWS: address of the SQS queue.
    pub queue_url: String,
    /// AWS: another endpoint for all three, such as LocalStack's.
    pub endpoint: Option<String>,
    /// AWS: region; taken from the environment's AWS settings when absent.
    pub region: Option<String>,
    /// AWS: whether missing table, bucket and queue are created, for development.
    pub create: bool,
}

impl Default for Storage {
    fn default() -> Self {
        Self {
            engine: Store::Embedded,
            directory: PathBuf::from("svc-data"),
            table: "svc".into(),
            bucket: "svc".into(),
            queue_url: String::new(),
            endpoint: None,
            region: None,
            create: false,
        }
    }
}

/// What is logged, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct Logging {
    /// Filter directives, such as `info` or `svc_app=debug,info`.
    pub filter: String,
    /// Shape of the lines.
    pub format: LogFormat,
}

impl Default for Logging {
    fn default() -> Self {
        Self { filter: "info".into(), format: LogFormat::Text }
    }
}

/// Shape of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

const SECTIONS: [&str; 19] = [
    "Administration",
    "Attachments",
    "Authentication",
    "Automation",
    "Billing",
    "Claims",
    "CodeHost",
    "Limits",
    "Logging",
    "Mail",
    "Memory",
    "Notifications",
    "Oidc",
    "Outbound",
    "RateLimits",
    "Retention",
    "Secrets",
    "Service",
    "Storage",
];

impl Config {
    /// Reads a file, where one is given, and the process's environment.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let text = match file {
            Some(path) => std::fs::read_to_string(path)
                .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?,
            None => String::new(),
        };
        let origin = file.map_or_else(|| "settings".to_owned(), |path| path.display().to_string());
        Self::read(&origin, &text, std::env::vars())
    }

    /// Reads a file's text and an environment.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`].
    pub fn read(
        origin: &str,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let invalid = |origin: &str, message: String| ConfigError::Invalid { origin: origin.into(), message };
        let mut table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| invalid(origin, error.to_string()))?;
        let mut variables = Vec::new();
        if let Some(unknown) = table.keys().find(|key| !SECTIONS.contains(&key.as_str())) {
            let known = SECTIONS.join(", ");
            return Err(invalid(
                origin,
                format!("there is no section [{unknown}]; the sections are {known}"),
            ));
        }
        for (name, value) in environment {
            let places: Vec<&str> = name.split("__").collect();
            let Some((key, places)) = places.split_last() else { continue };
            if !places.first().is_some_and(|section| SECTIONS.contains(section)) {
                continue;
            }
            let mut within = &mut table;
            for place in places {
                within = within
                    .entry(*place)
                    .or_insert_with(|| toml::Value::Table(toml::Table::new()))
                    .as_table_mut()
                    .ok_or_else(|| invalid(origin, format!("{place} must be a section")))?;
            }
            within.insert((*key).to_owned(), environment_value(&value));
            variables.push(name);
        }
        let read = table.clone().try_into();
        let mut config: Self = read.map_err(|error: toml::de::Error| match wrong_setting(&table) {
            None => invalid(origin, error.message().to_owned()),
            Some((places, message)) => match variables.into_iter().find(|name| *name == places.join("__")) {
                Some(name) => invalid("environment", format!("{name}: {message}")),
                None => {
                    let line = line_of(text, &places).map(|line| format!(":{line}")).unwrap_or_default();
                    invalid(&format!("{origin}{line}"), format!("{}: {message}", places.join(":")))
                }
            },
        })?;
        let base_url = &mut config.settings.service.base_url;
        if !base_url.is_empty() {
            *base_url = service_address("Service:BaseUrl", base_url)?;
        }
        Ok(config)
    }
}

/// The setting that alone cannot be read, by its place, and why.
fn wrong_setting(table: &toml::Table) -> Option<(Vec<String>, String)> {
    let mut tables = vec![(Vec::new(), table)];
    while let Some((places, table)) = tables.pop() {
        for (key, value) in table {
            let mut places: Vec<String> = places.clone();
            places.push(key.clone());
            if let toml::Value::Table(below) = value {
                tables.push((places, below));
                continue;
            }
            let alone = places.iter().rev().fold(value.clone(), |value, key| {
                toml::Value::Table(toml::Table::from_iter([(key.clone(), value)]))
            });
            if let Err(error) = alone.try_into::<Config>() {
                return Some((places, error.message().to_owned()));
            }
        }
    }
    None
}

/// The line of a file that says something of a setting.
fn line_of(text: &str, places: &[String]) -> Option<usize> {
    let root = toml::de::DeTable::parse(text).ok()?;
    let (last, sections) = places.split_last()?;
    let within = sections
        .iter()
        .try_fold(root.get_ref(), |table, section| table.get(section.as_str())?.get_ref().as_table())?;
    let (key, _) = within.get_key_value(last.as_str())?;
    Some(text.get(..key.span().start)?.matches('\n').count() + 1)
}

/// A number or a truth value where the text is one; text otherwise.
fn environment_value(text: &str) -> toml::Value {
    if let Ok(number) = text.parse::<i64>() {
        return toml::Value::Integer(number);
    }
    match text {
        "true" => toml::Value::Boolean(true),
        "false" => toml::Value::Boolean(false),
        _ => toml::Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, Store};

    fn env(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn settings_of_a_plan_come_from_the_file_and_the_environment() {
        let file = "[Billing.FreeTier]\nRunLogDays = 10\n";
        let config = Config::read("svc.toml", file, env(&[("Billing__Hosted__RunLogDays", "60")])).unwrap();
        let billing = &config.settings.billing;
        assert_eq!((billing.free_tier.run_log_days, billing.hosted.run_log_days), (10, 60));
        let misspelt = Config::read("svc.toml", "", env(&[("Billing__FreeTier__LogDays", "60")]));
        assert!(misspelt.unwrap_err().to_string().contains("LogDays"));
    }

    #[test]
    fn the_environment_is_stronger_than_the_file_and_the_file_than_defaults() {
        let file = "[Automation]\nMaxLogBytes = 1000\nHeartbeatSeconds = 7\n[Storage]\nEngine = \"aws\"\n";
        let config =
            Config::read("svc.toml", file, env(&[("Automation__MaxLogBytes", "2000"), ("PATH", "/bin")]))
                .unwrap();
        assert_eq!(config.settings.automation.max_log_bytes, 2000);
        assert_eq!(config.settings.automation.heartbeat_seconds, 7);
        assert_eq!(config.settings.automation.runner_lost_seconds, 300);
        assert_eq!(config.storage.engine, Store::Aws);
    }

    #[test]
    fn a_value_that_cannot_be_read_is_named_with_its_line() {
        let file = "[Service]\nTrustedProxies = 1\n\n[RateLimits]\nRequestsPerMinute = \"many\"\n";
        let said = |file: &str, pairs| Config::read("svc.toml", file, env(pairs)).unwrap_err().to_string();
        let many = said(file, &[]);
        assert!(
            many.starts_with("svc.toml:5: RateLimits:RequestsPerMinute: invalid type: string \"many\""),
            "{many}"
        );
        let set = said("", &[("RateLimits__RequestsPerMinute", "many")]);
        assert!(set.starts_with("environment: RateLimits__RequestsPerMinute: invalid type"), "{set}");
        let unknown = said("[Billing.FreeTier]\nLogDays = 1\n", &[]);
        assert!(unknown.starts_with("svc.toml:2: Billing:FreeTier:LogDays: unknown field"), "{unknown}");
    }

    #[test]
    fn the_public_address_is_one_that_links_can_begin_with() {
        let read = |address: &str| Config::read("svc.toml", "", env(&[("Service__BaseUrl", address)]));
        let kept = |address: &str| read(address).unwrap().settings.service.base_url;
        assert_eq!(kept("https://tracker.example/"), "https://tracker.example");
        assert_eq!(kept("http://10.0.0.1:8080"), "http://10.0.0.1:8080");
        let wrong = ["tracker.example", "ftp://x.example", "https://x.example/?x=1", "localhost:8080"];
        // The web app is at the root: under a path its page found none of its files.
        for wrong in wrong.into_iter().chain(["https://example.org/tracker/"]) {
            let said = read(wrong).unwrap_err().to_string();
            assert!(said.contains("Service:BaseUrl must be an address such as https://"), "{wrong}: {said}");
        }
    }

    #[test]
    fn misspelt_settings_are_errors_that_name_them() {
        let section = Config::read("svc.toml", "[Automations]\n", []).unwrap_err();
        assert!(section.to_string().contains("Automations"), "{section}");
        let key = Config::read("svc.toml", "[Automation]\nMaxLogByte = 1\n", []).unwrap_err();
        assert!(key.to_string().contains("MaxLogByte"), "{key}");
        let variable = Config::read("settings", "", env(&[("Claims__Stale", "1")])).unwrap_err();
        assert!(variable.to_string().contains("Stale"), "{variable}");
    }
}
