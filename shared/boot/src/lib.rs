//! Turns configuration into a running application: adapters, clock, ids, telemetry. The only room that
//! names adapters of storage, mail, sign-in, the code host and outbound requests, reads the wall clock, or
//! draws random numbers.

mod adapters;
mod address;
mod app_key;
#[cfg(feature = "aws")]
mod aws;
mod clock;
mod code_host;
mod config;
mod config_error;
mod mail;
mod mail_failure;
mod oidc;
mod open_error;
mod outbound;
mod sealing;
mod telemetry;

pub use adapters::{Opened, back_up, is_store, open, open_deployed, open_to_read};
pub use clock::{OsIds, SystemClock};
pub use code_host::{AppCodeHost, CodeHostSettings};
pub use config::{Config, LogFormat, Logging, Storage, Store};
pub use config_error::ConfigError;
pub use mail::{Encryption, Hidden, MailSettings, SmtpMail};
pub use mail_failure::MailFailure;
pub use oidc::{OidcProvider, OidcSettings};
pub use open_error::OpenError;
pub use outbound::{GuardedHttp, OutboundSettings};
pub use sealing::SecretsSettings;
pub use svc_storage_sqlite::Room;
pub use telemetry::init_telemetry;
