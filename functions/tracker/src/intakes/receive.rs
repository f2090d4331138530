//! `POST /intake/{address}`: monitoring or a form reports something.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::tracker::{IntakeDelivery, IntakeReceipt};
use svc_app::App;
use svc_app::tracker::intakes;
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{ARCHIVED, DELETED, FORBIDDEN, NOT_FOUND, READ_ONLY};
use svc_http::{ApiResult, Exact, Json, Path};
use svc_present::intakes::{receipt, reports};

/// `/intake/{address}`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReceivePath {
    /// Secret part of the intake's address.
    address: String,
}

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    Path(path): Path<ReceivePath>,
    headers: HeaderMap,
    body: Exact<IntakeDelivery>,
) -> ApiResult<Json<IntakeReceipt>> {
    // What is wrong with a body is only for who has the address.
    let at = intakes::admit(&app, &path.address).await?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let delivery = match kind.starts_with("application/x-www-form-urlencoded") {
        true => svc_present::intakes::form(body.bytes()),
        false => body.read()?,
    };
    let reports = reports(&at.intake().mapping, &delivery.0);
    Ok(Json(receipt(intakes::receive(&app, &at, &reports).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For monitoring and forms, with the address of an intake and no token. Takes any JSON object, or a \
                       form (`application/x-www-form-urlencoded`). Webhooks of Alertmanager and Grafana are understood \
                       as they are: an item for each alert. A report whose key has an open item makes no other. At most \
                       60 reports a minute, 20 of one delivery. Answers 404 for an unknown address.";
    let op = scope(op, None);
    let op = refuses(op, &[NOT_FOUND, FORBIDDEN, DELETED, ARCHIVED, READ_ONLY]);
    operation(op, "receiveAtIntake", "Intakes", "Report something", description)
}
