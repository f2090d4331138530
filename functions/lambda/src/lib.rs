//! The service as Lambda functions: one program, which serves the area that its environment names. Configuration comes
//! from the environment, storage is on AWS, and nothing is held open: streams and requests for work are short.

mod area;
mod client;
mod worker;

use std::sync::Arc;

use axum::middleware::map_request;
use svc_app::App;
use svc_app::settings::Streams;
use svc_boot::{Config, LogFormat, Store, init_telemetry, open_deployed};
use svc_http::ApiRouter;

pub use area::Area;
pub use client::client_of;
pub use worker::answer_worker;

/// What keeps a function from starting.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs the function that the environment describes, until Lambda ends it.
///
/// # Errors
/// What keeps it from starting, with the name of the setting, and what the Lambda runtime says.
pub async fn run() -> Result<(), Failure> {
    let area = Area::from_environment()?;
    let app = app().await?;
    let router = match area {
        Area::Workers => return worker::run(app).await,
        Area::Mcp => svc_http::finish_with(svc_mcp::router(), svc_mcp::nothing_else, app),
        Area::Portal => svc_http::finish_with(svc_portal::pages_router(), svc_portal::pages, app),
        Area::Identity => {
            let routes = svc_http::api(router_of(area)).0.merge(svc_identity::scim());
            svc_http::finish(routes, app)
        }
        area => svc_http::finish(svc_http::api(router_of(area)).0, app),
    };
    lambda_http::run(router.layer(map_request(client_of))).await
}

/// The routes of an area of the API, relative to `/api/v1`.
pub fn router_of(area: Area) -> Option<ApiRouter> {
    match area {
        Area::Identity => Some(svc_identity::router()),
        Area::Tracker => Some(svc_tracker::router()),
        Area::Wiki => Some(svc_wiki::router()),
        Area::Search => Some(svc_search::router()),
        Area::Factory => Some(svc_factory::router()),
        Area::RunnerApi => Some(svc_runner_api::router()),
        Area::Notifications => Some(svc_notifications::router()),
        Area::Mcp | Area::Portal | Area::Workers => None,
    }
}

async fn app() -> Result<Arc<App>, Failure> {
    let mut config = Config::load(None)?;
    config.storage.engine = Store::Aws;
    config.logging.format = LogFormat::Json;
    config.settings.service.streams = Streams::Short;
    for (name, value) in [
        ("Service__BaseUrl", &config.settings.service.base_url),
        ("Storage__QueueUrl", &config.storage.queue_url),
    ] {
        if value.is_empty() {
            return Err(format!("the setting {name} is missing in the function's environment").into());
        }
    }
    init_telemetry(&config.logging);
    Ok(open_deployed(&config).await?.app)
}
