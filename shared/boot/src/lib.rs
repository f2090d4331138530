//! Turns configuration into a running application: adapters, clock, ids, telemetry. The only room that
//! names adapters of storage, mail, sign-in and the code host, reads the wall clock, or draws random numbers.

mod adapters;
mod address;
mod app_key;
mod clock;
mod code_host;
mod config;
mod mail;
mod oidc;
mod telemetry;

pub use adapters::{OpenError, Opened, is_store, open, open_to_read};
pub use clock::{OsIds, SystemClock};
pub use code_host::{AppCodeHost, CodeHostSettings};
pub use config::{Config, ConfigError, LogFormat, Logging, Storage, Store};
pub use mail::{Encryption, Hidden, MailSettings, SmtpMail};
pub use oidc::{OidcProvider, OidcSettings};
pub use telemetry::init_telemetry;

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use svc_app::App;
use svc_http::ApiRouter;

/// Runs one API area as a Lambda function: configuration from the environment, storage on AWS.
///
/// # Errors
/// What keeps it from starting, and what the Lambda runtime says.
pub async fn lambda(area: ApiRouter) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let app = on_aws().await?;
    let (router, _) = svc_http::api([area]);
    svc_http::serve_lambda(svc_http::finish(router, app)).await
}

/// Runs pages as a Lambda function: routes, and what answers where there is none.
///
/// # Errors
/// As [`lambda`].
pub async fn lambda_pages<H, T>(
    routes: Router<Arc<App>>,
    otherwise: H,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>>
where
    H: Handler<T, Arc<App>>,
    T: 'static,
{
    let app = on_aws().await?;
    svc_http::serve_lambda(svc_http::finish_with(routes, otherwise, app)).await
}

async fn on_aws() -> Result<Arc<App>, Box<dyn std::error::Error + Send + Sync>> {
    let mut config = Config::load(None)?;
    config.storage.engine = Store::Aws;
    config.logging.format = LogFormat::Json;
    init_telemetry(&config.logging);
    Ok(open(&config).await?.app)
}
