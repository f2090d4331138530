//! Turns configuration into a running application: adapters, clock, ids, telemetry. The only room that
//! names adapters of storage, mail, sign-in and the code host, reads the wall clock, or draws random numbers.

mod adapters;
mod address;
mod app_key;
mod clock;
mod code_host;
mod config;
mod config_error;
mod lambda;
mod mail;
mod oidc;
mod telemetry;

pub use adapters::{OpenError, Opened, back_up, is_store, open, open_to_read};
pub use clock::{OsIds, SystemClock};
pub use code_host::{AppCodeHost, CodeHostSettings};
pub use config::{Config, LogFormat, Logging, Storage, Store};
pub use config_error::ConfigError;
pub use lambda::{Work, answer_worker, lambda, lambda_pages, lambda_worker};
pub use mail::{Encryption, Hidden, MailSettings, SmtpMail};
pub use oidc::{OidcProvider, OidcSettings};
pub use telemetry::init_telemetry;
